#pragma once

#include <plait/algebra/find_overlap.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the first digit whose values share one place: its stride is 0, and it has several values; -1 if none.
///
/// Pre:     check_static(l).ok()
[[nodiscard]] constexpr int first_shared_digit(const layout& l) {
    bool repeats = false;
    for (int k = 0, count = l.digits.size(); k < count; ++k) repeats = repeats || l.digits.values[k].stride == 0;
    if (!repeats) return -1;
    const inline_list<dim_t, max_digits> values = reached_extents(l);
    for (int k = 0; k < l.digits.size(); ++k)
        if (l.digits[k].stride == 0 && values[k] > 1) return k;
    return -1;
}

/// Checks that each padded element has a unique place, as a destination requires. Fails with the reason `shared`.
///
/// Refused: `shared` (an axis in which two elements of one place differ, its outermost extent and stride);
///          strides_do_not_nest, size_overflows only if the search for two such elements was given up
/// Pre:     check_static(l).ok()
/// Post:    if ok, is_injective(l)
/// Cost:    O(digits squared) steps if the strides nest; otherwise that of search_overlap
/// Source:  spec semantics 3
/// Example: of layout({3, 4}, strides{2, 1}): {shared, 0, 3, 2}
constexpr verdict check_unique_places(const layout& l, reason shared) {
    // If strides nest, only a digit of stride 0 can share places.
    const int repeated = first_shared_digit(l);
    if (repeated < 0 && check_nesting(l).ok()) return {};
    const overlap_search search = search_overlap(l);
    if (!search.why.ok()) return search.why;
    if (!search.found) return {};
    if (repeated >= 0) return {shared, l.digits[repeated].axis, l.digits[repeated].extent, l.digits[repeated].stride};
    int a = 0;
    while (search.found->first[a] == search.found->second[a]) ++a;
    return {shared, a, l.digits[a].extent, l.digits[a].stride};
}
}  // namespace detail

/// Returns true if no two padded elements share a place in memory.
///
/// If the strides nest, only a broadcast axis (stride 0) with more than one index shares places. Other layouts are
/// searched for an overlap. Without elements, nothing is shared. Also returns false if a stride is not known, or if the
/// search was given up: see check_find_overlap.
///
/// Pre:     none; any layout, also one assembled by hand
/// Post:    if true, padded_offset(p) == padded_offset(q) only if p == q; equivalent to find_overlap(l) being empty
/// Cost:    O(digits squared) steps, independent of the extents, if the strides nest
/// Source:  spec semantics 4
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr bool is_injective(const layout& l) {
    return l.kind == format_kind::undef || detail::search_overlap(l).none();
}

}  // namespace plait
