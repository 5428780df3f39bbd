#pragma once
// Zeros where panels of the destination have padding.

#include <plait/runtime/values_plan.hpp>

#include <cstring>  // std::memset

namespace plait {

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

/// Zeros all that a panel stores, of which `stored` is left along each axis; false where the last block is not stored
/// whole.
inline bool zero_panel(const values_panels& panels, const dim_t* stored, dim_t bytes, std::byte* to) {
    const panel_shape& shape = panels.shape;
    dim_t run = bytes, steps[max_panel_nodes], extents[max_panel_nodes], index[max_panel_nodes]{};
    int count = 0;
    for (int k = 0; k < shape.inner; ++k) {
        const panel_node& n = shape.nodes[k];
        dim_t extent = n.panel;
        if (panels.limited[n.axis] && stored[n.axis] < panels.reach[n.axis]) {
            // The axis ends inside: that is simple where this node does, and no other of the axis is in here.
            if ((n.panel - 1) * n.weight + 1 != panels.reach[n.axis]) return false;
            extent = divide_up(stored[n.axis], n.weight);
        }
        if (count == 0 && n.dst * bytes == run) {
            run *= extent;
            if (extent == n.panel) continue;
            extent = 1;
        }
        steps[count] = n.dst * bytes;
        extents[count++] = extent;
    }
    for (;;) {
        std::memset(to, 0, static_cast<std::size_t>(run));
        int k = 0;
        for (; k < count; ++k) {
            to += steps[k];
            if (++index[k] < extents[k]) break;
            to -= extents[k] * steps[k];
            index[k] = 0;
        }
        if (k == count) return true;
    }
}

}  // namespace plait
