#pragma once
// Searches for two indices whose places differ by a number from a range: 0 for two elements of a layout in one place,
// less than a width for two values that share a bit. The one search for overlap, of layouts and of records.

#include <plait/core/axis.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/scratch_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A digit of two indices: its values differ by a number from `low` to `high`, in units of `stride`.
struct digit_difference {
    dim_t stride = 0, low = 0, high = 0;  // the stride is positive
    dim_t found = 0;                      ///< the difference that the search has found
    /// The least and the largest sum of the digits inside, and, once it is needed, the common divisor of their strides.
    dim_t least_inside = 0, most_inside = 0, divisor_inside = 0;

    constexpr dim_t reach() const { return high * stride; }
};

/// Searches for a difference of each digit, such that their sum is in a range.
///
/// Goes from the largest stride inwards, within what the digits inside can compensate. If the range is one number, the
/// last two digits are found in closed form.
///
/// Pre:     the sums of all digits, and the ends of the range, are less than 2^61
template <int Most>
class difference_search {
public:
    scratch_list<digit_difference, Most> digits;  ///< by stride, the largest first

    /// Inserts a digit behind those of larger and of equal strides; returns its place.
    constexpr int insert(const digit_difference& d) {
        int at = digits.size();
        digits.push_back(d);
        for (; at > 0 && digits[at - 1].stride < d.stride; --at) digits[at] = digits[at - 1];
        digits[at] = d;
        return at;
    }

    /// Searches the digits from `first` on and before `last` for differences whose sum is from `least` to `most`, and
    /// calls accept() with them in the digits, until it returns true. If `is_symmetric`, differences are not all 0, and
    /// of x and -x only one is tried: the one that begins with a positive number.
    template <class Accept>
    constexpr bool find(int first, int last, dim_t least, dim_t most, bool is_symmetric, int tries,
                        const Accept& accept) {
        last_ = last;
        least_ = least;
        most_ = most;
        is_symmetric_ = is_symmetric;
        left_ = tries;
        left_without_divisors_ = tries - tries_without_divisors;
        first_ = first;
        has_divisors_ = false;
        for (int i = last - 1; i >= first; --i) {
            digit_difference& d = digits[i];
            d.found = d.least_inside = d.most_inside = 0;
            if (i + 1 == last) continue;
            const digit_difference& inner = digits[i + 1];
            d.least_inside = inner.least_inside + inner.low * inner.stride;
            d.most_inside = inner.most_inside + inner.high * inner.stride;
        }
        return find_from(first, 0, true, accept);
    }
    /// Returns true if the last search ended because it had made as many tries as it may.
    constexpr bool gave_up() const { return left_ == 0; }

private:
    static constexpr dim_t floor_of(dim_t n, dim_t by) { return n / by - (n % by < 0); }
    static constexpr dim_t modulo(dim_t n, dim_t by) { return n % by < 0 ? n % by + by : n % by; }

    /// The differences of digit i that the digits inside can compensate, if those outside sum to `sum`.
    struct range {
        dim_t low, high;
    };
    constexpr range range_of(int i, dim_t sum, bool all_zero) const {
        const digit_difference& d = digits[i];
        const dim_t least = least_ - sum - d.most_inside, most = most_ - sum - d.least_inside;
        range out{least <= 0 ? 0 : 1, most >= 0 ? 0 : -1};
        // Most strides are larger than all that the digits inside can compensate.
        if (least <= -d.stride || least >= d.stride) out.low = -floor_of(-least, d.stride);
        if (most <= -d.stride || most >= d.stride) out.high = floor_of(most, d.stride);
        if (out.low < d.low) out.low = d.low;
        if (out.high > d.high) out.high = d.high;
        if (is_symmetric_ && all_zero && out.low < 0) out.low = 0;
        return out;
    }
    constexpr void find_divisors() {
        dim_t divisor = 0;
        for (int i = last_ - 1; i >= first_; --i) {
            digits[i].divisor_inside = divisor;
            divisor = greatest_common_divisor(divisor, digits[i].stride);
        }
        has_divisors_ = true;
    }

    template <class Accept>
    constexpr bool find_from(int i, dim_t sum, bool all_zero, const Accept& accept) {
        if (i == last_) return sum >= least_ && sum <= most_ && !(is_symmetric_ && all_zero) && accept();
        if (i + 2 == last_ && least_ == most_) return find_two(i, sum, all_zero, accept);
        const range r = range_of(i, sum, all_zero);
        // A short search ends before divisors have paid for themselves.
        if (r.low < r.high && !has_divisors_ && left_ < left_without_divisors_) find_divisors();
        // A single difference is tried, whatever divides it.
        const dim_t stride = digits[i].stride, divisor = r.low < r.high && has_divisors_ ? digits[i].divisor_inside : 0;
        for (dim_t x = r.low, by = 1; x <= r.high; x += by) {
            if (left_ == 0) return false;
            --left_;
            const dim_t next = sum + x * stride;
            // The digits inside change the sum by multiples of their divisor.
            if (divisor > 0 && least_ + modulo(next - least_, divisor) > most_) continue;
            // Once one number is reached, it is again after every `by` steps.
            if (divisor > 0 && least_ == most_) by = divisor / greatest_common_divisor(divisor, stride);
            digits[i].found = x;
            if (find_from(i + 1, next, all_zero && x == 0, accept)) return true;
            digits[i].found = 0;
        }
        return false;
    }

    /// Finds x and y with sum + x * first stride + y * second stride == the number of the range.
    template <class Accept>
    constexpr bool find_two(int i, dim_t sum, bool all_zero, const Accept& accept) {
        const digit_difference &outer = digits[i], &inner = digits[i + 1];
        const range r = range_of(i, sum, all_zero);
        if (r.low > r.high) return false;
        if (r.low == r.high) {  // no congruence is solved for one number
            const dim_t rest = most_ - sum - r.low * outer.stride;
            if (rest % inner.stride != 0) return false;
            return accept_two(i, r.low, rest / inner.stride, all_zero, accept);
        }
        const dim_t divisor = greatest_common_divisor(outer.stride, inner.stride), by = inner.stride / divisor,
                    wanted = most_ - sum;
        if (wanted % divisor != 0) return false;
        const dim_t solution =
            multiply(modulo(wanted / divisor, by), inverse_of(modulo(outer.stride / divisor, by), by), by);
        for (dim_t x = r.low + modulo(solution - r.low, by); x <= r.high; x += by) {
            if (accept_two(i, x, (wanted - x * outer.stride) / inner.stride, all_zero, accept)) return true;
            if (left_ == 0) return false;
        }
        return false;
    }
    /// Tries the last two differences.
    template <class Accept>
    constexpr bool accept_two(int i, dim_t x, dim_t y, bool all_zero, const Accept& accept) {
        if (left_ == 0) return false;
        --left_;
        digits[i].found = x;
        digits[i + 1].found = y;
        if (!(is_symmetric_ && all_zero && x == 0 && y == 0) && accept()) return true;
        digits[i].found = digits[i + 1].found = 0;
        return false;
    }

    /// Returns a * b modulo m by doubling, because the product may not fit.
    static constexpr dim_t multiply(dim_t a, dim_t b, dim_t m) {
        dim_t out = 0;
        for (; b > 0; b /= 2, a = (a + a) % m)
            if (b % 2 != 0) out = (out + a) % m;
        return out;
    }
    /// Returns the inverse of a modulo m, by Euclid's algorithm.
    static constexpr dim_t inverse_of(dim_t a, dim_t m) {
        dim_t larger = m, smaller = a, factor = 0, next = 1;
        while (smaller != 0) {
            const dim_t quotient = larger / smaller;
            const dim_t rest = larger - quotient * smaller, following = factor - quotient * next;
            larger = smaller;
            smaller = rest;
            factor = next;
            next = following;
        }
        return modulo(factor, m);
    }

    static constexpr int tries_without_divisors = 64;

    int first_ = 0, last_ = 0, left_ = 0, left_without_divisors_ = 0;
    dim_t least_ = 0, most_ = 0;
    bool is_symmetric_ = false, has_divisors_ = false;
};

}  // namespace plait::detail
