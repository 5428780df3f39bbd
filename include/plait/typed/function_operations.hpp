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
    return layout_c<(allowed<check_compose(A, B)> ? compose(A, B) : A)>;
}
template <layout A, layout B>
[[nodiscard]] constexpr auto concatenate(layout_constant<A>, layout_constant<B>) {
    return layout_c<(allowed<check_concatenate(A, B)> ? concatenate(A, B) : A)>;
}
template <layout A, layout B, number_constant Axis>
[[nodiscard]] constexpr auto concatenate_along(layout_constant<A>, layout_constant<B>, Axis) {
    return layout_c<(
        allowed<check_concatenate_along(A, B, axis_number<Axis>)> ? concatenate_along(A, B, axis_number<Axis>) : A)>;
}
template <layout A, layout B>
[[nodiscard]] constexpr auto divide(layout_constant<A>, layout_constant<B>) {
    return layout_c<(allowed<check_divide(A, B)> ? divide(A, B) : A)>;
}
template <layout A, layout B>
[[nodiscard]] constexpr auto product(layout_constant<A>, layout_constant<B>) {
    return layout_c<(allowed<check_product(A, B)> ? product(A, B) : A)>;
}
template <layout L>
[[nodiscard]] constexpr auto inverse(layout_constant<L>) {
    return layout_c<(allowed<check_inverse(L)> ? inverse(L) : L)>;
}
template <layout L, number_constant Size>
[[nodiscard]] constexpr auto complement(layout_constant<L>, Size) {
    return layout_c<(allowed<check_complement(L, dim_t{Size::value})> ? complement(L, dim_t{Size::value}) : L)>;
}
template <layout L, dims Extents>
[[nodiscard]] constexpr auto tile(layout_constant<L>, dims_constant<Extents>) {
    return layout_c<(allowed<check_tile(L, Extents)> ? tile(L, Extents) : L)>;
}

}  // namespace plait
