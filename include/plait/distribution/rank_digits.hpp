#pragma once
// Two layouts over one index space as one list of digits for each axis: each digit has a stride in the rank and a
// stride in the memory of that rank.

#include <plait/algebra/refine.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A digit of the index along an axis, seen from two layouts.
struct rank_digit {
    dim_t extent = 0;  ///< how many values it takes; the last ones of the outermost digit may be beyond the axis
    dim_t step = 0;    ///< what a value adds to the index
    dim_t rank = 0;    ///< what a value adds to the rank
    dim_t place = 0;   ///< what a value adds to the place in memory
    constexpr bool operator==(const rank_digit&) const = default;
};

inline constexpr int max_rank_digits = 2 * max_digits;

/// The digits of an axis in a distribution, innermost first, the fewest that describe it.
struct rank_axis_digits {
    dim_t extent = 0;  ///< of the axis
    scratch_list<rank_digit, max_rank_digits> digits;
    /// The least and the largest sum of ranks that the digits below each number add.
    scratch_list<dim_t, max_rank_digits + 1> least_rank, most_rank;

    /// Returns how many indices lie in a row on one rank, with equal distances in memory.
    constexpr dim_t run() const {
        if (digits.empty()) return 1;
        if (digits[0].rank != 0) return 1;
        return digits[0].extent < extent ? digits[0].extent : extent;
    }
    /// Returns true if digits below `count` can add `rank` to the rank.
    constexpr bool can_add(int count, dim_t rank) const {
        return least_rank[count] <= rank && rank <= most_rank[count];
    }
};

/// A range of values of a digit, without its end.
struct value_range {
    dim_t begin = 0, end = 0;
};

/// Returns which of the first `values` values of the digit number k can be part of a sum of ranks `rank`, given what
/// the digits inside add.
///
/// Pre:     0 <= k < axis.digits.size(), axis.digits[k].rank != 0
constexpr value_range values_for_rank(const rank_axis_digits& axis, int k, dim_t values, dim_t rank) {
    const dim_t step = axis.digits[k].rank;
    // What is left for this digit is from `low` to `high`.
    dim_t low = rank - axis.most_rank[k], high = rank - axis.least_rank[k];
    if (step < 0) {
        const dim_t before = low;
        low = -high;
        high = -before;
    }
    const dim_t size = step < 0 ? -step : step;
    if (high < 0) return {};
    const dim_t begin = low <= 0 ? 0 : divide_up(low, size), end = high / size + 1;
    return {begin, smaller_of(end, values)};
}

/// Writes the digits of one axis. The digits of one layout have to divide those of the other.
///
/// Refused: digits_do_not_nest (the axis, and two numbers of indices of which neither divides the other)
/// Pre:     check_static_layout(ranks).ok(), check_static_layout(local).ok(), equal dims; out is default-constructed
/// Post:    for every index i of the axis, digit by digit, the sums of value times rank and value times place are what i
///          adds to ranks.offset and local.offset
constexpr verdict find_axis_digits(rank_axis_digits& out, const layout& ranks, const layout& local, int axis) {
    out.extent = ranks.dims[axis];
    const axis_places both[] = {places_of(ranks, axis, out.extent), places_of(local, axis, out.extent)};
    axis_loops<2> loops;
    refine_axis<2>(loops, both, out.extent);
    if (!loops.is_even()) return {reason::digits_do_not_nest, axis, loops.below, loops.above};
    for (const axis_loop<2>& loop : loops.loops)
        if (loop.extent > 1) out.digits.push_back({loop.extent, loop.step, loop.by[0], loop.by[1]});
    dim_t least = 0, most = 0;
    out.least_rank.push_back(0);
    out.most_rank.push_back(0);
    for (const rank_digit& d : out.digits) {
        const dim_t reach = wrapping_multiply(d.rank, d.extent - 1);
        (reach < 0 ? least : most) = wrapping_add(reach < 0 ? least : most, reach);
        out.least_rank.push_back(least);
        out.most_rank.push_back(most);
    }
    return {};
}

}  // namespace plait::detail
