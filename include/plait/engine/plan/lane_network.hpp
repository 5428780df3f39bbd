#pragma once
// Shuffle networks as tables. Kernels for layouts known only at run time read them instead of having a network in their
// code. Lanes are bytes here, so that elements of all sizes are one case.
//
// A tile is 2^r registers of 2^l bytes, and a reorder of it permutes the r + l bits of a byte's place. Any such
// permutation consists of two parts: steps that exchange one register bit with one lane bit, at most one for each
// register bit; then one permutation of the lane bits, which is the same in each register.
//
// Example: f32 nchw -> nhwc, 16 registers of 16 elements. When loaded, lane bits 2 to 5 count w, and register bits 0 to
// 3 count c (lane bits 0 and 1 are the bytes of an element). Exchanging register bit k with lane bit k + 2, for each k,
// brings c to the lanes and w to the registers, each in its place: no permutation is left.

#include <plait/engine/plan/plan.hpp>

#include <cstdint>
#include <initializer_list>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

inline constexpr int max_lane_bits = 6;  ///< 64 bytes

/// A permutation of bits: bit t of a place is bit from[t] of the place that its byte comes from.
struct bit_order {
    std::int8_t from[max_lane_bits] = {0, 1, 2, 3, 4, 5};

    /// True if the bits [first, end) stay where they are.
    constexpr bool keeps(int first, int end) const {
        for (int t = first; t < end; ++t)
            if (from[t] != t) return false;
        return true;
    }
    constexpr bool operator==(const bit_order&) const = default;
};

/// Returns the place that the byte at `place` of a register comes from.
///
/// Pre:     place < 64
constexpr int source_of(const bit_order& order, int place) {
    int source = 0;
    for (int t = 0; t < max_lane_bits; ++t) source |= (place >> t & 1) << order.from[t];
    return source;
}

/// The exchange of halves of bytes between registers that differ in the highest register bit: of the high halves of the
/// lower register with the low halves of the other. It is done before or after the exchange of that bit with a lane
/// bit.
enum class half_byte_exchange : std::int8_t { none, before, after };

/// A network as tables.
struct lane_network {
    std::int8_t lane_bits = 0, register_bits = 0;
    /// The lane bit that each register bit is exchanged with; -1: none.
    std::int8_t exchanged[max_register_bits] = {-1, -1, -1, -1};
    bit_order order;  ///< permutation of the lane bits after all exchanges
    // Only in networks of merged_network.hpp:
    std::int8_t within_at = -1;  ///< the exchange before which `within` orders the lower four lane bits; -1: none
    bit_order within;
    bit_order ordered[max_register_bits];  ///< permutation of the lane bits from 2 upwards after each exchange
    half_byte_exchange half_bytes = half_byte_exchange::none;
    /// The bit of the tile that each bit counts, -1 for the bytes of an element: for register numbers when loaded and
    /// when stored, and for the lanes above a segment of the destination.
    std::int8_t loaded_registers[max_register_bits] = {}, stored_registers[max_register_bits] = {};
    std::int8_t stored_lanes[max_lane_bits] = {};

    constexpr bool shuffles() const {
        if (half_bytes != half_byte_exchange::none) return true;
        for (int k = 0; k < register_bits; ++k)
            if (exchanged[k] >= 0) return true;
        return !order.keeps(0, lane_bits);
    }
    constexpr bool operator==(const lane_network&) const = default;
};

/// Finds the network of a tile.
///
/// A bit that must enter the lanes is exchanged with the bit in its place if that one leaves. Otherwise it is exchanged
/// with a bit that leaves from the same third of the lanes, because instructions permute the lower four bits among
/// themselves, or the upper four. Register bits that are in no lane on either side come first: the registers of a cache
/// line are then stored one after the other, which is twice as fast for non-temporal stores on Intel's processors.
///
/// Pre:     elements of 2^element_bits bytes; if pattern.half_bytes is a lane of the source, it is in no lane of the
///          destination, and a register bit is
/// Post:    the byte of a tile at register r and lane i, in bits of loaded_registers and lanes, is stored at the
///          register and lane given by stored_registers and stored_lanes, see run_network
/// Cost:    some tens of steps for each bit
constexpr lane_network find_lane_network(const tile_pattern& pattern, int element_bits) {
    lane_network out;
    const int lanes = pattern.lane_bits + element_bits, segment = pattern.dst_lanes.size() + element_bits;
    out.lane_bits = static_cast<std::int8_t>(lanes);
    out.register_bits = static_cast<std::int8_t>(pattern.register_bits);
    // The lane of the destination that each bit of the tile must reach (-1: none), and the bits now in the lanes.
    std::int8_t wanted_lane[max_tile_bits], now[max_lane_bits] = {-1, -1, -1, -1, -1, -1};
    for (int bit = 0; bit < max_tile_bits; ++bit) wanted_lane[bit] = -1;
    for (int t = element_bits; t < segment; ++t)
        wanted_lane[pattern.dst_lanes[t - element_bits]] = static_cast<std::int8_t>(t);
    for (int t = element_bits; t < lanes; ++t) now[t] = static_cast<std::int8_t>(t - element_bits);
    int placed = 0;
    for (const bool enters : {false, true})
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
            if ((wanted_lane[bit] >= 0) == enters && bit != pattern.half_bytes)
                out.loaded_registers[placed++] = static_cast<std::int8_t>(bit);
    if (pattern.half_bytes >= 0) {
        out.half_bytes =
            pattern.half_bytes < pattern.lane_bits ? half_byte_exchange::after : half_byte_exchange::before;
        if (pattern.half_bytes >= pattern.lane_bits)
            out.loaded_registers[placed++] = static_cast<std::int8_t>(pattern.half_bytes);
    }
    const auto exchange = [&](int k, int t) {
        out.exchanged[k] = static_cast<std::int8_t>(t);
        out.stored_registers[k] = now[t];
        now[t] = out.loaded_registers[k];
    };
    if (out.half_bytes == half_byte_exchange::after)
        exchange(pattern.register_bits - 1, pattern.half_bytes + element_bits);
    const auto leaves = [&](int t) { return now[t] >= 0 && wanted_lane[now[t]] < 0; };
    const auto third = [](int t) { return t < 2 ? 0 : t < 4 ? 1 : 2; };
    for (int nearness = 0; nearness < 3; ++nearness)
        for (int k = 0; k < pattern.register_bits; ++k) {
            const int bit = out.loaded_registers[k], to = wanted_lane[bit];
            if (to < 0 || out.exchanged[k] >= 0) continue;
            for (int t = element_bits; t < lanes; ++t) {
                const bool is_near = nearness == 0 ? t == to : nearness == 1 ? third(t) == third(to) : true;
                if (!is_near || !leaves(t)) continue;
                exchange(k, t);
                break;
            }
        }
    for (int k = 0; k < pattern.register_bits; ++k)
        if (out.exchanged[k] < 0) out.stored_registers[k] = out.loaded_registers[k];
    // What remains is to order the lanes as the destination does. Bits that are in no lane of its segments go above,
    // and stay where they are if possible.
    bool taken[max_lane_bits]{};
    for (int t = 0; t < element_bits; ++t) taken[t] = true;
    for (int t = element_bits; t < lanes; ++t)
        if (const int to = now[t] < 0 ? -1 : wanted_lane[now[t]]; to >= 0) {
            out.order.from[to] = static_cast<std::int8_t>(t);
            taken[t] = true;
        }
    bool filled[max_lane_bits]{};
    for (int t = segment; t < lanes; ++t)
        if (!taken[t]) {
            out.order.from[t] = static_cast<std::int8_t>(t);
            taken[t] = filled[t] = true;
        }
    for (int t = segment, next = 0; t < lanes; ++t) {
        if (filled[t]) continue;
        while (taken[next]) ++next;
        out.order.from[t] = static_cast<std::int8_t>(next);
        taken[next] = true;
    }
    for (int t = 0; t < lanes; ++t) out.stored_lanes[t] = now[out.order.from[t]];
    return out;
}

/// A permutation of lane bits in three parts, each of which is one instruction: among the lower four bits, among those
/// from bit 2 upwards, and among the lower four again.
///
/// Post:    source_of(order, i) == source_of(before, source_of(across, source_of(after, i)))
struct order_parts {
    bit_order before, across, after;

    constexpr order_parts(const bit_order& order, int lane_bits) {
        if (order.keeps(4, lane_bits) || order.keeps(0, 2)) {
            (order.keeps(4, lane_bits) ? after : across) = order;
            return;
        }
        // Bits that must move up are first brought to bits 2 and 3: at most two do, as at most two move down.
        bool goes_up[max_lane_bits]{};
        for (int t = 4; t < lane_bits; ++t)
            if (order.from[t] < 4) goes_up[order.from[t]] = true;
        std::int8_t now[max_lane_bits] = {0, 1, 2, 3, 4, 5};  // the source bit now in each place
        const auto swap_in = [&now](bit_order& part, int a, int b) {
            const std::int8_t in_part = part.from[a], in_all = now[a];
            part.from[a] = part.from[b];
            now[a] = now[b];
            part.from[b] = in_part;
            now[b] = in_all;
        };
        for (int low = 0; low < 2; ++low)
            for (int middle = 2; goes_up[now[low]] && middle < 4; ++middle)
                if (!goes_up[now[middle]]) swap_in(before, low, middle);
        const auto bring = [&](bit_order& part, int first, int end) {
            for (int t = first; t < end; ++t)
                for (int other = t + 1; now[t] != order.from[t] && other < end; ++other)
                    if (now[other] == order.from[t]) swap_in(part, t, other);
        };
        // The upper places take their bits from anywhere above bit 1; then the lower four are put in order.
        for (int t = 4; t < lane_bits; ++t)
            for (int other = 2; other < lane_bits; ++other)
                if (other != t && now[other] == order.from[t]) swap_in(across, t, other);
        bring(after, 0, 4);
    }
};

}  // namespace plait::engine
