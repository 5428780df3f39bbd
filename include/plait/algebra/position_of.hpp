#pragma once

#include <plait/algebra/is_injective.hpp>

namespace plait {

/// Whether offsets of l lead back to positions; refused: undefined, any, opaque, dynamic layouts,
/// layout_is_not_injective.
constexpr verdict check_position_of(const layout& l) {
    if (const verdict why = check_static(l); !why.ok()) return why;
    if (is_injective(l)) return {};
    const digit& shared = l.digits[first_shared_digit(l)];
    return {reason::layout_is_not_injective, shared.axis, shared.extent, shared.stride};
}

/// The position of the element at an offset; empty where the offset is padding, a gap, or outside.
///
/// Pre:     check_position_of(l).ok()
/// Post:    position_of(l, l.offset(p)) == p for every position p
/// Cost:    O(digits squared) steps
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr std::optional<position> position_of(const layout& l, dim_t offset) {
    require(check_position_of(l));
    position at;
    for (int a = 0; a < l.ndims(); ++a) at.push_back(0);
    if (offset < l.offset0) return std::nullopt;
    dim_t rest = offset - l.offset0;

    // Strides nest, so taking out the largest first leaves nothing in doubt.
    unsigned done = 0;
    for (int round = 0; round < l.digits.size(); ++round) {
        int next = -1;
        for (int k = 0; k < l.digits.size(); ++k)
            if ((done >> k & 1u) == 0 && (next < 0 || l.digits[k].stride > l.digits[next].stride)) next = k;
        done |= 1u << next;
        const digit& d = l.digits[next];
        if (d.extent < 2 || d.stride < 1) continue;
        dim_t value = rest / d.stride;
        if (value >= d.extent) return std::nullopt;
        rest -= value * d.stride;
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
