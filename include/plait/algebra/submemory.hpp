#pragma once

#include <plait/core/layout.hpp>

namespace plait {

/// Whether dims elements from offsets on lie inside the parent; what is dynamic is not asked.
///
/// Refused: rank_differs, part_is_outside_parent
constexpr verdict check_part_is_inside(const layout& parent, const dims& extents, const position& offsets) {
    if (extents.size() != parent.ndims()) return {reason::rank_differs, -1, extents.size(), parent.ndims()};
    if (offsets.size() != parent.ndims()) return {reason::rank_differs, -1, offsets.size(), parent.ndims()};
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

/// Whether adding any index below `extent` to `first` carries into no digit that `first` uses already, so that the
/// elements from `first` on are digits of their own.
///
/// Pre:     check_structure(l).ok(), first >= 0, extent >= 0, their sum is at most padded_dims[axis]
constexpr bool adds_without_carry(const layout& l, int axis, dim_t first, dim_t extent) {
    dim_t inside = 1;  // how many indices the digits inside of this one count
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
        const digit& d = l.digits[k];
        if (d.axis != axis) continue;
        const dim_t whole = inside * d.extent;
        if (first % inside == 0 && first / whole == (first + extent - 1) / whole) return true;
        inside = whole;
    }
    return first % inside == 0;
}

/// The part of a layout, or why it is none.
constexpr layout_attempt part_of(const layout& parent, const dims& extents, const position& offsets) {
    if (parent.kind == format_kind::undef) return {{}, {reason::parent_is_not_blocked}};
    if (const verdict why = check_part_is_inside(parent, extents, offsets); !why.ok()) return {{}, why};
    if (parent.kind != format_kind::blocked) return {{}, {reason::parent_is_not_blocked}};
    if (const verdict why = check_blocked(parent); !why.ok()) return {{}, why};
    for (int a = 0; a < parent.ndims(); ++a)
        if (parent.dims[a] == dynamic || parent.digits[a].extent == dynamic || !is_known(parent.digits[a].stride) ||
            extents[a] == dynamic || offsets[a] == dynamic)
            return {{}, {reason::parent_is_dynamic, a}};
    if (const verdict why = check_layout(parent); !why.ok()) return {{}, why};

    layout out = parent;
    position first = offsets;
    checked_integer offset0{parent.offset0};
    for (int a = 0; a < parent.ndims(); ++a) {
        const dim_t extent = extents[a], block = parent.block_size(a), end = offsets[a] + extent;
        first[a] += parent.padded_offsets[a];
        if (!adds_without_carry(parent, a, first[a], extent))
            return {{}, {reason::part_cuts_a_block, a, offsets[a], block}};
        dim_t padded = extent;
        // The padding behind the parent's last element is the part's too, if it has whole blocks.
        if (first[a] % block == 0 && end == parent.dims[a]) padded = parent.padded_dims[a] - first[a];
        else if (extent % block != 0 && first[a] / block != (first[a] + extent - 1) / block)
            return {{}, {reason::part_cuts_a_block, a, end, block}};
        out.dims[a] = extent;
        out.padded_dims[a] = padded;
        out.padded_offsets[a] = 0;
        out.digits[a].extent = divide_up(padded, block);
    }
    for (int a = 0; a < parent.ndims(); ++a) {
        dim_t rest = first[a];
        for (int k = parent.digits.size() - 1; k >= 0; --k) {
            const digit& d = parent.digits[k];
            if (d.axis != a) continue;
            // No overflow: a digit's value is at most its extent, and its reach fits.
            offset0 += (k < parent.ndims() ? rest : rest % d.extent) * d.stride;
            if (k >= parent.ndims()) rest /= d.extent;
        }
    }
    // Only a part without elements can begin behind all of them; where that has no number, it begins where the parent
    // does.
    if (offset0.ok() && offset0.value >= 0) out.offset0 = offset0.value;
    return {out, check_reach(out)};
}

/// Whether the elements from `offsets` on, `extents` of them along each axis, are a layout of their own.
///
/// Along each axis the part has to be of whole blocks, of whole blocks and then the parent's end, or inside one block.
/// Refused: rank_differs, part_is_outside_parent; then (unimplemented) parent_is_not_blocked, parent_is_dynamic,
/// part_cuts_a_block; what check_layout refuses in the parent
constexpr verdict check_submemory(const layout& parent, const dims& extents, const position& offsets) {
    return part_of(parent, extents, offsets).why;
}

/// The part of a tensor that begins at `offsets`, in the parent's memory; at the parent's end it keeps the padding.
///
/// Pre:     check_submemory(parent, extents, offsets).ok()
/// Post:    offset(result, p) == offset(parent, p + offsets) for every position p
/// Cost:    O(ndims times digits) steps
/// Source:  seeds spec-memory-formats, parent memory
/// Example: submemory(layout({2, 32, 5, 6}, "nChw16c"), {2, 16, 3, 6}, {0, 16, 2, 0})
[[nodiscard]] constexpr layout submemory(const layout& parent, const dims& extents, const position& offsets) {
    const layout_attempt attempt = part_of(parent, extents, offsets);
    require(attempt.why);
    return attempt.made;
}

/// submemory(parent, extents, offsets), or empty where check_submemory refuses it.
[[nodiscard]] constexpr std::optional<layout> try_submemory(const layout& parent, const dims& extents,
                                                            const position& offsets) {
    return if_allowed(part_of(parent, extents, offsets));
}

}  // namespace plait
