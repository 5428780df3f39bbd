#pragma once
// Constraints on the tensors that kernels accept. Use the concepts in a signature if other overloads may match, and the
// require_ functions in the body to get an error message.

#include <plait/contents/held_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that, according to the type, the padding is zero or there is none.
///
/// Refused: padding_is_not_zero (the axis, its extent, its padded extent; for a run-time layout the axis is unknown)
template <class View>
constexpr verdict check_zero_padded() {
    if (contents_of<View>.padding == padding_state::zero) return {};
    const layout l = detail::known_layout<typename std::remove_cvref_t<View>::layout_in_type>;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] != l.dims[a] || l.dims[a] == dynamic)
            return {reason::padding_is_not_zero, a, l.dims[a], l.padded_dims[a]};
    return {reason::padding_is_not_zero};
}

/// Checks that the elements are plain values: not quantised, and not multiplied by scale_adjust.
///
/// Refused: values_are_quantized (the types of scale and zero point; undef for none)
template <class View>
constexpr verdict check_plain_values() {
    constexpr tensor_contents held = contents_of<View>;
    if (held.has_plain_values()) return {};
    return {reason::values_are_quantized, -1, static_cast<dim_t>(held.scale.type),
            static_cast<dim_t>(held.zero_point.type)};
}

/// Checks that there is a scale or a zero point; with ScaleMask, that the scale has one value per index along its axes.
///
/// Refused: values_are_not_quantized; scale_mask_differs
template <class View>
constexpr verdict check_quantized() {
    return contents_of<View>.is_quantized() ? verdict{} : verdict{reason::values_are_not_quantized};
}
template <class View, int ScaleMask>
constexpr verdict check_quantized() {
    constexpr tensor_contents held = contents_of<View>;
    if (!held.scale.is_present()) return {reason::values_are_not_quantized};
    if (held.scale.mask != ScaleMask) return {reason::scale_mask_differs, -1, held.scale.mask, ScaleMask};
    return {};
}

namespace detail {
/// Checks that the tensor has each wanted compensation, with the same mask. Others, and any scale_adjust, are allowed.
///
/// Refused: compensation_is_missing (kinds: 1 is s8s8, 2 the asymmetric source), compensation_mask_differs
template <class View, tensor_compensation Wanted>
constexpr verdict check_compensated() {
    constexpr tensor_compensation have = contents_of<View>.compensation;
    const auto kind = [](const tensor_compensation& c) { return (c.s8s8 ? 1 : 0) + (c.asymmetric_source ? 2 : 0); };
    if ((kind(have) & kind(Wanted)) != kind(Wanted))
        return {reason::compensation_is_missing, -1, kind(have), kind(Wanted)};
    if (Wanted.s8s8 && have.s8s8_mask != Wanted.s8s8_mask)
        return {reason::compensation_mask_differs, -1, have.s8s8_mask, Wanted.s8s8_mask, 1};
    if (Wanted.asymmetric_source && have.asymmetric_source_mask != Wanted.asymmetric_source_mask)
        return {reason::compensation_mask_differs, -1, have.asymmetric_source_mask, Wanted.asymmetric_source_mask, 2};
    return {};
}
}  // namespace detail

/// A view of a tensor whose padding, according to its type, has only zero bits, or that has no padding.
///
/// Example: void convolve(zero_padded auto image, ...), which can then read whole blocks
template <class View>
concept zero_padded = (check_zero_padded<View>().ok());

/// A view of elements that are plain values, neither quantised nor multiplied by scale_adjust.
template <class View>
concept plain_values = (check_plain_values<View>().ok());

/// A view of elements with a scale or a zero point; to constrain the axes of the scale, use quantized_by.
///
/// Example: quantized_by<W, 1 << 0>: weights with one scale for each output channel
template <class View>
concept quantized = (check_quantized<View>().ok());
/// A view whose scale has one value per index along the axes of ScaleMask.
template <class View, int ScaleMask>
concept quantized_by = (check_quantized<View, ScaleMask>().ok());

/// A view of a tensor with these compensations.
template <class View, tensor_compensation Wanted>
concept compensated_by = (detail::check_compensated<View, Wanted>().ok());

// The concepts as statements: each fails with one compile error, which names the missing property.

/// Fails to compile unless, according to the type, the padding is zero.
///
/// Refused: padding_is_not_zero
template <class View>
constexpr void require_zero_padded(const View&) {
    static_cast<void>(allowed<check_zero_padded<View>()>);
}
/// Fails to compile unless the elements are plain values.
///
/// Refused: values_are_quantized
template <class View>
constexpr void require_plain_values(const View&) {
    static_cast<void>(allowed<check_plain_values<View>()>);
}
/// Fails to compile unless the elements are quantised.
///
/// Refused: values_are_not_quantized
template <class View>
constexpr void require_quantized(const View&) {
    static_cast<void>(allowed<check_quantized<View>()>);
}
/// Fails to compile unless there is a scale with one value per index along the axes of ScaleMask.
///
/// Refused: values_are_not_quantized, scale_mask_differs
template <int ScaleMask, class View>
constexpr void require_quantized(const View&) {
    static_cast<void>(allowed<check_quantized<View, ScaleMask>()>);
}
/// Fails to compile unless, according to the type, the tensor has these compensations.
///
/// Refused: compensation_is_missing, compensation_mask_differs
template <tensor_compensation Wanted, class View>
constexpr void require_compensated(const View&) {
    static_cast<void>(allowed<detail::check_compensated<View, Wanted>()>);
}

}  // namespace plait
