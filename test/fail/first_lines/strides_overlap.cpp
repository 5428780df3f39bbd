// GCC: strides_do_not_nest: axis 0 has stride 7, but the axes inside it need at least 8
// CLANG: &strides_do_not_nest.axis_and_numbers[0][7][8]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout matrix({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout matrix({4, 8}, plait::strides{7, 1});
#endif
