#pragma once
// For units that are linked with plait::c, which has the run-time kernels: they are not compiled again.

#include <plait/runtime/planned_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
extern template planned_reorder plan_reorder_with<isa::avx512>(const descriptor&, const descriptor&,
                                                               const reorder_attributes&);
extern template planned_reorder plan_reorder_with<isa::avx2>(const descriptor&, const descriptor&,
                                                             const reorder_attributes&);
extern template planned_reorder plan_reorder_with<isa::sse41>(const descriptor&, const descriptor&,
                                                              const reorder_attributes&);
#elif defined(__aarch64__)
extern template planned_reorder plan_reorder_with<isa::neon>(const descriptor&, const descriptor&,
                                                             const reorder_attributes&);
#endif
extern template planned_reorder plan_reorder_with<isa::portable>(const descriptor&, const descriptor&,
                                                                 const reorder_attributes&);

}  // namespace plait
