#pragma once

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Makes the outermost digit of an axis an inner digit, at its place in the order of memory.
///
/// Pre:     !l.digits.full(); the digit's extent is at least 2, its stride a number
constexpr void move_inside(layout& l, int axis) {
    const digit moved = l.digits[axis];
    // Always outside the other digits of its axis, because they count the index from the inside.
    int at = l.ndims();
    while (at < l.digits.size() && l.digits[at].axis != axis &&
           step_size(l.digits[at].stride) > step_size(moved.stride))
        ++at;
    l.digits.push_back(moved);
    for (int k = l.digits.size() - 1; k > at; --k) l.digits[k] = l.digits[k - 1];
    l.digits[at] = moved;
}

/// The rule of repeat.
struct repeat_rule {
    /// Returns l with an axis repeated, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, int axis, dim_t count) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        if (axis < 0 || axis >= l.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, l.ndims()};
        if (l.dims[axis] == dynamic || count == dynamic) return verdict{reason::dim_is_dynamic, axis};
        if (count < 0) return verdict{reason::dim_is_negative, axis, count, 0};
        const bool part_of_block = is_part_of_block(l, axis);
        const digit_list reached = part_of_block ? fewest_digits(l, axis, l.dims[axis]) : digit_list{};
        const dim_t places = part_of_block ? volume_of(reached) : l.digits[axis].extent * l.block_size(axis);
        if (places != l.dims[axis]) return verdict{reason::axis_is_padded, axis, places, l.dims[axis]};
        if (count == 1 || places == 0) return {l, {}};
        const checked_integer extent = checked_integer{places} * count;
        if (!extent.ok()) return verdict{reason::size_overflows, axis, places, count};

        layout out = l;
        resolve_links(out, l.digits[axis]);
        // The rest of the block is not repeated.
        if (part_of_block) replace_digits(out, axis, reached);
        const digit outermost = out.digits[axis];
        out.dims[axis] = extent.value;
        out.padded_dims[axis] = extent.value;
        dim_t times = count;
        // A digit of one value is not needed; if its values already share a place, it only gets more of them.
        if (outermost.stride == 0) times = outermost.extent * count;
        else if (outermost.extent > 1) {
            if (!is_known(outermost.stride)) return verdict{reason::stride_is_dynamic, axis};
            if (out.digits.full()) return verdict{reason::too_many_digits, axis, max_digits + 1, max_digits};
            move_inside(out, axis);
        }
        out.digits[axis] = {axis, times, 0};
        return {out, check_reach(out)};
    }
    static constexpr axis_list axes(int ndims, int, dim_t) { return all_axes(ndims); }
    static constexpr bool commutes_with_bind = true;
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// Repeats the elements along an axis `count` times in the same memory. The index starts again after each repetition.
///
/// Refused: undefined, any and opaque layouts; axis_is_out_of_range, dim_is_dynamic, stride_is_dynamic (of this axis),
/// dim_is_negative (count), axis_is_padded, size_overflows, too_many_digits
/// Pre:     check_repeat(l, axis, count).ok()
/// Post:    offset(result, p) == offset(l, p with p[axis] modulo l.dims[axis]) for every position p
/// Cost:    O(digits squared) steps
/// Source:  numpy.tile, as a view
/// Example: repeat(layout({3}, "a"), 0, 2).offset(4) == layout({3}, "a").offset(1)
inline constexpr operation<detail::repeat_rule> repeat;
/// Checks that repeat is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::repeat_rule> check_repeat;
/// Returns the result of repeat, or the verdict that refuses it.
inline constexpr operation_attempt<detail::repeat_rule> try_repeat;

}  // namespace plait
