#pragma once
// The algebra on types: constants in, constants out. Each is the operation on the values, lifted; refusals end there.

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/forget_padding.hpp>
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
    constexpr expected<layout> made = try_permute_axes(L, P);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, permutation P>
[[nodiscard]] constexpr auto rename_axes(layout_constant<L>, permutation_constant<P>) {
    constexpr expected<layout> made = try_rename_axes(L, P);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, axis_map Have, axis_map Need>
[[nodiscard]] constexpr auto adapt(layout_constant<L>, axis_map_constant<Have>, axis_map_constant<Need>) {
    constexpr expected<layout> made = try_adapt(L, Have, Need);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

// Axes split and joined.
template <layout L, dims To>
[[nodiscard]] constexpr auto reshape(layout_constant<L>, dims_constant<To>) {
    constexpr expected<layout> made = try_reshape(L, To);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, dims To>
[[nodiscard]] constexpr auto view(layout_constant<L>, dims_constant<To>) {
    constexpr expected<layout> made = try_view(L, To);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
/// What extended_reshape may give up, as a type.
template <reshape_flags Flags>
inline constexpr std::integral_constant<reshape_flags, Flags> reshape_flags_c{};
template <layout L, dims To, reshape_flags Flags>
[[nodiscard]] constexpr auto extended_reshape(layout_constant<L>, dims_constant<To>,
                                              std::integral_constant<reshape_flags, Flags>) {
    constexpr expected<layout> made = try_extended_reshape(L, To, Flags);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant Axis, dims Parts>
[[nodiscard]] constexpr auto split_axis(layout_constant<L>, Axis, dims_constant<Parts>) {
    constexpr expected<layout> made = try_split_axis(L, axis_number<Axis>, Parts);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto join_axes(layout_constant<L>, First, Last) {
    constexpr expected<layout> made = try_join_axes(L, axis_number<First>, axis_number<Last>);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto flatten(layout_constant<L>, First, Last) {
    constexpr expected<layout> made = try_flatten(L, axis_number<First>, axis_number<Last>);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant First = std::integral_constant<int, 0>>
[[nodiscard]] constexpr auto flatten(layout_constant<L>, First = {}) {
    constexpr expected<layout> made = try_flatten(L, axis_number<First>);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

// Parts of a tensor, and elements at several places.
template <layout L, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(layout_constant<L>, dims_constant<Extents>, position_constant<Offsets>) {
    constexpr expected<layout> made = try_submemory(L, Extents, Offsets);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant Axis, number_constant Index>
[[nodiscard]] constexpr auto slice(layout_constant<L>, Axis, Index) {
    constexpr expected<layout> made = try_slice(L, axis_number<Axis>, dim_t{Index::value});
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant Axis, number_constant Extent>
[[nodiscard]] constexpr auto broadcast_axis(layout_constant<L>, Axis, Extent) {
    constexpr expected<layout> made = try_broadcast_axis(L, axis_number<Axis>, dim_t{Extent::value});
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, number_constant Axis, number_constant Count>
[[nodiscard]] constexpr auto repeat(layout_constant<L>, Axis, Count) {
    constexpr expected<layout> made = try_repeat(L, axis_number<Axis>, dim_t{Count::value});
    return layout_c<(allowed<made.why> ? made.made : L)>;
}
template <layout L, strides Steps>
[[nodiscard]] constexpr auto with_strides(layout_constant<L>, strides_constant<Steps>) {
    constexpr expected<layout> made = try_with_strides(L, Steps);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

/// Returns the layout without padding: each element keeps its place.
template <layout L>
[[nodiscard]] constexpr auto forget_padding(layout_constant<L>) {
    constexpr expected<layout> made = try_forget_padding(L);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

/// The form that all layouts of the same memory have: as types, they are the same.
template <layout L>
[[nodiscard]] constexpr auto canonical_form(layout_constant<L>) {
    constexpr expected<layout> made = try_canonical_form(L);
    return layout_c<(allowed<made.why> ? made.made : L)>;
}

}  // namespace plait
