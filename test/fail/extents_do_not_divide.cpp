// EXPECT: extents_do_not_divide
// NUMBERS: 1, 9, 6, 3
#include <plait/algebra/view.hpp>

constexpr plait::layout columns({2, 9}, "ba");

#ifdef FIXED
constexpr plait::layout refused = plait::view(columns, {6, 3});
#else
constexpr plait::layout refused = plait::view(columns, {3, 6});
#endif
