#pragma once
// The algebra of layouts as functions on types: constants in, constants out.

#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/left_inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/right_inverse.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/typed/constants.hpp>

namespace plait {

/// A after B, as constants: compose of their layouts.
///
/// Pre:     check_compose(A, B).ok(), refused by the compiler with its reason
/// Post:    compose(layout_c<A>, layout_c<B>).value == compose(A, B)
/// Cost:    one instantiation for each pair; none when it runs
/// Source:  the composition of CuTe, proved or refused; there mode 0 is the fastest
/// Example: of layout({4, 6}, "ba") after layout({4}, strides{6}): layout({4}, strides{1})
template <layout A, layout B>
[[nodiscard]] constexpr auto compose(layout_constant<A>, layout_constant<B>) {
    constexpr expected<layout> made = try_compose(A, B);
    return layout_c<(allowed<made.why> ? made.made : A)>;
}
template <layout A, layout B>
[[nodiscard]] constexpr auto concatenate(layout_constant<A>, layout_constant<B>) {
    constexpr expected<layout> made = try_concatenate(A, B);
    return layout_c<(allowed<made.why> ? made.made : A)>;
}
template <layout A, layout B, number_constant Axis>
[[nodiscard]] constexpr auto concatenate_along(layout_constant<A>, layout_constant<B>, Axis) {
    constexpr expected<layout> made = try_concatenate_along(A, B, axis_number<Axis>);
    return layout_c<(allowed<made.why> ? made.made : A)>;
}
/// The tiles B within A, as constants: divide of their layouts.
///
/// Pre:     check_divide(A, B).ok(), refused by the compiler with its reason
/// Post:    divide(layout_c<A>, layout_c<B>).value == divide(A, B)
/// Cost:    one instantiation for each pair; none when it runs
/// Source:  the logical divide of CuTe, proved or refused; there the tile comes first, as the fastest mode
/// Example: of layout({12}, "a") by layout({3}, strides{4}): layout({4, 3}, strides{1, 4})
template <layout A, layout B>
[[nodiscard]] constexpr auto divide(layout_constant<A>, layout_constant<B>) {
    constexpr expected<layout> made = try_divide(A, B);
    return layout_c<(allowed<made.why> ? made.made : A)>;
}
template <layout A, layout B>
[[nodiscard]] constexpr auto product(layout_constant<A>, layout_constant<B>) {
    constexpr expected<layout> made = try_product(A, B);
    return layout_c<(allowed<made.why> ? made.made : A)>;
}
template <layout L>
[[nodiscard]] constexpr auto inverse(layout_constant<L>) {
    constexpr expected<layout> made = try_inverse(L);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L>
[[nodiscard]] constexpr auto left_inverse(layout_constant<L>) {
    constexpr expected<layout> made = try_left_inverse(L);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L>
[[nodiscard]] constexpr auto right_inverse(layout_constant<L>) {
    constexpr expected<layout> made = try_right_inverse(L);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant Size>
[[nodiscard]] constexpr auto complement(layout_constant<L>, Size) {
    constexpr expected<layout> made = try_complement(L, dim_t{Size::value});
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
/// A constant cut into tiles: tile of its layout. Extents are those of a tile, in elements.
///
/// Pre:     check_tile(L, Extents).ok(), refused by the compiler with its reason
/// Post:    tile(layout_c<L>, dims_c<Extents...>).value == tile(L, {Extents...})
/// Cost:    one instantiation for each layout and extents; none when it runs
/// Source:  the zipped divide of CuTe by the extents of a tile, proved or refused
/// Example: of layout({4, 6}, "ab") by dims_c<2, 3>: dims {2, 2, 2, 3}, strides {12, 3, 6, 1}
template <layout L, dims Extents>
[[nodiscard]] constexpr auto tile(layout_constant<L>, dims_constant<Extents>) {
    constexpr expected<layout> made = try_tile(L, Extents);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

}  // namespace plait
