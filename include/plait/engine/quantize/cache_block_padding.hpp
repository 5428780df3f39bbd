#pragma once
// Zeros where cache blocks of the destination have padding.

#include <plait/engine/quantize/values_plan.hpp>

#include <algorithm>  // std::min
#include <cstring>    // std::memset

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

/// Zeros for a box of memory: a run, and loops around it.
struct zeroed_box {
    dim_t run, steps[max_block_nodes], extents[max_block_nodes];  ///< in bytes; there are `count` loops
    int count = 0;

    explicit zeroed_box(dim_t bytes) : run(bytes) {}
    /// A node of the box, from the innermost on. It joins the run where it follows it, and that has no hole.
    void add(dim_t step, dim_t extent) {
        if (count == 0 && step == run) return static_cast<void>(run *= extent);
        if (extent > 1) add_loop(step, extent);
    }
    void add_loop(dim_t step, dim_t extent) {
        steps[count] = step;
        extents[count++] = extent;
    }
    void zero(std::byte* to) const {
        dim_t index[max_block_nodes]{};
        for (;;) {
            std::memset(to, 0, static_cast<std::size_t>(run));
            int k = 0;
            for (; k < count; ++k) {
                to += steps[k];
                if (++index[k] < extents[k]) break;
                to -= extents[k] * steps[k];
                index[k] = 0;
            }
            if (k == count) return;
        }
    }
};

/// Zeros what lies beyond the valid elements of a cache block that was converted whole, in the destination or in the
/// buffer, along axes of which more is stored.
///
/// Example: of a cache block of 16 channels, 3 of them valid: channels 3 to 15, each for all other indices of the cache
///          block
inline void zero_beyond(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored, dim_t bytes,
                        std::byte* to, bool in_buffer) {
    const cache_block_shape& shape = blocks.shape;
    dim_t steps[max_block_nodes], dense = bytes;
    for (int k = 0; k < shape.inner; ++k) {
        steps[k] = in_buffer ? dense : shape.nodes[k].dst * bytes;
        dense *= shape.nodes[k].block_steps;
    }
    for (int a = 0; a < shape.bounds.size(); ++a) {
        if (valid[a] >= blocks.reach[a] || valid[a] >= stored[a]) continue;
        zeroed_box others(bytes);
        int along = -1;  // the node of the axis whose indices lie side by side
        for (int k = 0; k < shape.inner; ++k) {
            if (shape.nodes[k].axis != a) others.add(steps[k], shape.nodes[k].block_steps);
            else if (steps[k] == bytes) along = k;
        }
        // Each index along the axis, as its other nodes count; from where the end is on, the box of all else there.
        dim_t index[max_block_nodes]{}, first = 0, offset = 0;
        for (int k = 0; k < shape.inner;) {
            const dim_t steps_here = along < 0 ? 1 : shape.nodes[along].block_steps;
            const dim_t left = valid[a] - first, index_step = along < 0 ? 1 : shape.nodes[along].index_step;
            const dim_t kept = left <= 0 ? 0 : std::min(divide_up(left, index_step), steps_here);
            if (along >= 0) others.run = (steps_here - kept) * bytes;
            if (kept < steps_here) others.zero(to + offset + kept * bytes);
            for (k = 0; k < shape.inner; ++k) {
                const cache_block_node& n = shape.nodes[k];
                if (n.axis != a || k == along) continue;
                first += n.index_step;
                offset += steps[k];
                if (++index[k] < n.block_steps) break;
                first -= n.block_steps * n.index_step;
                offset -= n.block_steps * steps[k];
                index[k] = 0;
            }
        }
    }
}

/// Zeros all that a cache block stores, of which `stored` is left along each axis; false where the last block is not
/// stored whole.
inline bool zero_cache_block(const cache_block_plan& blocks, const dim_t* stored, dim_t bytes, std::byte* to) {
    const cache_block_shape& shape = blocks.shape;
    zeroed_box box(bytes);
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        dim_t extent = n.block_steps;
        if (blocks.bounded[n.axis] && stored[n.axis] < blocks.reach[n.axis]) {
            // The axis ends inside: that is simple where this node does, and no other of the axis is in here.
            if ((n.block_steps - 1) * n.index_step + 1 != blocks.reach[n.axis]) return false;
            extent = divide_up(stored[n.axis], n.index_step);
        }
        const bool joins = box.count == 0 && n.dst * bytes == box.run;
        if (joins) box.run *= extent;
        // What follows a node that ends is not next to it: a loop of one step keeps it out of the run.
        if (!joins || extent != n.block_steps) box.add_loop(n.dst * bytes, joins ? 1 : extent);
    }
    box.zero(to);
    return true;
}

}  // namespace plait::engine
