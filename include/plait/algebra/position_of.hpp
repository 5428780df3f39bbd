#pragma once

#include <plait/algebra/is_injective.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that each offset of l determines a position. Fails for undefined, any, opaque and dynamic layouts, and as
/// check_layout; with layout_is_not_injective; with strides_do_not_nest if elements interleave, even without sharing
/// places.
constexpr verdict check_position_of(const layout& l) {
    if (const verdict why = detail::check_static_layout(l); !why.ok()) return why;
    if (!detail::has_elements(l.padded_dims)) return {};
    if (const int k = detail::first_shared_digit(l); k >= 0)
        return {reason::layout_is_not_injective, l.digits[k].axis, l.digits[k].extent, l.digits[k].stride};
    if (detail::steps_over_the_inside(l)) return {};
    const verdict nesting = detail::check_nesting(l);
    return nesting.ok() ? verdict{reason::size_overflows, -1, l.offset0, 1} : nesting;
}

/// Returns the position of the element at an offset; empty if the offset is padding, a gap, or outside.
///
/// Pre:     check_position_of(l).ok()
/// Post:    position_of(l, l.offset(p)) == p for every position p
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 4
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr std::optional<position> position_of(const layout& l, dim_t offset) {
    require(check_position_of(l));
    position at;
    for (int a = 0; a < l.ndims(); ++a) at.push_back(0);
    // Each digit steps past those inside it, so dividing by the largest stride first is unambiguous. The last value of
    // a backwards digit is at the lowest place.
    const inline_list<dim_t, max_digits> values = detail::reached_extents(l);
    dim_t begin = l.offset0;
    for (int k = 0; k < l.digits.size(); ++k)
        if (l.digits[k].stride < 0 && values[k] > 1)
            begin = detail::wrapping_add(begin, detail::wrapping_multiply(values[k] - 1, l.digits[k].stride));
    dim_t rest = detail::wrapping_add(offset, detail::wrapping_multiply(begin, -1));
    if (offset < begin || rest < 0) return std::nullopt;
    unsigned done = 0;
    for (int round = 0; round < l.digits.size(); ++round) {
        int next = -1;
        for (int k = 0; k < l.digits.size(); ++k)
            if ((done >> k & 1u) == 0 &&
                (next < 0 || detail::step_size(l.digits[k].stride) > detail::step_size(l.digits[next].stride)))
                next = k;
        done |= 1u << next;
        const digit& d = l.digits[next];
        if (values[next] < 2 || d.stride == 0) continue;
        dim_t value = rest / detail::step_size(d.stride);
        if (value >= values[next]) return std::nullopt;
        rest -= value * detail::step_size(d.stride);
        if (d.stride < 0) value = values[next] - 1 - value;
        for (int k = next + 1; k < l.digits.size(); ++k)
            if (k >= l.ndims() && l.digits[k].axis == d.axis) value *= l.digits[k].extent;
        at[d.axis] += value;
    }
    if (rest != 0) return std::nullopt;
    for (int a = 0; a < l.ndims(); ++a) {
        at[a] -= l.padded_offsets[a];
        if (at[a] < 0 || at[a] >= l.dims[a]) return std::nullopt;
    }
    return at;
}

}  // namespace plait
