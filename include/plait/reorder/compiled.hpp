#pragma once
// For units that are linked with plait::c, which has what plans and runs reorders known only at run time: it is not
// compiled again.

#include <plait/reorder/make_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
extern template void plan_reorder_with<isa::avx512>(planned_reorder&, const descriptor&, const descriptor&,
                                                    const reorder_attributes&, const reorder_spans&);
extern template void plan_reorder_with<isa::avx2>(planned_reorder&, const descriptor&, const descriptor&,
                                                  const reorder_attributes&, const reorder_spans&);
extern template void plan_reorder_with<isa::sse41>(planned_reorder&, const descriptor&, const descriptor&,
                                                   const reorder_attributes&, const reorder_spans&);
extern template expected<planned_reorder> make_reorder<isa::avx512>(const descriptor&, const descriptor&,
                                                                    const reorder_attributes&);
extern template expected<planned_reorder> make_reorder<isa::avx2>(const descriptor&, const descriptor&,
                                                                  const reorder_attributes&);
extern template expected<planned_reorder> make_reorder<isa::sse41>(const descriptor&, const descriptor&,
                                                                   const reorder_attributes&);
#elif defined(__aarch64__)
extern template void plan_reorder_with<isa::neon>(planned_reorder&, const descriptor&, const descriptor&,
                                                  const reorder_attributes&, const reorder_spans&);
extern template expected<planned_reorder> make_reorder<isa::neon>(const descriptor&, const descriptor&,
                                                                  const reorder_attributes&);
#endif
extern template void plan_reorder_with<isa::portable>(planned_reorder&, const descriptor&, const descriptor&,
                                                      const reorder_attributes&, const reorder_spans&);
extern template expected<planned_reorder> make_reorder<isa::portable>(const descriptor&, const descriptor&,
                                                                      const reorder_attributes&);

}  // namespace plait
