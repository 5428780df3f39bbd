#pragma once
// Zeros where cache blocks of the destination have padding.

#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/simd/zero_runs.hpp>

#include <cstring>  // std::memset

namespace plait::engine {

/// How many elements of some rows are valid, and how many are stored.
struct part_of_rows {
    dim_t valid, stored;
};
/// Zeros behind what is valid of some rows.
inline void zero_padding(std::byte* to, const row_block& block, const part_of_rows& part, dim_t bytes) {
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t r = 0; r < block.rows; ++r)
            std::memset(to + again * block.to_repeat + r * block.to_step + part.valid * bytes, 0,
                        static_cast<std::size_t>((part.stored - part.valid) * bytes));
}

/// Zeros for a box of memory.
inline void zero_box(const place_box& box, dim_t bytes, std::byte* to) {
    visit_runs(with_fewest_loops(box), reinterpret_cast<unsigned char*>(to), bytes,
               [](unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                   zero_runs(at, count, step, length);
                   return true;
               });
}

/// The steps of a node that are stored, where so much of each axis is.
///
/// Example: 8 blocks of 16 channels, of which 77 channels in whole blocks are stored, 80: 5
inline dim_t stored_steps(const cache_block_node& n, const dim_t* stored) {
    const dim_t remaining = stored[n.axis];
    return remaining <= 0 ? 0 : smaller_of(divide_up(remaining, n.index_step), n.block_steps);
}

/// Zeros what is stored beyond the end of one axis, of which `valid` is left: each index along the axis, as its own
/// nodes count, and for each all indices of the others. `strides`: of each node, in elements.
inline void zero_beyond_axis(const cache_block_shape& shape, int axis, dim_t valid, const dim_t* stored,
                             const dim_t* strides, dim_t bytes, std::byte* to) {
    place_box box;
    int along = -1;  // the node of the axis whose indices lie side by side
    for (int k = 0; k < shape.inner; ++k) {
        if (shape.nodes[k].axis != axis) box.loops.push_back({stored_steps(shape.nodes[k], stored), strides[k]});
        else if (strides[k] == 1) along = k;
    }
    const dim_t side_by_side = along < 0 ? 1 : shape.nodes[along].block_steps,
                index_step = along < 0 ? 1 : shape.nodes[along].index_step;
    box.loops.push_back({side_by_side, 1});
    dim_t& beyond = box.loops[box.loops.size() - 1].count;
    dim_t index[max_block_nodes]{}, first = 0, place = 0;
    // Of the indices that lie side by side from `first` on, those before an end.
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

/// Zeros what is stored beyond the valid elements of a cache block that was converted whole, in the destination or in
/// the buffer.
///
/// Pre:     in the destination, what is stored ends along each axis where a step of its outermost node does, or beyond
///          the cache block
/// Example: of a cache block of 16 channels, 3 of them valid: channels 3 to 15, each for all other indices of the cache
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

/// Zeros all that a cache block stores, of which `stored` is left along each axis; false where the last block is not
/// stored whole.
inline bool zero_cache_block(const cache_block_plan& blocks, const dim_t* stored, dim_t bytes, std::byte* to) {
    place_box box;
    for (int k = 0; k < blocks.shape.inner; ++k) {
        const cache_block_node& n = blocks.shape.nodes[k];
        dim_t count = n.block_steps;
        if (blocks.bounded[n.axis] && stored[n.axis] < blocks.reach[n.axis]) {
            // The axis ends inside: that is simple where this node does, and no other of the axis is in here.
            if ((n.block_steps - 1) * n.index_step + 1 != blocks.reach[n.axis]) return false;
            count = divide_up(stored[n.axis], n.index_step);
        }
        box.loops.push_back({count, n.dst});
    }
    zero_box(box, bytes, to);
    return true;
}

}  // namespace plait::engine
