// GCC: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
// ERRORS: any
// CLANG: cannot convert initializer list argument to 'const plait::reorder_attributes'

#include <plait/plait.hpp>

#include <vector>

std::vector<float> scales(3, 2.0f);
const plait::descriptor rows(plait::data_type::f32, plait::layout({3, 4}, "ab"));
#ifdef FIXED
const auto plan = make_reorder(rows, rows, {.src_scale = {scales, 1 << 0}});
#else
const auto plan = make_reorder(rows, rows, {.src_scale = {std::vector<float>(3, 2.0f), 1 << 0}});
#endif
