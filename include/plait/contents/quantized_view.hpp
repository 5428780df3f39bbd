#pragma once
// Quantised tensors: views with scales and zero points, and the numbers that their elements represent.

#include <plait/contents/contents_concepts.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the view with a scale and a zero point, each per_tensor(value), per_index<axes...>(values), or no_values().
///
/// Pre:     scales are floating-point numbers, zero points integers. There is one value by index for each index along
///          the axes: mask_is_out_of_range, mask_has_no_values, mask_has_other_values. The view is not quantised yet.
///          Scales must be finite and not 0 when they are read; a reorder of the view checks it (scale_is_invalid)
/// Post:    dequantize(result, i...) == (v(i...) - zero point of (i...)) * scale of (i...), rounded after each step
/// Cost:    only the comparison of counts; values by index stay the caller's
/// Source:  spec semantics 12
/// Example: with_quantization(weights, per_index<0>(scales)): oihw, one scale per output channel
template <class T, class L, class Scales, class ZeroPoints = no_values>
    requires(detail::scale_values<Scales>&& detail::zero_point_values<ZeroPoints>)
[[nodiscard]] constexpr auto with_quantization(const tensor_view<T, L>& v, const Scales& scales,
                                               const ZeroPoints& zero_points = {}) {
    return detail::held_as<padding_state::unknown>(v, detail::values_of_tensor(scales, v.layout()),
                                                   detail::values_of_tensor(zero_points, v.layout()));
}
template <class T, class L, padding_state P, tensor_compensation K, class Scales, class ZeroPoints = no_values>
    requires(detail::scale_values<Scales>&& detail::zero_point_values<ZeroPoints>)
[[nodiscard]] constexpr auto with_quantization(const held_view<T, L, P, K>& v, const Scales& scales,
                                               const ZeroPoints& zero_points = {}) {
    return detail::held_as<P, K>(v.stored(), detail::values_of_tensor(scales, v.layout()),
                                 detail::values_of_tensor(zero_points, v.layout()));
}

namespace detail {
/// The type in which dequantize computes and that it returns: f64 if the elements or the scales are, otherwise f32.
template <class T, class Scales>
using dequantized_type =
    std::conditional_t<std::is_same_v<std::remove_const_t<T>, double> || parameter_of<Scales>.type == data_type::f64,
                       double, float>;
}  // namespace detail

/// Returns the number that an element represents: (element - zero point) * scale, as far as these are present, divided
/// by scale_adjust if the weights were multiplied by it.
///
/// Pre:     (i...) is a position of the tensor, unchecked
/// Post:    without scale_adjust, bit for bit what reorder writes into a tensor of that type with source_attributes(v)
/// Cost:    loads up to three elements; each operation rounds separately, as in a reorder
/// Source:  spec semantics 12
/// Example: dequantize(weights, o, i, h, w)
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, std::integral... Index>
    requires(detail::indexed_by<L, sizeof...(Index)>)
[[gnu::always_inline]] constexpr auto dequantize(const held_view<T, L, P, K, S, Z>& v, Index... index) {
    using number = detail::dequantized_type<T, S>;
    number y = convert<number>(static_cast<std::remove_const_t<T>>(v.stored()(index...)));
    if constexpr (detail::parameter_of<Z>.is_present())
        y = detail::rounded(y - static_cast<number>(v.zero_points()(index...)));
    if constexpr (detail::parameter_of<S>.is_present()) y = detail::rounded(y * convert<number>(v.scales()(index...)));
    if constexpr (K.scale_adjust() != 1) y = detail::rounded(y * detail::reciprocal<number>(K.scale_adjust()));
    return y;
}
/// Returns the element of a plain view, converted to a floating-point type.
template <class T, class L, std::integral... Index>
    requires(detail::indexed_by<L, sizeof...(Index)>)
[[gnu::always_inline]] constexpr auto dequantize(const tensor_view<T, L>& v, Index... index) {
    return convert<detail::dequantized_type<T, no_values>>(static_cast<std::remove_const_t<T>>(v(index...)));
}

namespace detail {
/// Returns values as an attribute of a reorder: a single value, or all of them with their mask.
///
/// Refused: layout_is_not_dense: the values of a part of a tensor may have gaps (the gap and 1);
/// axis_is_blocked: along an axis joined by `view`, one value may belong to several indices
template <class Attribute, class V>
constexpr Attribute attribute_of(const one_value<V>& from) {
    return Attribute(from.value);
}
template <class Attribute>
constexpr Attribute attribute_of(const no_values&) {
    return {};
}
template <class Attribute, class V, class M>
constexpr Attribute attribute_of(const tensor_view<const V, M>& from) {
    const layout l = from.plain_layout();
    const int mask = mask_of_values(l);
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        require({reason::axis_is_blocked, l.digits[k].axis, l.block_size(l.digits[k].axis), l.dims[l.digits[k].axis]});
    const strides dense = mask_strides(l.dims, mask);
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] > 1 && l.digits[a].stride != dense[a])
            require({reason::layout_is_not_dense, -1, l.digits[a].stride - 1, l.digits[a].stride});
    return Attribute(std::span<const V>(from.data() + l.offset0, static_cast<std::size_t>(mask_volume(l.dims, mask))),
                     mask);
}
}  // namespace detail

/// Returns the attributes with which a reorder reads this tensor as the numbers that it represents.
///
/// Pre:     scales are f32 and zero points s32, as in attributes; the view outlives the result
/// Refused: layout_is_not_dense; values of other types do not compile
/// Post:    for a view with per_index<0>(scales): source_attributes(v) == reorder_attributes{.src_scale = {scales, 1}};
///          a reorder with them writes dequantize(v, i...) for each position, if it has no scale_adjust
/// Cost:    O(ndims) comparisons; values by index are not copied
/// Source:  spec semantics 12
/// Example: reorder<Src, Dst>(q.stored().data(), out, source_attributes(q))
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr reorder_attributes source_attributes(const held_view<T, L, P, K, S, Z>& v) {
    static_assert(detail::parameter_of<S>.type == data_type::undef || detail::parameter_of<S>.type == data_type::f32,
                  "a reorder's scales are float");
    static_assert(detail::parameter_of<Z>.type == data_type::undef || detail::parameter_of<Z>.type == data_type::s32,
                  "a reorder's zero points are std::int32_t");
    return {.src_scale = detail::attribute_of<reorder_attributes::scale>(v.scales()),
            .src_zero_point = detail::attribute_of<reorder_attributes::zero_point>(v.zero_points())};
}
namespace detail {
/// Returns the attributes with which a reorder writes numbers into this tensor as quantised elements.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr reorder_attributes destination_attributes(const held_view<T, L, P, K, S, Z>& v) {
    const reorder_attributes read = source_attributes(v);
    return {.dst_scale = read.src_scale, .dst_zero_point = read.src_zero_point};
}
}  // namespace detail
}  // namespace plait
