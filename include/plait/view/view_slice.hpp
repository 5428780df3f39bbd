#pragma once
// Slices a view at one index of an axis; the axis is a constant, the index may be known only at run time.

#include <plait/algebra/slice.hpp>
#include <plait/view/view_operations.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout of a slice relative to where the slice begins; it is the same for each index.
template <int Axis, layout L>
constexpr auto slice_layout(layout_constant<L>) {
    constexpr expected<layout> made = try_slice(L, Axis, 0);
    return layout_c<(allowed<made.error()> ? from_its_beginning(*made) : L)>;
}
/// True if an axis is dynamic and the layout without it does not depend on its extent. True for the batch of nchw, but
/// not for its channels, because their extent determines the distance between images.
constexpr bool slices_alike(const layout& l, int axis) {
    if (axis < 0 || axis >= l.ndims() || l.dims[axis] != dynamic) return false;
    for (const digit& d : l.digits)
        if (is_outside(d.stride) && axis_inside(d.stride) == axis) return false;
    return check_slice(with_ones(l, 1u << axis), axis, 0).ok();
}
template <int Axis, layout L>
constexpr auto slice_layout(const bound_layout<L>& l) {
    if constexpr (slices_alike(L, Axis)) {
        // For any extent, the layout is the same as for an axis of one element.
        dims values;
        for (int a = 0; a < L.ndims(); ++a)
            if (a != Axis && l.partly_static.dims.values[a] == dynamic) values.push_back(l.extent(a));
        return bound_layout<from_its_beginning(slice(with_ones(L, 1u << Axis), Axis, 0))>(values);
    } else {
        return on_bound(
            [](const layout& x) {
                const expected<layout> made = try_slice(x, Axis, 0);
                return expected<layout>{from_its_beginning(*made), made.error()};
            },
            l);
    }
}
template <int Axis, class L, char... Letters>
constexpr auto slice_layout(named_layout<L, Letters...> l) {
    return with_letters<detail::letters_after<detail::slice_rule>(axis_letters<Letters...>::list(), Axis, 0)>(
        slice_layout<Axis>(without_names(l)));
}

/// Returns where the slice begins, in elements from offset 0 of the layout.
template <int Axis, layout L>
[[gnu::always_inline]] constexpr dim_t slice_begin(layout_constant<L>, dim_t index) {
    return L.offset0 + static_index<L>::template axis_offset<Axis>(static_cast<std::uint64_t>(index));
}
template <int Axis, layout L>
constexpr dim_t slice_begin(const bound_layout<L>& l, dim_t index) {
    dim_t strides[static_index<L>::slots + 1]{};
    strides[static_index<L>::slot_of(Axis)] = l.template stride<Axis>();
    return L.offset0 + static_index<L>::template axis_offset<Axis>(static_cast<std::uint64_t>(index), strides);
}

/// Returns the offset0 of a layout that is a type, bound, or a value; from the type if it contains it.
template <class L>
constexpr dim_t known_offset0(const L& l) {
    if constexpr (layout_type<L>) return L::value.offset0;
    else if constexpr (bound_layout_type<L>) return L::partly_static.offset0;
    else return l.offset0;
}

/// Fails for an index out of range; out of line to keep the fast path small.
[[gnu::cold, gnu::noinline]] constexpr void refuse_index(int axis, dim_t index, dim_t extent) {
    require({reason::position_is_out_of_range, axis, index, extent});
}
}  // namespace detail

/// Slices a view along a constant axis, at an index that is a value: the static parts of the layout stay static.
///
/// Pre:     check_slice(the layout, axis, index).ok(), checked at compile time if the types tell, otherwise at run time
/// Post:    &slice(v, axis, index)(at...) == &v(at with index inserted at axis...)
/// Cost:    static layout: one comparison of the index, and arithmetic on constants; otherwise slice on layouts
/// Source:  spec semantics 15; submdspan with an index, C++26
/// Example: examples/12_views.cpp
template <class T, class L, detail::number_constant Axis, std::integral Index>
constexpr auto apply_to(const tensor_view<T, L>& v, operation<detail::slice_rule> operation, const Axis&,
                        const Index& where) {
    constexpr int a = detail::axis_number<Axis>;
    const auto index = static_cast<dim_t>(where);
    if constexpr (detail::layout_index<L>::rank < 0) {
        return operation(v, a, index);
    } else {
        const auto part = detail::slice_layout<a>(detail::operand_of(v));
        if (const dim_t extent = v.extent(a); index < 0 || index >= extent) detail::refuse_index(a, index, extent);
        dim_t begin = detail::slice_begin<a>(detail::operand_of(v), index) - detail::known_offset0(part);
        for (int other = 0; other < v.ndims(); ++other)
            if (v.blocks(other) == 0) begin = 0;  // there are no elements, so the pointer does not move
        return tensor_view<T, std::remove_const_t<decltype(part)>>(unchecked_t{}, v.data() + begin, part);
    }
}

}  // namespace plait
