#pragma once
// Finds the nearest number with which a failed check would succeed, for its message. Each number is tried first.

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// How far the search for an accepted number goes on each side of the given one.
inline constexpr dim_t nearest_search_limit = 64;

/// Returns an accepted number in place of `given`, at least 1: `guess` if it is accepted, else the nearest one (the
/// smaller of two); 0 if none is found. Pass 0 if there is no guess.
///
/// Pre:     accepts(n) is a bool for each n >= 1
/// Post:    result == 0 || accepts(result)
/// Cost:    up to 2 * nearest_search_limit + 1 calls of accepts
/// Source:  plait's own
/// Example: nearest_accepted(5, 0, [](dim_t n) { return 12 % n == 0; }) == 4
template <class Accepts>
constexpr dim_t nearest_accepted(dim_t given, dim_t guess, const Accepts& accepts) {
    if (guess >= 1 && accepts(guess)) return guess;
    for (dim_t by = 1; by <= nearest_search_limit; ++by) {
        if (given > by && accepts(given - by)) return given - by;
        if (given <= INT64_MAX - by && given + by >= 1 && accepts(given + by)) return given + by;
    }
    return 0;
}

/// Returns l with another stride of digit k, or with another extent of it if its axis has no padding.
constexpr layout with_digit_number(const layout& l, int k, bool is_stride, dim_t number) {
    layout out = l;
    digit& d = out.digits[k];
    (is_stride ? d.stride : d.extent) = number;
    if (is_stride) return out;
    checked_integer room{out.digits[d.axis].extent};
    for (int j = out.ndims(); j < out.digits.size(); ++j)
        if (out.digits[j].axis == d.axis) room *= out.digits[j].extent;
    out.dims[d.axis] = out.padded_dims[d.axis] = room.ok() ? room.value : -1;
    return out;
}

/// Returns the number to suggest in place of why.first, a stride or an extent of a digit of l along why.axis. Returns 0
/// if why.first is neither, so the caller did not pass it, or if none is found.
///
/// Pre:     check_static_layout(l).ok(), why.third is a guess or 0; accepts(layout) is a bool
/// Post:    result == 0, or accepts(l with the result in a place where l has why.first along the axis)
/// Cost:    up to 2 * nearest_search_limit + 1 calls of accepts per place
/// Source:  plait's own
/// Example: of layout({6}, strides{3}) and a failure about 3 on axis 0: the nearest stride that is accepted
template <class Accepts>
constexpr dim_t nearest_number(const layout& l, const verdict& why, const Accepts& accepts) {
    if (why.axis < 0 || why.axis >= l.ndims() || why.first < 1) return 0;
    const int axis = why.axis;
    const bool is_whole = l.padded_dims[axis] == l.dims[axis] && l.padded_offsets[axis] == 0 &&
                          (l.digits[axis].extent != 1 || l.block_size(axis) == 1);
    const auto accepts_number = [&](dim_t number) {
        for (int k = 0; k < l.digits.size(); ++k)
            for (const bool is_stride : {true, false}) {
                const digit& d = l.digits[k];
                if (d.axis != axis || (is_stride ? d.stride : d.extent) != why.first) continue;
                if (is_stride ? d.extent < 2 : !is_whole) continue;
                const layout other = with_digit_number(l, k, is_stride, number);
                if (check_static_layout(other).ok() && accepts(other)) return true;
            }
        return false;
    };
    return nearest_accepted(why.first, why.third, accepts_number);
}

}  // namespace plait::detail
