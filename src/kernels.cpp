// The run-time kernels, which runtime/compiled.hpp says are here. plait.cpp has them by itself where it is compiled
// without that header: then it is all there is to the library.

#include <plait/runtime/planned_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
template planned_reorder plan_reorder_with<isa::avx512>(const descriptor&, const descriptor&,
                                                        const reorder_attributes&);
template planned_reorder plan_reorder_with<isa::avx2>(const descriptor&, const descriptor&, const reorder_attributes&);
template planned_reorder plan_reorder_with<isa::sse41>(const descriptor&, const descriptor&,
                                                       const reorder_attributes&);
#elif defined(__aarch64__)
template planned_reorder plan_reorder_with<isa::neon>(const descriptor&, const descriptor&, const reorder_attributes&);
#endif
template planned_reorder plan_reorder_with<isa::portable>(const descriptor&, const descriptor&,
                                                          const reorder_attributes&);

}  // namespace plait
