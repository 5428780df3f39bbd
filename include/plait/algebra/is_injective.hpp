#pragma once

#include <plait/core/layout.hpp>

namespace plait {

/// Whether no two padded elements share a place in memory.
///
/// Strides of a layout nest, so only a broadcast axis (stride 0) with more than one index can share. Without elements,
/// nothing is shared. False where a stride is not known.
///
/// Post:    if true, padded_offset(p) == padded_offset(q) only for p == q
/// Cost:    O(digits) steps, whatever the extents
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr bool is_injective(const layout& l) {
    if (l.kind == format_kind::undef) return true;
    if (!check_static(l).ok()) return false;
    if (l.padded_volume() == 0) return true;
    for (const digit& d : l.digits)
        // A view of a part of one block keeps the block's radix, but only the part is there.
        if (d.stride == 0 && d.extent > 1 && l.padded_dims[d.axis] > 1) return false;
    return true;
}

}  // namespace plait
