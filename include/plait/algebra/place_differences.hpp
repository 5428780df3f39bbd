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
    dim_t found[static_cast<std::size_t>(Most)]{};

    /// Inserts a digit behind those of larger and of equal strides; returns its place.
    constexpr int insert(const digit_difference& d) {
        int at = digits.size();
        digits.push_back(d);
        for (; at > 0 && digits[at - 1].stride < d.stride; --at) digits[at] = digits[at - 1];
        digits[at] = d;
        return at;
    }

    /// Searches the digits from `first` on and before `last` for differences whose sum is from `least` to `most`, and
    /// calls accept() with them in `found`, until it returns true. If `is_symmetric`, differences are not all 0, and of
    /// x and -x only one is tried: the one that begins with a positive number.
    template <class Accept>
    constexpr bool find(int first, int last, dim_t least, dim_t most, bool is_symmetric, int tries,
                        const Accept& accept) {
        last_ = last;
        least_ = least;
        most_ = most;
        is_symmetric_ = is_symmetric;
        left_ = tries;
        below_[last] = above_[last] = divisor_[last] = 0;
        for (int i = last - 1; i >= first; --i) {
            const digit_difference& d = digits[i];
            below_[i] = below_[i + 1] + d.low * d.stride;
            above_[i] = above_[i + 1] + d.high * d.stride;
            divisor_[i] = greatest_common_divisor(divisor_[i + 1], d.stride);
            found[i] = 0;
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
        range out{-floor_of(sum + above_[i + 1] - least_, d.stride), floor_of(most_ - sum - below_[i + 1], d.stride)};
        if (out.low < d.low) out.low = d.low;
        if (out.high > d.high) out.high = d.high;
        if (is_symmetric_ && all_zero && out.low < 0) out.low = 0;
        return out;
    }

    template <class Accept>
    constexpr bool find_from(int i, dim_t sum, bool all_zero, const Accept& accept) {
        if (i == last_) return sum >= least_ && sum <= most_ && !(is_symmetric_ && all_zero) && accept();
        if (i + 2 == last_ && least_ == most_) return find_two(i, sum, all_zero, accept);
        const dim_t stride = digits[i].stride, divisor = divisor_[i + 1];
        const range r = range_of(i, sum, all_zero);
        for (dim_t x = r.low, by = 1; x <= r.high; x += by) {
            if (left_ == 0) return false;
            --left_;
            const dim_t next = sum + x * stride;
            // The digits inside change the sum by multiples of their divisor.
            if (divisor > 0 && least_ + modulo(next - least_, divisor) > most_) continue;
            // Once one number is reached, it is again after every `by` steps.
            if (divisor > 0 && least_ == most_) by = divisor / greatest_common_divisor(divisor, stride);
            found[i] = x;
            if (find_from(i + 1, next, all_zero && x == 0, accept)) return true;
            found[i] = 0;
        }
        return false;
    }

    /// Finds x and y with sum + x * first stride + y * second stride == the number of the range.
    template <class Accept>
    constexpr bool find_two(int i, dim_t sum, bool all_zero, const Accept& accept) {
        const digit_difference &outer = digits[i], &inner = digits[i + 1];
        const dim_t divisor = greatest_common_divisor(outer.stride, inner.stride), by = inner.stride / divisor,
                    wanted = most_ - sum;
        if (wanted % divisor != 0) return false;
        const range r = range_of(i, sum, all_zero);
        const dim_t solution =
            multiply(modulo(wanted / divisor, by), inverse_of(modulo(outer.stride / divisor, by), by), by);
        for (dim_t x = r.low + modulo(solution - r.low, by); x <= r.high; x += by) {
            if (left_ == 0) return false;
            --left_;
            found[i] = x;
            found[i + 1] = (wanted - x * outer.stride) / inner.stride;
            const bool is_zero = all_zero && x == 0 && found[i + 1] == 0;
            if (!(is_symmetric_ && is_zero) && accept()) return true;
        }
        found[i] = found[i + 1] = 0;
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

    int last_ = 0, left_ = 0;
    dim_t least_ = 0, most_ = 0;
    bool is_symmetric_ = false;
    // The least and the largest sum of digit i and those inside, and the common divisor of their strides.
    dim_t below_[static_cast<std::size_t>(Most) + 1]{}, above_[static_cast<std::size_t>(Most) + 1]{},
        divisor_[static_cast<std::size_t>(Most) + 1]{};
};

}  // namespace plait::detail
