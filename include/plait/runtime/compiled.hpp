#pragma once
// For units that are linked with plait::c: it has the run-time kernels, which are not compiled again.
//
// Holds for units that are compiled without flags for an instruction set, as plait::c is; others have kernels of their
// own.

#include <plait/runtime/planned_reorder.hpp>

namespace plait {

#if defined(__aarch64__)
extern template planned_reorder plan_reorder<isa::neon>(const descriptor&, const descriptor&,
                                                        const reorder_attributes&);
#else
extern template planned_reorder plan_reorder<isa::portable>(const descriptor&, const descriptor&,
                                                            const reorder_attributes&);
#endif

}  // namespace plait
