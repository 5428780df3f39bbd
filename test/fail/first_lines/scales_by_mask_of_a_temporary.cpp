// BOTH: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them

#include <plait/plait.hpp>

#include <vector>

std::vector<plait::float16> scales(3);
#ifdef FIXED
const auto by_row = plait::values_by_mask(scales, 1 << 0);
#else
const auto by_row = plait::values_by_mask(std::vector<plait::float16>(3), 1 << 0);
#endif
