// EXPECT: middle_layouts_differ
// NUMBERS: 240, 960
#include <plait/reorder/fusion.hpp>

constexpr plait::layout plain({1, 3, 8, 10}, "nchw"), last({1, 3, 8, 10}, "nhwc");

#ifdef FIXED
constexpr plait::layout read = last;
#else
constexpr plait::layout read({1, 3, 8, 10}, "nChw12c");
#endif
constexpr plait::reorder_step first{plain, last}, second{read, plain};
constexpr plait::reorder_step one = fuse(first, second);
