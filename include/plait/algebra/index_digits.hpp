#pragma once
// A number written in digits: what an index, or a row-major number over several axes, is made of, outermost digit
// first. Everything that splits, joins or composes works on such a list.

#include <plait/core/layout.hpp>

namespace plait::detail {

/// Digits from the outermost to the innermost; `axis` says which axis each came from.
using digit_list = inline_list<digit, max_digits>;

/// Whether one step of the outer digit is as long as all values of the inner one: then the two are one digit.
constexpr bool steps_over(const digit& outer, const digit& inner) {
    if (!is_known(outer.stride) || !is_known(inner.stride) || inner.extent == dynamic) return false;
    dim_t all = 0;
    return !multiply_overflows(inner.stride, inner.extent, all) && all == outer.stride;
}

/// Adds a digit inside all others, or merges it with the last one where the two are one digit.
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

/// The digits of one axis, outermost first, those of one value left out.
constexpr digit_list digits_of_axis(const layout& l, int axis) {
    digit_list out;
    if (l.digits[axis].extent != 1) out.push_back(l.digits[axis]);
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        if (l.digits[k].axis == axis && l.digits[k].extent != 1) out.push_back(l.digits[k]);
    return out;
}

/// How many values the digits take together.
///
/// Pre:     the product fits in 63 bits
constexpr dim_t volume_of(const digit_list& digits) {
    dim_t volume = 1;
    for (const digit& d : digits) volume *= d.extent;
    return volume;
}

/// The digits of one axis, outermost first, merged where two are one.
constexpr digit_list merged_digits(const layout& l, int axis) {
    digit_list merged;
    append_merged(merged, l.digits[axis]);
    for (int k = l.ndims(), count = l.digits.size(); k < count; ++k)
        if (l.digits.values[k].axis == axis) append_merged(merged, l.digits.values[k]);
    return merged;
}

/// The digits of the first `extent` indices of one axis, outermost first, as few as say the same: merged where two are
/// one, without what no index reaches. Their product is more than `extent` where the outermost is not full.
///
/// Pre:     check_layout(l).ok(); 0 < extent <= padded_dims[axis]; nothing about the axis is dynamic
constexpr digit_list fewest_digits(const layout& l, int axis, dim_t extent) {
    digit_list merged = merged_digits(l, axis);
    // In a view of a part of one block the outermost ones are always 0, and the next may not be full.
    dim_t left = extent;
    int outermost = merged.size();
    while (outermost > 0 && left > 1) {
        digit& d = merged[--outermost];
        if (left < d.extent) d.extent = left;
        left = divide_up(left, d.extent);
    }
    if (outermost == 0) return merged;
    digit_list reached;
    for (int k = outermost; k < merged.size(); ++k) reached.push_back(merged[k]);
    return reached;
}

/// How far the search for a divisor goes, which is exact up to the square of this; beyond it a common one has to do.
inline constexpr dim_t divisor_search_limit = 1 << 16;

/// The largest divisor of n that is not above x.
///
/// Pre:     n > 0, x > 0
constexpr dim_t divisor_at_most(dim_t n, dim_t x) {
    if (x >= n) return n;
    dim_t from = x;
    // Large divisors by their cofactors, the smallest first; then the small ones, the largest first.
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

/// The smallest divisor of n that is not below x.
///
/// Pre:     0 < x <= n
constexpr dim_t divisor_at_least(dim_t n, dim_t x) {
    // Its cofactor is the largest one not above n / x.
    return n / divisor_at_most(n, n / x);
}

/// Of the extents that can be taken from the inside of the list, the one nearest to `wanted`: whole digits, then a
/// divisor of the next. The smaller of two.
///
/// Pre:     wanted > 0; the extents are known and positive
constexpr dim_t nearest_extent(const digit_list& list, dim_t wanted) {
    // Largest at most `wanted`, and smallest at least.
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

/// The inner digits that make up `extent` values, taken away from the inside of the list, innermost first.
struct digits_taken {
    digit_list digits;
    verdict why;
    dim_t moved = 0;  ///< what the first element moves by, where an order that is given up begins elsewhere
};

/// Takes `extent` values from the inside of `list`: whole digits, and the inner part of one that is split.
///
/// Pre:     the extents are known and positive, or the list is a single digit
/// Refused: extents_do_not_divide (the digit's axis, what whole digits would give, `extent`, the nearest that works);
///          size_overflows
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

/// Puts the inner digits in the order of memory: the largest stride first, each axis from outer to inner; of equal
/// strides the lower axis first. Where they can be dense they come out dense, so that the layout has a tag for its
/// name.
constexpr void sort_inner_digits(layout& l) {
    const int n = l.dims.count, count = l.digits.count;
    digit sorted[max_digits]{};
    unsigned done = 0;
    for (int place = n; place < count; ++place) {
        int next = -1;
        unsigned seen = 0;  // axes whose outermost digit that is left has been looked at
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

/// Gives an axis other digits, outermost first; without any it has the one place where its outermost digit begins.
///
/// Pre:     no stride of l is said in terms of the axis; the other digits and these are at most max_digits
constexpr void replace_digits(layout& l, int axis, const digit_list& digits) {
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k)
        if (l.digits[k].axis == axis) l.digits.erase(k);
    l.digits[axis] = digits.empty() ? digit{axis, 1, l.digits[axis].stride} : digits[0];
    for (int k = 1; k < digits.size(); ++k) l.digits.push_back(digits[k]);
    sort_inner_digits(l);
}

/// Whether an axis without padding is a part of one block: its digits have room for more than its indices.
///
/// Pre:     check_structure(l).ok()
constexpr bool is_part_of_block(const layout& l, int axis) {
    const dim_t extent = l.dims.values[axis];
    return extent > 0 && extent == l.padded_dims.values[axis] && l.digits.values[axis].extent == 1 &&
           extent < l.block_size(axis);
}

}  // namespace plait::detail
