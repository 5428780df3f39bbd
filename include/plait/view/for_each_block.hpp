#pragma once
// Visits all outermost blocks of a view in memory order, with the position and the valid elements of each.

#include <plait/view/memory_order.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A loop over the outermost blocks of an axis.
struct block_loop {
    int axis = 0;
    dim_t first = 0, last = 0;  ///< the blocks to visit, in [first, last)
    dim_t stride = 0;
    dim_t size = 1;  ///< the size of a block, in elements along the axis
};
/// The loops over the outermost blocks of a layout, outermost loop first; see block_loops_of.
using block_loops = inline_list<block_loop, max_ndims>;

/// Returns the loops over the blocks of l, longest stride first: either all blocks, or those with elements.
///
/// Pre:     check_static(l).ok()
constexpr block_loops block_loops_of(const layout& l, padding pads) {
    block_loops out;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t size = l.block_size(a), begin = l.padded_offsets[a], end = begin + l.dims[a];
        block_loop loop{a, 0, l.digits[a].extent, l.digits[a].stride, size};
        if (pads == padding::left_out && begin < end) loop.first = begin / size, loop.last = divide_up(end, size);
        if (pads == padding::left_out && begin == end) loop.last = 0;
        out.push_back(loop);
        for (int k = out.size() - 1; k > 0 && step_size(out[k].stride) > step_size(out[k - 1].stride); --k) {
            const block_loop shorter = out[k - 1];
            out[k - 1] = out[k];
            out[k] = shorter;
        }
    }
    return out;
}

/// Runs the K-th loop and the loops inside it.
template <int K, int Rank, std::size_t Size, class T, class Action, class Pointer>
[[gnu::always_inline]] constexpr void visit_blocks(const block_loops& loops, const position& begin, const dims& extents,
                                                   Pointer data, position& at, dims& valid, Action& action) {
    if constexpr (K == Rank) {
        action(static_cast<const position&>(at), view_access<T>::template block_of<Size>(data),
               static_cast<const dims&>(valid));
    } else {
        const block_loop& loop = loops.values[K];
        for (dim_t b = loop.first; b < loop.last; ++b) {
            at.values[loop.axis] = b;
            valid.values[loop.axis] =
                valid_part_of(begin.values[loop.axis], extents.values[loop.axis], loop.size, b).count;
            visit_blocks<K + 1, Rank, Size, T>(loops, begin, extents, data + b * loop.stride, at, valid, action);
        }
    }
}

/// The loops block_loops_of(L, Pads), computed once for a layout that is a type.
///
/// Pre:     check_static(L).ok(); otherwise a compile error
template <layout L, padding Pads>
inline constexpr block_loops static_block_loops = block_loops_of(L, Pads);
}  // namespace detail

/// Calls action(position, elements, valid) for each outermost block, in memory order. If an axis has a negative stride,
/// its blocks are visited by ascending index. Available for views that have block().
///
/// - position: counts blocks, as in block()
/// - elements: the std::span that block(position...) returns
/// - valid: the number of elements of the block in the tensor along each axis; 1 along axes without blocks
///
/// Blocks that are only padding are skipped, unless Pads is padding::included.
///
/// Pre:     the inner blocks of v are dense, as has_block_runs<L> checks: has_dense_blocks of its layout
/// Post:    visits each block once; elements.data() == v.block(position...).data(), and valid[a] is
///          v.valid(a, position[a]); a block is skipped if valid[a] would be 0 along some axis
/// Cost:    always inlined: nested loops, one per axis, with one or two comparisons for `valid` in each step; no
///          allocation. The loops of a static layout are constants; otherwise they are sorted first, O(ndims squared)
/// Source:  spec semantics 15
/// Example: for nChw16c<1, 17, 2, 2> eight blocks of 16; valid[1] is 16 in four of them, and 1 in four
template <padding Pads = padding::left_out, class T, class L, class Action>
    requires has_block_runs<L>
[[gnu::always_inline]] constexpr void for_each_block(const tensor_view<T, L>& v, Action&& action) {
    constexpr bool callable =
        std::is_invocable_v<Action&, const position&,
                            typename tensor_view<T, L>::template block_span<detail::block_elements<L>>, const dims&>;
    static_assert(
        callable,
        "for_each_block calls its action with three arguments: the plait::position of the block, its elements "
        "as a std::span, and plait::dims with the valid ones along each axis");
    constexpr int rank = detail::layout_index<L>::rank;
    position at;
    dims valid;
    for (int a = 0; a < rank; ++a) at.push_back(0), valid.push_back(0);
    if constexpr (!callable) {
        return;  // the static_assert is the only error
    } else if constexpr (layout_type<L>) {
        constexpr const layout& l = L::value;
        if constexpr (volume(Pads == padding::included ? l.padded_dims : l.dims) > 0)
            detail::visit_blocks<0, rank, detail::block_elements<L>, T>(detail::static_block_loops<L::value, Pads>,
                                                                        l.padded_offsets, l.dims, v.data() + l.offset0,
                                                                        at, valid, action);
    } else {
        const layout l = v.plain_layout();
        if (volume(Pads == padding::included ? l.padded_dims : l.dims) > 0)
            detail::visit_blocks<0, rank, detail::block_elements<L>, T>(
                detail::block_loops_of(l, Pads), l.padded_offsets, l.dims, v.data() + l.offset0, at, valid, action);
    }
}

}  // namespace plait
