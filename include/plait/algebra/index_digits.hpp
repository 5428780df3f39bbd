#pragma once
// A number written in digits, outermost digit first: an index, or a row-major number over several axes. Every operation
// that splits, joins or composes works on such a list.

#include <plait/core/layout.hpp>
#include <plait/core/places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Digits from the outermost to the innermost; `axis` is the axis that each came from.
using digit_list = inline_list<digit, max_digits>;

/// Returns true if the outer digit's stride equals the inner digit's extent times stride, so that they can be merged.
constexpr bool steps_over(const digit& outer, const digit& inner) {
    if (!is_known(outer.stride) || !is_known(inner.stride) || inner.extent == dynamic) return false;
    dim_t all = 0;
    return !multiply_overflows(inner.stride, inner.extent, all) && all == outer.stride;
}

/// Adds a digit inside all others, or merges it with the last one if possible.
///
/// Pre:     outer.extent * inner.extent fits in 63 bits
constexpr void append_merged(digit_list& list, const digit& inner) {
    if (inner.extent == 1) return;
    if (list.count > 0 && steps_over(list.values[list.count - 1], inner)) {
        digit& outer = list.values[list.count - 1];
        outer.extent = outer.extent == dynamic ? dynamic : outer.extent * inner.extent;
        outer.stride = inner.stride;
    } else {
        list.push_back(inner);
    }
}

/// Returns the digits of one axis, outermost first, without those of one value.
constexpr digit_list digits_of_axis(const layout& l, int axis) {
    digit_list out;
    if (l.digits[axis].extent != 1) out.push_back(l.digits[axis]);
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        if (l.digits[k].axis == axis && l.digits[k].extent != 1) out.push_back(l.digits[k]);
    return out;
}

/// Returns the position with an index along one axis and 0 along the others.
constexpr position begin_along(const layout& l, int axis, dim_t index) {
    position out;
    for (int k = 0; k < l.ndims(); ++k) out.push_back(k == axis ? index : 0);
    return out;
}

/// Returns the product of the extents of the digits.
///
/// Pre:     the product fits in 63 bits
constexpr dim_t volume_of(const digit_list& digits) {
    dim_t volume = 1;
    for (const digit& d : digits) volume *= d.extent;
    return volume;
}

/// Returns the fewest digits that describe the first `extent` indices of one axis, outermost first: one for each jump
/// of their places, and one of stride 0 inside if the innermost indices share a place. Their product exceeds `extent`
/// if the outermost is not full.
///
/// Pre:     check_blocked(l).ok(); 0 < extent <= padded_dims[axis], or the axis is dynamic
constexpr digit_list fewest_digits(const layout& l, int axis, dim_t extent) {
    const axis_places places = places_of(l, axis, extent);
    digit_list out;
    dim_t end = extent;
    for (int k = places.jumps.size() - 1; k >= 0; --k) {
        const dim_t border = places.jumps[k].border;
        out.push_back({axis, divide_up(end, border), places.step_of(border)});
        end = border;
    }
    if (end > 1) out.push_back({axis, end, 0});
    return out;
}

/// Returns the fewest digits of one axis, outermost first, that describe every padded index. If the axis is dynamic, so
/// is the extent of the outermost.
///
/// Pre:     check_blocked(l).ok()
constexpr digit_list fewest_digits(const layout& l, int axis) {
    const dim_t extent = l.padded_dims[axis];
    if (extent == 0) return {};  // without elements there is nothing to describe
    digit_list out = fewest_digits(l, axis, extent == dynamic ? INT64_MAX : extent);
    if (extent == dynamic) out[0].extent = dynamic;
    return out;
}

/// The limit of the search for a divisor. The search is exact up to its square; beyond, it may find a smaller divisor.
inline constexpr dim_t divisor_search_limit = 1 << 16;

/// Returns the largest divisor of n that is at most x.
///
/// Pre:     n > 0, x > 0
constexpr dim_t divisor_at_most(dim_t n, dim_t x) {
    if (x >= n) return n;
    dim_t from = x;
    // Large divisors are found by their cofactors, the smallest first; small divisors directly, the largest first.
    if (const dim_t least = divide_up(n, x); least < x) {
        dim_t cofactor = least;
        for (; cofactor - least < divisor_search_limit; ++cofactor)
            if (n % cofactor == 0) return n / cofactor;
        from = n / cofactor;
    }
    for (dim_t f = from; f > 0 && from - f < divisor_search_limit; --f)
        if (n % f == 0) return f;
    return greatest_common_divisor(n, x);
}

/// Returns the smallest divisor of n that is at least x.
///
/// Pre:     0 < x <= n
constexpr dim_t divisor_at_least(dim_t n, dim_t x) {
    // Its cofactor is the largest divisor that is at most n / x.
    return n / divisor_at_most(n, n / x);
}

/// Returns the extent nearest to `wanted` that can be taken from the inside of the list: whole digits, then a divisor
/// of the next digit. Returns the smaller of two equally near ones.
///
/// Pre:     wanted > 0; the extents are known and positive
constexpr dim_t nearest_extent(const digit_list& list, dim_t wanted) {
    // The largest extent that is at most `wanted`, and the smallest that is at least `wanted`.
    dim_t below = 1, above = 1, rest_below = wanted, rest_above = wanted;
    bool below_done = false, above_done = false;
    for (int k = list.size() - 1; k >= 0 && !(below_done && above_done); --k) {
        const dim_t extent = list[k].extent;
        if (!below_done) {
            below_done = rest_below < extent;
            below *= below_done ? divisor_at_most(extent, rest_below) : extent;
            rest_below /= extent;
            below_done = below_done || rest_below == 0;
        }
        if (!above_done) {
            above_done = rest_above <= extent;
            above *= above_done ? divisor_at_least(extent, rest_above) : extent;
            rest_above = divide_up(rest_above, extent);
        }
    }
    return above_done && above - wanted < wanted - below ? above : below;
}

/// The inner digits, innermost first, that were taken from the inside of a list.
struct digits_taken {
    digit_list digits;
    verdict why;
    dim_t moved = 0;  ///< how far the first element moves if the order of elements is given up
};

/// Takes `extent` values from the inside of `list`: whole digits, and the inner part of a digit that is split.
///
/// Pre:     the extents are known and positive, or the list is a single digit
/// Refused: extents_do_not_divide (the axis of the digit, the extent of whole digits, `extent`, the nearest that
///          works); size_overflows
constexpr digits_taken take_inside(digit_list& list, dim_t extent) {
    digits_taken out;
    const digit_list before = list;
    dim_t rest = extent;
    while (rest > 1) {
        if (list.empty()) return {{}, {reason::volumes_differ, -1, extent / rest, extent}};
        digit& last = list[list.size() - 1];
        if (last.extent <= rest && rest % last.extent == 0) {
            rest /= last.extent;
            out.digits.push_back(last);
            list.erase(list.size() - 1);
        } else if (last.extent % rest == 0) {
            out.digits.push_back({last.axis, rest, last.stride});
            last.extent /= rest;
            if (is_known(last.stride)) {
                const checked_integer stride = checked_integer{last.stride} * rest;
                if (!stride.ok()) return {{}, {reason::size_overflows, last.axis, last.stride, rest}};
                last.stride = stride.value;
            }
            rest = 1;
        } else {
            const dim_t taken = extent / rest;
            const checked_integer whole = checked_integer{taken} * last.extent;
            return {{},
                    {reason::extents_do_not_divide, last.axis, whole.ok() ? whole.value : last.extent, extent,
                     nearest_extent(before, extent)}};
        }
    }
    return out;
}

/// Sorts the inner digits in the order of memory: the largest stride first, each axis from outer to inner, and the
/// lower axis first if strides are equal. If they can be dense, they are dense afterwards, so that a tag can name the
/// layout.
constexpr void sort_inner_digits(layout& l) {
    const int n = l.dims.count, count = l.digits.count;
    digit sorted[max_digits]{};
    unsigned done = 0;
    for (int place = n; place < count; ++place) {
        int next = -1;
        unsigned seen = 0;  // axes whose outermost remaining digit has been considered
        for (int k = n; k < count; ++k) {
            const digit& d = l.digits.values[k];
            if ((done >> k & 1u) != 0 || (seen >> d.axis & 1u) != 0) continue;
            seen |= 1u << d.axis;
            const digit& best = l.digits.values[next < 0 ? k : next];
            const dim_t step = step_size(d.stride), largest = step_size(best.stride);
            if (next < 0 || step > largest || (step == largest && d.axis < best.axis)) next = k;
        }
        done |= 1u << next;
        sorted[place] = l.digits.values[next];
    }
    for (int k = n; k < count; ++k) l.digits.values[k] = sorted[k];
}

/// Replaces the digits of an axis, outermost first. Without digits, the axis has only the place where it begins.
///
/// Pre:     no link of l refers to the axis; the other digits and these are at most max_digits
constexpr void replace_digits(layout& l, int axis, const digit_list& digits) {
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k)
        if (l.digits[k].axis == axis) l.digits.erase(k);
    l.digits[axis] = digits.empty() ? digit{axis, 1, l.digits[axis].stride} : digits[0];
    for (int k = 1; k < digits.size(); ++k) l.digits.push_back(digits[k]);
    sort_inner_digits(l);
}

/// Returns true if an axis without padding is a part of one block: its digits have more values than it has indices.
///
/// Pre:     check_structure(l).ok()
constexpr bool is_part_of_block(const layout& l, int axis) {
    const dim_t extent = l.dims.values[axis];
    return extent > 0 && extent == l.padded_dims.values[axis] && l.digits.values[axis].extent == 1 &&
           extent < l.block_size(axis);
}

}  // namespace plait::detail
