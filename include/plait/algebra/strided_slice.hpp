#pragma once

#include <plait/algebra/listed_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>
#include <plait/core/places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The indices of one axis that a slice selects: index j of the result is `first + j * step`, counted from the
/// beginning of the padding in front.
struct index_range {
    dim_t first = 0, count = 0, step = 1;

    constexpr dim_t at(dim_t j) const { return first + j * step; }
};

/// Jumps of the offset along an axis (core/places.hpp), which here may be 0: a border at which digits chain.
using jump_list = inline_list<jump, max_digits>;

/// The jumps of an axis, from the innermost. A border at which digits chain has the jump 0: a block that need not be
/// one.
///
/// Refused: stride_is_dynamic, if some index has a value of a digit whose stride is unknown; size_overflows
/// Pre:     check_layout(l).ok(), and the axis is not dynamic
constexpr verdict find_jumps(const layout& l, int axis, jump_list& out) {
    dim_t border = 1;
    checked_integer reach;  // of the digits inside
    for (int k = l.digits.size() - 1; k >= 0; --k) {
        const digit& d = l.digits[k];
        if (d.axis != axis || (k < l.ndims() && k != axis)) continue;
        if (l.padded_dims[axis] <= border) break;
        if (!is_known(d.stride)) return {reason::stride_is_dynamic, axis};
        const checked_integer by = checked_integer{d.stride} + (checked_integer{-1} * reach.value).value;
        if (!by.ok() || !reach.ok()) return {reason::size_overflows, axis, d.stride, border};
        if (d.extent != 1 || k < l.ndims()) out.push_back({border, by.value});
        if (k < l.ndims()) break;
        if (d.extent != 1) reach = checked_integer{d.stride} * d.extent;
        border *= d.extent;  // cannot overflow: the padded extent is above it
    }
    return {};
}

/// Adds a jump to a list that is sorted by border; jumps at one border are added up.
constexpr bool add_jump(jump_list& list, const jump& one) {
    int at = 0;
    while (at < list.size() && list[at].border < one.border) ++at;
    if (at < list.size() && list[at].border == one.border) return !add_overflows(list[at].by, one.by, list[at].by);
    list.push_back(one);
    for (int k = list.size() - 1; k > at; --k) list[k] = list[k - 1];
    list[at] = one;
    return true;
}

/// The digits of the axis of a slice, outermost first, or why there are none.
struct stepped_digits {
    digit_list digits;
    dim_t inside = 1;  ///< the number of indices in the outermost digit's value
    verdict why;
};

/// Returns the digits that select `count` indices of an axis with these jumps.
///
/// If the step s is s1 modulo a border b, then floor((f + j s) / b) is j * floor(s / b), and a jump at b / s1 if s1
/// divides b and no index of the block in front of the first is left out. If b - s1 divides b, it is one step more for
/// each j, and a jump back. So a step of 3 goes through blocks of 4 backwards: 3, 6, 9, 12 have the values 3, 2, 1, 0.
///
/// Refused: step_cuts_a_block (the step, the first index, the border), size_overflows
/// Pre:     range.count > 1, and all indices are in the axis; `keeps_blocks`: also divides at borders with the jump 0
constexpr stepped_digits find_stepped(const jump_list& jumps, int axis, const index_range& range, dim_t begin,
                                      bool keeps_blocks) {
    stepped_digits out;
    jump_list found;
    checked_integer linear;
    const dim_t last = range.count - 1;
    for (const jump& one : jumps) {
        const dim_t b = one.border, rest = range.first % b, cut = range.step % b;
        const dim_t up = cut < 0 ? cut + b : cut, down = b - up, whole = range.step / b - (cut < 0 ? 1 : 0);
        linear.add_product(one.by, whole);
        if (up == 0) continue;
        // Forwards: `up` indices of b at each step, from value `shift` on. Backwards: `down`, and one block more.
        const dim_t shift_up = rest / up, shift_down = (b - 1 - rest) / down;
        const bool stays_up = last <= (b - 1 - rest) / up, stays_down = last <= rest / down;
        if (one.by == 0) {
            if (!keeps_blocks || b % up != 0 || shift_up != 0 || last < b / up) continue;
            if (!add_jump(found, {b / up, 0})) return {{}, 1, {reason::size_overflows, axis, one.by, b}};
        } else if (stays_up) {
            // No index leaves the block of the first one.
        } else if (stays_down) {
            linear += one.by;
        } else if (b % up == 0 && shift_up == 0) {
            if (!add_jump(found, {b / up, one.by})) return {{}, 1, {reason::size_overflows, axis, one.by, b}};
        } else if (b % down == 0 && shift_down == 0 && one.by != INT64_MIN) {
            linear += one.by;
            if (!add_jump(found, {b / down, -one.by})) return {{}, 1, {reason::size_overflows, axis, one.by, b}};
        } else {
            return {{}, 1, {reason::step_cuts_a_block, axis, range.step, begin, b}};
        }
    }
    // From jumps back to digits: each border divides the next.
    digit_list inner;  // innermost first
    dim_t border = 1;
    checked_integer stride = linear;
    for (const jump& one : found) {
        if (one.by == 0 && !keeps_blocks) continue;
        if (one.border % border != 0 || one.border >= range.count)
            return {{}, 1, {reason::step_cuts_a_block, axis, range.step, begin, one.border}};
        const dim_t extent = one.border / border;
        inner.push_back({axis, extent, stride.value});
        stride = stride * extent + one.by;
        border = one.border;
    }
    if (!stride.ok() || !is_known(stride.value))
        return {{}, 1, {reason::size_overflows, axis, range.step, range.count}};
    inner.push_back({axis, divide_up(range.count, border), stride.value});
    for (int k = inner.size() - 1; k >= 0; --k) out.digits.push_back(inner[k]);
    out.inside = border;
    return out;
}

/// The number of indices that lie in the padded axis, if all behind those of the range are padding; otherwise those of
/// the range.
constexpr dim_t with_padding_behind(const layout& l, int axis, const index_range& range) {
    const dim_t padded = l.padded_dims[axis], front = l.padded_offsets[axis];
    const dim_t room = range.step > 0 ? (padded - 1 - range.first) / range.step + 1 : range.first / -range.step + 1;
    if (room <= range.count) return range.count;
    const dim_t next = range.at(range.count);
    return next < front || next >= front + l.dims[axis] ? room : range.count;
}

/// Returns by how much the offset of index j of a range exceeds that of index 0.
///
/// Pre:     the index is in the axis, so that the result fits; sums on the way may wrap around
constexpr dim_t stepped_offset(const jump_list& jumps, const index_range& range, dim_t j) {
    dim_t out = 0;
    for (const jump& one : jumps)
        out = wrapping_add(out, wrapping_multiply(one.by, range.at(j) / one.border - range.first / one.border));
    return out;
}

/// Returns the digits that select few indices, from their offsets: those of steps that neither divide a block nor pass
/// so many blocks that no digits have their offsets, such as 6 elements by steps of 3 in blocks of 8.
///
/// Refused: `why`
/// Pre:     1 < range.count <= listed_indices, and all indices are in the axis
constexpr stepped_digits find_listed(const jump_list& jumps, int axis, const index_range& range, const verdict& why) {
    const listed_digits found =
        list_digits(axis, range.count, [&](dim_t j) { return stepped_offset(jumps, range, j); });
    return {found.digits, found.inside, found.digits.empty() ? why : verdict()};
}

/// The ways to find the digits of a slice: with the blocks of the axis, without those that need not be blocks, and from
/// the offsets.
enum class slice_search { with_blocks, with_jumps, by_offsets };

/// Returns the digits of a slice, and how many places of padding follow its indices; only places that are padding of
/// the layout.
///
/// Refused: as find_stepped; part_cuts_a_block, if the last block would have places that are elements
constexpr stepped_digits find_slice(const layout& l, const jump_list& jumps, int axis, index_range& range, dim_t begin,
                                    dim_t end) {
    stepped_digits out;
    const dim_t most = with_padding_behind(l, axis, range);
    for (const slice_search way : {slice_search::with_blocks, slice_search::with_jumps, slice_search::by_offsets}) {
        const auto find = [&](const index_range& now) {
            if (way == slice_search::by_offsets)
                return now.count > listed_indices ? out : find_listed(jumps, axis, now, out.why);
            return find_stepped(jumps, axis, now, begin, way == slice_search::with_blocks);
        };
        index_range now = range;
        const stepped_digits found = find(now);
        if (!found.why.ok()) {
            if (way != slice_search::by_offsets) out = found;
            continue;
        }
        // All padding that fills whole blocks; otherwise only what fills the last one.
        const dim_t missing = (found.inside - range.count % found.inside) % found.inside;
        for (const dim_t wanted : {most - most % found.inside, range.count + smaller_of(missing, most - range.count)}) {
            if (wanted < range.count || wanted % found.inside != 0) continue;
            now.count = wanted;
            const stepped_digits whole = find(now);
            if (!whole.why.ok() || wanted % whole.inside != 0) continue;
            range = now;
            return whole;
        }
        if (way == slice_search::by_offsets) continue;
        // This cannot overflow: the axis has more indices.
        const dim_t block = found.inside * (range.step < 0 ? -range.step : range.step);
        out = {{}, 1, {reason::part_cuts_a_block, axis, end, block}};
    }
    return out;
}

/// The rule of strided_slice.
struct strided_slice_rule {
    /// Returns the layout of the selected indices of one axis, or why there is none.
    static constexpr expected<layout> attempt(const layout& l, int axis, dim_t begin, dim_t end, dim_t step) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        if (axis < 0 || axis >= l.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, l.ndims()};
        const dim_t extent = l.dims[axis];
        if (extent == dynamic) return verdict{reason::dim_is_dynamic, axis};
        // Backwards, `end` is in front of the last index, and -1 in front of all.
        const dim_t least = step < 0 ? -1 : 0, most = step < 0 ? extent - 1 : extent;
        for (const dim_t border : {begin, end})
            if ((border < least || border > most) && !(begin == end && border >= 0 && border <= extent))
                return verdict{reason::part_is_outside_parent, axis, border, extent};
        if (step == 0 || (step > 0 ? end < begin : end > begin))
            return verdict{reason::step_leads_away, axis, step, begin, end};
        const dim_t stride = step == INT64_MIN ? -INT64_MAX : step;
        const dim_t width = step > 0 ? end - begin : begin - end, length = step > 0 ? stride : -stride;

        layout out = l;
        index_range range{begin + l.padded_offsets[axis], width == 0 ? 0 : (width - 1) / length + 1, stride};
        out.dims[axis] = range.count;
        resolve_links(out, l.digits[axis]);
        digit_list digits;
        if (range.count > 1) {
            jump_list jumps;
            if (const verdict why = find_jumps(l, axis, jumps); !why.ok()) return why;
            const stepped_digits found = find_slice(l, jumps, axis, range, begin, end);
            if (!found.why.ok()) return found.why;
            digits = found.digits;
        }
        checked_integer offset0{l.offset0};
        if (range.count > 0) {
            dim_t rest = range.first;
            for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
                const digit& d = l.digits[k];
                if (d.axis != axis) continue;
                offset0 += rest % d.extent * d.stride;
                rest /= d.extent;
            }
            if (rest > 0) {
                if (!is_known(l.digits[axis].stride)) return verdict{reason::stride_is_dynamic, axis};
                offset0.add_product(rest, l.digits[axis].stride);
            }
            if (!offset0.ok()) return verdict{reason::size_overflows, axis, begin, l.digits[axis].stride};
        }
        replace_digits(out, axis, digits);
        if (range.count <= 1) out.digits[axis].extent = range.count;
        out.padded_dims[axis] = range.count;
        out.padded_offsets[axis] = 0;
        // Only a layout without elements can begin before offset 0.
        if (offset0.value >= 0) out.offset0 = offset0.value;
        return {out, check_reach(out)};
    }
    static constexpr axis_list axes(int ndims, int, dim_t, dim_t, dim_t) { return all_axes(ndims); }
    static constexpr sums_rule sums = sums_rule::drop;
    static constexpr bool is_part = true;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Selects the indices begin, begin + step, ... of an axis that are in front of `end`, without moving data:
/// x[begin:end:step] of NumPy. A negative step goes backwards, down to the index after `end`; `end` is -1 to include
/// index 0.
///
/// Along a blocked axis the step must fit the blocks:
/// - a step that divides the block, from an index in the first step of a block: blocks become shorter
/// - a step of whole blocks
/// - a step that divides the block if blocks are added to or subtracted from it, such as backwards from the end of a
///   block
/// - any step that does not leave a block, or if the blocks follow each other in memory as one digit would
/// - any step, if the offsets of at most 1024 selected elements happen to be those of a layout
///
/// The last block may have places that no selected index has, if they are padding of the operand: they are padding of
/// the result. All numbers are those of the axis; none is counted from its end, and none is cut.
///
/// Refused: undefined, any and opaque layouts; axis_is_out_of_range; dim_is_dynamic, stride_is_dynamic (of this axis);
///          part_is_outside_parent (begin or end, the extent); step_leads_away (the step, begin, end), also if it is 0;
///          step_cuts_a_block (the step, begin, the block); part_cuts_a_block (end, the block of the result);
///          size_overflows
/// Pre:     check_strided_slice(l, axis, begin, end, step).ok()
/// Post:    offset(result, p) == offset(l, p with begin + p[axis] * step at axis) for every position p; the axis has
///          ceil((end - begin) / step) elements
/// Cost:    O(digits squared) steps
/// Source:  numpy's basic slicing; strided_slice of submdspan, C++26
/// Example: strided_slice(layout({2, 32, 5, 6}, "nChw16c"), 1, 0, 32, 2) has 16 channels, in blocks of 8
inline constexpr operation<detail::strided_slice_rule> strided_slice;
/// Checks that strided_slice is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::strided_slice_rule> check_strided_slice;
/// Returns the result of strided_slice, or the verdict that refuses it.
inline constexpr operation_attempt<detail::strided_slice_rule> try_strided_slice;

}  // namespace plait
