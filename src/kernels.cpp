// The run-time kernels, which reorder/compiled.hpp says are here. plait.cpp has them by itself where it is compiled
// without that header: then it is all there is to the library.

#include <plait/reorder/make_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
template void plan_reorder_with<isa::avx512>(planned_reorder&, const descriptor&, const descriptor&,
                                             const reorder_attributes&, const reorder_spans&);
template void plan_reorder_with<isa::avx2>(planned_reorder&, const descriptor&, const descriptor&,
                                           const reorder_attributes&, const reorder_spans&);
template void plan_reorder_with<isa::sse41>(planned_reorder&, const descriptor&, const descriptor&,
                                            const reorder_attributes&, const reorder_spans&);
#elif defined(__aarch64__)
template void plan_reorder_with<isa::neon>(planned_reorder&, const descriptor&, const descriptor&,
                                           const reorder_attributes&, const reorder_spans&);
#endif
template void plan_reorder_with<isa::portable>(planned_reorder&, const descriptor&, const descriptor&,
                                               const reorder_attributes&, const reorder_spans&);

}  // namespace plait
