// GCC: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
// ERRORS: any
// CLANG: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them

#include <plait/plait.hpp>

#include <vector>

std::vector<float> scales(3, 2.0f);
#ifdef FIXED
const plait::reorder_attributes by_row{.src_scale = {scales, 1 << 0}};
#else
const plait::reorder_attributes by_row{.src_scale = {std::vector<float>(3, 2.0f), 1 << 0}};
#endif
