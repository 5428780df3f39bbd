#pragma once
// The rows of a panel: the loops around them, and what the ends of axes leave of them.

#include <plait/runtime/panel_padding.hpp>

#include <utility>  // std::swap

namespace plait {

/// A loop around the rows of a panel.
struct row_loop {
    int axis;
    dim_t extent, weight, from, to, index;  ///< from and to in bytes
    const dim_t* places;                    ///< of a step of its node
    dim_t steps;                            ///< of the node, in one of the loop

    bool has_values() const {
        for (int k = 0; k < attribute_arrays; ++k)
            if (places[k] != 0) return true;
        return false;
    }
};

/// The loop along a node, so many of its steps at a time; `from` and `to` are those of a step of the loop, in bytes.
inline row_loop loop_of(const panel_node& n, dim_t steps, dim_t from, dim_t to) {
    return {n.axis, n.panel / steps, n.weight * steps, from, to, 0, n.places, steps};
}

/// Whether all rows that the loops come to are valid from begin to end.
inline bool are_complete(const values_panels& panels, const dim_t* valid, const row_loop* loops, int count,
                         const panel_row& row) {
    if (row.nodes > 0 && panels.limited[panels.shape.nodes[0].axis]) return false;
    for (int a = 0; a < panels.shape.limits.size(); ++a) {
        dim_t last = 0;
        for (int k = 0; k < count; ++k) last += loops[k].axis == a ? (loops[k].extent - 1) * loops[k].weight : 0;
        if (panels.limited[a] && last >= valid[a]) return false;
    }
    return true;
}

/// Whether a panel that passes an end may be converted as if it did not. From the buffer, where all of the panel is
/// stored, and what is beyond its elements is zero before and after. From the source, where there is no padding, so
/// that nothing else is moved on, and all that is read lies inside of the source. `src`: where the panel begins.
inline bool may_convert_whole(const values_panels& panels, const value_conversion& how, const dim_t* valid,
                              const dim_t* stored, dim_t src) {
    const panel_shape& shape = panels.shape;
    const bool from_source = shape.side == panel_side::source;
    if (how.has_arrays() || (!from_source && !how.keeps_zero())) return false;
    for (int a = 0; a < shape.limits.size(); ++a)
        if (from_source ? valid[a] < panels.reach[a] && valid[a] < stored[a] : stored[a] < panels.reach[a])
            return false;
    dim_t last = src;
    for (int k = 0; k < shape.inner; ++k) {
        if (shape.nodes[k].src < 0) return false;
        last += (shape.nodes[k].panel - 1) * shape.nodes[k].src;
    }
    return !from_source || last < shape.src_end;
}

/// How many rows are converted together: not if values differ inside of a row, and from row to row.
inline dim_t rows_at_once(const values_panels& panels, const panel_row& row, const row_loop& loop) {
    dim_t rows = loop.extent;
    for (int k = 0; k < attribute_arrays; ++k) {
        if (loop.places[k] == 0) continue;
        if (rows > most_rows) rows = most_rows;
        for (int i = 0; i < row.nodes; ++i)
            if (panels.shape.nodes[i].places[k] != 0) return 1;
    }
    return rows;
}

/// Puts innermost the loop of which the most rows are converted together; past the cache, where elements have so many
/// bytes instead of 0, one whose rows follow each other in the destination. Returns how many rows are.
inline dim_t put_rows_first(const values_panels& panels, const panel_row& row, row_loop* loops, int count,
                            dim_t streamed_bytes) {
    dim_t batch = count > 0 ? rows_at_once(panels, row, loops[0]) : 1;
    for (int k = 1; k < count; ++k) {
        const bool follows = streamed_bytes != 0 && loops[k].to == row.length * streamed_bytes;
        if (!follows && rows_at_once(panels, row, loops[k]) <= batch) continue;
        std::swap(loops[0], loops[k]);
        batch = rows_at_once(panels, row, loops[0]);
        if (follows) break;
    }
    return batch;
}

/// What the ends of the panel leave of a row, and of as many behind it as they leave the same of; `taken` at most.
inline void clip_rows(const values_panels& panels, const dim_t* valid, const dim_t* stored, part_of_rows& part,
                      dim_t& taken, const panel_row& row, const row_loop* loop, const dim_t* at) {
    for (int a = 0; a < panels.shape.limits.size(); ++a) {
        if (!panels.limited[a]) continue;
        const dim_t first = row.nodes > 0 && panels.shape.nodes[0].axis == a ? panels.shape.nodes[0].weight : 0;
        const bool loops_along = loop != nullptr && loop->axis == a;
        const auto take = [&](dim_t& count, dim_t left) {
            const dim_t here = left <= 0 ? 0 : first != 0 ? divide_up(left, first) : row.length;
            if (here < count) count = here;
            if (!loops_along || left <= 0) return;
            // Rows that begin within the end; if they go along its axis, those that it leaves whole.
            const dim_t spare = left - 1 - (row.length - 1) * first;
            const dim_t same = spare < 0 ? 1 : spare / loop->weight + 1;
            if (same < taken) taken = same;
        };
        take(part.valid, valid[a] - at[a]);
        take(part.stored, stored[a] - at[a]);
    }
    if (part.valid > part.stored) part.valid = part.stored;
}

}  // namespace plait
