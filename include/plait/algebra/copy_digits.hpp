#pragma once
// A pair of layouts over one index space as one list of digits: how far the source and the destination move with each.

#include <plait/algebra/refine.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A digit of the index along an axis, and how many elements each side moves with one of its values.
struct copy_digit {
    int axis = 0;
    dim_t extent = 1;  ///< how many values; of the outermost digit of an axis rounded up
    dim_t step = 1;    ///< what a value adds to the index
    dim_t src = 0;     ///< not used if the source has jumps
    dim_t dst = 0;
    bool has_jumps = false;  ///< true if the source moves as src_of of copy_digits says
};

/// An axis of the pair. Its indices are counted in units, inside which both sides are even: the digits below a unit are
/// those of both sides. Above it the digits are those of the destination.
struct copy_axis {
    dim_t extent = 0;                      ///< how many indices
    dim_t unit = 1;                        ///< how many indices are one
    int first_digit = 0, outer_digit = 0;  ///< the first digit, and the first one above the unit
    int last_digit = 0;                    ///< behind the digits
    /// Only of an uneven axis, where blocks do not divide each other: the jumps of both sides, in units.
    int src_jumps = 0, dst_jumps = 0, last_jump = 0;
    /// Padding in front, if it ends inside of a block on either side; then the axis is uneven, and a unit is one index.
    dim_t first_in_src = 0, first_in_dst = 0;

    constexpr bool is_even() const { return last_jump == src_jumps; }
};

/// The most digits of a pair: one at each border of either side, and one at index 1 of each axis.
inline constexpr int max_copy_digits = 2 * max_digits + max_ndims;

/// The digits of both sides, axis by axis, each from the innermost to the outermost; without those of one value.
struct copy_digits {
    dim_t src = 0, dst = 0;  ///< the places of the first element
    scratch_list<copy_digit, max_copy_digits> digits;
    scratch_list<copy_axis, max_ndims> axes;
    scratch_list<jump, max_copy_digits + max_ndims> jumps;

    /// Pre:     the layouts are static, of equal dims, and have elements; the destination has no place twice
    constexpr copy_digits(const layout& from, const layout& to) : src(from.offset0), dst(to.offset0) {
        for (int a = 0; a < to.ndims(); ++a) add_axis(from, to, a);
    }
    /// Returns where a unit of an uneven axis is in the source, or in the destination.
    constexpr dim_t src_of(const copy_axis& axis, dim_t unit) const {
        return place_of(axis.src_jumps, axis.dst_jumps, unit + axis.first_in_src);
    }
    constexpr dim_t dst_of(const copy_axis& axis, dim_t unit) const {
        return place_of(axis.dst_jumps, axis.last_jump, unit + axis.first_in_dst);
    }

private:
    constexpr dim_t place_of(int first, int last, dim_t unit) const {
        dim_t place = 0;
        for (int k = first; k < last; ++k)
            place = wrapping_add(place, wrapping_multiply(jumps[k].by, unit / jumps[k].border));
        return place;
    }

    constexpr void add_axis(const layout& from, const layout& to, int a) {
        copy_axis axis;
        axis.extent = to.dims[a];
        axis.first_digit = digits.size();
        axis.src_jumps = axis.dst_jumps = axis.last_jump = jumps.size();
        const dim_t front[] = {from.padded_offsets[a], to.padded_offsets[a]};
        const axis_places padded[] = {places_of(from, a, front[0] + axis.extent),
                                      places_of(to, a, front[1] + axis.extent)};
        src = wrapping_add(src, padded[0](front[0]));
        dst = wrapping_add(dst, padded[1](front[1]));
        axis_places places[2];
        if ((front[0] | front[1]) == 0) {
            add_even(axis, a, padded);
        } else if (places_from(places[0], padded[0], front[0], axis.extent) &&
                   places_from(places[1], padded[1], front[1], axis.extent)) {
            add_even(axis, a, places);
        } else {
            axis.outer_digit = axis.first_digit;
            axis.first_in_src = front[0];
            axis.first_in_dst = front[1];
            add_jumps(axis, a, padded);
        }
        axis.last_digit = digits.size();
        axes.push_back(axis);
    }
    static constexpr bool has_blocks(const axis_places& p) {
        return p.jumps.size() > 1 || (p.jumps.size() == 1 && p.jumps[0].border > 1);
    }
    /// Adds the digits of an axis whose first element is at the border of a block on both sides.
    constexpr void add_even(copy_axis& axis, int a, const axis_places (&places)[2]) {
        if (!has_blocks(places[0]) && !has_blocks(places[1])) {  // most axes: what follows finds the same
            axis.outer_digit = digits.size();
            if (axis.extent > 1)
                digits.push_back({a, axis.extent, 1, places[0].step_of(1), places[1].step_of(1), false});
            return;
        }
        axis_loops<2> found;
        refine_axis<2>(found, places, axis.extent);
        const int last = found.loops.size() - 1;
        for (int k = 0; k <= last; ++k) {
            const axis_loop<2>& loop = found.loops[k];
            if (k == last) axis.outer_digit = digits.size();
            if (loop.extent > 1 && (k < last || found.is_even()))
                digits.push_back({a, loop.extent, loop.step, loop.by[0], loop.by[1], false});
        }
        axis.unit = found.loops[last].step;
        if (found.is_even()) return;
        axis_places units[2];
        for (int side = 0; side < 2; ++side) units[side].add(1, found.loops[last].by[side]);
        for (const loop_jump& j : found.jumps) units[j.place].add(j.period, j.by);
        add_jumps(axis, a, units);
    }
    /// Adds the digits of the destination above the units of an uneven axis, and the jumps of both sides.
    constexpr void add_jumps(copy_axis& axis, int a, const axis_places (&units)[2]) {
        const auto& borders = units[1].jumps;
        const dim_t end = axis.first_in_dst + divide_up(axis.extent, axis.unit);
        for (int k = 0; k < borders.size(); ++k) {
            const dim_t border = borders[k].border, next = k + 1 < borders.size() ? borders[k + 1].border : end;
            digits.push_back({a, divide_up(next, border), border * axis.unit, 0, units[1].step_of(border), true});
        }
        for (const jump& j : units[0].jumps) jumps.push_back(j);
        axis.dst_jumps = jumps.size();
        for (const jump& j : units[1].jumps) jumps.push_back(j);
        axis.last_jump = jumps.size();
    }
};

}  // namespace plait::detail
