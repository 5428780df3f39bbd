// EXPECT: layout_is_opaque
#include <plait/algebra/permute_axes.hpp>

#ifdef FIXED
constexpr plait::layout packed({2, 3}, "ab");
#else
constexpr plait::layout packed = [] {
    plait::layout l({2, 3}, "any");
    l.kind = plait::format_kind::opaque;
    return l;
}();
#endif
constexpr plait::layout refused = plait::permute_axes(packed, {1, 0});
