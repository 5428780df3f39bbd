#pragma once
// The list of all tiles that the planner can make, for each instruction set and size of elements. It follows from the
// loops of tile_queue and the limits of tile_builder (engine/plan/choose_tile.hpp), and is wider than they are: any
// bits of the tile may be the lanes of the destination, in any order.

#include <plait/engine/plan/lane_network.hpp>

namespace listed_tiles {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

/// The registers of a tile and the segments that they are loaded and stored in; all but the first are log2.
struct tile_shape {
    int element_bytes = 0;
    int lane_bits = 0, register_bits = 0;
    int src_bits = 0, dst_bits = 0;

    constexpr int register_bytes() const { return element_bytes << lane_bits; }
    constexpr int tile_bits() const { return lane_bits + register_bits; }
    constexpr int tile_bytes() const { return element_bytes << tile_bits(); }
};

/// Returns the fewest lane bits of a segment. It has at least 8 bytes. If the network is a table, two elements of a
/// register of 16 bytes are a segment too.
constexpr int least_segment_bits(network_kind network, int element_bytes, int lane_bits) {
    const int narrowest = log2_of(16 / element_bytes);
    return network == network_kind::table && lane_bits == narrowest && element_bytes <= 2 ? narrowest - 2
                                                                                          : narrowest - 1;
}

/// True if a tile may have such registers and segments.
constexpr bool is_listed(network_kind network, isa instructions, const tile_shape& s) {
    const int bytes = s.register_bytes(), shorter = s.src_bits < s.dst_bits ? s.src_bits : s.dst_bits;
    if (bytes < 16 || bytes > vector_bytes(instructions) || !has_registers(network, instructions, bytes)) return false;
    return shorter >= least_segment_bits(network, s.element_bytes, s.lane_bits) && s.src_bits <= s.lane_bits &&
           s.dst_bits <= s.lane_bits && s.register_bits >= 0 &&
           s.register_bits <= most_register_bits(network, bytes, 1 << (s.lane_bits - shorter));
}

/// Calls f(shape) for each shape.
template <class F>
constexpr void for_each_shape(network_kind network, isa instructions, int element_bytes, const F& f) {
    for (int lane_bits = 1; lane_bits <= max_lane_bits; ++lane_bits)
        for (int register_bits = 0; register_bits <= max_register_bits; ++register_bits)
            for (int src_bits = 0; src_bits <= lane_bits; ++src_bits)
                for (int dst_bits = 0; dst_bits <= lane_bits; ++dst_bits)
                    if (const tile_shape s{element_bytes, lane_bits, register_bits, src_bits, dst_bits};
                        is_listed(network, instructions, s))
                        f(s);
}

/// Returns a pattern without its lanes of the destination.
constexpr tile_pattern pattern_of(const tile_shape& s) {
    tile_pattern out;
    out.lane_bits = s.lane_bits;
    out.register_bits = s.register_bits;
    out.src_upper_bits = s.lane_bits - s.src_bits;
    for (int bit = 0; bit < s.tile_bits(); ++bit) out.bounds.push_back(-1);
    return out;
}

/// Calls f(pattern) for each pattern of a shape: any of its bits are the lanes of the destination, in any order.
template <class F>
constexpr void for_each_pattern(const tile_shape& s, tile_pattern& pattern, std::uint32_t taken, const F& f) {
    if (pattern.dst_lanes.size() == s.dst_bits) return f(pattern);
    for (int bit = 0; bit < s.tile_bits(); ++bit) {
        if ((taken >> bit & 1) != 0) continue;
        pattern.dst_lanes.push_back(bit);
        for_each_pattern(s, pattern, taken | std::uint32_t{1} << bit, f);
        pattern.dst_lanes.erase(pattern.dst_lanes.size() - 1);
    }
}
template <class F>
constexpr void for_each_pattern(const tile_shape& s, const F& f) {
    tile_pattern pattern = pattern_of(s);
    for_each_pattern(s, pattern, 0, f);
}

/// True if the bytes of a bit of the pattern can exchange halves: the bit counts registers when the tile is loaded, or
/// after the network. See tile_builder::can_exchange_half_bytes.
constexpr bool can_exchange_halves(const tile_pattern& pattern, int bit) {
    bool enters = false, stays = false;
    for (const int lane : pattern.dst_lanes) {
        enters = enters || lane >= pattern.lane_bits;
        stays = stays || lane == bit;
    }
    return bit >= pattern.lane_bits || (enters && !stays);
}

/// The counts of elements that alternate.
inline constexpr int interleaved_counts[] = {3, 5, 6, 7, 9};

constexpr bool is_listed_interleave(network_kind network, isa instructions, int element_bytes, int lane_bits,
                                    int count) {
    bool is_count = false;
    for (const int listed : interleaved_counts) is_count = is_count || count == listed;
    const int bytes = element_bytes << lane_bits;
    const bool has_nine = network == network_kind::table || (instructions == isa::avx512 && element_bytes <= 2);
    return is_count && (count != 9 || has_nine) && lane_bits > 0 && bytes >= 16 &&
           bytes <= vector_bytes(instructions) && has_registers(network, instructions, bytes);
}

/// True if a tile of a plan is on the list. The sizes of elements are those that are only moved.
constexpr bool is_listed(network_kind network, isa instructions, int element_bytes, const tile_pattern& p) {
    std::uint32_t taken = 0;
    for (const int lane : p.dst_lanes) {
        if (lane < 0 || lane >= p.lane_bits + p.register_bits || (taken >> lane & 1) != 0) return false;
        taken |= std::uint32_t{1} << lane;
    }
    if (p.interleave != 0) {
        for (int lane = 0; lane < p.dst_lanes.size(); ++lane)
            if (p.dst_lanes[lane] != lane) return false;
        return p.register_bits == 0 && p.src_upper_bits == 0 && p.half_bytes < 0 && p.dst_lanes.size() == p.lane_bits &&
               is_listed_interleave(network, instructions, element_bytes, p.lane_bits, p.interleave);
    }
    if (!p.has_vectors()) return p.register_bits == 0 && p.dst_lanes.empty() && p.half_bytes < 0;
    if (p.half_bytes >= 0 && (network != network_kind::table || element_bytes != 1 ||
                              p.half_bytes >= p.lane_bits + p.register_bits || !can_exchange_halves(p, p.half_bytes)))
        return false;
    return is_listed(
        network, instructions,
        tile_shape{element_bytes, p.lane_bits, p.register_bits, p.segment_bits(side::source), p.dst_lanes.size()});
}

}  // namespace listed_tiles
