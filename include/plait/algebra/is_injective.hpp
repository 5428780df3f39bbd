#pragma once

#include <plait/algebra/find_overlap.hpp>

namespace plait {

/// The first digit whose values share one place: stride 0, and more than one index reaches it; -1 if there is none.
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

/// Whether no two padded elements share a place in memory.
///
/// Strides of a layout nest, so only a broadcast axis (stride 0) with more than one index can share. In a layout put
/// together by hand others can; it is searched for an overlap. Without elements, nothing is shared. False where a
/// stride is not known, and where the search was given up: see check_find_overlap.
///
/// Pre:     none; any layout, also put together by hand
/// Post:    if true, padded_offset(p) == padded_offset(q) only for p == q; the same as find_overlap(l) being empty
/// Cost:    O(digits squared) steps, whatever the extents, where the strides nest
/// Source:  spec semantics 4
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr bool is_injective(const layout& l) {
    return l.kind == format_kind::undef || search_overlap(l).none();
}

}  // namespace plait
