#pragma once
// Kernels that read their plan at run time, and the offsets of the segments of their tiles.
// engine/simd/pattern_kernels.inl makes them, run_time_loops.hpp runs them.

#include <plait/engine/plan/lane_network.hpp>
#include <plait/engine/plan/run_time_form.hpp>
#include <plait/engine/plan/staging.hpp>
#include <plait/engine/plan/tile_ends.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The offsets of the segments of one side of a tile, in bytes from its start.
struct side_offsets {
    dim_t fours[max_segments / 4]{};  ///< segments 0, 4, 8, ...
    dim_t beside[3]{};                ///< distance from each of them to the next three

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
    /// Writes the offsets of `segments` segments; 0 for a segment without lanes.
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

/// The two factors that each element is multiplied by, one after the other. Each product is rounded. If either factor
/// is not 1, the elements are f32.
struct move_factors {
    float first = 1, second = 1;

    constexpr bool change_values() const { return first != 1 || second != 1; }
    constexpr bool operator==(const move_factors&) const = default;
};

/// The offsets of both sides of a tile, and the data that a kernel whose network is a table reads.
struct run_time_offsets {
    side_offsets src, dst;
    segment_bits src_bits, dst_bits;  ///< the bits that the number of a segment counts
    network_vectors network;
    bool lanes_are_bytes = false;  ///< true if a lane of a mask is a byte; otherwise it is an element
    move_factors factors;
    constexpr bool operator==(const run_time_offsets&) const = default;

    /// Returns the number of mask lanes of an element, as a power of two.
    constexpr int lanes_of_element(const reorder_plan& plan) const {
        return lanes_are_bytes ? log2_of(plan.sizes.work) : 0;
    }
};

/// Computes the offsets of a tile's segments, and its network, for a kernel whose network is a table.
constexpr void find_offsets(run_time_offsets& out, const reorder_plan& plan, isa instructions) {
    const int element_bits = log2_of(plan.sizes.work);
    const lane_network network = find_table_network(plan.pattern, element_bits, instructions);
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

/// The tiles along the last three loops of a plan: planes of rows of tiles. All steps are in bytes.
struct tile_walk {
    dim_t planes = 1, rows = 1, tiles = 1;
    dim_t src_plane = 0, dst_plane = 0;
    dim_t src_row = 0, dst_row = 0;
    dim_t src_tile = 0, dst_tile = 0;
    bool has_overlap = false;  ///< true if one more tile ends each row, moved back by the overlap
    dim_t overlap_src = 0, overlap_dst = 0;
};

/// The lanes of each segment of a tile that passes the end of an axis.
struct segment_lanes {
    const std::uint64_t *loaded = nullptr, *stored = nullptr;    ///< lanes, as bits
    const dim_t *src_offsets = nullptr, *dst_offsets = nullptr;  ///< offset of each segment in bytes; 0 if it is empty
    bool loads_whole = true;     ///< true if whole segments may be loaded; missing lanes hold any value
    bool loads_nothing = false;  ///< true if all of the tile is padding
    bool streams = false;        ///< true if whole segments are stored by non-temporal stores
};

/// The code for plans of one pattern and element types.
struct run_time_kernel {
    using whole_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept;
    using masked_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                              const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept;
    using edge_tiles = void(const reorder_plan& plan, const remaining_extents<>& remaining, const tile_walk& walk,
                            const std::byte* src, std::byte* dst) noexcept;

    whole_tiles *whole = nullptr, *stream = nullptr;  ///< `stream` uses non-temporal stores
    masked_tiles* masked = nullptr;                   ///< moves the given lanes of each tile
    edge_tiles* edge = nullptr;                       ///< for an interleave: moves what bounds leave of a tile
    void (*finish_streams)() = nullptr;
    // For tiles that exchange halves of bytes, around staging buffers. `stream_rows` stores whole cache lines past the
    // caches.
    void (*load_rows)(const staged_source& from, const std::byte* src, std::byte* rows) noexcept = nullptr;
    void (*store_rows)(const staging_buffer& through, const std::byte* rows, std::byte* dst) noexcept = nullptr;
    void (*stream_rows)(const staging_buffer& through, const std::byte* rows, std::byte* dst) noexcept = nullptr;
    segment_bits src_bits, dst_bits;
    bool reads_tables = false;  ///< true if its network is a table; the bits of segments are then found for each plan
    isa network_of = isa::portable;  ///< the instruction set whose network vectors it reads

    /// Computes the offsets of a plan.
    ///
    /// Pre:     out is default-constructed
    constexpr void set_offsets(run_time_offsets& out, const reorder_plan& plan) const {
        if (reads_tables) {
            find_offsets(out, plan, network_of);
        } else {
            out.src_bits = src_bits;
            out.dst_bits = dst_bits;
            out.src = {plan, src_bits, side::source};
            out.dst = {plan, dst_bits, side::destination};
        }
    }
    constexpr run_time_offsets offsets_for(const reorder_plan& plan) const {
        run_time_offsets out;
        set_offsets(out, plan);
        return out;
    }
};

}  // namespace plait::engine
