#pragma once
// For units that are linked with plait::c, which has what plans and runs reorders known only at run time: it is not
// compiled again.

#include <plait/reorder/make_reorder.hpp>

namespace plait {

// The functions of this unit's compile flags: the library has those of every instruction set that flags may settle.
extern template void plan_reorder<least_isa()>(isa, planned_reorder&, const descriptor&, const descriptor&,
                                               const reorder_attributes&, const reorder_spans&);
extern template expected<planned_reorder> make_reorder<least_isa()>(const descriptor&, const descriptor&,
                                                                    const reorder_attributes&);

}  // namespace plait
