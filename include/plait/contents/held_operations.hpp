#pragma once
// The algebra on views that say what their tensor holds: each operation is the one on views, done to the elements, and
// to the values by index as well, so that each element keeps its scale and its zero point.
//
// Padding that is zero stays zero: no operation of the algebra makes a place padding that was none. Compensation
// belongs to a whole tensor: it goes with its axes where they are permuted, a part of the tensor has none, and what
// else becomes of the axes is refused as on descriptors. What was multiplied by scale_adjust stays multiplied.

#include <plait/contents/contents_concepts.hpp>
#include <plait/descriptor/operations.hpp>

namespace plait {

/// An operation on views, done to values: those that are views are operated on, the others stay.
template <class Values, class Operation>
constexpr Values values_after(const Values& values, Operation) {
    return values;
}
template <class V, class M, class Operation>
constexpr auto values_after(const tensor_view<const V, M>& values, Operation operation) {
    return operation(values);
}

/// The same contents for other views of elements and values, with this compensation.
template <tensor_compensation After, class T, class L, padding_state P, tensor_compensation K, class S, class Z,
          class Operation>
constexpr auto held_after(const held_view<T, L, P, K, S, Z>& v, Operation operation) {
    return held_as<P, After>(operation(v.stored()), values_after(v.scales(), operation),
                             values_after(v.zero_points(), operation));
}

/// What is left of compensation in a part, which has no buffers: that its elements were multiplied before.
constexpr tensor_compensation without_buffers(const tensor_compensation& c) {
    tensor_compensation out;
    out.scale_adjust_bits = c.scale_adjust_bits;
    return out;
}

/// Whether axes may be split and joined: not where sums lie behind the elements by axes that may be gone.
///
/// Refused: descriptor_has_extra
constexpr verdict check_no_buffers(const tensor_compensation& c) {
    return c.has_buffers() ? verdict{reason::descriptor_has_extra} : verdict{};
}

/// Whether each sum lies where it did after the axes are permuted: not if two axes that share their places change their
/// order.
///
/// Refused: descriptor_has_extra
constexpr verdict check_permuted_sums(const layout& l, const tensor_compensation& c, const permutation& p) {
    if (!check_permutation(p, l.ndims()).ok()) return {};  // which the operation itself refuses
    for (const int mask : {c.s8s8_mask, c.asymmetric_source_mask})
        if (!keeps_compensation_order(l, mask, p)) return {reason::descriptor_has_extra};
    return {};
}
/// Compensation with its masks, after the axes were permuted by p.
constexpr tensor_compensation permuted_compensation(tensor_compensation c, const permutation& p, int ndims) {
    if (!check_permutation(p, ndims).ok()) return c;
    c.s8s8_mask = permute_mask(c.s8s8_mask, p);
    c.asymmetric_source_mask = permute_mask(c.asymmetric_source_mask, p);
    return c;
}

/// Moves axis i to place p[i]: of the elements, of the values, in the masks of compensation.
///
/// Refused: as on views; descriptor_has_extra: two axes of a mask share their places and change their order. Of a
/// permutation known only at run time: any sums, because their masks are in the type
/// Post:    dequantize(permute_axes(v, p), permute_axes(at, p)...) == dequantize(v, at...)
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, permutation Order>
[[nodiscard]] constexpr auto permute_axes(const held_view<T, L, P, K, S, Z>& v, permutation_constant<Order> p) {
    if constexpr (K.has_buffers() && known_layout_type<L>)
        static_cast<void>(allowed<check_permuted_sums(known_layout<L>, K, Order)>);
    else require(check_permuted_sums(v.plain_layout(), K, Order));
    constexpr tensor_compensation after = permuted_compensation(K, Order, Order.size());
    return held_after<after>(v, [&](const auto& x) { return permute_axes(x, p); });
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto permute_axes(const held_view<T, L, P, K, S, Z>& v, const permutation& p) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return permute_axes(x, p); });
}

/// Makes axis names[i] the axis i of the result; refused as permute_axes.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, permutation Order>
[[nodiscard]] constexpr auto rename_axes(const held_view<T, L, P, K, S, Z>& v, permutation_constant<Order>) {
    return permute_axes(v, permutation_constant<inverse(permutation_constant<Order>::value)>());
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto rename_axes(const held_view<T, L, P, K, S, Z>& v, const permutation& names) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return rename_axes(x, names); });
}

/// The same elements with names for the axes; refused: rank_differs.
template <letter_list Letters, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto name_axes(const held_view<T, L, P, K, S, Z>& v) {
    return held_as<P, K>(name_axes<Letters>(v.stored()), v.scales(), v.zero_points());
}

/// Ends in a compile error that says which name stands where, unless the axes are those asked for.
template <letter_list Wanted, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr void require_axes(const held_view<T, L, P, K, S, Z>&) {
    static_cast<void>(allowed<check_axes<L, Wanted>()>);
}

/// Splits and joins plain axes. Refused: as on views, for the elements and for values by index, which have to be one
/// value along all of the axes that are joined or one for each index of them; descriptor_has_extra.
///
/// Post:    the element with a row-major number is the same, and stands for the same number
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, dims To>
[[nodiscard]] constexpr auto reshape(const held_view<T, L, P, K, S, Z>& v, dims_constant<To> to) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return reshape(x, to); });
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto reshape(const held_view<T, L, P, K, S, Z>& v, const dims& to) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return reshape(x, to); });
}

/// The complete reshape; refused as reshape.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, dims To>
[[nodiscard]] constexpr auto view(const held_view<T, L, P, K, S, Z>& v, dims_constant<To> to) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return view(x, to); });
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto view(const held_view<T, L, P, K, S, Z>& v, const dims& to) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return view(x, to); });
}

/// Splits, permutes and joins axes as einops' pattern says; refused as reshape.
template <fixed_string Pattern, dim_t... Extents, class T, class L, padding_state P, tensor_compensation K, class S,
          class Z>
[[nodiscard]] constexpr auto rearrange(const held_view<T, L, P, K, S, Z>& v) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [](const auto& x) { return rearrange<Pattern, Extents...>(x); });
}

/// Gives an axis of one element `extent` of them, which share its place; refused as reshape.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, class Axis, class Extent>
[[nodiscard]] constexpr auto broadcast_axis(const held_view<T, L, P, K, S, Z>& v, Axis axis, Extent extent) {
    static_cast<void>(allowed<check_no_buffers(K)>);
    return held_after<K>(v, [&](const auto& x) { return broadcast_axis(x, axis, extent); });
}

/// The part of a tensor that begins at `offsets`; without compensation.
///
/// Post:    dequantize(submemory(v, extents, offsets), at...) == dequantize(v, at + offsets...)
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(const held_view<T, L, P, K, S, Z>& v, dims_constant<Extents> extents,
                                       position_constant<Offsets> offsets) {
    return held_after<without_buffers(K)>(v, [&](const auto& x) { return submemory(x, extents, offsets); });
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto submemory(const held_view<T, L, P, K, S, Z>& v, const dims& extents,
                                       const position& offsets) {
    return held_after<without_buffers(K)>(v, [&](const auto& x) { return submemory(x, extents, offsets); });
}

/// The elements with one index along an axis; without compensation.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, class Axis, class Index>
[[nodiscard]] constexpr auto slice(const held_view<T, L, P, K, S, Z>& v, Axis axis, Index index) {
    return held_after<without_buffers(K)>(v, [&](const auto& x) { return slice(x, axis, index); });
}

}  // namespace plait
