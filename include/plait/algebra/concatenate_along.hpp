#pragma once

#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/regroup.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/same_memory.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks the conditions of check_concatenate_along that do not depend on where the elements are.
constexpr verdict check_parts(const layout& a, const layout& b, int axis) {
    for (const layout* l : {&a, &b})
        if (const verdict why = check_static_layout(*l); !why.ok()) return why;
    const int n = a.ndims();
    if (b.ndims() != n) return detail::ranks_differ(detail::counted::second, b.ndims(), detail::counted::first, n);
    if (axis < 0 || axis >= n) return {reason::axis_is_out_of_range, -1, axis, n};
    for (int k = 0; k < n; ++k)
        if (k != axis && a.dims[k] != b.dims[k]) return {reason::dims_differ, k, a.dims[k], b.dims[k]};
    return {};
}

/// Returns true if two layouts have the same padding and the same digits of an axis.
constexpr bool same_axis(const layout& a, const layout& b, int axis) {
    return a.padded_dims[axis] == b.padded_dims[axis] && a.padded_offsets[axis] == b.padded_offsets[axis] &&
           a.digits[axis].extent == b.digits[axis].extent && a.digits[axis].stride == b.digits[axis].stride &&
           digits_of_axis(a, axis) == digits_of_axis(b, axis);
}

/// Returns true if the padding after the elements of an axis is in the same places.
///
/// Pre:     same_memory(a, b)
constexpr bool same_end(layout a, layout b, int axis) {
    const dim_t extent = a.dims[axis];
    for (layout* l : {&a, &b}) l->dims[axis] = l->padded_dims[axis] - l->padded_offsets[axis];
    return a.dims[axis] == b.dims[axis] && (a.dims[axis] == extent || same_memory(a, b));
}

/// Returns the whole with the blocks of its first part, or why the two are not one layout.
///
/// Pre:     check_parts(a, b, axis).ok(); both have elements
constexpr expected<layout> extend_blocks(const layout& a, const layout& b, int axis) {
    // The whole is the first part, extended. But if the first part has a single element, its stride has no meaning:
    // then the whole is the second part, extended. Between two single elements, the distance is the stride.
    const bool single = is_single_place(a, axis), both_single = single && is_single_place(b, axis);
    layout whole = single && !both_single ? b : a;
    const dim_t padding = b.padded_dims[axis] - b.padded_offsets[axis] - b.dims[axis];
    const checked_integer extent = checked_integer{a.dims[axis]} + b.dims[axis],
                          padded = extent + whole.padded_offsets[axis] + padding;
    const position first = begin_along(a, axis, 0), second = begin_along(a, axis, a.dims[axis]);
    const dim_t begins = b.offset(first), distance = begins - a.offset(first);
    if (!padded.ok()) return verdict{reason::size_overflows, axis, a.dims[axis], b.padded_dims[axis]};
    whole.dims[axis] = extent.value;
    whole.padded_dims[axis] = padded.value;
    whole.digits[axis].extent = divide_up(padded.value, whole.block_size(axis));
    if (both_single) whole.digits[axis].stride = distance;
    else if (single) whole.offset0 -= distance;  // moved back by the one element in front

    // Both parts must be found in the whole.
    const verdict fits = check_layout(whole);
    // If the whole would begin too early, its numbers tell by how much: the first part has no end to compare with.
    if (fits.reason == reason::stride_is_negative) return fits;
    if (!fits.ok()) return verdict{reason::parts_do_not_meet, axis, begins, a.offset(first)};
    const expected<layout> there = submemory_rule::attempt(whole, a.dims, first),
                           behind = submemory_rule::attempt(whole, b.dims, second);
    if (there.has_value() && behind.has_value() && same_memory(*there, a) && same_memory(*behind, b) &&
        same_end(*behind, b, axis))
        return {whole, {}};
    return verdict{reason::parts_do_not_meet, axis, begins, whole.offset(second)};
}

/// Returns the whole whose axis has these digits, outermost first, if its elements are those of a and then those of b.
/// No axis owns more padding than in a; this axis owns none.
///
/// Pre:     that of extend_blocks; a.padded_offsets are 0; the digits count at least as many indices as both have
constexpr expected<layout> whole_of_digits(const layout& a, const layout& b, int axis, digit_list digits) {
    const verdict apart{reason::parts_do_not_meet, axis};
    const dim_t extent = a.dims[axis] + b.dims[axis];
    checked_integer room{1};
    for (const digit& d : digits) room *= d.extent;
    if (a.digits.size() - static_cast<int>(digits_of_axis(a, axis).size()) + digits.size() > max_digits) return apart;
    if (!room.ok()) return apart;
    layout whole = a;
    whole.dims[axis] = extent;
    whole.padded_dims[axis] = room.value;
    replace_digits(whole, axis, digits);
    layout there = whole, behind = whole;
    there.dims[axis] = a.dims[axis];
    behind.dims[axis] = b.dims[axis];
    behind.padded_offsets[axis] = a.dims[axis];
    if (!same_memory(there, a) || !same_memory(behind, b)) return apart;
    if (room.value == extent) return {whole, {}};
    // A part of one block: the unused rest of its last value is not padding of the result.
    if (whole.digits.full()) return apart;
    whole.padded_dims[axis] = extent;
    move_inside(whole, axis);
    whole.digits[axis].extent = 1;
    return {whole, check_layout(whole)};
}

/// Returns the whole with the fewest digits that describe a: its outermost digit is extended, or another digit is added
/// outside all of them.
///
/// The distance of an added digit must follow from the layouts: from a digit of b that steps as far, or from the block
/// around a. Only between single elements is any distance a stride. Two blocks with a gap between them do not meet.
///
/// Pre:     that of extend_blocks
constexpr expected<layout> extend_digits(const layout& a, const layout& b, int axis) {
    const verdict apart{reason::parts_do_not_meet, axis};
    const position begin = begin_along(a, axis, 0);
    const expected<layout> from_0 = submemory_rule::attempt(a, a.dims, begin);
    const checked_integer extent = checked_integer{a.dims[axis]} + b.dims[axis];
    if (!from_0 || !extent.ok()) return apart;
    const layout front = with_fewest_digits(*from_0);
    const digit_list digits = fewest_digits(front, axis, a.dims[axis]);
    const dim_t room = volume_of(digits);
    if (!digits.empty()) {
        digit_list longer = digits;
        longer[0].extent = divide_up(extent.value, room / digits[0].extent);
        if (const expected<layout> whole = whole_of_digits(front, b, axis, longer)) return whole;
    }
    if (room != a.dims[axis] || digits.full()) return apart;
    const dim_t distance = b.offset(begin) - a.offset(begin);
    const bool said =
        room == 1 || b.dims[axis] > room || evaluate_digits(*from_0, begin_along(a, axis, room)) == distance;
    if (!said) return apart;
    digit_list outer;
    outer.push_back({axis, divide_up(extent.value, room), distance});
    for (const digit& d : digits) outer.push_back(d);
    return whole_of_digits(front, b, axis, outer);
}

/// The padding of other axes that a concatenation drops: all of it, or that of axes in which the two layouts differ.
enum class dropped_padding { all, of_unequal_axes };

/// Drops the padding of other axes, in both layouts.
constexpr verdict drop_padding_beside(layout& a, layout& b, int axis, dropped_padding which) {
    for (int k = 0; k < a.ndims(); ++k) {
        const bool same = same_axis(a, b, k);
        if (k == axis || (which == dropped_padding::of_unequal_axes && same)) continue;
        for (layout* l : {&a, &b})
            if (!drop_padding(*l, k) && !same) return {reason::axis_is_padded, k, l->padded_dims[k], l->dims[k]};
    }
    return {};
}

/// The rule of concatenate_along.
struct concatenate_along_rule {
    /// Returns the first followed by the second along an axis, or why they are not one layout.
    static constexpr expected<layout> attempt(const layout& first, const layout& second, int axis) {
        layout a = first, b = second;
        if (const verdict why = check_parts(a, b, axis); !why.ok()) return why;
        // A part without elements adds nothing.
        if (b.volume() == 0 && b.dims[axis] == 0) return {a, {}};
        if (a.volume() == 0 && a.dims[axis] == 0) return {b, {}};
        if (a.volume() == 0) {
            // Another axis is empty, so no element has a place to keep.
            dims whole = a.dims;
            const checked_integer extent = checked_integer{a.dims[axis]} + b.dims[axis];
            if (!extent.ok()) return verdict{reason::size_overflows, axis, a.dims[axis], b.dims[axis]};
            whole[axis] = extent.value;
            if (const verdict why = check_volume(whole); !why.ok()) return why;
            return regroup_empty(a, whole);
        }
        // The whole may own only the padding that both parts own.
        if (const verdict why = drop_padding_beside(a, b, axis, dropped_padding::of_unequal_axes); !why.ok())
            return why;
        expected<layout> out = extend_blocks(a, b, axis);
        if (out.has_value()) return out;
        // The blocks of a may not continue where its elements do; and the padding of other axes may be in the way.
        if (const expected<layout> whole = extend_digits(a, b, axis)) return whole;
        if (!drop_padding_beside(a, b, axis, dropped_padding::all).ok()) return out;
        if (const expected<layout> whole = extend_digits(a, b, axis)) return whole;
        return out;
    }
    static constexpr bool takes_two_operands = true;
};
}  // namespace detail

/// Joins the layouts of two parts of a tensor to that of the whole: the inverse of submemory, for in-place concat.
///
/// Refused: undefined, any, opaque and dynamic layouts; rank_differs, axis_is_out_of_range, dims_differ (of another
///          axis), size_overflows; stride_is_negative (of the would-be result); parts_do_not_meet (where b begins, and
///          where it would have to begin); axis_is_padded (of another axis: the parts own different padding, and
///          padding in front of the elements cannot be dropped)
/// Pre:     check_concatenate_along(a, b, axis).ok()
/// Post:    offset(result, p) == offset(a, p) if p[axis] < a.dims[axis], else offset(b, p - a.dims[axis] along axis);
///          its padding is padding of a or of b
/// Cost:    O(digits squared) steps
/// Source:  seeds rfc-memory-descriptor, 3: views, and even in-place concat
/// Example: concatenate_along(submemory(l, {2, 16}, {0, 0}), submemory(l, {2, 16}, {0, 16}), 1) for l of {2, 32}
inline constexpr operation<detail::concatenate_along_rule> concatenate_along;
/// Checks that concatenate_along is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::concatenate_along_rule> check_concatenate_along;
/// Returns the result of concatenate_along, or the verdict that refuses it.
inline constexpr operation_attempt<detail::concatenate_along_rule> try_concatenate_along;

}  // namespace plait
