#pragma once
// The panels of a tensor, their rows, and their moves: what a plan of values is cut into.

#include <plait/runtime/panel_mover.hpp>
#include <plait/runtime/value_conversion.hpp>

namespace plait {

/// The first nodes of a panel, as one row: all steps of each but the last, of which it has some.
struct panel_row {
    int nodes = 0;
    dim_t length = 1;
    dim_t last = 1;  ///< steps of the last node; they divide those of the panel
};

/// What a mover of panels watches: the axis of the shape behind each of its limits, -1 where it is the panel's own.
using mover_axes = inline_list<int, max_limits>;

/// How a tensor is cut into panels, and what moves them.
struct values_panels {
    panel_shape shape;
    panel_row whole, part;                    ///< rows of panels that pass no end of an axis, and of those that do
    dim_t reach[max_panel_nodes]{};           ///< shape.reach of each axis
    bool limited[max_panel_nodes]{};          ///< and shape.is_limited
    inline_list<int, max_panel_nodes> order;  ///< the nodes that loops around the panels count, the innermost first
    panel_mover mover;                        ///< between the dense buffer and the other side; none on side `both`
    mover_axes axes;
    bool streams = false;       ///< whether rows are stored past the cache, where they are long enough
    bool moves_differ = false;  ///< whether the plan of the mover is set panel by panel
};

/// How many steps of a node go into a row of values that differ: of those that divide its panel the most that there is
/// room for, or half as many if rows are whole registers then, and all begin where registers do.
constexpr dim_t steps_of_values(dim_t panel, dim_t row) {
    dim_t most = most_values_of_a_row / row;
    while (panel % most != 0) --most;
    for (dim_t steps = most; 2 * steps >= most && steps > 1; --steps)
        if (panel % steps == 0 && row * steps % most_numbers_at_once == 0) return steps;
    return most;
}

/// Rows of as many elements have one value each, rather than one for each element of several rows.
inline constexpr dim_t least_row_of_a_value = 32;

/// The longest row that a panel's first nodes make: dense where it is converted, and such that its values, and the
/// places of its sums, are a run. A row that may end within a panel is of nodes that end nowhere else.
constexpr panel_row find_row(const panel_shape& shape, bool may_end) {
    panel_row row;
    bool has_values = false;
    for (int k = 0; k < shape.inner; ++k) {
        const panel_node& n = shape.nodes[k];
        const panel_node& first = shape.nodes[0];
        if (!shape.is_dense_at(n, row.length, shape.side)) break;
        if (may_end && k > 0 && (shape.is_limited(n.axis) || shape.is_limited(first.axis))) break;
        const bool repeats = has_values;  // values that the row has already
        has_values = has_values || n.has_values();
        dim_t steps = n.panel;
        if (k > 0 && has_values && row.length * steps > most_values_of_a_row) {
            if (may_end || row.length > most_values_of_a_row || (!repeats && row.length >= least_row_of_a_value)) break;
            steps = steps_of_values(n.panel, row.length);
            if (steps == 1) break;
        }
        bool is_run = true;
        for (int sums = attribute_arrays; sums < value_arrays && k > 0; ++sums)
            is_run = is_run && n.places[sums] == (first.places[sums] == 0 ? 0 : first.places[sums] * row.length);
        if (!is_run) break;
        row.length *= steps;
        row.last = steps;
        row.nodes = k + 1;
        if (steps != n.panel) break;
    }
    return row;
}

/// A panel as the refinement of its move, where the dense side is the buffer. Axes that panels end on are watched,
/// whatever the tile is: their limits are set panel by panel.
constexpr refinement refine_panel(const panel_shape& shape) {
    refinement r;
    for (int a = 0; a < shape.limits.size(); ++a) {
        const dim_t last = shape.reach(a) - 1;
        r.limits.push_back({last, last});
    }
    dim_t place = 1;
    for (int k = 0; k < shape.inner; ++k) {
        const panel_node& n = shape.nodes[k];
        const bool from_buffer = shape.side == panel_side::source;
        reorder_node node{n.axis, n.panel, n.weight, from_buffer ? place : n.src, from_buffer ? n.dst : place, false};
        place *= n.panel;
        if (!shape.is_limited(n.axis)) {
            node.axis = r.limits.size();
            node.weight = 1;
            r.limits.push_back({n.panel, n.panel});
        }
        r.nodes.push_back(node);
    }
    r.src_end = shape.side == panel_side::source ? place : shape.src_end;
    if (shape.side == panel_side::source) return r;
    dim_t nearest = 0;
    for (int k = 0; k < shape.inner; ++k)
        if (const dim_t step = shape.nodes[k].src; step > 0 && (nearest == 0 || step < nearest)) nearest = step;
    if (is_source_gap(nearest)) add_source_gap(r, nearest);
    return r;
}

constexpr mover_axes find_mover_axes(const reorder_plan& moving, int axes) {
    mover_axes out;
    for (int limit = 0; limit < moving.limits.size(); ++limit) {
        int axis = -1;
        for (int b = 0; b < moving.bits.size(); ++b)
            if (moving.pattern.limits[b] == limit) axis = moving.bits[b].axis;
        for (const plan_loop& loop : moving.loops)
            if (loop.limit == limit) axis = loop.axis;
        out.push_back(axis < axes ? axis : -1);
    }
    return out;
}

/// Sets what differs from panel to panel: where it begins in the source, as the end of a source counts from offset 0
/// and all else may as well be in the pointer, and what is left of the axes that the mover watches.
constexpr void aim_mover(const values_panels& panels, reorder_plan& moving, dim_t src, const dim_t* valid,
                         const dim_t* stored) {
    moving.src_offset = src;
    for (int limit = 0; limit < panels.axes.size(); ++limit) {
        const int a = panels.axes[limit];
        if (a < 0) continue;
        const dim_t left = panels.shape.side == panel_side::source ? stored[a] : valid[a];
        moving.limits[limit].valid = moving.limits[limit].stored = left < 0                 ? 0
                                                                   : left < panels.reach[a] ? left
                                                                                            : panels.reach[a];
    }
}

/// What a mover has to be told of each panel; of one that is the whole tensor here, once.
constexpr void settle_mover(values_panels& panels) {
    panels.axes = find_mover_axes(panels.mover.plan, panels.shape.limits.size());
    const bool from_source = panels.shape.side == panel_side::destination;
    panels.moves_differ = from_source;
    for (const int a : panels.axes) panels.moves_differ = panels.moves_differ || a >= 0;
    if (!panels.order.empty()) return;
    panels.moves_differ = false;
    dim_t valid[max_panel_nodes]{}, stored[max_panel_nodes]{};
    for (int a = 0; a < panels.shape.limits.size(); ++a) {
        valid[a] = panels.shape.limits[a].valid;
        stored[a] = panels.shape.limits[a].stored;
    }
    aim_mover(panels, panels.mover.plan, from_source ? panels.shape.src_offset : 0, valid, stored);
}

/// Chooses the side: where the larger elements are, so that the smaller are moved; the destination, if what it held
/// counts; not where that side has no rows, and the other does: rows with values of their own are prepared, and are to
/// be longer. None, if runs of half a register are dense on both.
constexpr panel_side choose_side(const panel_shape& shape, const value_conversion& how) {
    constexpr dim_t enough_for_both = 8;
    const dim_t enough = how.has_arrays() ? 256 : 64, short_row = enough / 4;
    dim_t extents = 1;
    for (const panel_node& n : shape.nodes)
        if (n.extent > 0 && extents < enough) extents *= n.extent;
    const dim_t both = dense_run(shape, panel_side::both, enough);
    const dim_t source = dense_run(shape, panel_side::source, enough);
    const dim_t destination = dense_run(shape, panel_side::destination, enough);
    if (both >= enough_for_both || both == extents) return panel_side::both;
    if (how.attributes.beta != 0) return panel_side::destination;
    const bool at_source = how.dst_bytes <= how.src_bytes;
    const dim_t here = at_source ? source : destination, there = at_source ? destination : source;
    return (here < short_row && here * 4 <= there) != at_source ? panel_side::source : panel_side::destination;
}

inline constexpr dim_t panel_bytes = 24576;  // of both sides of a move: three quarters of L1
inline constexpr dim_t most_in_panel = 8192;
inline constexpr dim_t buffer_bytes = 16384;

/// The order of the loops around panels: inside the one whose next panel is nearest in memory, on either side.
constexpr void order_panels(values_panels& panels, int src_bytes, int dst_bytes) {
    const auto& nodes = panels.shape.nodes;
    const auto step = [&](int k) {
        const dim_t src = nodes[k].src * nodes[k].panel * src_bytes, dst = nodes[k].dst * nodes[k].panel * dst_bytes;
        return src < dst ? src : dst;
    };
    for (int k = 0; k < nodes.size(); ++k) {
        if (nodes[k].extent <= nodes[k].panel) continue;
        panels.order.push_back(k);
        for (int i = panels.order.size() - 1; i > 0 && step(panels.order[i]) < step(panels.order[i - 1]); --i) {
            const int moved = panels.order[i];
            panels.order[i] = panels.order[i - 1];
            panels.order[i - 1] = moved;
        }
    }
}

/// Cuts the nodes of a shape into panels of one side.
///
/// Pre:     the nodes have panels of 1, and panels.order is empty
constexpr void cut_panels(const value_conversion& how, values_panels& panels, panel_side side) {
    panel_shape& shape = panels.shape;
    shape.side = side;
    const int buffered = shape.side == panel_side::source ? how.dst_bytes : how.src_bytes;
    dim_t most = panel_bytes / (2 * buffered);
    if (most > most_in_panel) most = most_in_panel;
    if (shape.side == panel_side::both) most *= 4;
    // A single run without a buffer, numbers and ends is one panel, or a few that threads can share.
    bool needs_panels = shape.side != panel_side::both || how.plain == nullptr || shape.nodes.size() > 1;
    for (int a = 0; a < shape.limits.size(); ++a) needs_panels = needs_panels || shape.is_limited(a);
    choose_panel(shape, how.src_bytes, how.dst_bytes, needs_panels ? most : dim_t{1} << 18);
    for (int a = 0; a < shape.limits.size(); ++a) {
        panels.reach[a] = shape.reach(a);
        panels.limited[a] = shape.is_limited(a);
    }
    panels.whole = find_row(shape, false);
    panels.part = find_row(shape, true);
    order_panels(panels, how.src_bytes, how.dst_bytes);
}

/// The same tensor in panels that are dense on another side.
///
/// Pre:     cut_panels has cut them
constexpr void cut_panels_again(const value_conversion& how, values_panels& panels, panel_side side) {
    for (panel_node& n : panels.shape.nodes) n.panel = 1;
    panels.order = {};
    panels.mover = {};
    cut_panels(how, panels, side);
}

}  // namespace plait
