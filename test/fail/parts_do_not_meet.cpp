// EXPECT: parts_do_not_meet
// NUMBERS: 1, 1024, 512
#include <plait/algebra/concatenate_along.hpp>

constexpr plait::layout whole({2, 96, 4, 4}, "nChw16c");
constexpr plait::layout first = plait::submemory(whole, {2, 32, 4, 4}, {0, 0, 0, 0});
constexpr plait::layout next = plait::submemory(whole, {2, 32, 4, 4}, {0, 32, 0, 0});
constexpr plait::layout last = plait::submemory(whole, {2, 32, 4, 4}, {0, 64, 0, 0});

#ifdef FIXED
constexpr plait::layout refused = plait::concatenate_along(first, next, 1);
#else
constexpr plait::layout refused = plait::concatenate_along(first, last, 1);
#endif
