#pragma once
// Chooses which bits of the index make the tile.
//
// Example: f32 nchw -> nChw16c of 64 channels and 3136 places, registers of 16. The segments of the source are 16
// places, those of the destination 16 channels; the tile has the bits of both. When it is loaded, the 4 bits of places
// are lanes and the 4 bits of channels number its 16 registers. When it is stored it is the other way round. The
// network between them is a transposition in 4 steps.
#include <plait/engine/plan/tile_cost.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Registers of 2^lane_bits elements, loaded in segments of 2^src_bits elements and stored in segments of 2^dst_bits.
struct tile_width {
    int lane_bits = 0;
    int src_bits = 0, dst_bits = 0;
};

/// Chooses the bits of one tile, in the order in which they count the lanes and registers of the source side.
class tile_builder {
public:
    constexpr tile_builder(const refinement& r, const dense_sides& dense, const element_sizes& sizes, isa instructions,
                           const tile_width& wanted, network_kind network)
        : r_(r),
          dense_(dense),
          sizes_(sizes),
          instructions_(instructions),
          wanted_(wanted),
          network_(network),
          from_(dense.src.first(wanted.src_bits)),
          to_(dense.dst.first(wanted.dst_bits)) {}

    /// Returns the tile; empty if the layouts have no such segments, or if both sides together need too many registers.
    constexpr std::optional<tile_choice> build() {
        if (from_.bits < wanted_.src_bits || to_.bits < wanted_.dst_bits || !take_segments()) return std::nullopt;
        if (lane_bits() > 0) {
            fill_cache_lines();
            move_short_runs_by_four();
            fill_lanes();
            if (network_ == network_kind::table) fill_four_registers();
        }
        if (bits() < lane_bits()) return std::nullopt;
        if (needs_half_bytes()) out_.take(r_.half_bytes);
        out_.pattern.register_bits = bits() - lane_bits();
        list_destination_bits();
        order_upper_lanes();
        out_.pattern.half_bytes = r_.half_bytes < 0 ? -1 : out_.find(half_bytes());
        out_.memory_cost = cost_of_memory(out_, r_, sizes_);
        const int steps = place_destination_lanes();  // fills pattern.dst_lanes, which cost_of asks for
        if (!can_exchange_half_bytes()) return std::nullopt;
        out_.cost = cost_of(out_, r_, sizes_, instructions_, steps);
        return out_;
    }

private:
    constexpr int bits() const { return out_.bits.size(); }
    constexpr int lane_bits() const { return wanted_.lane_bits; }
    constexpr node_bit half_bytes() const { return {static_cast<std::int8_t>(r_.half_bytes), 0}; }
    /// True if the tile lacks the bit whose bytes exchange halves.
    constexpr bool needs_half_bytes() const { return r_.half_bytes >= 0 && out_.taken[r_.half_bytes] == 0; }
    /// True if that bit counts registers when the tile is loaded, or after the network.
    constexpr bool can_exchange_half_bytes() const {
        const tile_pattern& p = out_.pattern;
        if (p.half_bytes < 0) return true;
        if (network_ != network_kind::table || lane_bits() == 0) return false;
        bool enters = false, stays = false;  // whether any register bit enters the lanes, and whether this bit stays
        for (const int bit : p.dst_lanes) {
            enters = enters || bit >= lane_bits();
            stays = stays || bit == p.half_bytes;
        }
        return p.half_bytes >= lane_bits() || (enters && !stays);
    }
    /// True if the tile may double along a node. False if more of it would then pass the end of a short axis.
    constexpr bool may_grow(int node) const {
        const dim_t extent = r_.nodes[node].extent, step = dim_t{1} << out_.taken[node];
        return extent >= 16 * step ||
               (extent >= 2 * step && divide_up(extent, 2 * step) * 2 == divide_up(extent, step));
    }

    /// Takes the segments of both sides; false if they have too many bits.
    constexpr bool take_segments() {
        out_.pattern.lane_bits = lane_bits();
        out_.pattern.src_upper_bits = lane_bits() - wanted_.src_bits;
        const int shorter = wanted_.src_bits < wanted_.dst_bits ? wanted_.src_bits : wanted_.dst_bits;
        const int segments = 1 << (lane_bits() - shorter);
        most_ = lane_bits() + most_register_bits(network_, sizes_.work << lane_bits(), segments);
        out_.take(from_, most_);
        out_.take(to_, most_ + 1);        // one more than allowed, so that the check below notices
        if (needs_half_bytes()) --most_;  // room for it, after all others
        return bits() <= most_;
    }
    /// Adds registers until a tile writes whole cache lines, then until it reads whole ones, so that short segments
    /// leave no line half used. A tile that shuffles nothing gets at least two registers.
    constexpr void fill_cache_lines() {
        grow(dense_.dst, log2_of(cache_line_bytes / sizes_.dst));
        grow(dense_.src, log2_of(cache_line_bytes / sizes_.src));
        if (bits() == lane_bits()) grow(dense_.dst, lane_bits() + 1);
    }
    /// Takes up to `most` dense bits of a side.
    constexpr void grow(const dense_bits& dense, int most) {
        for (const dense_bits::node_bits& along : dense.nodes) {
            const int wanted = along.bits < most ? along.bits : most;
            most -= wanted;
            while (out_.taken[along.node] < wanted && may_grow(along.node) && bits() < most_) out_.take(along.node);
        }
    }
    /// Moves four runs at a time if a tile is one short run on both sides.
    constexpr void move_short_runs_by_four() {
        if (bits() != lane_bits() || to_.bits != lane_bits() || from_.bits != lane_bits()) return;
        for (int i = r_.nodes.size() - 1; i >= 0; --i) {
            const dim_t extent = r_.nodes[i].extent;
            if (r_.splittable_bits(i) < 2 || out_.taken[i] != 0) continue;
            if (extent < 64 && (extent < 16 || extent % 4 != 0)) continue;
            out_.take(i);
            out_.take(i);
            return;
        }
    }
    /// Fills lanes that are still empty with segments from anywhere: bits of the nodes in their order, beginning with
    /// the smallest steps of each.
    constexpr void fill_lanes() {
        for (int i = 0; bits() < lane_bits() && i < r_.nodes.size(); ++i)
            while (bits() < lane_bits() && i != r_.half_bytes && out_.taken[i] < r_.splittable_bits(i) &&
                   dim_t{1} << out_.taken[i] < r_.nodes[i].extent)
                out_.take(i);
    }
    /// If the network is a table, also extends the tile to up to four registers, starting from the last axis, because
    /// the work that a kernel repeats for each tile should be small compared with the data that it moves. Axes that end
    /// inside of blocks are left out: more tiles would pass their end.
    constexpr void fill_four_registers() {
        const int most = lane_bits() + 2 < most_ ? lane_bits() + 2 : most_;
        for (int i = r_.nodes.size() - 1; i >= 0; --i)
            while (r_.is_whole(r_.nodes[i].axis) && bits() >= lane_bits() && bits() < most &&
                   out_.taken[i] < r_.splittable_bits(i) && may_grow(i))
                out_.take(i);
    }

    constexpr void list_destination_bits() {
        for (const dense_bits::node_bits& along : to_.nodes)
            for (int b = 0; b < along.bits; ++b)
                dst_bits_.push_back({static_cast<std::int8_t>(along.node), static_cast<std::int8_t>(b)});
    }
    /// Orders the lanes above the segments of the source. A lane takes the bit that the destination has there, so that
    /// the network need not move it; otherwise one of the last bits, which are in no segment of the destination.
    constexpr void order_upper_lanes() {
        // The bit whose bytes exchange halves counts registers if it can.
        int last = bits();
        for (int lane = wanted_.src_bits; lane < lane_bits(); ++lane) {
            const int kept = r_.half_bytes < 0 ? -1 : out_.find(half_bytes());
            if (--last == kept) --last;
            int from = last;
            if (lane < dst_bits_.size() && out_.find(dst_bits_[lane]) >= lane) from = out_.find(dst_bits_[lane]);
            if (from <= lane || from == kept) continue;
            const node_bit moved = out_.bits[from];
            out_.bits[from] = out_.bits[lane];
            out_.bits[lane] = moved;
        }
    }
    /// Sets where each lane of the destination comes from. Returns the least number of steps that the network needs. If
    /// the network is a table, it orders all lanes in one step.
    constexpr int place_destination_lanes() {
        int steps = 0;
        for (int lane = 0; lane < dst_bits_.size(); ++lane) {
            const int bit = out_.find(dst_bits_[lane]);
            out_.pattern.dst_lanes.push_back(bit);
            if (network_ == network_kind::table)
                steps += bit >= lane_bits() ? least_cost_of_exchange(instructions_) : 0;
            else if (bit != lane) steps += cost_of_step(lane, sizes_.work);
        }
        return steps;
    }

    const refinement& r_;
    const dense_sides& dense_;
    const element_sizes& sizes_;
    isa instructions_;
    tile_width wanted_;
    network_kind network_;
    dense_bits from_, to_;                // the bits of the segments of each side
    scratch_list<node_bit, 6> dst_bits_;  // the bits of to_, one by one
    int most_ = 0;                        // bits of a tile
    tile_choice out_;
};

/// Returns the tile with the given registers and segments; empty if it does not fit the layouts.
constexpr std::optional<tile_choice> choose_tile(const refinement& r, const dense_sides& dense,
                                                 const element_sizes& sizes, isa instructions, const tile_width& wanted,
                                                 network_kind network = network_kind::constant) {
    return tile_builder(r, dense, sizes, instructions, wanted, network).build();
}
/// Returns the tile of one element.
constexpr tile_choice choose_one_element(const refinement& r, const element_sizes& sizes, isa instructions) {
    return *choose_tile(r, dense_sides(r, sizes, instructions), sizes, instructions, tile_width{});
}

/// True if at least a quarter of the tiles along a node pass the end of its axis. Such a tile of an interleave goes
/// through memory.
///
/// Example: f32 aBCd16c16b4c -> abcd of 1x512x7x6: 4 channels, then 3 of 4. 15 us, and 4.4 in tiles of segments (Zen 4)
constexpr bool has_many_edges(const refinement& r, const reorder_node& n, int lane_bits) {
    const dim_t valid = r.bounds[n.axis].valid, reach = n.index_step << lane_bits;
    return !r.is_only_node(n) && valid % reach != 0 && valid / reach < 3;
}

/// Returns the tile of an interleave: a few elements that alternate in memory on one side and are each dense along
/// another node on the other side. Empty if there is none.
constexpr std::optional<tile_choice> choose_interleave(const refinement& r, const element_sizes& sizes,
                                                       isa instructions, side of,
                                                       network_kind network = network_kind::constant) {
    const auto step = [&](const reorder_node& n) { return of == side::source ? n.src : n.dst; };
    const auto step_across = [&](const reorder_node& n) { return of == side::source ? n.dst : n.src; };
    for (int k = 0; k < r.nodes.size(); ++k) {
        const reorder_node& alternating = r.nodes[k];
        const dim_t count = alternating.extent;
        if (step(alternating) != 1 || count < 3 || count > most_interleaved || (count & (count - 1)) == 0 ||
            alternating.is_uneven || !r.is_only_node(alternating))
            continue;
        for (int along = 0; along < r.nodes.size(); ++along) {
            if (step(r.nodes[along]) != count || step_across(r.nodes[along]) != 1) continue;
            tile_choice out;
            out.interleaved = k;
            out.pattern.interleave = static_cast<int>(count);
            out.pattern.interleaves_source = of == side::source;
            int lane_bits = log2_of(vector_bytes(instructions) / sizes.work);
            // A tile that goes through memory is not worth lanes without elements.
            const dim_t elements = divide_up(r.bounds[r.nodes[along].axis].valid, r.nodes[along].index_step);
            while (dim_t{1} << lane_bits > r.nodes[along].extent || dim_t{1} << lane_bits > elements ||
                   lane_bits > r.splittable_bits(along) ||
                   !has_registers(network, instructions, sizes.work << lane_bits))
                --lane_bits;
            if (lane_bits <= 0 || sizes.work << lane_bits < 16) continue;
            if (network == network_kind::table && has_many_edges(r, r.nodes[along], lane_bits)) continue;
            out.pattern.lane_bits = lane_bits;
            for (int lane = 0; lane < lane_bits; ++lane) {
                out.pattern.dst_lanes.push_back(lane);
                out.take(along);
            }
            return out;
        }
    }
    return std::nullopt;
}

}  // namespace plait::engine
