// EXPECT: layout_is_undefined
#include <plait/algebra/permute_axes.hpp>

#ifdef FIXED
constexpr plait::layout somewhere({2, 3}, "ab");
#else
constexpr plait::layout somewhere;
#endif
constexpr plait::layout refused = plait::permute_axes(somewhere, {1, 0});
