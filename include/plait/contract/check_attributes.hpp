#pragma once
// Checks attributes: masks and counts must fit the tensor, and scales and beta must be usable numbers.

#include <plait/contract/attributes.hpp>
#include <plait/core/check_buffer.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if a number can be a scale: it is finite and not 0.
///
/// Example: is_scale(-0.5f); false for 0, -0, infinity and NaN
constexpr bool is_scale(float x) {
    // Compares bits, so that a loop over many values has no branches: 0 wraps around, infinity and NaN are too large.
    return (std::bit_cast<std::uint32_t>(x) << 1) - 1 < (0xffu << 24) - 1;
}

/// True if each of some numbers can be a scale.
///
/// Cost:    a tenth of a nanosecond for each number in cache: four are checked in a register
constexpr bool are_scales(const float* values, dim_t count) {
    dim_t done = 0;
    bool all = true;
    if (!std::is_constant_evaluated()) {
        using four [[gnu::vector_size(16)]] = std::uint32_t;
        constexpr std::uint32_t infinity = 0x7f800000, sign = 0x80000000;
        four large{}, not_zero{sign, sign, sign, sign};
        for (; done + 4 <= count; done += 4) {
            four magnitudes;
            __builtin_memcpy(&magnitudes, values + done, sizeof(magnitudes));
            magnitudes &= sign - 1;
            large |= magnitudes + (sign - infinity);  // the sign bits of infinity, NaN
            not_zero &= magnitudes + (sign - 1);      // and of all but 0
        }
        for (int lane = 0; lane < 4; ++lane) all = all && (large[lane] & sign) == 0 && (not_zero[lane] & sign) != 0;
    }
    for (; done < count; ++done) all = all && is_scale(values[done]);
    return all;
}

/// Calls action(place) for each place of a layout that a position has, once for positions that differ only in digits of
/// stride 0. Padding has none.
///
/// Pre:     check_static(where).ok()
template <class Action>
constexpr void visit_value_places(const layout& where, Action action) {
    index_terms terms = terms_of(where);
    if (where.volume() == 0) return;
    dim_t first[max_ndims]{}, values[max_digits]{}, indices[max_digits]{};
    for (int k = 0; k < terms.size(); ++k) {
        const index_term& term = terms[k];
        values[k] = term.extent == 0 ? divide_up(where.padded_dims[term.axis], term.divisor) : term.extent;
    }
    for (;;) {
        dim_t place = where.offset0;
        bool is_inside = true;
        for (dim_t& index : first) index = 0;
        for (int k = 0; k < terms.size(); ++k) {
            first[terms[k].axis] += indices[k] * terms[k].divisor;
            place += indices[k] * terms[k].stride;
        }
        // With padding in front, only places that are inside if digits of stride 0 are 0.
        for (int a = 0; a < where.ndims(); ++a)
            is_inside =
                is_inside && first[a] >= where.padded_offsets[a] && first[a] < where.padded_offsets[a] + where.dims[a];
        if (is_inside) action(place);
        int k = 0;
        for (; k < terms.size() && ++indices[k] == values[k]; ++k) indices[k] = 0;
        if (k == terms.size()) return;
    }
}

/// Returns the rejection of the first value that cannot be a scale; ok if all can.
///
/// Refused: scale_is_invalid (the bits of the f32, its index in the array, the role)
/// Pre:     check_attributes has checked that the array has `count` values
/// Cost:    O(count) steps
constexpr verdict check_scale_values(const reorder_attributes::scale& scale, const dims& extents, buffer_role role) {
    const auto refuse = [&](dim_t place) {
        const float value = scale.has_values() ? scale.at(place) : scale.value;
        return verdict{reason::scale_is_invalid, -1, std::bit_cast<std::int32_t>(value), place,
                       static_cast<dim_t>(role)};
    };
    const auto count = static_cast<dim_t>(scale.count);
    if (scale.where != nullptr) {
        dim_t first = -1;
        visit_value_places(*scale.where, [&](dim_t place) {
            if (first < 0 && !is_scale(scale.at(place))) first = place;
        });
        return first < 0 ? verdict{} : refuse(first);
    }
    if (scale.is_of_other_type()) {
        // Packed values fill whole bytes: the rest of the last byte is not read.
        const dim_t needed = mask_volume(count_groups(extents, scale.group), scale.mask);
        const dim_t read = needed == dynamic || needed > count ? count : needed;
        for (dim_t i = 0; i < read; ++i)
            if (!is_scale(scale.at(i))) return refuse(i);
        return {};
    }
    const float* const values = scale.values != nullptr ? scale.values : &scale.value;
    if (are_scales(values, count)) return {};
    dim_t first = 0;
    while (is_scale(values[first])) ++first;
    return refuse(first);
}

/// Checks the type of values: any floating-point type but f64 for scales, any integer type for zero points.
///
/// Refused: value_type_does_not_fit (the type)
template <class Value>
constexpr verdict check_value_type(data_type type) {
    const bool fits = type != data_type::undef && static_cast<unsigned>(type) < element_type_count &&
                      with_element_type(type, []<class T>(T) {
                          return std::is_same_v<Value, float> ? !integer_type<T> && !std::is_same_v<T, double>
                                                              : integer_type<T> && !std::is_same_v<T, boolean>;
                      });
    return fits ? verdict{} : verdict{reason::value_type_does_not_fit, -1, static_cast<dim_t>(type)};
}

/// Checks the groups of values: one number for each axis, which divides its extent.
///
/// Refused: rank_differs; dims_differ (the extents that the groups were given for are not those of the tensor);
///          group_does_not_divide (the axis, the group, the extent)
template <class Value>
constexpr verdict check_groups(const values_of_attribute<Value>& a, const dims& extents) {
    for (const dims* each : {&a.extents, &a.group})
        if (each->size() != extents.size()) return {reason::rank_differs, -1, each->size(), extents.size()};
    for (int axis = 0; axis < extents.size(); ++axis) {
        const dim_t group = a.group[axis], extent = extents[axis];
        if (a.extents[axis] != dynamic && extent != dynamic && a.extents[axis] != extent)
            return {reason::dims_differ, axis, a.extents[axis], extent};
        if (group <= 0 || (extent != dynamic && extent % group != 0))
            return {reason::group_does_not_divide, axis, group, extent};
    }
    return {};
}

/// Checks values that have a layout: it must be known, over the tensor's extents, and inside the values.
///
/// Refused: what check_layout refuses; dim_is_dynamic, stride_is_dynamic; rank_differs, dims_differ; values_are_too_few
///          (the number that the layout reaches, the actual number)
template <class Value>
constexpr verdict check_value_layout(const values_of_attribute<Value>& a, const dims& extents) {
    const layout& where = *a.where;
    if (const verdict why = check_static(where); !why.ok()) return why;
    if (const digits_reach digits = check_digits(where); !digits.why.ok()) return digits.why;
    if (where.ndims() != extents.size()) return {reason::rank_differs, -1, where.ndims(), extents.size()};
    for (int axis = 0; axis < extents.size(); ++axis)
        if (extents[axis] != dynamic && where.dims[axis] != extents[axis])
            return {reason::dims_differ, axis, where.dims[axis], extents[axis]};
    const auto span = static_cast<dim_t>(where.element_span());
    const dim_t needed = span == 0 ? 0 : span + where.span_begin(), given = static_cast<dim_t>(a.count);
    if (needed > given || (needed > 0 && !a.has_values())) return {reason::values_are_too_few, -1, needed, given};
    return {};
}

/// Checks the number of values by mask or by group.
template <class Value>
constexpr verdict check_value_count(const values_of_attribute<Value>& a, const dims& extents) {
    if (a.mask < 0 || a.mask >> extents.size() != 0) return {reason::mask_is_out_of_range, -1, a.mask, extents.size()};
    const dims groups = count_groups(extents, a.group);
    dim_t count = 1;
    bool is_known_count = true;
    for (int axis = 0; axis < extents.size(); ++axis) {
        if ((a.mask >> axis & 1) == 0) continue;
        is_known_count = is_known_count && groups[axis] != dynamic;
        count = wrapping_multiply(count, groups[axis]);
    }
    if (!is_known_count) count = static_cast<dim_t>(a.count);
    if (count != 0 && !a.has_values() && a.mask != 0) return {reason::mask_has_no_values, -1, a.mask, count};
    // Packed values fill whole bytes, so that a few more may be there.
    const bool is_enough = is_packed(a.type) && static_cast<dim_t>(a.count) >= count &&
                           static_cast<dim_t>(a.count) - count < (7 + size_in_bits(a.type)) / size_in_bits(a.type);
    if (!is_enough && static_cast<std::size_t>(count) != a.count)
        return {reason::mask_has_other_values, -1, a.mask, count, static_cast<dim_t>(a.count)};
    return {};
}
}  // namespace detail

/// Checks that the attributes fit tensors of these extents, and that each scale is finite and not 0. An empty array of
/// values may have a null pointer, as an empty std::vector has. If the mask has an axis whose extent is dynamic, the
/// number of values is not checked.
///
/// Values that change between this check and the reorder that reads them must stay finite and not 0: a plan reads them
/// again at each run, and does not check them again.
///
/// Refused: mask_is_out_of_range; mask_has_no_values (a null pointer); mask_has_other_values (the mask, the required
///          number of values, the actual number); value_type_does_not_fit; of values by group or by layout:
///          rank_differs, dims_differ, group_does_not_divide, values_are_too_few, and what check_layout refuses;
///          scale_is_invalid (the bits of the f32, its index in the array, the role); beta_is_not_finite (its bits)
/// Pre:     arrays of values have `count` values
/// Post:    if ok, is_scale(s) for each value s of both scales
/// Cost:    O(number of scales) steps
/// Source:  spec semantics 12
/// Example: check_attributes({.src_scale = 0.0f}, {2, 3}).reason == reason::scale_is_invalid
constexpr verdict check_attributes(const reorder_attributes& attributes, const dims& extents) {
    const auto check = [&extents]<class Value>(const detail::values_of_attribute<Value>& a) -> verdict {
        if (a.is_one_value() && !a.is_of_other_type()) return {};
        if (const verdict why = detail::check_value_type<Value>(a.type); !why.ok()) return why;
        if (a.where != nullptr) return detail::check_value_layout(a, extents);
        if (!a.group.empty())
            if (const verdict why = detail::check_groups(a, extents); !why.ok()) return why;
        return detail::check_value_count(a, extents);
    };
    if (const verdict why = check(attributes.src_scale); !why.ok()) return why;
    if (const verdict why = check(attributes.dst_scale); !why.ok()) return why;
    if (const verdict why = check(attributes.src_zero_point); !why.ok()) return why;
    if (const verdict why = check(attributes.dst_zero_point); !why.ok()) return why;
    if (const verdict why = detail::check_scale_values(attributes.src_scale, extents, detail::buffer_role::source);
        !why.ok())
        return why;
    if (const verdict why = detail::check_scale_values(attributes.dst_scale, extents, detail::buffer_role::destination);
        !why.ok())
        return why;
    if (attributes.beta != 0 && !detail::is_scale(attributes.beta))
        return {reason::beta_is_not_finite, -1, std::bit_cast<std::int32_t>(attributes.beta)};
    return {};
}

}  // namespace plait
