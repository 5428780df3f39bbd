#pragma once
// The scales and zero points of a quantised tensor. Values by index are a view with the dims of the tensor and stride 0
// along all axes that are not in the mask. So each operation of the algebra can be applied to them as to the elements:
// scales(n, c, h, w) stays the scale of element (n, c, h, w) if the axes change.

#include <plait/contents/tensor_contents.hpp>
#include <plait/contract/attributes.hpp>
#include <plait/view/view_slice.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A missing parameter: the scale is 1, or the zero point is 0.
struct no_values {
    constexpr bool operator==(const no_values&) const = default;
};

/// A single value for the whole tensor.
template <element V>
struct one_value {
    V value{};

    template <std::integral... Index>
    constexpr const V& operator()(Index...) const {
        return value;
    }
    constexpr bool operator==(const one_value&) const = default;
};

namespace detail {
/// Values not yet attached to a tensor: one per index along the axes of Mask, row-major over these axes, by extents
/// without padding, as in reorder_attributes. The memory stays the caller's.
template <element V, int Mask>
struct values_by_index {
    std::span<const V> values;
};

/// The element type of values; void for no_values.
template <class Values>
struct value_type_of {
    using type = void;
};
template <class V>
struct value_type_of<one_value<V>> {
    using type = V;
};
template <class V, int Mask>
struct value_type_of<values_by_index<V, Mask>> {
    using type = V;
};
/// The values that a scale may be: floating-point numbers for the tensor or along axes, or none.
template <class Values>
concept scale_values = std::same_as<Values, no_values> ||
    (!std::is_void_v<typename value_type_of<Values>::type> && !std::integral<typename value_type_of<Values>::type>);
/// The values that a zero point may be: integers for the tensor or along axes, or none.
template <class Values>
concept zero_point_values = std::same_as<Values, no_values> || std::integral<typename value_type_of<Values>::type>;
}  // namespace detail

/// Returns a single value for the whole tensor.
///
/// Pre:     none; with_quantization requires floating-point scales and integer zero points
/// Post:    per_tensor(value)(i...) == value for every position
/// Cost:    none: the value is copied
/// Source:  spec semantics 12
/// Example: with_quantization(v, per_tensor(0.05f), per_tensor(std::uint8_t{128}))
template <element V>
constexpr one_value<V> per_tensor(V value) {
    return {value};
}

/// Returns values by index: one for each index along the axes.
///
/// Pre:     one value for each index along these axes: with_quantization checks it
/// Post:    result.values is std::span(values), and the type has the mask of the axes: with_quantization(v, result)
///          uses for position p the value at the row-major number of p's indices along the axes
/// Cost:    none: it refers to the values, which stay the caller's
/// Source:  spec semantics 12
/// Example: with_quantization(weights, per_index<0>(scales)): one per output channel of oihw
template <int... Axes, class Values>
    requires(sizeof...(Axes) > 0 && ((Axes >= 0 && Axes < max_ndims) && ...) &&
             requires(const Values& values) { std::span(values); })
constexpr auto per_index(const Values& values) {
    using value = typename decltype(std::span(values))::value_type;
    return detail::values_by_index<value, ((1 << Axes) | ...)>{std::span<const value>(values)};
}

namespace detail {
/// Returns the layout of values by index for a tensor with these dims: dense over the axes of the mask, else stride 0.
///
/// Post:    values[offset(p)] is the value of position p, as attributes_by_position defines it
constexpr layout values_layout(const dims& extents, int mask) { return layout(extents, mask_strides(extents, mask)); }

/// True if the strides of the values follow from known extents: only the outermost axis of the mask may be dynamic.
constexpr bool values_strides_are_known(const dims& extents, int mask) {
    bool is_outermost = true;
    for (int a = 0; a < extents.size(); ++a) {
        if ((mask >> a & 1) == 0) continue;
        if (!is_outermost && extents[a] == dynamic) return false;
        is_outermost = false;
    }
    return true;
}

/// Checks that a mask only has bits of axes.
///
/// Refused: mask_is_out_of_range
constexpr verdict check_mask(int mask, int ndims) {
    if (mask < 0 || mask >> ndims != 0) return {reason::mask_is_out_of_range, -1, mask, ndims};
    return {};
}

/// Checks that there is one value for each index of a tensor with these dims along the axes of the mask.
///
/// Refused: mask_is_out_of_range; mask_has_no_values (a null pointer); mask_has_other_values
constexpr verdict check_values(int mask, bool is_null, std::size_t count, const dims& extents) {
    if (const verdict why = check_mask(mask, extents.size()); !why.ok()) return why;
    const dim_t wanted = mask_volume(extents, mask);
    if (wanted != 0 && is_null) return {reason::mask_has_no_values, -1, mask, wanted};
    if (static_cast<std::size_t>(wanted) != count)
        return {reason::mask_has_other_values, -1, mask, wanted, static_cast<dim_t>(count)};
    return {};
}

/// Returns the view of a tensor's values. Its strides are constant if the layout is static, or if it is bound and they
/// follow from known extents; otherwise they are known only at run time.
template <class V, int Mask, layout_type L>
constexpr auto values_of_tensor(const values_by_index<V, Mask>& from, const L&) {
    constexpr layout l = known_layout<L>;
    if constexpr (allowed<check_mask(Mask, l.ndims())>) {
        require(check_values(Mask, from.values.data() == nullptr, from.values.size(), l.dims));
        return tensor_view(unchecked_t{}, from.values.data(), layout_c<values_layout(l.dims, Mask)>);
    } else {
        return no_values();
    }
}
template <class V, int Mask, class L>
constexpr auto values_of_tensor(const values_by_index<V, Mask>& from, const L& l) {
    const layout now = l;
    require(check_values(Mask, from.values.data() == nullptr, from.values.size(), now.dims));
    constexpr dims open = known_layout<L>.dims;
    if constexpr (bound_layout_type<L> && values_strides_are_known(open, Mask)) {
        const bound_layout<layout(open, mask_strides(open, Mask))> bound(values_of(open, now.dims));
        return tensor_view(unchecked_t{}, from.values.data(), bound);
    } else {
        return tensor_view(unchecked_t{}, from.values.data(), values_layout(now.dims, Mask));
    }
}
template <class V, class L>
constexpr one_value<V> values_of_tensor(const one_value<V>& from, const L&) {
    return from;
}
template <class L>
constexpr no_values values_of_tensor(const no_values&, const L&) {
    return {};
}

/// Returns the axes along which values differ, as a mask.
constexpr int mask_of_values(const layout& values) {
    int mask = 0;
    for (const digit& d : values.digits)
        if (d.stride != 0) mask |= 1 << d.axis;
    return mask;
}

/// The data type of values and the axes along which they differ, as far as their type tells.
template <class Values>
inline constexpr quantization_parameter parameter_of{};
template <class V>
inline constexpr quantization_parameter parameter_of<one_value<V>>{data_type_of<V>, 0};
template <class V, class M>
inline constexpr quantization_parameter parameter_of<tensor_view<const V, M>>{data_type_of<V>, run_time_mask};
template <class V, known_layout_type M>
inline constexpr quantization_parameter parameter_of<tensor_view<const V, M>>{data_type_of<V>,
                                                                              mask_of_values(known_layout<M>)};
}  // namespace detail
}  // namespace plait
