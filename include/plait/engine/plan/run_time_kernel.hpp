#pragma once
// Kernels that read their plan at run time: what one is, and where the segments of its tile lie.
// engine/simd/pattern_kernels.inl makes them, run_time_loops.hpp runs them.

#include <plait/engine/plan/network_vectors.hpp>
#include <plait/engine/plan/remaining_extents.hpp>
#include <plait/engine/plan/run_time_form.hpp>
#include <plait/engine/plan/segment_masks.hpp>
#include <plait/engine/plan/staging.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::engine {

/// Where the segments of one side of a tile lie, in bytes from its start.
struct side_offsets {
    dim_t fours[max_segments / 4]{};  ///< segments 0, 4, 8, ...
    dim_t beside[3]{};                ///< and how far behind each of them the next three

    constexpr side_offsets() = default;
    constexpr side_offsets(const reorder_plan& plan, const segment_bits& counted, side of) {
        const auto step = [&](int k) {
            if (k >= counted.size()) return dim_t{0};
            const tile_bit& bit = plan.bits[counted[k]];
            return of == side::source ? bit.src * plan.sizes.src : bit.dst * plan.sizes.dst;
        };
        beside[0] = step(0);
        beside[1] = step(1);
        beside[2] = beside[0] + beside[1];
        for (int k = 2; k < counted.size(); ++k) {
            const int lower = 1 << (k - 2);
            for (int four = 0; four < lower; ++four) fours[four | lower] = fours[four] + step(k);
        }
    }
    constexpr dim_t offset_of(int segment) const {
        return fours[segment / 4] + (segment % 4 == 0 ? 0 : beside[segment % 4 - 1]);
    }
    /// Those of so many segments; 0 where a segment has no lanes.
    constexpr void offsets_for(const std::uint64_t* lanes, int segments, dim_t* offsets) const {
        const auto set = [&](int segment, dim_t offset) { offsets[segment] = lanes[segment] == 0 ? 0 : offset; };
        for (int segment = 0; segment + 4 <= segments; segment += 4) {
            const dim_t first = fours[segment / 4];
            set(segment, first);
            set(segment + 1, first + beside[0]);
            set(segment + 2, first + beside[1]);
            set(segment + 3, first + beside[2]);
        }
        for (int segment = 0; segments < 4 && segment < segments; ++segment) set(segment, offset_of(segment));
    }
    constexpr bool operator==(const side_offsets&) const = default;
};

/// What every element is multiplied by on its way, first by the one and then by the other: each product is rounded. The
/// elements are f32 where either is not 1.
struct move_factors {
    float first = 1, second = 1;

    constexpr bool change_values() const { return first != 1 || second != 1; }
    constexpr bool operator==(const move_factors&) const = default;
};

/// Both sides of a tile, and what a kernel whose network is a table reads besides.
struct run_time_offsets {
    side_offsets src, dst;
    segment_bits src_bits, dst_bits;  ///< what the number of a segment counts
    network_vectors network;
    bool lanes_are_bytes = false;  ///< in masks; else a lane is an element
    dim_t ahead = 0;  ///< how far ahead a tile asks for the lines that it will write, in bytes: see destination_ahead
    move_factors factors;
    constexpr bool operator==(const run_time_offsets&) const = default;

    /// How many lanes of a mask an element has, as the power of two.
    constexpr int lanes_of_element(const reorder_plan& plan) const {
        return lanes_are_bytes ? log2_of(plan.sizes.work) : 0;
    }
};

/// Where the segments of a tile lie, and its network, for a kernel whose network is a table.
constexpr void find_offsets(run_time_offsets& out, const reorder_plan& plan, isa instructions) {
    const int element_bits = log2_of(plan.sizes.work);
    const lane_network network = find_lane_network(plan.pattern, element_bits);
    fill_vectors(out.network, network, instructions);
    const int src_segment = plan.pattern.segment_bits(side::source),
              dst_segment = plan.pattern.segment_bits(side::destination);
    for (int lane = src_segment; lane < plan.pattern.lane_bits; ++lane) out.src_bits.push_back(lane);
    for (int lane = dst_segment; lane < plan.pattern.lane_bits; ++lane)
        out.dst_bits.push_back(network.stored_lanes[lane + element_bits]);
    for (int k = 0; k < network.register_bits; ++k) {
        out.src_bits.push_back(network.loaded_registers[k]);
        out.dst_bits.push_back(network.stored_registers[k]);
    }
    out.network.src_segments = static_cast<std::int8_t>(plan.pattern.lane_bits - src_segment);
    out.network.dst_segments = static_cast<std::int8_t>(plan.pattern.lane_bits - dst_segment);
    out.lanes_are_bytes = true;
    out.src = {plan, out.src_bits, side::source};
    out.dst = {plan, out.dst_bits, side::destination};
}

/// A step on both sides, in bytes.
struct tile_step {
    dim_t src, dst;
};

/// Tiles along the last three loops of a plan: planes of rows of tiles. All steps are in bytes.
struct tile_walk {
    dim_t planes = 1, rows = 1, tiles = 1;
    dim_t src_plane = 0, dst_plane = 0;
    dim_t src_row = 0, dst_row = 0;
    dim_t src_tile = 0, dst_tile = 0;
    bool has_overlap = false;  ///< whether one tile more ends each row, so much further back than a step
    dim_t overlap_src = 0, overlap_dst = 0;
};

/// What a tile has of each segment where it passes the end of an axis.
struct segment_lanes {
    const std::uint64_t *loaded = nullptr, *stored = nullptr;    ///< lanes, as bits
    const dim_t *src_offsets = nullptr, *dst_offsets = nullptr;  ///< where it lies, in bytes; 0 where there is nothing
    bool loads_whole = true;     ///< whether segments may be loaded as a whole, what is not there being anything
    bool loads_nothing = false;  ///< all of the tile is padding
    bool streams = false;        ///< segments are stored as a whole, and past the cache
};

/// The code for plans of one pattern and element types.
struct run_time_kernel {
    using whole_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept;
    using masked_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                              const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept;
    using edge_tiles = void(const reorder_plan& plan, const remaining_extents<>& remaining, const tile_walk& walk,
                            const std::byte* src, std::byte* dst) noexcept;

    whole_tiles *whole = nullptr, *stream = nullptr;  ///< the latter past the cache
    masked_tiles* masked = nullptr;                   ///< these lanes of each tile; or
    edge_tiles* edge = nullptr;                       ///< what bounds leave, of an interleave
    void (*finish_streams)() = nullptr;
    segment_bits src_bits, dst_bits;
    bool reads_tables = false;  ///< whether its network is a table: then the bits of segments are found for each plan
    isa network_of = isa::portable;  ///< whose vectors it reads

    constexpr run_time_offsets offsets_for(const reorder_plan& plan) const {
        run_time_offsets out;
        if (reads_tables) {
            find_offsets(out, plan, network_of);
        } else {
            out.src_bits = src_bits;
            out.dst_bits = dst_bits;
            out.src = {plan, src_bits, side::source};
            out.dst = {plan, dst_bits, side::destination};
        }
        out.ahead = destination_ahead(plan) * plan.sizes.dst;
        return out;
    }
};

}  // namespace plait::engine
