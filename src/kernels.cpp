// What plans and runs reorders known only at run time, which reorder/compiled.hpp says is here. plait.cpp has it by
// itself where it is compiled without that header: then it is all there is to the library.

#include <plait/reorder/make_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
template void plan_reorder_with<isa::avx512>(planned_reorder&, const descriptor&, const descriptor&,
                                             const reorder_attributes&, const reorder_spans&);
template void plan_reorder_with<isa::avx2>(planned_reorder&, const descriptor&, const descriptor&,
                                           const reorder_attributes&, const reorder_spans&);
template void plan_reorder_with<isa::sse41>(planned_reorder&, const descriptor&, const descriptor&,
                                            const reorder_attributes&, const reorder_spans&);
template expected<planned_reorder> make_reorder<isa::avx512>(const descriptor&, const descriptor&,
                                                             const reorder_attributes&);
template expected<planned_reorder> make_reorder<isa::avx2>(const descriptor&, const descriptor&,
                                                           const reorder_attributes&);
template expected<planned_reorder> make_reorder<isa::sse41>(const descriptor&, const descriptor&,
                                                            const reorder_attributes&);
#elif defined(__aarch64__)
template void plan_reorder_with<isa::neon>(planned_reorder&, const descriptor&, const descriptor&,
                                           const reorder_attributes&, const reorder_spans&);
template expected<planned_reorder> make_reorder<isa::neon>(const descriptor&, const descriptor&,
                                                           const reorder_attributes&);
#endif
template void plan_reorder_with<isa::portable>(planned_reorder&, const descriptor&, const descriptor&,
                                               const reorder_attributes&, const reorder_spans&);
template expected<planned_reorder> make_reorder<isa::portable>(const descriptor&, const descriptor&,
                                                               const reorder_attributes&);

}  // namespace plait
