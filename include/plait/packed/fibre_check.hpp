#pragma once
// The rule that a value of the destination is not shared by indices that have different values in the source.

#include <plait/packed/piece_pair.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns where a digit of the source ends, or indices that share a value of the destination do, if some of the
/// digit's indices share one; else 1.
constexpr dim_t shared_inside(const record_piece& piece, const piece_digit& d) {
    dim_t step = d.step;
    const dim_t end = smaller_of(d.step * d.extent, piece.extents[d.axis]);
    for (bool found = true; found && step < end;) {
        found = false;
        const auto pass = [&](dim_t first, dim_t extent) {
            if (first > step || first * extent <= step) return;
            step = first * extent;
            found = true;
        };
        for (const piece_digit& other : piece.digits)
            if (other.axis == d.axis) pass(other.step, other.extent);
        for (const piece_condition& c : piece.where)
            if (c.axis == d.axis && c.extent != 0) pass(c.step, c.extent);
    }
    return step < end ? end : 1;
}

/// Checks that no value of the destination is shared by indices that have different values in the source.
///
/// Refused: fibre_grows
constexpr verdict check_fibre(const piece_pair& pair, const pair_loops& loops, const record_field& field) {
    for (const pair_loop& l : loops.loops)
        if (l.dst_shares && (l.fixed || l.src != 0) && l.extent > 1)
            return {reason::fibre_grows, l.axis, short_name(field.name), l.step * l.extent, l.step};
    for (int a = 0; a < pair.dims.size(); ++a) {
        const dim_t length = indices_of(pair.dst, a, pair.dims[a]);
        if (const auto cut = border_in_share(pair.src, pair.dst, a, pair.dst.origin[a], length); cut.last != 0)
            return {reason::fibre_grows, a, short_name(field.name), cut.first, cut.last};
    }
    if (loops.refined) return {};
    for (const piece_condition& c : pair.src.where) {
        const piece_digit d{c.axis, -1, c.extent, c.step, 0};
        if (c.extent == 0 || d.step >= pair.dims[d.axis]) continue;
        if (const dim_t shared = shared_inside(pair.dst, d); shared > 1)
            return {reason::fibre_grows, d.axis, short_name(field.name), shared, d.step};
    }
    for (const piece_digit& d : pair.src.digits)
        if (const dim_t shared = d.step < pair.dims[d.axis] ? shared_inside(pair.dst, d) : 1; shared > 1)
            return {reason::fibre_grows, d.axis, short_name(field.name), shared, d.step};
    return {};
}

}  // namespace plait::detail
