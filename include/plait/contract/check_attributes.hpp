#pragma once
// Checks attributes: masks and counts must fit the tensor, and scales and beta must be usable numbers.

#include <plait/contract/attributes.hpp>
#include <plait/core/check_buffer.hpp>

namespace plait {
namespace detail {
/// True if a number can be a scale: it is finite and not 0.
///
/// Example: is_scale(-0.5f); false for 0, -0, infinity and NaN
constexpr bool is_scale(float x) {
    // Compares bits, so that a loop over many values has no branches: 0 wraps around, infinity and NaN are too large.
    return (std::bit_cast<std::uint32_t>(x) << 1) - 1 < (0xffu << 24) - 1;
}

/// Returns the rejection of the first value that cannot be a scale; ok if all can.
///
/// Refused: scale_is_invalid (the bits of the f32, its index in the array, the role)
/// Pre:     check_attributes has checked that the array has `count` values
/// Cost:    O(count) steps
constexpr verdict check_scale_values(const reorder_attributes::scale& scale, buffer_role role) {
    const float* const values = scale.values != nullptr ? scale.values : &scale.value;
    bool all_are = true;
    for (std::size_t i = 0; i < scale.count; ++i) all_are &= is_scale(values[i]);
    if (all_are) return {};
    std::size_t first = 0;
    while (is_scale(values[first])) ++first;
    return {reason::scale_is_invalid, -1, std::bit_cast<std::int32_t>(values[first]), static_cast<dim_t>(first),
            static_cast<dim_t>(role)};
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
///          number of values, the actual number); scale_is_invalid (the bits of the f32, its index in the array, the
///          role); beta_is_not_finite (its bits)
/// Pre:     arrays of values have `count` values
/// Post:    if ok, is_scale(s) for each value s of both scales
/// Cost:    O(number of scales) steps
/// Source:  spec semantics 12
/// Example: check_attributes({.src_scale = 0.0f}, {2, 3}).reason == reason::scale_is_invalid
constexpr verdict check_attributes(const reorder_attributes& attributes, const dims& extents) {
    const auto check = [&extents](const auto& a) -> verdict {
        if (a.mask == 0 && a.count == 1) return {};
        if (a.mask < 0 || a.mask >> extents.size() != 0)
            return {reason::mask_is_out_of_range, -1, a.mask, extents.size()};
        dim_t count = 1;
        bool is_known_count = true;
        for (int axis = 0; axis < extents.size(); ++axis) {
            if ((a.mask >> axis & 1) == 0) continue;
            is_known_count = is_known_count && extents[axis] != dynamic;
            count = detail::wrapping_multiply(count, extents[axis]);
        }
        if (!is_known_count) count = static_cast<dim_t>(a.count);
        if (count != 0 && a.values == nullptr && a.mask != 0) return {reason::mask_has_no_values, -1, a.mask, count};
        if (static_cast<std::size_t>(count) != a.count)
            return {reason::mask_has_other_values, -1, a.mask, count, static_cast<dim_t>(a.count)};
        return {};
    };
    if (const verdict why = check(attributes.src_scale); !why.ok()) return why;
    if (const verdict why = check(attributes.dst_scale); !why.ok()) return why;
    if (const verdict why = check(attributes.src_zero_point); !why.ok()) return why;
    if (const verdict why = check(attributes.dst_zero_point); !why.ok()) return why;
    if (const verdict why = detail::check_scale_values(attributes.src_scale, detail::buffer_role::source); !why.ok())
        return why;
    if (const verdict why = detail::check_scale_values(attributes.dst_scale, detail::buffer_role::destination);
        !why.ok())
        return why;
    if (attributes.beta != 0 && !detail::is_scale(attributes.beta))
        return {reason::beta_is_not_finite, -1, std::bit_cast<std::int32_t>(attributes.beta)};
    return {};
}

}  // namespace plait
