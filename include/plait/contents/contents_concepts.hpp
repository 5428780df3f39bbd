#pragma once
// What kernels ask of the tensors they accept: in a signature, where another overload may fit, as a concept; where a
// sentence is wanted, as a line of the body.

#include <plait/contents/held_view.hpp>

namespace plait {

/// Whether the type says that the padding is zero, or that there is none.
///
/// Refused: padding_is_not_zero (the axis, its extent, its padded extent; of a run-time layout no axis is known)
template <class View>
constexpr verdict check_zero_padded() {
    if (contents_of<View>.padding == padding_state::zero) return {};
    const layout l = detail::known_layout<typename std::remove_cvref_t<View>::layout_in_type>;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] != l.dims[a] || l.dims[a] == dynamic)
            return {reason::padding_is_not_zero, a, l.dims[a], l.padded_dims[a]};
    return {reason::padding_is_not_zero};
}

/// Whether elements stand for themselves.
///
/// Refused: values_are_quantized (the types of scale and zero point, undef where there is none)
template <class View>
constexpr verdict check_plain_values() {
    constexpr tensor_contents held = contents_of<View>;
    if (held.has_plain_values()) return {};
    return {reason::values_are_quantized, -1, static_cast<dim_t>(held.scale.type),
            static_cast<dim_t>(held.zero_point.type)};
}

/// Whether there is a scale or a zero point; and whether the scale has a value for each index along just these axes.
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
/// Whether each compensation that is wanted is carried, by the same mask. Others may be there, and any scale_adjust.
///
/// Refused: compensation_is_missing (kinds: 1 of s8s8, 2 of the asymmetric source), compensation_mask_differs
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

/// A view of a tensor whose padding the type says is zero, all bits of it; or that has none.
///
/// Example: void convolve(zero_padded auto image, ...), which then reads whole blocks
template <class View>
concept zero_padded = (check_zero_padded<View>().ok());

/// A view of elements that stand for themselves.
template <class View>
concept plain_values = (check_plain_values<View>().ok());

/// A view of elements with a scale or a zero point; quantized_by asks where the scale has a value of its own.
///
/// Example: quantized_by<W, 1 << 0>: weights with one scale for each output channel
template <class View>
concept quantized = (check_quantized<View>().ok());
/// A view whose scale has one value for each index along the axes of ScaleMask.
template <class View, int ScaleMask>
concept quantized_by = (check_quantized<View, ScaleMask>().ok());

/// A view of a tensor that carries these compensations.
template <class View, tensor_compensation Wanted>
concept compensated_by = (detail::check_compensated<View, Wanted>().ok());

// The same as lines of a body: each ends in one compile error, which says what the type does not.

/// Ends in an error where the type does not say that the padding is zero.
///
/// Refused: padding_is_not_zero
template <class View>
constexpr void require_zero_padded(const View&) {
    static_cast<void>(allowed<check_zero_padded<View>()>);
}
/// Ends in an error where elements stand for other numbers.
///
/// Refused: values_are_quantized
template <class View>
constexpr void require_plain_values(const View&) {
    static_cast<void>(allowed<check_plain_values<View>()>);
}
/// Ends in an error where elements stand for themselves.
///
/// Refused: values_are_not_quantized
template <class View>
constexpr void require_quantized(const View&) {
    static_cast<void>(allowed<check_quantized<View>()>);
}
/// Ends in an error where there is no scale with a value for each index along the axes of ScaleMask.
///
/// Refused: values_are_not_quantized, scale_mask_differs
template <int ScaleMask, class View>
constexpr void require_quantized(const View&) {
    static_cast<void>(allowed<check_quantized<View, ScaleMask>()>);
}
/// Ends in an error where the type does not say that these compensations are there.
///
/// Refused: compensation_is_missing, compensation_mask_differs
template <tensor_compensation Wanted, class View>
constexpr void require_compensated(const View&) {
    static_cast<void>(allowed<detail::check_compensated<View, Wanted>()>);
}

}  // namespace plait
