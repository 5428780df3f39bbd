#pragma once
// Finds the larger tensor that a layout is a part of. Version 3 of oneDNN makes inner blocks only from its tags, and
// offsets only as parts. All other layouts are made through this parent.

#include <plait/algebra/format_name.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The extents of a tensor, and the position in it at which a part begins.
struct onednn_parent {
    dims whole;
    position first;
    constexpr bool operator==(const onednn_parent&) const = default;
};

/// The axes of a layout, from the outermost in memory to the innermost.
using axis_order = inline_list<int, max_ndims>;

/// Returns the position at which a part with the offset0 of l begins: offset0 divided by the strides of l, from the
/// outermost inwards. Of equal strides, the axis that is outer in the order gets the quotient.
///
/// Pre:     l is blocked, and has no dynamic strides
/// Post:    the sum over the axes of result / block * stride is l.offset0, if the strides can reach it
constexpr position first_of_part(const layout& l, const axis_order& order) {
    position first;
    for (int a = 0; a < l.ndims(); ++a) first.push_back(0);
    dim_t rest = l.offset0;
    for (const int a : order) {
        const dim_t stride = l.digits[a].stride;
        if (stride <= 0) continue;
        first[a] = rest / stride * l.block_size(a);
        rest %= stride;
    }
    return first;
}

/// The source of a parent's strides: its extents, or explicit strides.
enum class parent_strides { of_extents, said };
}  // namespace detail

/// Returns a parent of which the layout is a part, if there is one. To find out, make it and compare the part.
///
/// The number of blocks of an axis of the parent is the stride of the next outer axis divided by its own. The outermost
/// axis ends where the part does. If strides are explicit, every axis ends where the part does.
///
/// Pre:     check_static(l).ok(), is_blocking(l); order has each axis once, as memory_order(l)
/// Post:    if any parent with l's blocks in this order has l as a part, submemory(m, l.dims, result.first) == l for
///          such an m with the extents result.whole; whole and first count elements
/// Cost:    O(ndims times digits) steps
/// Source:  spec onednn-behaviour, 1.2 and 1.3: blocks with explicit strides are made as parts of a larger tensor
/// Example: for rows 4 to 7 of 16 columns of layout({32, 16}, "ab"): whole {8, 16}, first {4, 0}
constexpr detail::onednn_parent parent_of(const layout& l, const detail::axis_order& order,
                                          detail::parent_strides strides) {
    detail::onednn_parent out{l.dims, detail::first_of_part(l, order)};
    dim_t around = 0;
    for (const int a : order) {
        const dim_t block = l.block_size(a), stride = l.digits[a].stride, natural = out.first[a] + l.dims[a];
        out.whole[a] = natural;
        const dim_t blocks = stride > 0 && around > 0 ? around / stride : detail::divide_up(natural, block);
        // A zero extent counts as one block in the strides.
        const dim_t counted = natural == 0 ? 1 : detail::divide_up(natural, block);
        const bool is_part_of_block = l.padded_dims[a] % block != 0;
        if (strides == detail::parent_strides::of_extents && (blocks != counted || is_part_of_block))
            out.whole[a] = blocks * block;
        // Otherwise the part would end where the parent does, and have its padding.
        if (is_part_of_block && out.whole[a] == natural) out.whole[a] += block;
        around = stride;
    }
    return out;
}

}  // namespace plait
