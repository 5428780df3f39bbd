#pragma once
// Checks attributes: masks and counts fit the tensor, nothing is divided by 0, infinity or NaN, and beta is finite.

#include <plait/contract/used_values.hpp>
#include <plait/core/check_buffer.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if values can be divided by a number: it is finite and not 0.
///
/// Example: is_scale(-0.5f); false for 0, -0, infinity and NaN
constexpr bool is_scale(float x) {
    // Compares bits, so that a loop over many values has no branches: 0 wraps around, infinity and NaN are too large.
    return (std::bit_cast<std::uint32_t>(x) << 1) - 1 < (0xffu << 24) - 1;
}

/// True if values can be divided by each of some numbers.
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

/// Returns the rejection of value number `place` if nothing can be divided by it.
///
/// Refused: scale_is_invalid (the bits of the f32, its index in the array, the role)
constexpr verdict check_divisor(float value, dim_t place) {
    if (is_scale(value)) return {};
    return {reason::scale_is_invalid, -1, std::bit_cast<std::int32_t>(value), place,
            static_cast<dim_t>(buffer_role::destination)};
}

/// Returns the rejection of the first value by which nothing can be divided; ok if there is none. A scale that values
/// are multiplied by may be any number: files have scales of 0, and blocks whose scale is NaN.
///
/// Refused: as check_divisor
/// Pre:     check_attributes has checked that the array has all values
/// Cost:    O(count) steps
constexpr verdict check_divisors(const reorder_attributes::scale& scale, const dims& extents) {
    if (scale.where == nullptr && !scale.is_of_other_type() &&
        are_scales(scale.values != nullptr ? scale.values : &scale.value, static_cast<dim_t>(scale.count)))
        return {};
    verdict out;
    reorder_attributes::scale used = scale;
    forget_unused_values(used, extents);
    visit_used_values(used, [&](float value, dim_t place) {
        out = check_divisor(value, place);
        return out.ok();
    });
    return out;
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

/// Checks the groups of values: one number for each axis, at least 1.
///
/// Refused: rank_differs; dims_differ (the extents that the groups were given for are not those of the tensor);
///          group_does_not_divide (the axis, the group, the extent)
template <class Value>
constexpr verdict check_groups(const values_of_attribute<Value>& a, const dims& extents) {
    for (const dims* each : {&a.extents, &a.group})
        if (each->size() != extents.size())
            return detail::ranks_differ(detail::counted::groups, each->size(), detail::counted::tensor, extents.size());
    for (int axis = 0; axis < extents.size(); ++axis) {
        const dim_t group = a.group[axis], extent = extents[axis];
        if (a.extents[axis] != dynamic && extent != dynamic && a.extents[axis] != extent)
            return {reason::dims_differ, axis, a.extents[axis], extent};
        if (group <= 0) return {reason::group_does_not_divide, axis, group, extent};
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
    if (where.ndims() != extents.size())
        return detail::ranks_differ(detail::counted::values, where.ndims(), detail::counted::tensor, extents.size());
    for (int axis = 0; axis < extents.size(); ++axis)
        if (extents[axis] != dynamic && where.dims[axis] != extents[axis])
            return {reason::dims_differ, axis, where.dims[axis], extents[axis]};
    const auto span = static_cast<dim_t>(where.element_span());
    const dim_t needed = span == 0 ? 0 : span + where.span_begin(), given = static_cast<dim_t>(a.count);
    if (needed > given || (needed > 0 && !a.has_values())) return {reason::values_are_too_few, -1, needed, given};
    return {};
}

/// Checks the number of values by mask or by group. If values are by group, the verdict has an axis: the last one with
/// several groups.
template <class Value>
constexpr verdict check_value_count(const values_of_attribute<Value>& a, const dims& extents) {
    if (a.mask < 0 || a.mask >> extents.size() != 0) return {reason::mask_is_out_of_range, -1, a.mask, extents.size()};
    const auto given = static_cast<dim_t>(a.count);
    dim_t count = count_values(a, extents);
    if (count == dynamic) count = given;
    if (count != 0 && !a.has_values() && a.mask != 0) return {reason::mask_has_no_values, -1, a.mask, count};
    if (fills_memory_of(a.type, a.count, count)) return {};
    int axis = a.group.size() - 1;
    while (axis > 0 && (a.mask >> axis & 1) == 0) --axis;
    return {reason::mask_has_other_values, axis, a.mask, count, given};
}
}  // namespace detail

/// Checks that the attributes fit tensors of these extents, and that each scale of the destination, by which values are
/// divided, is finite and not 0. An empty array of values may have a null pointer, as an empty std::vector has. If the
/// mask has an axis whose extent is dynamic, the number of values is not checked.
///
/// Scales of the destination that change between this check and the reorder that reads them must stay finite and not
/// 0: a plan reads them again at each run, and does not check them again. Scales of the source may be any numbers,
/// which are multiplied as IEEE 754 says: a scale of 0 gives 0, or NaN for infinity; a scale of NaN gives NaN.
///
/// Refused: mask_is_out_of_range; mask_has_no_values (a null pointer); mask_has_other_values (the mask, the required
///          number of values, the actual number); value_type_does_not_fit; of values by group or by layout:
///          rank_differs, dims_differ, group_does_not_divide, values_are_too_few, and what check_layout refuses;
///          scale_is_invalid (the bits of the f32, its index in the array, the role); beta_is_not_finite (its bits)
/// Pre:     arrays of values have `count` values
/// Post:    if ok, is_scale(s) for each value s of dst_scale
/// Cost:    O(number of scales of the destination) steps
/// Source:  spec semantics 12
/// Example: check_attributes({.dst_scale = 0.0f}, {2, 3}).reason == reason::scale_is_invalid
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
    if (const verdict why = detail::check_divisors(attributes.dst_scale, extents); !why.ok()) return why;
    if (attributes.beta != 0 && !detail::is_scale(attributes.beta))
        return {reason::beta_is_not_finite, -1, std::bit_cast<std::int32_t>(attributes.beta)};
    return {};
}

}  // namespace plait
