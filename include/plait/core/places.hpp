#pragma once
// Where the indices of one axis lie, in any unit: elements, bits, ranks. One representation for layouts, pieces of
// records, values by group, and distributions.
//
// Along an axis of n indices a place with place(0) == 0 is a sum of jumps in exactly one way:
//     place(i) == sum over k of by[k] * floor(i / border[k]), with rising borders from 1 on and below n, no by of 0.
// The functions floor(i / b), 1 <= b < n, are a basis of all functions with f(0) == 0: floor(i / b) is 0 below b and 1
// at b, so the matrix is triangular. Hence equal lists are equal functions, and two digits that continue each other in
// memory are one: the jump between them is 0.
//
// Example: c of nChw16c, 17 channels of 56 x 56. 1 at every index, and 50176 - 16 more at every 16th.

#include <plait/core/layout_value.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/scratch_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A distance that every `border` indices add to the place, in addition to what smaller borders add.
struct jump {
    dim_t border = 1, by = 0;
    constexpr bool operator==(const jump&) const = default;
};

/// The most borders of an axis: one for each digit of a layout; two for each digit of a piece, of which there are half
/// as many.
inline constexpr int max_jumps = max_digits + 2;

/// Where the indices of one axis lie, relative to index 0.
///
/// Post:    the borders rise, and no jump is 0
/// Cost:    no allocation. Jumps wrap around in 64 bits, and sums of them again: places that fit are right
struct axis_places {
    scratch_list<jump, max_jumps> jumps;

    /// Adds `by` at every `border` indices.
    ///
    /// Pre:     border > 0; a list that is full has this border
    constexpr void add(dim_t border, dim_t by) {
        int at = jumps.size();
        while (at > 0 && jumps[at - 1].border >= border) --at;
        if (at < jumps.size() && jumps[at].border == border) {
            jumps[at].by = wrapping_add(jumps[at].by, by);
            if (jumps[at].by == 0) jumps.erase(at);
        } else if (by != 0) {
            jumps.push_back({});
            for (int k = jumps.size() - 1; k > at; --k) jumps[k] = jumps[k - 1];
            jumps[at] = {border, by};
        }
    }
    /// Adds a digit: its value is i / step % extent, or i / step if the extent is 0, and counts in units of `stride`.
    /// Borders that none of the first `indices` indices reaches are left out.
    constexpr void add_digit(dim_t step, dim_t extent, dim_t stride, dim_t indices) {
        if (step < indices) add(step, stride);
        dim_t end = 0;
        if (extent != 0 && !multiply_overflows(step, extent, end) && end < indices)
            add(end, wrapping_multiply(-1, wrapping_multiply(stride, extent)));
    }
    /// Returns the place of an index.
    constexpr dim_t operator()(dim_t index) const {
        dim_t place = 0;
        for (const jump& j : jumps) place = wrapping_add(place, wrapping_multiply(j.by, index / j.border));
        return place;
    }
    /// Returns what a step of `indices` indices adds, from any index that is a multiple of it.
    ///
    /// Pre:     borders up to `indices` divide it
    constexpr dim_t step_of(dim_t indices) const {
        dim_t place = 0;
        for (const jump& j : jumps) {
            if (j.border > indices) break;
            place = wrapping_add(place, j.border == indices ? j.by : wrapping_multiply(j.by, indices / j.border));
        }
        return place;
    }
    constexpr bool operator==(const axis_places&) const = default;
};

/// Returns where the first `indices` indices of an axis of a layout lie, in elements.
///
/// Pre:     the strides of the digits that these indices reach are known; indices <= padded_dims[axis], or dynamic
/// Post:    result(i) == what index i of the padded axis adds to the offset, for i < indices
/// Example: axis 1 of layout({1, 17, 56, 56}, "nChw16c"), 17 indices: 1 at 1, 50160 at 16
constexpr axis_places places_of(const layout& l, int axis, dim_t indices) {
    axis_places out;
    dim_t step = 1, reached = 0;  // what the digits so far add to the place until the next one begins
    for (int k = l.digits.size() - 1; step < indices; --k) {
        const digit& d = l.digits.values[k < l.ndims() ? axis : k];
        if (d.axis != axis) continue;
        if (const dim_t by = wrapping_add(d.stride, wrapping_multiply(reached, -1)); by != 0)
            out.jumps.push_back({step, by});
        if (k < l.ndims()) break;
        reached = wrapping_multiply(d.stride, d.extent);
        step = wrapping_multiply(step, d.extent);
    }
    return out;
}

/// Returns where the indices from `origin` on lie, relative to that of `origin`: out(i) == p(i + origin) - p(origin)
/// for i < indices. False if that has other borders, because the origin is inside of a step that the indices leave.
constexpr bool places_from(axis_places& out, const axis_places& p, dim_t origin, dim_t indices) {
    out = {};
    for (const jump& j : p.jumps) {
        const dim_t inside = origin % j.border;
        if (inside != 0 && indices > j.border - inside) return false;
        if (inside == 0 && j.border < indices) out.add(j.border, j.by);
    }
    return true;
}

/// Returns where the elements along an axis of a layout lie, relative to the first one. False if padding in front ends
/// inside of a block that the elements leave.
///
/// Pre:     as places_of; the extents of the axis are known
constexpr bool element_places_of(axis_places& out, const layout& l, int axis) {
    const dim_t front = l.padded_offsets[axis], extent = l.dims[axis];
    return places_from(out, places_of(l, axis, front + extent), front, extent);
}

}  // namespace plait::detail
