#pragma once
// Kernels that read their plan at run time: the form of such plans, the offsets of the segments of their tiles, and the
// functions of a kernel. engine/simd/table_kernels.inl and element_kernel.hpp make kernels, run_time_loops.hpp runs
// them.

#include <plait/engine/plan/lane_network.hpp>
#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/staging.hpp>
#include <plait/engine/plan/tile_ends.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Moves the loops with uneven steps to the outside, because each of their steps needs extra work.
constexpr void move_uneven_loops_out(reorder_plan& plan) {
    auto& loops = plan.loops;
    bool is_even = true;
    for (const plan_loop& loop : loops) is_even = is_even && !loop.is_uneven;
    if (is_even) return;
    for (int i = 1; i < loops.size(); ++i)
        for (int k = i; k > 0 && loops[k].is_uneven && !loops[k - 1].is_uneven; --k) {
            const plan_loop further_out = loops[k];
            loops[k] = loops[k - 1];
            loops[k - 1] = further_out;
        }
    // Steps of these loops share cache lines, so only as many tiles go inside as leave the lines in the cache.
    const bool has_lines = plan.contiguous_bytes() >= cache_line_bytes && plan.source_run_bytes() >= cache_line_bytes;
    const plan_loop& last = loops.back();
    if (has_lines || !loops[0].is_uneven || last.is_uneven || loops.size() == max_loops) return;
    const dim_t steps = steps_to_cut(last, 16, 64);
    if (steps == 1) return;
    plan_loop strips = last;
    const plan_loop strip = cut_off(strips, steps);
    for (int k = loops.size() - 1; k > 0; --k) loops[k] = loops[k - 1];
    loops[0] = strips;
    loops.push_back(strip);
}

/// Converts a plan to the form that kernels read.
///
/// Post:    moves the same elements from and to the same places
constexpr void make_run_time_form(reorder_plan& plan) {
    if (plan.staged_from < 0) move_uneven_loops_out(plan);
    plan.destination_prefetch = destination_ahead(plan);
}
constexpr reorder_plan run_time_form(reorder_plan plan) {
    make_run_time_form(plan);
    return plan;
}

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
    bool changes = false;  ///< true if one of them is not 1: kernels only read it

    constexpr move_factors() = default;
    constexpr move_factors(float one, float other) : first(one), second(other), changes(one != 1 || other != 1) {}
    constexpr bool operator==(const move_factors&) const = default;
};

/// The offsets of both sides of a tile, and its network.
struct run_time_offsets {
    side_offsets src, dst;
    segment_bits src_bits, dst_bits;  ///< the bits that the number of a segment counts
    network_vectors network;
    move_factors factors;

    /// True if the lanes of registers stay where they were loaded: nothing is shuffled or merged.
    constexpr bool keeps_lanes() const {
        return !network.shuffles && network.src_segments == 0 && network.dst_segments == 0;
    }
    /// True if registers are stored as they were loaded.
    constexpr bool copies_registers() const { return keeps_lanes() && !factors.changes; }
    constexpr bool operator==(const run_time_offsets&) const = default;
};

/// Computes the offsets of a tile's segments, and its network. An interleave has neither.
///
/// Pre:     out is default-constructed; the networks are of the plan's elements
constexpr void find_offsets(run_time_offsets& out, const reorder_plan& plan, kept_networks& networks) {
    if (plan.pattern.interleave != 0) return;
    const int element_bits = log2_of(plan.sizes.work);
    const lane_network& network = networks.find(plan.pattern).network;
    fill_vectors(out.network, network, networks.instructions());
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

/// A walk as kernels read it: steps lead from tile to tile, so a call has nothing to compute before its first tile.
struct kernel_walk {
    dim_t planes = 1, rows = 1, tiles = 1;
    tile_step step{};                ///< to the next tile of a row
    tile_step to_row{}, to_plane{};  ///< from one step past the last tile of a row to the next row, or the next plane
    tile_step overlap{};             ///< how far the tile that ends a row moves back
    bool has_overlap = false;

    constexpr kernel_walk() = default;
    constexpr explicit kernel_walk(const tile_walk& walk)
        : planes(walk.planes),
          rows(walk.rows),
          tiles(walk.tiles),
          step{walk.src_tile, walk.dst_tile},
          to_row{walk.src_row, walk.dst_row},
          to_plane{walk.src_plane - (rows - 1) * walk.src_row, walk.dst_plane - (rows - 1) * walk.dst_row},
          overlap{walk.overlap_src, walk.overlap_dst},
          has_overlap(walk.has_overlap) {
        const dim_t one_more = has_overlap ? 1 : 0, in_row = tiles + one_more;
        const tile_step back{in_row * step.src - one_more * overlap.src, in_row * step.dst - one_more * overlap.dst};
        for (tile_step* const to : {&to_row, &to_plane}) {
            to->src -= back.src;
            to->dst -= back.dst;
        }
    }
};

/// A strip of tiles that goes through a staging buffer: the copies around the tiles, and the plan that fills the
/// buffer.
struct staged_strip {
    staging_buffer through;
    staged_source from;  ///< empty if tiles read the source itself

    /// Pre:     plan.staged_from >= 0
    explicit staged_strip(const reorder_plan& plan) : through(plan) {
        if (plan.stages_short_runs()) from = staged_source(through.filling);
        move_uneven_loops_out(through.filling);
    }
};

/// The bytes of each segment of a tile that passes the end of an axis.
struct segment_lanes {
    const std::uint64_t *loaded = nullptr, *stored = nullptr;    ///< bytes, as bits
    const dim_t *src_offsets = nullptr, *dst_offsets = nullptr;  ///< offset of each segment in bytes; 0 if it is empty
    bool loads_whole = true;      ///< true if whole segments may be loaded; missing lanes hold any value
    bool loads_nothing = false;   ///< true if all of the tile is padding
    bool streams = false;         ///< true if the segments that are stored are whole, and stored past the caches
    bool reads_segments = false;  ///< true if a segment is read whole if any of it is loaded
};

/// The code for plans whose tiles have a number of registers, or are one element.
struct run_time_kernel {
    using whole_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const kernel_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept;
    using masked_tiles = void(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                              const kernel_walk& walk, const std::byte* src, std::byte* dst) noexcept;
    using edge_tiles = void(const reorder_plan& plan, const remaining_extents<>& remaining, const kernel_walk& walk,
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
    void (*stream_run)(const std::byte* run, std::byte* dst, dim_t bytes) noexcept = nullptr;  ///< past the caches
    isa network_of = isa::portable;  ///< the instruction set whose network vectors it reads

    /// Computes the offsets of a plan.
    ///
    /// Pre:     out is default-constructed
    constexpr void set_offsets(run_time_offsets& out, const reorder_plan& plan) const {
        kept_networks networks(log2_of(plan.sizes.work), network_of);
        find_offsets(out, plan, networks);
    }
    constexpr run_time_offsets offsets_for(const reorder_plan& plan) const {
        run_time_offsets out;
        set_offsets(out, plan);
        return out;
    }
};

}  // namespace plait::engine
