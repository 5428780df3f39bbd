#pragma once
// The algebra on types: constants in, constants out. Each is the operation on the values, lifted; refusals end there.

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/algebra/with_strides.hpp>
#include <plait/typed/concepts.hpp>

namespace plait {

// Axes in another order.
template <layout L, permutation P>
[[nodiscard]] constexpr auto permute_axes(layout_constant<L>, permutation_constant<P>) {
    return layout_c<permute_axes(L, P)>;
}
template <layout L, permutation P>
[[nodiscard]] constexpr auto rename_axes(layout_constant<L>, permutation_constant<P>) {
    return layout_c<rename_axes(L, P)>;
}
template <layout L, axis_map Have, axis_map Need>
[[nodiscard]] constexpr auto adapt(layout_constant<L>, axis_map_constant<Have>, axis_map_constant<Need>) {
    return layout_c<adapt(L, Have, Need)>;
}

// Axes split and joined.
template <layout L, dims To>
[[nodiscard]] constexpr auto reshape(layout_constant<L>, dims_constant<To>) {
    return layout_c<reshape(L, To)>;
}
template <layout L, dims To>
[[nodiscard]] constexpr auto view(layout_constant<L>, dims_constant<To>) {
    return layout_c<view(L, To)>;
}
/// What extended_reshape may give up, as a type.
template <reshape_flags Flags>
inline constexpr std::integral_constant<reshape_flags, Flags> reshape_flags_c{};
template <layout L, dims To, reshape_flags Flags>
[[nodiscard]] constexpr auto extended_reshape(layout_constant<L>, dims_constant<To>,
                                              std::integral_constant<reshape_flags, Flags>) {
    return layout_c<extended_reshape(L, To, Flags)>;
}
template <layout L, number_constant Axis, dims Parts>
[[nodiscard]] constexpr auto split_axis(layout_constant<L>, Axis, dims_constant<Parts>) {
    return layout_c<split_axis(L, int{Axis::value}, Parts)>;
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto join_axes(layout_constant<L>, First, Last) {
    return layout_c<join_axes(L, int{First::value}, int{Last::value})>;
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto flatten(layout_constant<L>, First, Last) {
    return layout_c<flatten(L, int{First::value}, int{Last::value})>;
}
template <layout L, number_constant First = std::integral_constant<int, 0>>
[[nodiscard]] constexpr auto flatten(layout_constant<L>, First = {}) {
    return layout_c<flatten(L, int{First::value})>;
}

// Parts of a tensor, and elements at several places.
template <layout L, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(layout_constant<L>, dims_constant<Extents>, position_constant<Offsets>) {
    return layout_c<submemory(L, Extents, Offsets)>;
}
template <layout L, number_constant Axis, number_constant Index>
[[nodiscard]] constexpr auto slice(layout_constant<L>, Axis, Index) {
    return layout_c<slice(L, int{Axis::value}, dim_t{Index::value})>;
}
template <layout L, number_constant Axis, number_constant Extent>
[[nodiscard]] constexpr auto broadcast_axis(layout_constant<L>, Axis, Extent) {
    return layout_c<broadcast_axis(L, int{Axis::value}, dim_t{Extent::value})>;
}
template <layout L, number_constant Axis, number_constant Count>
[[nodiscard]] constexpr auto repeat(layout_constant<L>, Axis, Count) {
    return layout_c<repeat(L, int{Axis::value}, dim_t{Count::value})>;
}
template <layout L, strides Steps>
[[nodiscard]] constexpr auto with_strides(layout_constant<L>, strides_constant<Steps>) {
    return layout_c<with_strides(L, Steps)>;
}

/// The form that all layouts of the same memory have: as types, they are the same.
template <layout L>
[[nodiscard]] constexpr auto canonical_form(layout_constant<L>) {
    return layout_c<canonical_form(L)>;
}

}  // namespace plait
