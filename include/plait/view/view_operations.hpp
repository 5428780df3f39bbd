#pragma once
// The algebra on views: each operation is the one on layouts, and the data stays where it is. With constants
// (permutation_c, dims_c, 1_c) what is static in the layout stays static in the view; with values the result's layout
// is known at run time. Refused exactly as on layouts: what the types say by the compiler, the rest when it runs.

#include <plait/typed/named_operations.hpp>
#include <plait/typed/rearrange.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait {

/// The layout of a view as the operations take it: a constant, a bound layout, or a value; with its names.
template <class T, class L>
constexpr decltype(auto) operand_of(const tensor_view<T, L>& v) {
    return v.layout();
}

/// A view of the same elements by another layout of theirs.
template <class T, class L, class M>
constexpr auto with_layout(const tensor_view<T, L>& v, const M& l) {
    return tensor_view<T, M>(unchecked_t{}, v.data(), l);
}

/// The same elements with names for the axes; refused: rank_differs.
template <letter_list Letters, class T, class L>
[[nodiscard]] constexpr auto name_axes(const tensor_view<T, L>& v) {
    return with_layout(v, name_axes<Letters>(operand_of(v)));
}

/// Ends in a compile error that says which name stands where, unless the axes are those asked for.
template <letter_list Wanted, class T, class L>
constexpr void require_axes(const tensor_view<T, L>&) {
    static_cast<void>(allowed<check_axes<L, Wanted>()>);
}

// Axes in another order.

/// Moves axis i to place p[i].
///
/// Pre:     check_permute_axes(v.plain_layout(), p).ok(), refused by the compiler where types say it, else when it runs
/// Post:    &permute_axes(v, p)(permute_axes(at, p)...) == &v(at...)
/// Cost:    with constants none when it runs; with values that of permute_axes on layouts. The data stays where it is
/// Source:  spec semantics 15 and 6
/// Example: examples/12_views.cpp
template <class T, class L, permutation P>
[[nodiscard]] constexpr auto permute_axes(const tensor_view<T, L>& v, permutation_constant<P> p) {
    return with_layout(v, permute_axes(operand_of(v), p));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> permute_axes(const tensor_view<T, L>& v, const permutation& p) {
    return with_layout(v, permute_axes(v.plain_layout(), p));
}

/// Makes axis names[i] the axis i of the result: NumPy's transpose.
///
/// Pre:     check_rename_axes(v.plain_layout(), names).ok(), refused as by permute_axes
/// Post:    rename_axes(v, p) is permute_axes(v, inverse(p))
/// Cost:    as permute_axes
/// Source:  spec semantics 15 and 6
/// Example: rename_axes(nchw_view, permutation_c<0, 2, 3, 1>)(n, h, w, c) is nchw_view(n, c, h, w)
template <class T, class L, permutation P>
[[nodiscard]] constexpr auto rename_axes(const tensor_view<T, L>& v, permutation_constant<P> names) {
    return with_layout(v, rename_axes(operand_of(v), names));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> rename_axes(const tensor_view<T, L>& v, const permutation& names) {
    return with_layout(v, rename_axes(v.plain_layout(), names));
}

// Axes split and joined.

/// Splits and joins plain axes, adds and removes those of one element.
///
/// Pre:     check_reshape(v.plain_layout(), to).ok(), refused by the compiler where types say it, else when it runs
/// Post:    the element with a row-major number is the same
/// Cost:    with constants none when it runs; with values that of reshape on layouts. The data stays where it is
/// Source:  spec semantics 15 and 5
/// Example: of a row-major view of {2, 6}: reshape(v, dims_c<2, 2, 3>)(i, j, k) is v(i, 3 * j + k)
template <class T, class L, dims To>
[[nodiscard]] constexpr auto reshape(const tensor_view<T, L>& v, dims_constant<To> to) {
    return with_layout(v, reshape(operand_of(v), to));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> reshape(const tensor_view<T, L>& v, const dims& to) {
    return with_layout(v, reshape(v.plain_layout(), to));
}

/// The complete reshape: through blocks and axes in any order too.
///
/// Pre:     check_view(v.plain_layout(), to).ok(), refused by the compiler where types say it, else when it runs
/// Post:    the element with a row-major number is the same
/// Cost:    with constants none when it runs; with values that of view on layouts. The data stays where it is
/// Source:  spec semantics 15 and 5
/// Example: of a view of nChw8c<1, 32, 5, 4>: view(v, dims_c<1, 32, 20>)(n, c, i) is v(n, c, i / 4, i % 4)
template <class T, class L, dims To>
[[nodiscard]] constexpr auto view(const tensor_view<T, L>& v, dims_constant<To> to) {
    return with_layout(v, view(operand_of(v), to));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> view(const tensor_view<T, L>& v, const dims& to) {
    return with_layout(v, view(v.plain_layout(), to));
}

/// Splits, permutes and joins axes as einops' pattern says; its letters have to be those that name the axes, if they
/// have names.
///
/// Refused besides, with a pattern of the run time when it runs: axis_is_named_otherwise
/// Pre:     check_rearrange of the layout, the pattern and the extents is ok, refused by the compiler where types say
///          it, else when it runs
/// Post:    &rearrange<"h (w c) -> c h w", 3, 4>(v)(c, h, w) == &v(h, w * 4 + c)
/// Cost:    of a static layout, with a pattern that is a template argument, none when it runs; else that of rearrange
///          on layouts. The data stays where it is
/// Source:  einops' rearrange
/// Example: rearrange<"n c h w -> n h w c">(v)(n, h, w, c) is v(n, c, h, w)
template <fixed_string Pattern, dim_t... Extents, class T, class L>
[[nodiscard]] constexpr auto rearrange(const tensor_view<T, L>& v) {
    return with_layout(v, rearrange<Pattern, Extents...>(operand_of(v)));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> rearrange(const tensor_view<T, L>& v, const axis_pattern& pattern,
                                                         const named_extents& extents = {}) {
    require(check_pattern_letters(axis_letters_of<L>::list(), pattern));
    return with_layout(v, rearrange(v.plain_layout(), pattern, extents));
}

/// Gives an axis of one element `extent` of them, which share its place.
///
/// Pre:     check_broadcast_axis(v.plain_layout(), axis, extent).ok(), refused by the compiler where types say it, else
///          when it runs
/// Post:    &broadcast_axis(v, axis, extent)(at...) == &v(at with 0 at axis...)
/// Cost:    with constants none when it runs; with values that of broadcast_axis on layouts. The data stays where it is
/// Source:  numpy.broadcast_to; spec semantics 15
/// Example: of a view of {1, 3}: broadcast_axis(v, 0, 4)(i, j) is v(0, j), for i from 0 to 3
template <class T, class L, number_constant Axis, number_constant Extent>
[[nodiscard]] constexpr auto broadcast_axis(const tensor_view<T, L>& v, Axis axis, Extent extent) {
    return with_layout(v, broadcast_axis(operand_of(v), axis, extent));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> broadcast_axis(const tensor_view<T, L>& v, int axis, dim_t extent) {
    return with_layout(v, broadcast_axis(v.plain_layout(), axis, extent));
}

}  // namespace plait
