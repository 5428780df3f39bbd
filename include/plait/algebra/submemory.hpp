#pragma once

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that a part of the given dims and offsets is inside the parent. Dynamic numbers are not checked.
///
/// Refused: rank_differs, part_is_outside_parent
constexpr verdict check_part_is_inside(const layout& parent, const dims& extents, const position& offsets) {
    if (extents.size() != parent.ndims())
        return detail::ranks_differ(detail::counted::part, extents.size(), detail::counted::parent, parent.ndims());
    if (offsets.size() != parent.ndims())
        return detail::ranks_differ(detail::counted::part_offset, offsets.size(), detail::counted::parent,
                                    parent.ndims());
    for (int a = 0; a < parent.ndims(); ++a) {
        for (const dim_t number : {extents[a], offsets[a]})
            if (number < 0 && number != dynamic) return {reason::part_is_outside_parent, a, number, parent.dims[a]};
        if (extents[a] == dynamic || offsets[a] == dynamic || parent.dims[a] == dynamic) continue;
        const checked_integer end = checked_integer{offsets[a]} + extents[a];
        if (!end.ok() || end.value > parent.dims[a])
            return {reason::part_is_outside_parent, a, end.ok() ? end.value : INT64_MAX, parent.dims[a]};
    }
    return {};
}

/// The beginning of a part of one axis, in the digits of that axis. The digits inside the counting digit are 0 there,
/// and the counting digit counts up from its value.
struct part_begin {
    digit_list digits;   ///< of the parent's axis, outermost first, the fewest that describe it
    int counting = 0;    ///< the place of the counting digit
    dim_t inside = 1;    ///< how many indices one value of it has
    bool found = false;  ///< false if an index of the part, added to the first one, carries into the next digit
};

/// Returns the beginning of the part of an axis that has `extent` indices starting at `first`, padded offset included.
///
/// Digits that chain are merged: in 2a2a2a, with each stride twice the next, any indices of one block are allowed, as
/// in 8a. In digits of 4 with a gap between them, 2 to 5 have no beginning, because 2 + 2 carries; 4 to 11 are two
/// whole digits.
///
/// Pre:     check_layout(l).ok(), nothing about the axis is dynamic; extent > 0; first + extent is at most the padded
///          offset plus the extent of the axis
constexpr part_begin find_begin(const layout& l, int axis, dim_t first, dim_t extent) {
    part_begin out{fewest_digits(l, axis, l.padded_offsets[axis] + l.dims[axis])};
    for (int k = out.digits.size() - 1; k > 0; --k) {
        const dim_t around = out.inside * out.digits[k].extent;
        if (first / around == (first + extent - 1) / around) {
            out.counting = k;
            break;
        }
        // The part counts past this digit, so this digit must begin with 0, too.
        out.inside = around;
    }
    out.found = first % out.inside == 0;
    return out;
}

/// Returns the digits of a part that is not made of the parent's blocks: whole values of its counting digit.
///
/// Pre:     begin.found; padded is a multiple of begin.inside
constexpr digit_list digits_from(const part_begin& begin, dim_t padded) {
    digit_list out;
    for (int k = begin.counting; k < begin.digits.size(); ++k) out.push_back(begin.digits[k]);
    out[0].extent = padded / begin.inside;
    return out;
}

/// The rule of submemory.
struct submemory_rule {
    /// Returns the part of a layout, or why there is none.
    static constexpr expected<layout> attempt(const layout& parent, const dims& extents, const position& offsets) {
        if (parent.kind == format_kind::undef) return verdict{reason::parent_is_not_blocked};
        if (const verdict why = check_part_is_inside(parent, extents, offsets); !why.ok()) return why;
        if (parent.kind != format_kind::blocked) return verdict{reason::parent_is_not_blocked};
        if (const verdict why = check_blocked(parent); !why.ok()) return why;
        for (int a = 0; a < parent.ndims(); ++a)
            if (parent.dims[a] == dynamic || parent.digits[a].extent == dynamic || !is_known(parent.digits[a].stride) ||
                extents[a] == dynamic || offsets[a] == dynamic)
                return verdict{reason::parent_is_dynamic, a};
        if (const verdict why = check_layout(parent); !why.ok()) return why;

        layout out = parent;
        position first = offsets;
        checked_integer offset0{parent.offset0};
        for (int a = 0; a < parent.ndims(); ++a) {
            const dim_t extent = extents[a], block = parent.block_size(a), end = offsets[a] + extent;
            first[a] += parent.padded_offsets[a];
            const bool has_elements = extent > 0, to_the_end = end == parent.dims[a];
            // A single digit can begin anywhere.
            const bool any_begin = !has_elements || block == 1;
            const part_begin begin = any_begin ? part_begin{} : find_begin(parent, a, first[a], extent);
            if (!any_begin && !begin.found) return verdict{reason::part_cuts_a_block, a, offsets[a], block};
            const bool at_a_block = first[a] % block == 0, whole = extent % block == 0 || to_the_end;
            const bool inside_one = first[a] / block == (first[a] + extent - 1) / block;
            const bool keeps_blocks = !has_elements || (at_a_block && whole) || inside_one;
            if (!keeps_blocks && extent % begin.inside != 0 && !to_the_end)
                return verdict{reason::part_cuts_a_block, a, end, block};
            // The padding after the parent's last element also belongs to the part, unless it would be a part of a
            // block.
            const bool keeps_padding = to_the_end && (at_a_block || !keeps_blocks);
            const dim_t padded = keeps_padding ? parent.padded_dims[a] - first[a] : extent;
            out.dims[a] = extent;
            out.padded_dims[a] = padded;
            out.padded_offsets[a] = 0;
            out.digits[a].extent = divide_up(padded, block);
            if (!keeps_blocks) replace_digits(out, a, digits_from(begin, padded));
        }
        for (int a = 0; a < parent.ndims(); ++a) {
            dim_t rest = first[a];
            for (int k = parent.digits.size() - 1; k >= 0; --k) {
                const digit& d = parent.digits[k];
                if (d.axis != a) continue;
                // Cannot overflow: the value of a digit is at most its extent, and its reach fits.
                offset0 += (k < parent.ndims() ? rest : rest % d.extent) * d.stride;
                if (k >= parent.ndims()) rest /= d.extent;
            }
        }
        // Only a part without elements can begin after all of them. If that has no number, it begins where the parent
        // does.
        if (offset0.ok() && offset0.value >= 0) out.offset0 = offset0.value;
        verdict why = check_reach(out);
        if (!why.ok() && !has_elements(out.padded_dims)) {
            out.offset0 = parent.offset0;
            why = check_reach(out);
        }
        return {out, why};
    }
    /// Computes the result for a bound layout. A dynamic extent of the part is that of the whole if that is open.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& extents,
                                                   const position& offsets) {
        dims part = extents;
        for (int a = 0; a < part.size() && a < now.ndims(); ++a)
            if (part[a] == dynamic && open.dims[a] == dynamic) part[a] = now.dims[a];
        return attempt(now, part, offsets);
    }
    static constexpr axis_list axes(int ndims, const dims&, const position&) { return all_axes(ndims); }
    static constexpr sums_rule sums = sums_rule::drop;
    static constexpr bool is_part = true;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// The part of a tensor that begins at `offsets`, in the parent's memory. A part that reaches the parent's end keeps
/// the padding there.
///
/// Along each axis the part must be one of these:
/// - whole blocks
/// - whole blocks and then the parent's end
/// - inside one block
///
/// Digits of the axis that chain, each stride the next one times its extent, are merged, including the outermost. Along
/// its one axis "A8a" is "a", of which any part is allowed. If digits do not chain, no index of the part may carry into
/// the next digit when it is added to the first index. A part that leaves its block must be whole values of one digit,
/// or these and then the parent's end.
///
/// So the result depends on where the elements are, not on the blocks of the layout, except for one kind of part: one
/// that ends inside a value of its counting digit. It must be in a block of the layout, like 6 elements of the 8 in a
/// block of 2a4a whose halves are apart; it is a view of a part of that block.
///
/// Refused: rank_differs, part_is_outside_parent; then (unimplemented) parent_is_not_blocked, parent_is_dynamic,
///          part_cuts_a_block; what check_layout refuses in the parent
/// Pre:     check_submemory(parent, extents, offsets).ok()
/// Post:    offset(result, p) == offset(parent, p + offsets) for every position p
/// Cost:    O(ndims times digits) steps; O(digits squared) if a part is not made of the parent's blocks
/// Source:  seeds spec-memory-formats, parent memory
/// Example: submemory(layout({2, 32, 5, 6}, "nChw16c"), {2, 16, 3, 6}, {0, 16, 2, 0})
inline constexpr operation<detail::submemory_rule> submemory;
/// Checks that submemory is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::submemory_rule> check_submemory;
/// Returns the result of submemory, or the verdict that refuses it.
inline constexpr operation_attempt<detail::submemory_rule> try_submemory;

}  // namespace plait
