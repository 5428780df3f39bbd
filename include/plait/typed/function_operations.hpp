#pragma once
// The algebra of layouts as functions on types: constants in, constants out.

#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/typed/constants.hpp>

namespace plait {

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
template <layout L, number_constant Size>
[[nodiscard]] constexpr auto complement(layout_constant<L>, Size) {
    constexpr expected<layout> made = try_complement(L, dim_t{Size::value});
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, dims Extents>
[[nodiscard]] constexpr auto tile(layout_constant<L>, dims_constant<Extents>) {
    constexpr expected<layout> made = try_tile(L, Extents);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

}  // namespace plait
