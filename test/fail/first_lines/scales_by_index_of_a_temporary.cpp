// BOTH: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them

#include <plait/plait.hpp>

#include <vector>

const std::vector<float> scales(64, 2.0f);
#ifdef FIXED
auto by_channel() { return plait::per_index<1>(scales); }
#else
auto by_channel() { return plait::per_index<1>(std::vector<float>(64, 2.0f)); }
#endif
