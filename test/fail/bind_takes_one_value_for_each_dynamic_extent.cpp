// EXPECT: bound_values_do_not_match
// NUMBERS: 1, 2
#include <plait/typed/bound_layout.hpp>

constexpr auto images = plait::layout_c<plait::layout({1, 64, plait::dynamic, plait::dynamic}, "nChw16c")>;

#ifdef FIXED
auto refused(int height, int width) { return plait::bind(images, height, width); }
#else
auto refused(int height) { return plait::bind(images, height); }
#endif
