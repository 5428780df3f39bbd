#pragma once
// The tiles of a reorder, cheapest first.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, AVX-512. Registers of 16, in segments of 16 on both sides, cost
// at least 18432 half cycles for 2^15 elements; registers of 8 at least 28672, and registers of 4 at least 40960. The
// first tile is built, and its network costs no more than the estimate, so no other tile is built.

#include <plait/engine/plan/choose_tile.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The candidate tiles, cheapest first. A tile is built only when no other can be cheaper, so most are never built.
class tile_queue {
public:
    constexpr tile_queue(const refinement& r, const element_sizes& sizes, isa instructions,
                         network_kind network = network_kind::constant)
        : r_(r),
          sizes_(sizes),
          instructions_(instructions),
          network_(network),
          dense_(r, sizes, instructions, network == network_kind::table) {
        for (const side of : {side::source, side::destination})
            if (const auto choice =
                    r.half_bytes >= 0 ? std::nullopt : choose_interleave(r, sizes, instructions, of, network)) {
                entries_.push_back({choice->cost, 0, 0, 0, tiles_.size()});
                tiles_.push_back(*choice);
            }
        const auto add = [&](int lane_bits, int src_segment, int dst_segment) {
            if (!entries_.full())
                entries_.push_back(
                    {least_cost(lane_bits, src_segment, dst_segment), lane_bits, src_segment, dst_segment});
        };
        // Registers have at least 16 bytes, and segments at least 8. If the network is a table, a register of 16 bytes
        // may have segments of 4 bytes if these are two elements: one would be no gain over moving single elements.
        const int widest = log2_of(vector_bytes(instructions) / sizes.work), narrowest = log2_of(16 / sizes.work);
        const auto least_segment = [&](int lane_bits) {
            return network == network_kind::table && lane_bits == narrowest && sizes.work <= 2 ? narrowest - 2
                                                                                               : narrowest - 1;
        };
        const int from = dense_.src.bits < widest ? dense_.src.bits : widest,
                  to = dense_.dst.bits < widest ? dense_.dst.bits : widest;
        for (int lane = 0; network == network_kind::constant && lane < from && lane < to; ++lane)
            steps_[lane + 1] =
                steps_[lane] + (dense_.src.bit(lane) == dense_.dst.bit(lane) ? 0 : cost_of_step(lane, sizes.work));
        if (network == network_kind::table) find_src_lanes();
        for (int lane_bits = widest; lane_bits >= narrowest; --lane_bits) {
            const int src_segment = from < lane_bits ? from : lane_bits, dst_segment = to < lane_bits ? to : lane_bits;
            if (!has_registers(network, instructions, sizes.work << lane_bits)) continue;
            if (src_segment < least_segment(lane_bits) || dst_segment < least_segment(lane_bits)) continue;
            if (r.half_bytes >= 0) {
                // One register bit is taken, so shorter segments on one side or both are tiles, too.
                for (int src = least_segment(lane_bits); src <= src_segment; ++src)
                    for (int dst = least_segment(lane_bits); dst <= dst_segment; ++dst) add(lane_bits, src, dst);
                continue;
            }
            add(lane_bits, src_segment, dst_segment);
            // Whole registers on one side and segments on the other need fewer registers.
            for (int segment = narrowest; segment < dst_segment; ++segment) add(lane_bits, src_segment, segment);
            for (int segment = narrowest; segment < src_segment; ++segment) add(lane_bits, segment, dst_segment);
        }
    }

    /// Returns the next tile that costs less than `limit`; null if there is none.
    constexpr const tile_choice* next(dim_t limit = INT64_MAX) {
        for (;;) {
            entry* first = nullptr;
            for (int k = 0; k < entries_.size(); ++k)
                if (entry& e = entries_[k]; !e.seen && e.cost < limit && (first == nullptr || e.cost < first->cost))
                    first = &e;
            if (first == nullptr) return nullptr;
            if (first->tile >= 0) {
                first->seen = true;
                return &tiles_[first->tile];
            }
            build(*first);
        }
    }
    /// Begins again, leaving out one of the tiles.
    constexpr void restart_without(const tile_choice& tile) {
        for (int k = 0; k < entries_.size(); ++k) {
            entry& e = entries_[k];
            e.is_out = e.is_out || (e.tile >= 0 && &tiles_[e.tile] == &tile);
            e.seen = e.is_out;
        }
    }

private:
    /// A tile that may not be built yet.
    struct entry {
        dim_t cost;  ///< a lower bound until the tile is built
        int lane_bits, src_segment, dst_segment;
        int tile = -1;  ///< index of the built tile; -1: not built
        bool seen = false, is_out = false;
    };

    /// Finds the place of each dense bit of the destination among those of the source; 8 for bits that are not there.
    constexpr void find_src_lanes() {
        int lane = 0;
        for (const dense_bits::node_bits& to : dense_.dst.nodes) {
            int first = 8, bits = 0, before = 0;
            for (const dense_bits::node_bits& from : dense_.src.nodes) {
                if (from.node == to.node) first = before, bits = from.bits;
                before += from.bits;
            }
            for (int b = 0; b < to.bits; ++b) src_lanes_[lane++] = b < bits ? first + b : 8;
        }
    }
    /// Returns a lower bound of the cost of the shuffles of a shape: those of the lanes that are in segments on both
    /// sides; if the network is a table, one for each bit of a segment of the destination that cannot be in the lanes
    /// of the source.
    constexpr int least_steps(int lane_bits, int src_segment, int dst_segment) const {
        if (network_ == network_kind::constant) return steps_[src_segment < dst_segment ? src_segment : dst_segment];
        int entering = src_segment - lane_bits;  // lanes above the segments of the source may have any bits
        for (int lane = 0; lane < dst_segment; ++lane) entering += src_lanes_[lane] >= src_segment;
        return entering <= 0 ? 0 : entering * least_cost_of_exchange(instructions_);
    }
    /// Returns a lower bound of the cost of a shape.
    constexpr dim_t least_cost(int lane_bits, int src_segment, int dst_segment) const {
        const int steps = least_steps(lane_bits, src_segment, dst_segment);
        const int whole = cost_of_register(sizes_, instructions_, lane_bits, 1 << (lane_bits - src_segment),
                                           1 << (lane_bits - dst_segment));
        return (dim_t{whole + 2 * steps} << 14) >> lane_bits;
    }
    constexpr void build(entry& e) {
        const auto choice =
            choose_tile(r_, dense_, sizes_, instructions_, {e.lane_bits, e.src_segment, e.dst_segment}, network_);
        e.seen = e.is_out = !choice;
        if (!choice) return;
        e.cost = choice->cost;
        e.tile = tiles_.size();
        tiles_.push_back(*choice);
    }

    const refinement& r_;
    element_sizes sizes_;
    isa instructions_;
    network_kind network_;
    dense_sides dense_;
    int src_lanes_[8]{};  ///< see find_src_lanes; not more than 8, see dense_sides::most
    int steps_[8]{};      ///< cost of the shuffles of the lanes below that are in segments on both sides
    scratch_list<entry, 28> entries_;
    scratch_list<tile_choice, 28> tiles_;
};

}  // namespace plait::engine
