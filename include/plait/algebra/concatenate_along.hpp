#pragma once

#include <plait/algebra/axis_groups.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/submemory.hpp>

namespace plait {

/// a and then b along an axis, or why they are not one layout.
constexpr layout_attempt make_whole(const layout& a, const layout& b, int axis) {
    for (const layout* l : {&a, &b})
        if (const verdict why = check_static_layout(*l); !why.ok()) return {{}, why};
    const int n = a.ndims();
    if (b.ndims() != n) return {{}, {reason::rank_differs, -1, b.ndims(), n}};
    if (axis < 0 || axis >= n) return {{}, {reason::axis_is_out_of_range, -1, axis, n}};
    position first, second;
    for (int k = 0; k < n; ++k) {
        if (k != axis && a.dims[k] != b.dims[k]) return {{}, {reason::dims_differ, k, a.dims[k], b.dims[k]}};
        first.push_back(0);
        second.push_back(k == axis ? a.dims[k] : 0);
    }
    // A part without elements adds nothing.
    if (b.volume() == 0 && b.dims[axis] == 0) return {a, {}};
    if (a.volume() == 0 && a.dims[axis] == 0) return {b, {}};
    if (a.volume() == 0) return {{}, {reason::zero_extent_is_not_matched, axis, a.dims[axis], b.dims[axis]}};

    // The whole looks like the first part, only longer. But a single element says nothing about its stride: then it
    // looks like the second part; and between two single elements their distance is the stride.
    const bool single = is_single_place(a, axis), both_single = single && is_single_place(b, axis);
    layout whole = single && !both_single ? b : a;
    const dim_t padding = b.padded_dims[axis] - b.padded_offsets[axis] - b.dims[axis];
    const checked_integer extent = checked_integer{a.dims[axis]} + b.dims[axis],
                          padded = extent + whole.padded_offsets[axis] + padding;
    const dim_t begins = b.offset(first), distance = begins - a.offset(first);
    if (!padded.ok()) return {{}, {reason::size_overflows, axis, a.dims[axis], b.padded_dims[axis]}};
    whole.dims[axis] = extent.value;
    whole.padded_dims[axis] = padded.value;
    whole.digits[axis].extent = divide_up(padded.value, whole.block_size(axis));
    if (both_single) whole.digits[axis].stride = distance;
    else if (single) whole.offset0 -= distance;  // back by the one element in front

    // Both have to be found in it.
    const verdict fits = check_layout(whole);
    // What begins too early says by how much: there is no end of the first part to compare with then.
    if (fits.reason == reason::strides_do_not_nest) return {{}, fits};
    if (fits.ok()) {
        const layout_attempt there = part_of(whole, a.dims, first), behind = part_of(whole, b.dims, second);
        if (there.why.ok() && behind.why.ok() && same_memory(there.made, a) && same_memory(behind.made, b))
            return {whole, {}};
        return {{}, {reason::parts_do_not_meet, axis, begins, whole.offset(second)}};
    }
    return {{}, {reason::parts_do_not_meet, axis, begins, a.offset(first)}};
}

/// Whether b continues a along an axis, in memory as in index.
///
/// Refused: undefined, any, opaque and dynamic layouts; rank_differs, axis_is_out_of_range, dims_differ (of another
/// axis), zero_extent_is_not_matched; strides_do_not_nest (of what would be the result); parts_do_not_meet (where b
/// begins, and where it would have to)
constexpr verdict check_concatenate_along(const layout& a, const layout& b, int axis) {
    return make_whole(a, b, axis).why;
}

/// Two parts of one tensor as that tensor: submemory the other way round, as an in-place concat needs it.
///
/// Pre:     check_concatenate_along(a, b, axis).ok()
/// Post:    offset(result, p) == offset(a, p) where p[axis] < a.dims[axis], else offset(b, p - a.dims[axis] along axis)
/// Cost:    O(digits squared) steps
/// Source:  seeds rfc-memory-descriptor, 3: views, and even in-place concat
/// Example: concatenate_along(submemory(l, {2, 16}, {0, 0}), submemory(l, {2, 16}, {0, 16}), 1) for l of {2, 32}
[[nodiscard]] constexpr layout concatenate_along(const layout& a, const layout& b, int axis) {
    const layout_attempt attempt = make_whole(a, b, axis);
    require(attempt.why);
    return attempt.made;
}

/// concatenate_along(a, b, axis), or empty where check_concatenate_along refuses it.
[[nodiscard]] constexpr std::optional<layout> try_concatenate_along(const layout& a, const layout& b, int axis) {
    return if_allowed(make_whole(a, b, axis));
}

}  // namespace plait
