#include <plait/algebra/complement.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/left_inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/right_inverse.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

namespace test_typed_function_operations {

using namespace plait;
using plait::formats::ab, plait::formats::ba;

namespace {

template <layout L>
constexpr bool is_constant_of(layout_constant<L>, const layout& expected) {
    return L == expected;
}

constexpr auto rows = layout_c<layout({8, 6}, "ab")>;
constexpr auto tile_of_four = layout_c<layout({4}, "a")>;
constexpr std::integral_constant<int, 96> size{};

}  // namespace

TEST_CASE("layouts as functions on constants: each equals the operation on the values") {
    STATIC_CHECK(is_constant_of(compose(rows, layout_c<layout({4}, strides{12})>),
                                compose(rows.value, layout({4}, strides{12}))));
    constexpr auto whole = layout_c<layout({2, 32, 5, 4}, "nChw16c")>;
    constexpr auto first = layout_c<submemory(whole.value, {2, 16, 5, 4}, {0, 0, 0, 0})>;
    constexpr auto second = layout_c<submemory(whole.value, {2, 16, 5, 4}, {0, 16, 0, 0})>;
    STATIC_CHECK(is_constant_of(concatenate_along(first, second, std::integral_constant<int, 1>{}), whole.value));
    STATIC_CHECK(is_constant_of(concatenate(layout_c<layout({2}, strides{48})>, rows),
                                concatenate(layout({2}, strides{48}), rows.value)));
    STATIC_CHECK(is_constant_of(divide(rows, tile_of_four), divide(rows.value, tile_of_four.value)));
    STATIC_CHECK(is_constant_of(product(tile_of_four, rows), product(tile_of_four.value, rows.value)));
    STATIC_CHECK(is_constant_of(inverse(ba<8, 6>{}), inverse(layout({8, 6}, "ba"))));
    constexpr auto gaps = layout_c<layout({4, 6}, strides{1, 8})>;
    STATIC_CHECK(is_constant_of(left_inverse(gaps), left_inverse(gaps.value)));
    STATIC_CHECK(is_constant_of(right_inverse(gaps), right_inverse(gaps.value)));
    STATIC_CHECK(is_constant_of(complement(rows, size), complement(rows.value, 96)));
    STATIC_CHECK(is_constant_of(tile(ab<8, 6>{}, dims_c<4, 3>), tile(rows.value, {4, 3})));
}

TEST_CASE("layouts as functions on constants: permutations and axis maps keep their own compose and inverse") {
    STATIC_CHECK(inverse(permutation_c<1, 2, 0>) == permutation{2, 0, 1});
    STATIC_CHECK(compose(axis_map_c<1, 2, 0>, axis_map_c<1, 2, 0>) == axis_map{2, 0, 1});
}

}  // namespace test_typed_function_operations
