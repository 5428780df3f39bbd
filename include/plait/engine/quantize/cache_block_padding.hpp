#pragma once
// Zeroing of the padding of cache blocks in the destination.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/simd/zero_runs.hpp>

#include <cstring>  // std::memset

namespace plait::engine {

/// The number of valid elements of each row, and the number of stored elements.
struct part_of_rows {
    dim_t valid, stored;
};
/// Zeros the stored elements of each row that follow the valid ones. `to` is in `memory`, where places of packed
/// elements are counted as if each had a byte.
inline void zero_padding(const value_conversion& conversion, std::byte* memory, std::byte* to, const row_block& block,
                         const part_of_rows& part) {
    const dim_t bytes = conversion.dst_bytes;
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t r = 0; r < block.rows; ++r) {
            std::byte* const row = to + again * block.to_repeat + r * block.to_step;
            for (dim_t i = part.valid; conversion.writes_packed() && i < part.stored; ++i)
                zero_element(conversion.dst_memory, memory, row - memory + i);
            if (!conversion.writes_packed())
                std::memset(row + part.valid * bytes, 0, static_cast<std::size_t>((part.stored - part.valid) * bytes));
        }
}

/// Zeros a box of memory.
inline void zero_box(const place_box& box, dim_t bytes, std::byte* to) {
    visit_runs(with_fewest_loops(box), reinterpret_cast<unsigned char*>(to), bytes,
               [](unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                   zero_runs(at, count, step, length);
                   return true;
               });
}

/// Returns the number of steps of a node that are stored, given the number of stored indices of each axis.
///
/// Example: 8 blocks of 16 channels, 77 channels stored in whole blocks (80): 5
inline dim_t stored_steps(const cache_block_node& n, const dim_t* stored) {
    const dim_t remaining = stored[n.axis];
    return remaining <= 0 ? 0 : smaller_of(divide_up(remaining, n.index_step), n.block_steps);
}

/// Zeros the elements that are stored beyond the valid indices of one axis. It visits each such index, in the order of
/// the axis' own nodes, and for each index all indices of the other axes. `strides` has the stride of each node in
/// elements.
inline void zero_beyond_axis(const cache_block_shape& shape, int axis, dim_t valid, const dim_t* stored,
                             const dim_t* strides, dim_t bytes, std::byte* to) {
    place_box box;
    int along = -1;  // the node of the axis with stride 1
    for (int k = 0; k < shape.inner; ++k) {
        if (shape.nodes[k].axis != axis) box.loops.push_back({stored_steps(shape.nodes[k], stored), strides[k]});
        else if (strides[k] == 1) along = k;
    }
    const dim_t side_by_side = along < 0 ? 1 : shape.nodes[along].block_steps,
                index_step = along < 0 ? 1 : shape.nodes[along].index_step;
    box.loops.push_back({side_by_side, 1});
    dim_t& beyond = box.loops[box.loops.size() - 1].count;
    dim_t index[max_block_nodes]{}, first = 0, place = 0;
    // Returns how many of the `side_by_side` adjacent indices from `first` are before an end.
    const auto before = [&](dim_t end) {
        return end <= first ? 0 : smaller_of(divide_up(end - first, index_step), side_by_side);
    };
    for (int k = 0; k < shape.inner;) {
        const dim_t kept = before(valid);
        beyond = before(stored[axis]) - kept;
        box.begin = place + kept;
        if (beyond > 0) zero_box(box, bytes, to);
        for (k = 0; k < shape.inner; ++k) {
            const cache_block_node& n = shape.nodes[k];
            if (n.axis != axis || k == along) continue;
            first += n.index_step;
            place += strides[k];
            if (++index[k] < n.block_steps) break;
            first -= n.block_steps * n.index_step;
            place -= n.block_steps * strides[k];
            index[k] = 0;
        }
    }
}

/// Zeros the stored elements of a cache block beyond its valid elements, after the cache block was converted whole.
/// `to` is in the destination or in the buffer.
///
/// Pre:     in the destination, the stored part of each axis ends at a step of its outermost node, or beyond the cache
///          block
/// Example: a cache block of 16 channels, 3 of them valid: zeros channels 3 to 15, for all other indices of the cache
///          block
inline void zero_beyond(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored, dim_t bytes,
                        std::byte* to, bool in_buffer) {
    const cache_block_shape& shape = blocks.shape;
    dim_t strides[max_block_nodes], dense = 1;
    for (int k = 0; k < shape.inner; ++k) {
        strides[k] = in_buffer ? dense : shape.nodes[k].dst;
        dense *= shape.nodes[k].block_steps;
    }
    for (int a = 0; a < shape.bounds.size(); ++a)
        if (valid[a] < blocks.reach[a] && valid[a] < stored[a])
            zero_beyond_axis(shape, a, valid[a], stored, strides, bytes, to);
}

/// Zeros all stored elements of a cache block, where `stored` is the number of stored indices left along each axis.
/// Returns false, and zeros nothing, if an axis ends in the cache block and several nodes count it.
inline bool zero_cache_block(const cache_block_plan& blocks, const dim_t* stored, dim_t bytes, std::byte* to) {
    place_box box;
    for (int k = 0; k < blocks.shape.inner; ++k) {
        const cache_block_node& n = blocks.shape.nodes[k];
        dim_t count = n.block_steps;
        if (blocks.bounded[n.axis] && stored[n.axis] < blocks.reach[n.axis]) {
            // The axis ends in this cache block. This is supported only if the node is the only one of its axis in
            // here.
            if ((n.block_steps - 1) * n.index_step + 1 != blocks.reach[n.axis]) return false;
            count = divide_up(stored[n.axis], n.index_step);
        }
        box.loops.push_back({count, n.dst});
    }
    zero_box(box, bytes, to);
    return true;
}

}  // namespace plait::engine
