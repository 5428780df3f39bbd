#pragma once
// Finds two elements that share a place. If the strides nest and none is 0, there are none. Otherwise searches for a
// difference of two positions that does not change the offset.

#include <plait/algebra/place_differences.hpp>
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
                insert({d.axis, place[d.axis], d.stride < 0}, values[k] - 1, d.stride < 0 ? -d.stride : d.stride);
            // If nothing outside is reached, its place is not needed, and may not fit.
            if (k >= l.ndims() && place[d.axis] <= (l.padded_dims[d.axis] - 1) / d.extent) place[d.axis] *= d.extent;
        }
    }

    constexpr overlap_search search() {
        // A digit of stride 0 is an overlap.
        int count = places_.size();
        for (; count > 0 && search_.digits[count - 1].stride == 0; --count) {}
        for (first_ = count; first_ < places_.size(); ++first_) {
            last_ = first_ + 1;
            search_.digits[first_].found = 1;
            if (is_overlap()) return {{}, shared_};
        }
        checked_integer all;
        for (const digit_difference& d : search_.digits) add_reach(all, d.high + 1, d.stride);
        // Far from the ends of 63 bits, so that no sum below overflows.
        constexpr dim_t most = dim_t{1} << 60;
        if (!all.ok() || all.value > most || l_.offset0 > most || l_.offset0 < -most) return not_decided();
        bool gave_up = false;
        for (first_ = 0; first_ < count; first_ = last_) {
            end_group(count);
            if (search_.find(first_, last_, 0, 0, true, most_steps, [this] { return is_overlap(); }))
                return {{}, shared_};
            gave_up = gave_up || search_.gave_up();
        }
        return gave_up ? not_decided() : overlap_search{};
    }

    /// The maximum number of differences to try in each group of digits before the search gives up.
    static constexpr int most_steps = 1 << 13;

private:
    /// The axis of a digit, and how many indices of it are one step.
    struct digit_place {
        int axis = 0;
        dim_t indices = 0;
        bool backwards = false;
    };

    constexpr void insert(const digit_place& place, dim_t most, dim_t stride) {
        const int at = search_.insert({stride, -most, most});
        places_.push_back(place);
        for (int k = places_.size() - 1; k > at; --k) places_[k] = places_[k - 1];
        places_[at] = place;
    }
    constexpr overlap_search not_decided() const {
        const verdict nesting = check_nesting(l_);
        return {nesting.ok() ? verdict{reason::size_overflows, -1, l_.offset0, 1} : nesting, std::nullopt};
    }

    /// Ends the group that starts at first_ where a common divisor of its strides exceeds the reach of the digits
    /// inside. The total can be 0 only if both parts are, so each part is searched separately.
    constexpr void end_group(int count) {
        dim_t divisor = 0;
        for (last_ = first_ + 1;; ++last_) {
            divisor = greatest_common_divisor(divisor, search_.digits[last_ - 1].stride);
            dim_t inside = 0;
            for (int i = last_; i < count; ++i) inside += search_.digits[i].reach();
            if (divisor > inside || last_ == count) break;
        }
    }

    /// Checks if two positions have this difference, and keeps the least. In a view of part of a block none may exist.
    constexpr bool is_overlap() {
        overlap out;
        for (int a = 0; a < l_.ndims(); ++a) {
            out.first.push_back(0);
            out.second.push_back(0);
        }
        for (int i = first_; i < last_; ++i) {
            const digit_place& place = places_[i];
            const dim_t x = search_.digits[i].found, moved = (x < 0 ? -x : x) * place.indices;
            dim_t& index = ((x < 0) != place.backwards ? out.second : out.first)[place.axis];
            if (moved >= l_.padded_dims[place.axis] - index) return false;
            index += moved;
        }
        const dim_t offset = evaluate_digits(l_, out.first);
        if (out.first == out.second || offset != evaluate_digits(l_, out.second)) return false;
        out.offset = l_.offset0 + offset;
        shared_ = out;
        return true;
    }

    const layout& l_;
    difference_search<max_digits> search_;
    scratch_list<digit_place, max_digits> places_;  // of the digits of the search
    int first_ = 0, last_ = 0;                      // the group that is searched
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
