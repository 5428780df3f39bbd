#pragma once
// Parts of a view: one index of an axis, and boxes. Where a part begins goes into the pointer, so that its layout is
// the same for each index.

#include <plait/view/view_operations.hpp>

namespace plait {

/// l from its lowest place on; without elements there is none, and l stays, as where that is not known yet.
constexpr layout from_its_beginning(layout l) {
    if (!has_elements(l.padded_dims)) return l;
    const bool backwards = runs_backwards(l);
    for (int k = 0; backwards && k < l.digits.size(); ++k)
        if (l.digits[k].extent == dynamic && l.digits[k].stride < 0 && is_known(l.digits[k].stride)) return l;
    l.offset0 = backwards ? reach_in_front(known_part(l)) : 0;
    return l;
}
/// The offset0 of a layout that is a type, bound, or a value: of what its type knows.
template <class L>
constexpr dim_t known_offset0(const L& l) {
    if constexpr (layout_type<L>) return L::value.offset0;
    else if constexpr (bound_layout_type<L>) return L::partly_static.offset0;
    else return l.offset0;
}

/// A view of a part of v, which begins where the layout says: that goes into the pointer.
template <class T, class L>
constexpr tensor_view<T, layout> with_part(const tensor_view<T, L>& v, const layout& part) {
    const layout moved = from_its_beginning(part);
    return {unchecked_t{}, v.data() + (part.offset0 - moved.offset0), moved};
}
template <class T, class L, layout_type Part>
constexpr auto with_part(const tensor_view<T, L>& v, const Part&) {
    constexpr layout moved = from_its_beginning(Part::value);
    const auto named = with_letters<axis_letters_of<Part>::list()>(layout_constant<moved>());
    return tensor_view(unchecked_t{}, v.data() + (Part::value.offset0 - moved.offset0), named);
}
template <class T, class L, bound_layout_type Part>
constexpr auto with_part(const tensor_view<T, L>& v, const Part& part) {
    constexpr layout moved = from_its_beginning(Part::partly_static);
    const layout now = part;
    // An extent that is bound to 0 leaves no element to begin at.
    const dim_t begin = has_elements(now.padded_dims) ? Part::partly_static.offset0 - moved.offset0 : 0;
    const bound_layout<moved> bound(values_of(Part::partly_static.dims, now.dims));
    return tensor_view(unchecked_t{}, v.data() + begin, with_letters<axis_letters_of<Part>::list()>(bound));
}

/// The part of a tensor that begins at `offsets`; at the end of the tensor it keeps the padding.
///
/// Pre:     check_submemory(v.plain_layout(), extents, offsets).ok(), in elements; refused by the compiler where types
///          say it, else when it runs
/// Post:    &submemory(v, extents, offsets)(at...) == &v(at + offsets...)
/// Cost:    with constants none when it runs; with values that of submemory on layouts. The data stays where it is
/// Source:  spec semantics 15 and 8
/// Example: examples/12_views.cpp
template <class T, class L, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(const tensor_view<T, L>& v, dims_constant<Extents> extents,
                                       position_constant<Offsets> offsets) {
    return with_part(v, submemory(operand_of(v), extents, offsets));
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> submemory(const tensor_view<T, L>& v, const dims& extents,
                                                         const position& offsets) {
    return with_part(v, submemory(v.plain_layout(), extents, offsets));
}

/// The layout of a slice, from where the slice begins: the same for each index.
template <int Axis, layout L>
constexpr auto slice_layout(layout_constant<L>) {
    constexpr expected<layout> made = try_slice(L, Axis, 0);
    return layout_c<(allowed<made.why> ? from_its_beginning(made.made) : L)>;
}
/// Whether an axis is dynamic, and what is left of l without it does not follow from its extent: the batch of nchw is
/// such an axis, the channels are not, as images lie so many channels apart.
constexpr bool slices_alike(const layout& l, int axis) {
    if (axis < 0 || axis >= l.ndims() || l.dims[axis] != dynamic) return false;
    for (const digit& d : l.digits)
        if (is_outside(d.stride) && axis_inside(d.stride) == axis) return false;
    return check_slice(with_ones(l, 1u << axis), axis, 0).ok();
}
template <int Axis, layout L>
constexpr auto slice_layout(const bound_layout<L>& l) {
    if constexpr (slices_alike(L, Axis)) {
        // For any extent the layout is that of an axis of one element.
        dims values;
        for (int a = 0; a < L.ndims(); ++a)
            if (a != Axis && l.partly_static.dims.values[a] == dynamic) values.push_back(l.extent(a));
        return bound_layout<from_its_beginning(slice(with_ones(L, 1u << Axis), Axis, 0))>(values);
    } else {
        return on_bound([](const layout& x) { return check_slice(x, Axis, 0); },
                        [](const layout& x) { return from_its_beginning(slice(x, Axis, 0)); }, l);
    }
}
template <int Axis, class L, char... Letters>
constexpr auto slice_layout(named_layout<L, Letters...> l) {
    return with_letters<letters_without(axis_letters<Letters...>::list(), Axis)>(slice_layout<Axis>(without_names(l)));
}

/// Where the slice begins, in elements from where the layout does.
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

/// The refusal of an index, kept out of the way of those that are inside.
[[gnu::cold, gnu::noinline]] constexpr void refuse_index(int axis, dim_t index, dim_t extent) {
    require({reason::position_is_out_of_range, axis, index, extent});
}

/// The elements with one index along an axis; the axis is in the type, the index need not be.
///
/// Pre:     check_slice(the layout, axis, index).ok(), refused by the compiler where the type says so, else at run time
/// Post:    &slice(v, axis, index)(at...) == &v(at with index inserted at axis...)
/// Cost:    of a static layout: the index compared, and constants' arithmetic; of others that of slice on layouts
/// Source:  spec semantics 15; submdspan with an index, C++26
/// Example: examples/12_views.cpp
template <class T, class L, number_constant Axis>
[[nodiscard]] constexpr auto slice(const tensor_view<T, L>& v, Axis, dim_t index) {
    constexpr int a = axis_number<Axis>;
    if constexpr (layout_index<L>::rank < 0) {
        return slice(v, a, index);
    } else {
        const auto part = slice_layout<a>(operand_of(v));
        if (const dim_t extent = v.extent(a); index < 0 || index >= extent) refuse_index(a, index, extent);
        dim_t begin = slice_begin<a>(operand_of(v), index) - known_offset0(part);
        for (int other = 0; other < v.ndims(); ++other)
            if (v.blocks(other) == 0) begin = 0;  // no elements, so none to begin at
        return tensor_view<T, std::remove_const_t<decltype(part)>>(unchecked_t{}, v.data() + begin, part);
    }
}
template <class T, class L>
[[nodiscard]] constexpr tensor_view<T, layout> slice(const tensor_view<T, L>& v, int axis, dim_t index) {
    return with_part(v, slice(v.plain_layout(), axis, index));
}
template <class T, class L, number_constant Axis, number_constant Index>
[[nodiscard]] constexpr auto slice(const tensor_view<T, L>& v, Axis axis, Index index) {
    return with_part(v, slice(operand_of(v), axis, index));
}

}  // namespace plait
