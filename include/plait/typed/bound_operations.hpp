#pragma once
// The algebra on partly static layouts. Each is the operation on values, by on_bound(). Those that need every extent
// (compose, divide, canonical_form, ...) take a bound layout as the layout that it converts to.

#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/typed/on_bound.hpp>
#include <plait/typed/operations.hpp>

namespace plait {

// Axes in another order.
template <layout L, permutation P>
[[nodiscard]] constexpr auto permute_axes(const bound_layout<L>& l, permutation_constant<P>) {
    return on_bound([](const layout& x) { return check_permute_axes(x, P); },
                    [](const layout& x) { return permute_axes(x, P); }, l);
}
template <layout L, permutation P>
[[nodiscard]] constexpr auto rename_axes(const bound_layout<L>& l, permutation_constant<P>) {
    return on_bound([](const layout& x) { return check_rename_axes(x, P); },
                    [](const layout& x) { return rename_axes(x, P); }, l);
}
template <layout L, axis_map Have, axis_map Need>
[[nodiscard]] constexpr auto adapt(const bound_layout<L>& l, axis_map_constant<Have>, axis_map_constant<Need>) {
    return on_bound([](const layout& x) { return check_adapt(x, Have, Need); },
                    [](const layout& x) { return adapt(x, Have, Need); }, l);
}

// Axes split and joined. Dynamic entries of the new dims stand, in order, for the values of the open extents.

/// The dims To of a result, where x is what is known of L: L itself, or L bound.
template <layout L, dims To>
constexpr dims dims_for(const layout& x) {
    return filled(To, values_of(L.dims, x.dims));
}

template <layout L, dims To>
[[nodiscard]] constexpr auto reshape(const bound_layout<L>& l, dims_constant<To>) {
    return on_bound(
        [](const layout& x) { return first_refusal(check_entries(To, L.dims), check_reshape(x, dims_for<L, To>(x))); },
        [](const layout& x) { return reshape(x, dims_for<L, To>(x)); }, l);
}
template <layout L, dims To>
[[nodiscard]] constexpr auto view(const bound_layout<L>& l, dims_constant<To>) {
    return on_bound(
        [](const layout& x) { return first_refusal(check_entries(To, L.dims), check_view(x, dims_for<L, To>(x))); },
        [](const layout& x) { return view(x, dims_for<L, To>(x)); }, l);
}
template <layout L, dims To, reshape_flags Flags>
[[nodiscard]] constexpr auto extended_reshape(const bound_layout<L>& l, dims_constant<To>,
                                              std::integral_constant<reshape_flags, Flags>) {
    return on_bound(
        [](const layout& x) {
            return first_refusal(check_entries(To, L.dims), check_extended_reshape(x, dims_for<L, To>(x), Flags));
        },
        [](const layout& x) { return extended_reshape(x, dims_for<L, To>(x), Flags); }, l);
}

/// The extents of one axis as dims; empty where there is no such axis.
constexpr dims extent_of_axis(const layout& l, int axis) {
    return axis >= 0 && axis < l.ndims() ? dims{l.dims[axis]} : dims();
}

// A dynamic part stands for the value of the axis that is split.
template <layout L, number_constant Axis, dims Parts>
[[nodiscard]] constexpr auto split_axis(const bound_layout<L>& l, Axis, dims_constant<Parts>) {
    return on_bound(
        [](const layout& x) {
            const dims open = extent_of_axis(L, Axis::value), known = extent_of_axis(x, Axis::value);
            return first_refusal(check_split_axis(x, axis_number<Axis>, filled(Parts, values_of(open, known))),
                                 check_entries(Parts, open));
        },
        [](const layout& x) {
            const dims open = extent_of_axis(L, Axis::value), known = extent_of_axis(x, Axis::value);
            return split_axis(x, axis_number<Axis>, filled(Parts, values_of(open, known)));
        },
        l);
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto join_axes(const bound_layout<L>& l, First, Last) {
    return on_bound([](const layout& x) { return check_join_axes(x, axis_number<First>, axis_number<Last>); },
                    [](const layout& x) { return join_axes(x, axis_number<First>, axis_number<Last>); }, l);
}
template <layout L, number_constant First, number_constant Last>
[[nodiscard]] constexpr auto flatten(const bound_layout<L>& l, First, Last) {
    return on_bound([](const layout& x) { return check_flatten(x, axis_number<First>, axis_number<Last>); },
                    [](const layout& x) { return flatten(x, axis_number<First>, axis_number<Last>); }, l);
}
template <layout L, number_constant First = std::integral_constant<int, 0>>
[[nodiscard]] constexpr auto flatten(const bound_layout<L>& l, First = {}) {
    return on_bound([](const layout& x) { return check_flatten(x, axis_number<First>); },
                    [](const layout& x) { return flatten(x, axis_number<First>); }, l);
}
template <layout L, dims Extents>
[[nodiscard]] constexpr auto tile(const bound_layout<L>& l, dims_constant<Extents>) {
    return on_bound([](const layout& x) { return check_tile(x, Extents); },
                    [](const layout& x) { return tile(x, Extents); }, l);
}

// Parts of a tensor, and elements at several places.

/// The extents of a part, a dynamic one being that of the whole along its axis where that is open.
template <layout L, dims Extents>
constexpr dims extents_of_part(const layout& x) {
    dims out = Extents;
    for (int a = 0; a < out.size() && a < x.ndims(); ++a)
        if (out[a] == dynamic && L.dims[a] == dynamic) out[a] = x.dims[a];
    return out;
}

template <layout L, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(const bound_layout<L>& l, dims_constant<Extents>, position_constant<Offsets>) {
    return on_bound([](const layout& x) { return check_submemory(x, extents_of_part<L, Extents>(x), Offsets); },
                    [](const layout& x) { return submemory(x, extents_of_part<L, Extents>(x), Offsets); }, l);
}
template <layout L, number_constant Axis, number_constant Index>
[[nodiscard]] constexpr auto slice(const bound_layout<L>& l, Axis, Index) {
    return on_bound([](const layout& x) { return check_slice(x, axis_number<Axis>, dim_t{Index::value}); },
                    [](const layout& x) { return slice(x, axis_number<Axis>, dim_t{Index::value}); }, l);
}
template <layout L, number_constant Axis, number_constant Extent>
[[nodiscard]] constexpr auto broadcast_axis(const bound_layout<L>& l, Axis, Extent) {
    return on_bound([](const layout& x) { return check_broadcast_axis(x, axis_number<Axis>, dim_t{Extent::value}); },
                    [](const layout& x) { return broadcast_axis(x, axis_number<Axis>, dim_t{Extent::value}); }, l);
}
template <layout L, number_constant Axis, number_constant Count>
[[nodiscard]] constexpr auto repeat(const bound_layout<L>& l, Axis, Count) {
    return on_bound([](const layout& x) { return check_repeat(x, axis_number<Axis>, dim_t{Count::value}); },
                    [](const layout& x) { return repeat(x, axis_number<Axis>, dim_t{Count::value}); }, l);
}
template <layout L, strides Steps>
[[nodiscard]] constexpr auto with_strides(const bound_layout<L>& l, strides_constant<Steps>) {
    return on_bound([](const layout& x) { return check_with_strides(x, Steps); },
                    [](const layout& x) { return with_strides(x, Steps); }, l);
}

// Two layouts, one of them bound, or both.
template <layout A, layout B>
[[nodiscard]] constexpr auto concatenate(const bound_layout<A>& a, const bound_layout<B>& b) {
    return on_bound([](const layout& x, const layout& y) { return check_concatenate(x, y); },
                    [](const layout& x, const layout& y) { return concatenate(x, y); }, a, b);
}
template <layout A, layout B>
[[nodiscard]] constexpr auto concatenate(const bound_layout<A>& a, layout_constant<B> b) {
    return concatenate(a, bind(b));
}
template <layout A, layout B>
[[nodiscard]] constexpr auto concatenate(layout_constant<A> a, const bound_layout<B>& b) {
    return concatenate(bind(a), b);
}

}  // namespace plait
