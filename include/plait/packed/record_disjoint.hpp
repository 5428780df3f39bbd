#pragma once
// Searches for two values of a record that share a bit: for a difference of two places that is less than a value is
// wide.

#include <plait/packed/record_values.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Two values of a record that share a bit: the field of each, an index of each, and the bit.
struct field_overlap {
    field_name first_field, second_field;
    position first, second;
    dim_t bit = 0;  ///< from the beginning of the record
    constexpr bool operator==(const field_overlap&) const = default;
};

namespace detail {
/// The result of a search for a shared bit: the bit, or none, or (in `why`) the reason why the search cannot decide.
struct [[nodiscard]] field_overlap_search {
    verdict why;
    std::optional<field_overlap> found;
};

/// Searches two pieces of a record, or one and itself, from the largest stride inwards, within what the digits inside
/// can compensate. Digits that both pieces have with equal strides are one difference.
class field_overlap_finder {
public:
    constexpr field_overlap_finder(const record& r, const record_piece& a, const record_piece& b)
        : a_(r, a), b_(r, b), is_one_(&a == &b) {}

    constexpr field_overlap_search search() {
        if (!a_.is_well_formed() || !b_.is_well_formed()) return not_decided();
        if (a_.is_empty() || b_.is_empty()) return {};
        least_ = 1 - a_.width();
        most_ = b_.width() - 1;
        dim_t sum = 0;
        if (!is_one_) sum = wrapping_add(a_.at(), wrapping_multiply(b_.at(), -1));
        if (!gather(sum)) return not_decided();
        left_ = most_steps;
        if (find(0, sum, true)) return {{}, found_};
        if (is_one_ && find_turned()) return {{}, found_};
        return unreal_ || left_ <= 0 ? not_decided() : field_overlap_search{};
    }

    /// The maximum number of differences to try for two pieces before the search gives up.
    static constexpr int most_steps = 1 << 12;

private:
    /// A stride, and the differences of digits that step by it: from low to high.
    struct step {
        dim_t stride = 0, low = 0, high = 0;
    };
    static constexpr int most_digits = 2 * max_piece_digits;

    constexpr field_overlap_search not_decided() const {
        return {{reason::fields_are_not_decided, -1, short_name(a_.name()), short_name(b_.name())}, std::nullopt};
    }

    /// Gathers the strides, the largest first. Returns false if sums may overflow.
    constexpr bool gather(dim_t sum) {
        constexpr dim_t far = dim_t{1} << 60;
        if (a_.at() > far || a_.at() < -far || b_.at() > far || b_.at() < -far) return false;
        checked_integer all{sum < 0 ? -sum : sum};
        for (int k = 0; k < a_.size(); ++k) insert(a_.stride(k), a_.most(k), is_one_, all);
        if (!is_one_)
            for (int k = 0; k < b_.size(); ++k) insert(-b_.stride(k), b_.most(k), false, all);
        if (!all.ok() || all.value > far) return false;
        for (int i = count_ - 1; i >= 0; --i) {
            const step& s = steps_[i];
            below_[i] = below_[i + 1] + s.low * s.stride;
            above_[i] = above_[i + 1] + s.high * s.stride;
            divisor_[i] = greatest_common_divisor(divisor_[i + 1], s.stride);
        }
        return true;
    }
    constexpr void insert(dim_t stride, dim_t most, bool both_ways, checked_integer& all) {
        if (stride == 0 || most == 0) return;
        step s{stride < 0 ? -stride : stride, stride < 0 || both_ways ? -most : 0, stride < 0 && !both_ways ? 0 : most};
        all.add_product(s.stride, most);
        int at = count_;
        while (at > 0 && steps_[at - 1].stride < s.stride) --at;
        if (!is_one_ && at > 0 && steps_[at - 1].stride == s.stride) {
            steps_[at - 1].low += s.low;
            steps_[at - 1].high += s.high;
            return;
        }
        for (int k = count_++; k > at; --k) steps_[k] = steps_[k - 1];
        steps_[at] = s;
    }

    static constexpr dim_t divide_down(dim_t n, dim_t by) { return n / by - (n % by < 0); }

    /// Finds differences from digit i on with which the sum of all is between least_ and most_.
    constexpr bool find(int i, dim_t sum, bool all_zero) {
        if (i == count_) return sum >= least_ && sum <= most_ && !(is_one_ && all_zero) && is_real();
        const step& s = steps_[i];
        dim_t low = -divide_down(sum + above_[i + 1] - least_, s.stride);
        dim_t high = divide_down(most_ - sum - below_[i + 1], s.stride);
        if (low < s.low) low = s.low;
        if (high > s.high) high = s.high;
        // In one piece, either x or -x is enough.
        if (is_one_ && all_zero && low < 0) low = 0;
        for (dim_t x = low; x <= high; ++x) {
            if (--left_ < 0) return false;
            const dim_t next = sum + x * s.stride;
            if (const dim_t by = divisor_[i + 1]; by > 0) {
                // The digits inside change the sum by multiples of `by`.
                dim_t rest = (next - least_) % by;
                if (rest < 0) rest += by;
                if (least_ + rest > most_) continue;
            }
            difference_[i] = x;
            if (find(i + 1, next, all_zero && x == 0)) return true;
        }
        return false;
    }

    /// Checks if two indices have the differences that were found, and keeps them. In pieces that were assembled by
    /// hand none may exist.
    constexpr bool is_real() {
        dim_t first[max_piece_digits]{}, second[max_piece_digits]{};
        for (int i = 0; i < count_; ++i) {
            if (is_one_) continue;
            // Each digit at first adds as little as it can.
            dim_t rest = difference_[i] - steps_[i].low;
            for (int k = 0; k < a_.size(); ++k) take(a_.stride(k), a_.most(k), steps_[i].stride, rest, first[k]);
            for (int k = 0; k < b_.size(); ++k) take(-b_.stride(k), b_.most(k), steps_[i].stride, rest, second[k]);
        }
        if (is_one_) share_differences(first, second);
        return keep(a_.index_of(first), b_.index_of(second));
    }
    /// Gives to a digit of this stride as much of the rest as it takes.
    static constexpr void take(dim_t stride, dim_t most, dim_t wanted, dim_t& rest, dim_t& value) {
        if ((stride < 0 ? -stride : stride) != wanted || most == 0) return;
        const dim_t taken = rest < most ? rest : most;
        value = stride < 0 ? most - taken : taken;
        rest -= taken;
    }
    /// In one piece each digit has a difference of its own: the digits stand as insert() has put them.
    constexpr void share_differences(dim_t (&first)[max_piece_digits], dim_t (&second)[max_piece_digits]) const {
        bool used[max_piece_digits]{};
        for (int i = 0; i < count_; ++i)
            for (int k = 0; k < a_.size(); ++k) {
                const dim_t stride = a_.stride(k);
                if (used[k] || a_.most(k) != steps_[i].high || (stride < 0 ? -stride : stride) != steps_[i].stride)
                    continue;
                used[k] = true;
                const dim_t x = stride < 0 ? -difference_[i] : difference_[i];
                first[k] = x > 0 ? x : 0;
                second[k] = x < 0 ? -x : 0;
                break;
            }
    }

    constexpr bool keep(const position& first, const position& second) {
        const bool same = is_one_ && a_.has_same_digits(first, second);
        if (!same && a_.has_place(first) && b_.has_place(second)) {
            const dim_t begin = a_.piece().place(first), other = b_.piece().place(second);
            const bool shared = begin - other >= least_ && begin - other <= most_;
            if (shared) found_ = {a_.name(), b_.name(), first, second, larger_of(begin, other)};
            if (shared) return true;
        }
        unreal_ = true;
        return false;
    }

    /// Finds two indices of one piece that have the same slot of a digit that is turned, and not the same value of it:
    /// the axis that turns it has values that are shared, by other numbers than its multiples.
    constexpr bool find_turned() {
        for (const piece_digit& d : a_.piece().digits) {
            if (d.turned_by < 0 || d.extent < 2) continue;
            const dim_t moved = a_.shared_move(d.turned_by, d.extent);
            if (moved == 0) continue;
            if (moved < 0) {
                unreal_ = true;
                continue;
            }
            const position first = a_.piece().origin;
            position second = first;
            second[d.turned_by] += moved;
            second[d.axis] += moved % d.extent * d.step;
            if (keep(first, second)) return true;
        }
        return false;
    }

    const piece_values a_, b_;
    bool is_one_ = false, unreal_ = false;
    int count_ = 0, left_ = 0;
    dim_t least_ = 0, most_ = 0;
    step steps_[most_digits]{};  // by stride, the largest first
    // The least and the largest sum of digit i and those inside, and the common divisor of their strides.
    dim_t below_[most_digits + 1]{}, above_[most_digits + 1]{}, divisor_[most_digits + 1]{};
    dim_t difference_[most_digits]{};
    std::optional<field_overlap> found_;
};
}  // namespace detail
}  // namespace plait
