// Layouts as functions: composition, inverse, positions.
#include <plait/algebra/bind.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/element_places.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/typed/operations.hpp>

// EXPECT: axis_has_no_stride (1, 1, 81)
constexpr plait::layout l({2, 17, 3, 2}, "nChw16c");
// FIXED: constexpr plait::layout l({2, 16, 3, 2}, "nChw16c");
constexpr plait::strides steps = element_strides(l);

// EXPECT: bound_values_do_not_match (1, 2)
constexpr plait::layout images({1, 64, plait::dynamic, plait::dynamic}, "nChw16c");
constexpr plait::layout refused = plait::bind(images, {7});
// FIXED: constexpr plait::layout refused = plait::bind(images, {7, 9});

// EXPECT: extents_do_not_divide (0, 3, 4, 2)
// CuTe composes these layouts, but five of the six offsets are wrong, because steps of 3 do not divide the digits of 4.
constexpr plait::layout outer({8, 6, 4}, plait::strides{60, 9, 2});
constexpr plait::layout refused = plait::compose(outer, plait::layout({6}, plait::strides{3}));
// FIXED: constexpr plait::layout refused = plait::compose(outer, plait::layout({6}, plait::strides{2}));

// EXPECT: layout_is_not_dense
constexpr auto rows = plait::layout_c<plait::layout({4, 8}, plait::strides{9, 1})>;
// FIXED: constexpr auto rows = plait::layout_c<plait::layout({4, 8}, plait::strides{8, 1})>;
constexpr auto refused = plait::inverse(rows);

// EXPECT: digits_carry (1, 6, 6)
constexpr plait::layout outer({4, 6}, plait::strides{10, 1});
// The offsets 4 and 2 each stay within the 6 elements of a row, but their sum does not.
constexpr plait::layout refused = plait::compose(outer, plait::layout({2, 2}, plait::strides{4, 2}));
// FIXED: constexpr plait::layout refused = plait::compose(outer, plait::layout({2, 2}, plait::strides{3, 1}));

// EXPECT: index_is_outside_domain (-1, 12, 12)
constexpr plait::layout outer({3, 4}, "ba");
constexpr plait::layout refused = plait::compose(outer, plait::layout({4}, plait::strides{4}));
// FIXED: constexpr plait::layout refused = plait::compose(outer, plait::layout({3}, plait::strides{4}));

// EXPECT: layout_is_any
constexpr plait::layout chosen_later({2, 3}, "any");
// FIXED: constexpr plait::layout chosen_later({2, 3}, "ab");
constexpr auto refused = position_of(chosen_later, 4);

// EXPECT: layout_is_not_dense (0, 3, 5)
constexpr plait::layout refused = plait::inverse(plait::layout({2, 3}, plait::strides{5, 1}));
// FIXED: constexpr plait::layout refused = plait::inverse(plait::layout({2, 3}, plait::strides{3, 1}));

// EXPECT: layout_is_not_injective (0, 4, 0)
constexpr plait::layout repeated({4, 3}, plait::strides{0, 1});
// FIXED: constexpr plait::layout repeated({4, 3}, plait::strides{3, 1});
constexpr auto refused = position_of(repeated, 2);

// EXPECT: strides_do_not_nest (0, 7, 8)
constexpr plait::layout rows({4, 8}, plait::strides{7, 1});
// FIXED: constexpr plait::layout rows({4, 8}, plait::strides{8, 1});
constexpr auto refused = position_of(rows, 9);
