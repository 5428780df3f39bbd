#pragma once

#include <plait/core/layout.hpp>

namespace plait {

/// The first digit whose values share one place: stride 0, and more than one element; -1 if there is none.
///
/// A view of a part of one block keeps the block's radix, but only the part is there.
[[nodiscard]] constexpr int first_shared_digit(const layout& l) {
    for (int k = 0; k < l.digits.size(); ++k)
        if (l.digits[k].stride == 0 && l.digits[k].extent > 1 && l.padded_dims[l.digits[k].axis] > 1) return k;
    return -1;
}

/// Whether no two padded elements share a place in memory.
///
/// Strides of a layout nest, so only a broadcast axis (stride 0) with more than one index can share. Without elements,
/// nothing is shared. False where a stride is not known.
///
/// Pre:     check_layout(l).ok(), which every layout is that plait made
/// Post:    if true, padded_offset(p) == padded_offset(q) only for p == q
/// Cost:    O(digits) steps, whatever the extents
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr bool is_injective(const layout& l) {
    if (l.kind == format_kind::undef) return true;
    if (!check_static(l).ok()) return false;
    return l.padded_volume() == 0 || first_shared_digit(l) < 0;
}

}  // namespace plait
