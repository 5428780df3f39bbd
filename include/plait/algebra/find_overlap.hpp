#pragma once
// Searches for two elements that share a place. If the strides nest and none is 0, there are none. Otherwise searches
// for a difference of two positions that does not change the offset.

#include <plait/core/layout.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Two positions with the same offset, as indices into the padded extents.
struct overlap {
    position first, second;
    dim_t offset = 0;  ///< the offset of both, in elements
    constexpr bool operator==(const overlap&) const = default;
};

namespace detail {
/// The result of a search for an overlap: an overlap, or none, or (in `why`) the reason why the search cannot decide.
struct [[nodiscard]] overlap_search {
    verdict why;
    std::optional<overlap> found;
    constexpr bool none() const { return why.ok() && !found.has_value(); }
};

/// Finds one difference x for each digit, not all 0, such that the sum of x times stride is 0.
///
/// Searches from the largest stride inwards, within what the digits inside can compensate; the last two in closed form.
class overlap_finder {
public:
    constexpr explicit overlap_finder(const layout& l) : l_(l) {
        const inline_list<dim_t, max_digits> values = reached_extents(l);
        plait::dims place = l.padded_dims;
        for (dim_t& size : place) size = 1;
        for (int k = l.digits.size() - 1; k >= 0; --k) {
            const digit& d = l.digits[k];
            // A negative stride is a positive one counted backwards.
            if (values[k] > 1)
                insert({d.axis, values[k] - 1, d.stride < 0 ? -d.stride : d.stride, place[d.axis], d.stride < 0});
            // If nothing outside is reached, its place is not needed, and may not fit.
            if (k >= l.ndims() && place[d.axis] <= (l.padded_dims[d.axis] - 1) / d.extent) place[d.axis] *= d.extent;
        }
    }

    constexpr overlap_search search() {
        // A digit of stride 0 is an overlap.
        for (first_ = 0; first_ < steps_.size(); ++first_) {
            last_ = first_ + 1;
            difference_[first_] = 1;
            if (steps_[first_].stride == 0 && is_overlap()) return {{}, shared_};
            difference_[first_] = 0;
        }
        checked_integer all;
        for (const step& s : steps_) add_reach(all, s.most + 1, s.stride);
        // Far from the ends of 63 bits, so that no sum below overflows.
        constexpr dim_t far = dim_t{1} << 60;
        if (!all.ok() || all.value > far || l_.offset0 > far || l_.offset0 < -far) return not_decided();
        bool gave_up = false;
        for (first_ = 0; first_ < steps_.size(); first_ = last_) {
            end_group();
            left_ = most_steps;
            if (find(first_, 0, true)) return {{}, shared_};
            gave_up = gave_up || left_ == 0;
        }
        return gave_up ? not_decided() : overlap_search{};
    }

    /// The maximum number of differences to try in each group of digits before the search gives up.
    static constexpr int most_steps = 1 << 13;

private:
    /// A digit that changes the offset by up to `most` strides in either direction.
    struct step {
        int axis = 0;
        dim_t most = 0, stride = 0, place = 0;
        bool backwards = false;
    };

    constexpr void insert(const step& s) {
        int at = steps_.size();
        steps_.push_back(s);
        for (; at > 0 && steps_[at - 1].stride < s.stride; --at) steps_[at] = steps_[at - 1];
        steps_[at] = s;
    }
    constexpr overlap_search not_decided() const {
        const verdict nesting = check_nesting(l_);
        return {nesting.ok() ? verdict{reason::size_overflows, -1, l_.offset0, 1} : nesting, std::nullopt};
    }

    /// Ends the group that starts at first_ where a common divisor of its strides exceeds the reach of the digits
    /// inside. The total can be 0 only if both parts are, so each part is searched separately.
    constexpr void end_group() {
        dim_t divisor = 0;
        for (last_ = first_ + 1;; ++last_) {
            divisor = greatest_common_divisor(divisor, steps_[last_ - 1].stride);
            dim_t inside = 0;
            for (int i = last_; i < steps_.size(); ++i) inside += steps_[i].most * steps_[i].stride;
            if (divisor > inside || last_ == steps_.size()) break;
        }
        reach_[last_] = 0;
        divisor_[last_] = 0;
        for (int i = last_ - 1; i >= first_; --i) {
            reach_[i] = reach_[i + 1] + steps_[i].most * steps_[i].stride;
            divisor_[i] = greatest_common_divisor(divisor_[i + 1], steps_[i].stride);
        }
    }

    static constexpr dim_t modulo(dim_t n, dim_t by) { return n % by < 0 ? n % by + by : n % by; }
    static constexpr dim_t divide_down(dim_t n, dim_t by) { return n / by - (n % by < 0); }

    /// The differences of digit i that the digits inside can compensate, if those outside sum to `sum`.
    struct range {
        dim_t low, high;
    };
    constexpr range range_of(int i, dim_t sum, bool all_zero) const {
        const step& s = steps_[i];
        const dim_t inside = reach_[i + 1];
        range out{-divide_down(inside + sum, s.stride), divide_down(inside - sum, s.stride)};
        if (out.low < -s.most) out.low = -s.most;
        if (out.high > s.most) out.high = s.most;
        // Either x or -x is enough.
        if (all_zero && out.low < 0) out.low = 0;
        return out;
    }

    constexpr bool find(int i, dim_t sum, bool all_zero) {
        // A digit in a group of one has nothing that compensates it.
        if (i + 1 == last_) return false;
        if (i + 2 == last_) return find_two(i, sum, all_zero);
        const dim_t stride = steps_[i].stride, divisor = divisor_[i + 1];
        const range r = range_of(i, sum, all_zero);
        for (dim_t x = r.low, by = 1; x <= r.high; x += by) {
            if (left_ == 0) return false;
            --left_;
            if (modulo(sum + x * stride, divisor) != 0) continue;
            // Once the strides inside divide the sum, they do so again after every `by` steps.
            by = divisor / greatest_common_divisor(divisor, stride);
            difference_[i] = x;
            if (find(i + 1, sum + x * stride, all_zero && x == 0)) return true;
            difference_[i] = 0;
        }
        return false;
    }

    /// Finds x and y with sum + x * first stride + y * second stride == 0.
    constexpr bool find_two(int i, dim_t sum, bool all_zero) {
        const step &outer = steps_[i], &inner = steps_[i + 1];
        const dim_t divisor = greatest_common_divisor(outer.stride, inner.stride), by = inner.stride / divisor;
        if (sum % divisor != 0) return false;
        const range r = range_of(i, sum, all_zero);
        const dim_t solution =
            multiply(modulo(-(sum / divisor), by), inverse_of(modulo(outer.stride / divisor, by), by), by);
        for (dim_t x = r.low + modulo(solution - r.low, by); x <= r.high; x += by) {
            if (left_ == 0) return false;
            --left_;
            difference_[i] = x;
            difference_[i + 1] = -(sum + x * outer.stride) / inner.stride;
            if (is_overlap()) return true;
        }
        difference_[i] = difference_[i + 1] = 0;
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

    /// Checks if two positions have this difference, and keeps the least. In a view of part of a block none may exist.
    constexpr bool is_overlap() {
        overlap out;
        for (int a = 0; a < l_.ndims(); ++a) {
            out.first.push_back(0);
            out.second.push_back(0);
        }
        for (int i = first_; i < last_; ++i) {
            const step& s = steps_[i];
            const dim_t x = difference_[i], moved = (x < 0 ? -x : x) * s.place;
            dim_t& index = ((x < 0) != s.backwards ? out.second : out.first)[s.axis];
            if (moved >= l_.padded_dims[s.axis] - index) return false;
            index += moved;
        }
        const dim_t offset = evaluate_digits(l_, out.first);
        if (out.first == out.second || offset != evaluate_digits(l_, out.second)) return false;
        out.offset = l_.offset0 + offset;
        shared_ = out;
        return true;
    }

    const layout& l_;
    inline_list<step, max_digits> steps_;  // by stride, the largest first
    int first_ = 0, last_ = 0;             // the group that is searched
    dim_t reach_[max_digits + 1]{};        // the reach of digit i and those inside
    dim_t divisor_[max_digits + 1]{};      // the common divisor of their strides
    dim_t difference_[max_digits]{};
    int left_ = 0;
    std::optional<overlap> shared_;
};

/// Returns the overlap of l, or that there is none, or why the search cannot decide.
///
/// Pre:     check_structure(l).ok() for a blocked l
/// Cost:    O(digits squared) steps if the strides nest; otherwise up to overlap_finder::most_steps for each group of
///          digits
constexpr overlap_search search_overlap(const layout& l) {
    if (const verdict why = check_static(l); !why.ok()) return {why, std::nullopt};
    if (!has_elements(l.padded_dims)) return {};
    return steps_over_the_inside(l) ? overlap_search{} : overlap_finder(l).search();
}
}  // namespace detail

/// Checks that find_overlap can decide. It can for every layout with strides that nest, and for most of the others.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic; strides_do_not_nest and
///          size_overflows only if the search was given up
constexpr verdict check_find_overlap(const layout& l) { return detail::search_overlap(l).why; }

/// Returns two padded elements that share a place, or an empty optional if there are none.
///
/// Pre:     check_find_overlap(l).ok()
/// Post:    the positions differ, and padded_offset of both is the offset; find_overlap(l) is empty if and only if
///          is_injective(l)
/// Cost:    that of search_overlap; never proportional to the number of elements
/// Source:  spec semantics 3, which refuses strides that overlap
/// Example: test/algebra/find_overlap.cpp
[[nodiscard]] constexpr std::optional<overlap> find_overlap(const layout& l) {
    const detail::overlap_search search = detail::search_overlap(l);
    require(search.why);
    return search.found;
}

}  // namespace plait
