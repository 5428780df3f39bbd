#pragma once
// For units that are linked with plait::c, which has the run-time kernels: they are not compiled again.

#include <plait/reorder/make_reorder.hpp>

namespace plait {

#if defined(__x86_64__)
extern template void plan_reorder_with<isa::avx512>(planned_reorder&, const descriptor&, const descriptor&,
                                                    const reorder_attributes&, const reorder_spans&);
extern template void plan_reorder_with<isa::avx2>(planned_reorder&, const descriptor&, const descriptor&,
                                                  const reorder_attributes&, const reorder_spans&);
extern template void plan_reorder_with<isa::sse41>(planned_reorder&, const descriptor&, const descriptor&,
                                                   const reorder_attributes&, const reorder_spans&);
#elif defined(__aarch64__)
extern template void plan_reorder_with<isa::neon>(planned_reorder&, const descriptor&, const descriptor&,
                                                  const reorder_attributes&, const reorder_spans&);
#endif
extern template void plan_reorder_with<isa::portable>(planned_reorder&, const descriptor&, const descriptor&,
                                                      const reorder_attributes&, const reorder_spans&);

}  // namespace plait
