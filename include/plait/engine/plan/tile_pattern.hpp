#pragma once
// The tile of a plan, as data: the sizes of its elements, and what each of its bits counts.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/side.hpp>
#include <plait/support/inline_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The sizes of an element in bytes: in the source, in the destination, and in the registers between them.
struct element_sizes {
    int src = 0, dst = 0, work = 0;
    constexpr element_sizes() = default;
    /// Sizes of elements that are moved without conversion.
    constexpr explicit element_sizes(int bytes) : src(bytes), dst(bytes), work(bytes) {}
    constexpr element_sizes(int src_bytes, int dst_bytes, int work_bytes)
        : src(src_bytes), dst(dst_bytes), work(work_bytes) {}
    constexpr bool operator==(const element_sizes&) const = default;
};

inline constexpr int cache_line_bytes = 64;

inline constexpr int max_tile_bits = 12;

inline constexpr int max_register_bits = 4;  // 16 registers; more would spill

/// The number of bytes moved from which non-temporal stores pay: the destination would not stay in a cache anyway, and
/// such stores save reading each line before it is overwritten.
inline constexpr dim_t streaming_bytes = dim_t{24} << 20;

/// The pattern of a tile: the index that each bit of it counts. Bits are numbered by their place on the source side:
/// bits 0 to lane_bits - 1 count lanes, the others registers.
///
/// A register is loaded and stored in segments. A segment is one run in memory and covers the lowest lane bits. The
/// lane bits above count segments, which may be anywhere in memory. After the network they may count any remaining bit.
struct tile_pattern {
    int lane_bits = 0;
    int register_bits = 0;
    inline_list<int, 6> dst_lanes;  ///< the bit that each lane bit of a segment counts on the destination side
    /// The bounded axis that each bit counts along, -1 for none. A tile may pass the end of such an axis.
    inline_list<int, max_tile_bits> bounds;
    int src_upper_bits = 0;  ///< lane bits above the source's segments
    /// The number of elements that alternate in memory on one side and are apart on the other, e.g. 3 for RGB. The tile
    /// then has that number of registers, and a table instead of a network. 0: nothing alternates.
    int interleave = 0;
    bool interleaves_source = false;
    /// The bit whose two bytes exchange halves; -1: none. It counts registers on at least one side.
    int half_bytes = -1;

    /// True if the tile has vectors; otherwise its elements are moved one by one.
    constexpr bool has_vectors() const { return lane_bits > 0; }
    constexpr int lanes() const { return 1 << lane_bits; }
    constexpr int registers() const { return 1 << register_bits; }
    /// Returns the number of lane bits of a segment on one side.
    constexpr int segment_bits(side of) const {
        return of == side::source ? lane_bits - src_upper_bits : dst_lanes.size();
    }
    /// Returns the number of segments of a register on one side.
    constexpr int segments(side of) const { return 1 << (lane_bits - segment_bits(of)); }
    constexpr bool operator==(const tile_pattern&) const = default;
};

/// The lanes of a segment on one side that count along a bounded axis: lane bits [first, first + bits), or none.
struct lane_span {
    int first = 0, bits = 0;
};

constexpr lane_span lanes_along(const tile_pattern& pattern, int bound, side of) {
    lane_span span;
    for (int lane = 0; lane < pattern.segment_bits(of); ++lane) {
        if (pattern.bounds[of == side::source ? lane : pattern.dst_lanes[lane]] != bound) continue;
        if (span.bits++ == 0) span.first = lane;
    }
    return span;
}

}  // namespace plait::engine
