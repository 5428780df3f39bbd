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

#include <plait/engine/plan/shuffles.hpp>
#include <plait/support/scratch_list.hpp>

#include <climits>
#include <cstdint>
#include <initializer_list>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A permutation of bits: bit t of a place is bit from[t] of the place that its byte comes from.
struct bit_order {
    std::int8_t from[max_lane_bits] = {0, 1, 2, 3, 4, 5};

    /// True if the bits [first, end) stay where they are.
    constexpr bool keeps(int first, int end) const {
        for (int t = first; t < end; ++t)
            if (from[t] != t) return false;
        return true;
    }
    /// Exchanges the bits in two places, also in `now`, the bit that is in each place.
    constexpr void swap(std::int8_t (&now)[max_lane_bits], int a, int b) {
        for (std::int8_t* const list : {from, now}) {
            const std::int8_t moved = list[a];
            list[a] = list[b];
            list[b] = moved;
        }
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

/// In place of the lane bit that a register bit is exchanged with: the register bit becomes lane bit 2, lane bit 2
/// becomes 3, and lane bit 3 becomes the register bit. Instructions that unpack 4-byte lanes do so, one for a register;
/// to exchange with lane bit 2 takes two.
inline constexpr int turn_of_lanes = max_lane_bits;

/// A network as tables.
struct lane_network {
    std::int8_t lane_bits = 0, register_bits = 0;
    /// The lane bit that each register bit is exchanged with, or `turn_of_lanes`; -1: none.
    std::int8_t exchanged[max_register_bits] = {-1, -1, -1, -1};
    bit_order order;  ///< permutation of the lane bits after all exchanges
    // Only in networks of `merged_network` and `turning_network`:
    std::int8_t within_at = -1;  ///< the exchange before which `within` orders the lower four lane bits; -1: none
    bit_order within;
    // Only in networks of `merged_network`:
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

/// Orders the lanes of a network, after all exchanges, as the destination does. `now` has the bit in each lane. Bits
/// that are in no lane of the destination's segments go above, and stay where they are if possible.
constexpr void order_lanes(lane_network& out, const std::int8_t (&now)[max_lane_bits], const wanted_lanes& wanted,
                           int element_bits, int segment) {
    const int lanes = out.lane_bits;
    bool taken[max_lane_bits]{};
    for (int t = 0; t < element_bits; ++t) taken[t] = true;
    for (int t = element_bits; t < lanes; ++t)
        if (const int to = now[t] < 0 ? -1 : wanted.of[now[t]]; to >= 0) {
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
}

/// Finds the network of a tile.
///
/// A bit that must enter the lanes is exchanged with the bit in its place if that one leaves. Otherwise it is exchanged
/// with a bit that leaves from the same third of the lanes, because instructions permute the lower four bits among
/// themselves, or the upper four. Register bits are in the order in which the lanes of the destination count them, so
/// that tiles that differ in strides only have one network. Those that are in no lane on either side come first: the
/// registers of a cache line are then stored one after the other, which is twice as fast for non-temporal stores on
/// Intel's processors.
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
    const wanted_lanes wanted(pattern, element_bits);
    std::int8_t now[max_lane_bits] = {-1, -1, -1, -1, -1, -1};  // the bits now in the lanes
    for (int t = element_bits; t < lanes; ++t) now[t] = static_cast<std::int8_t>(t - element_bits);
    int placed = 0;
    const auto place = [&](int bit) { out.loaded_registers[placed++] = static_cast<std::int8_t>(bit); };
    for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
        if (wanted.of[bit] < 0 && bit != pattern.half_bytes) place(bit);
    for (const int bit : pattern.dst_lanes)
        if (bit >= pattern.lane_bits && bit != pattern.half_bytes) place(bit);
    if (pattern.half_bytes >= 0) {
        out.half_bytes =
            pattern.half_bytes < pattern.lane_bits ? half_byte_exchange::after : half_byte_exchange::before;
        if (pattern.half_bytes >= pattern.lane_bits) place(pattern.half_bytes);
    }
    const auto exchange = [&](int k, int t) {
        out.exchanged[k] = static_cast<std::int8_t>(t);
        out.stored_registers[k] = now[t];
        now[t] = out.loaded_registers[k];
    };
    if (out.half_bytes == half_byte_exchange::after)
        exchange(pattern.register_bits - 1, pattern.half_bytes + element_bits);
    const auto leaves = [&](int t) { return now[t] >= 0 && wanted.of[now[t]] < 0; };
    const auto third = [](int t) { return t < 2 ? 0 : t < 4 ? 1 : 2; };
    for (int nearness = 0; nearness < 3; ++nearness)
        for (int k = 0; k < pattern.register_bits; ++k) {
            const int bit = out.loaded_registers[k], to = wanted.of[bit];
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
    order_lanes(out, now, wanted, element_bits, segment);
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
        for (int low = 0; low < 2; ++low)
            for (int middle = 2; goes_up[now[low]] && middle < 4; ++middle)
                if (!goes_up[now[middle]]) before.swap(now, low, middle);
        const auto bring = [&](bit_order& part, int first, int end) {
            for (int t = first; t < end; ++t)
                for (int other = t + 1; now[t] != order.from[t] && other < end; ++other)
                    if (now[other] == order.from[t]) part.swap(now, t, other);
        };
        // The upper places take their bits from anywhere above bit 1; then the lower four are put in order.
        for (int t = 4; t < lane_bits; ++t)
            for (int other = 2; other < lane_bits; ++other)
                if (other != t && now[other] == order.from[t]) across.swap(now, t, other);
        bring(after, 0, 4);
    }
};

// The index vectors and masks of a network that is a table, which its instructions read.
//
// Example: f32 nchw -> nChw16c with AVX-512: 16 registers of 16 lanes of 4 bytes, and register bit k is exchanged with
// lane bit k + 2. Of each two registers whose numbers differ in bit 0 the lanes 0 to 15 and 16 to 31 become
// 0 16 2 18 4 20 ... 14 30 in the first and 1 17 3 19 5 21 ... 15 31 in the second: two vectors of 16 indices.

/// A register of up to 64 bytes, as stored in memory on a little-endian machine.
struct lane_vector {
    std::uint64_t words[8]{};

    constexpr std::uint8_t byte(int i) const { return static_cast<std::uint8_t>(words[i / 8] >> (8 * (i % 8))); }
    constexpr bool operator==(const lane_vector&) const = default;
};

/// A number for each place: number(place) is `first`, with the bits of by_bit[t] flipped for each bit t set in the
/// place.
///
/// Example: by_bit = {2, 1, 4}: places 0 to 7 have 0, 2, 1, 3, 4, 6, 5, 7
struct turned_bits {
    std::uint64_t first = 0, by_bit[max_lane_bits]{};
};

/// Writes the numbers as a vector, for places of one byte or of four. The numbers of a word are computed together by
/// multiplication, which never carries because no number has more than 8 bits.
constexpr void fill(lane_vector& out, const turned_bits& numbers, int place_bytes, int lane_bits) {
    const bool bytes = place_bytes == 1;
    std::uint64_t word = numbers.first * (bytes ? 0x0101010101010101 : 0x0000000100000001);
    int bit = 0;
    if (bytes) {
        word ^= numbers.by_bit[0] * 0x0100010001000100;
        word ^= numbers.by_bit[1] * 0x0101000001010000;
        word ^= numbers.by_bit[2] * 0x0101010100000000;
        bit = 3;
    } else {
        word ^= numbers.by_bit[0] << 32;
        bit = 1;
    }
    out.words[0] = word;
    for (int words = 1; words < 1 << (lane_bits - 3); words *= 2, ++bit) {
        const std::uint64_t turned = numbers.by_bit[bit] * (bytes ? 0x0101010101010101 : 0x0000000100000001);
        for (int k = 0; k < words; ++k) out.words[words + k] = out.words[k] ^ turned;
    }
}

/// The number added to an exchange before which the lanes are ordered. Tiles read both as one number, so that the other
/// exchanges have no further branch.
inline constexpr int orders_before = 8;

/// The steps of a network: all that a kernel branches on.
struct network_steps {
    /// The lane bit that each register bit is exchanged with, or `turn_of_lanes`; -1: none. Where vectors choose the
    /// lane bit, the least of those that have the same instructions: 0 for 0 and 1, and, with AVX-512, 2 for higher
    /// ones. Of one exchange, in addition, `orders_before` if `before` orders the lanes before it.
    std::int8_t exchanged[max_register_bits] = {-1, -1, -1, -1};
    std::int8_t src_segments = 0, dst_segments = 0;                     ///< segments of a register, as powers of two
    bool goes_before = false, goes_across = false, goes_after = false;  ///< the parts of the order after all exchanges
    half_byte_exchange half_bytes = half_byte_exchange::none;

    constexpr bool operator==(const network_steps&) const = default;
};

/// A network that has a kernel of its own: see frequent_networks in engine/simd.
struct frequent_network {
    int register_bits;
    network_steps steps;
};

/// The steps of a network, and the vectors that their instructions read.
struct network_vectors : network_steps {
    bool shuffles = false;  ///< false if there is nothing to do
    /// The vectors of each exchange. For lane bits 0 and 1: bytes of ones where the lane bit is set, and the number of
    /// bits that four bytes are shifted by. For higher lane bits, with AVX-512: the 4-byte lane of both registers that
    /// each lane takes.
    lane_vector exchanges[max_register_bits][2];
    /// The vectors of the order: bytes within each 16, 4-byte lanes of the register, and bytes within each 16 again.
    lane_vector before, across, after;

    constexpr bool operator==(const network_vectors&) const = default;
};

/// Writes the byte of its own 16 that each byte of a register takes.
constexpr void fill_within(lane_vector& out, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 0; t < 4; ++t) numbers.by_bit[t] = std::uint64_t{1} << order.from[t];
    fill(out, numbers, 1, lane_bits);
}
/// Writes the 4-byte lane that each 4-byte lane of a register takes.
constexpr void fill_across(lane_vector& out, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 2; t < lane_bits; ++t) numbers.by_bit[t - 2] = std::uint64_t{1} << (order.from[t] - 2);
    fill(out, numbers, 4, lane_bits);
}
/// Writes both vectors of an exchange of lane bit `lane` (at least 2), followed by an order of the 4-byte lanes.
///
/// Example: of 4 lanes, lane bit 2: the first register takes lanes 0 and 2 of both, 0 4 2 6, the second 1 5 3 7
constexpr void fill_exchange(lane_vector (&out)[2], int lane, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 2; t < lane_bits; ++t) {
        const int from = order.from[t];
        // If the exchanged bit is set, the lane comes from the second register.
        numbers.by_bit[t - 2] = std::uint64_t{1} << (from == lane ? lane_bits - 2 : from - 2);
    }
    fill(out[0], numbers, 4, lane_bits);
    const std::uint64_t exchanged = (std::uint64_t{1} << (lane - 2)) * 0x0000000100000001;
    for (int k = 0; k < 1 << (lane_bits - 3); ++k) out[1].words[k] = out[0].words[k] ^ exchanged;
}

/// The vectors of exchanges that are followed by no order, by the lane bits of a register (16 to 64 bytes) and the lane
/// bit: most exchanges are such ones.
struct plain_exchanges {
    lane_vector of[max_lane_bits + 1][max_lane_bits][2];

    constexpr plain_exchanges() : of{} {
        for (int lane_bits = 4; lane_bits <= max_lane_bits; ++lane_bits)
            for (int lane = 2; lane < lane_bits; ++lane) fill_exchange(of[lane_bits][lane], lane, {}, lane_bits);
    }
};
inline constexpr plain_exchanges every_plain_exchange;

/// Computes the vectors of a network for an instruction set. With AVX-512, the last exchange of 4-byte lanes, if there
/// is one, also orders them.
///
/// Post:    see run_network in test/engine/plan/network_model.hpp
/// Cost:    some tens of nanoseconds at run time
constexpr void fill_vectors(network_vectors& out, const lane_network& network, isa instructions) {
    const int lane_bits = network.lane_bits;
    const bool has_tables = instructions == isa::avx512;
    bit_order order = network.order;
    int merges = -1;  // the exchange that orders
    if (has_tables && order.keeps(0, 2) && !order.keeps(2, lane_bits))
        for (int k = 0; k < network.register_bits; ++k)
            if (network.exchanged[k] >= 2) merges = k;
    // Exchanges of other register bits commute with it if they are of lane bits 0 and 1. Exchanges of other lane bits
    // are done before it, because steps are in the order of their register bits.
    for (int k = 0; k < network.register_bits; ++k) {
        const int lane = out.exchanged[k] = network.exchanged[k];
        if (lane < 0) continue;
        if (lane >= 2) {
            if (!has_tables) continue;
            out.exchanged[k] = 2;
            const bit_order& after = k == merges ? order : network.ordered[k];
            const lane_vector(&plain)[2] = every_plain_exchange.of[lane_bits][lane];
            if (after == bit_order{}) out.exchanges[k][0] = plain[0], out.exchanges[k][1] = plain[1];
            else fill_exchange(out.exchanges[k], lane, after, lane_bits);
            continue;
        }
        out.exchanged[k] = 0;
        turned_bits ones, shift;
        ones.by_bit[lane] = 0xff;
        shift.first = std::uint64_t{8} << lane;
        fill(out.exchanges[k][0], ones, 1, lane_bits);
        fill(out.exchanges[k][1], shift, 4, lane_bits);
    }
    if (merges >= 0) order = {};
    const order_parts parts(order, lane_bits);
    out.goes_before = !parts.before.keeps(0, lane_bits);
    out.goes_across = !parts.across.keeps(0, lane_bits);
    out.goes_after = !parts.after.keeps(0, lane_bits);
    const bool orders_between = network.within_at >= 0;
    if (orders_between) out.exchanged[network.within_at] |= orders_before;
    if (out.goes_before || orders_between)
        fill_within(out.before, orders_between ? network.within : parts.before, lane_bits);
    if (out.goes_across) fill_across(out.across, parts.across, lane_bits);
    if (out.goes_after) fill_within(out.after, parts.after, lane_bits);
    out.half_bytes = network.half_bytes;
    out.shuffles = network.shuffles();
}

/// Returns the approximate cost of the network for a register, in half cycles.
constexpr int cost_of_network(const lane_network& network, isa instructions) {
    int cost = network.half_bytes == half_byte_exchange::none ? 0 : instructions == isa::avx512 ? 2 : 3, tables = 0;
    for (int k = 0; k < network.register_bits; ++k) {
        const int lane = network.exchanged[k];
        if (lane < 0) continue;
        tables += instructions == isa::avx512 && lane >= 2;
        cost += lane == turn_of_lanes ? 1 : cost_of_step(network_kind::table, instructions, lane, 1);
    }
    cost += network.within_at >= 0;
    const bool merges = tables > 0 && network.order.keeps(0, 2);
    if (network.order.keeps(0, network.lane_bits) || merges) return cost;
    const order_parts parts(network.order, network.lane_bits);
    return cost + !parts.before.keeps(0, network.lane_bits) + 2 * !parts.across.keeps(0, network.lane_bits) +
           !parts.after.keeps(0, network.lane_bits);
}

// Networks for AVX-512, whose exchanges of 4-byte lanes order all 4-byte lanes at no cost. Bits that move between the
// bytes of 4-byte lanes and other places then need only one shuffle within 128 bits: between the exchanges, where it
// finds all of them in lane bits 0 to 3.
//
// Example: u8 nchw -> nChw16c, 16 registers of 64 bytes: lane bits count p0 to p5, places of w; register bits c0 to c3
// must become lane bits 0 to 3, and p0 and p1 lane bits 4 and 5.
//     p0 p1 p2 p3 p4 p5    c0 is exchanged with p2, c1 with p3
//     p0 p1 c0 c1 p4 p5    one shuffle within 128 bits
//     c0 c1 p0 p1 p4 p5    c2 is exchanged with p4, c3 with p5; the second also orders
//     c0 c1 c2 c3 p0 p1

/// Finds such a network; not found, if it is not better than that of find_lane_network, or not possible.
class merged_network {
public:
    lane_network network;
    bool found = false;

    /// Pre:     elements of 1 or 2 bytes, 2^element_bits
    constexpr merged_network(const tile_pattern& pattern, int element_bits)
        : element_bits_(element_bits),
          lanes_(pattern.lane_bits + element_bits),
          segment_(pattern.dst_lanes.size() + element_bits),
          goal_(pattern, element_bits) {
        network.lane_bits = static_cast<std::int8_t>(lanes_);
        network.register_bits = static_cast<std::int8_t>(pattern.register_bits);
        for (int t = element_bits; t < lanes_; ++t) now_[t] = static_cast<std::int8_t>(t - element_bits);
        found = choose_exchanges(pattern) && run();
    }

private:
    /// A bit that enters the lanes, and the one that leaves them for it.
    struct exchanged_bits {
        std::int8_t enters, leaves;
    };

    int element_bits_, lanes_, segment_;
    wanted_lanes goal_;                                              // and, in the end, of the bits that stay
    std::int8_t now_[max_lane_bits] = {-1, -1, -1, -1, -1, -1};      // the bit in each lane
    inline_list<exchanged_bits, max_register_bits> first_, second_;  // before and after the shuffle within 128 bits

    constexpr bool is_low(int t) const { return t < 2; }
    constexpr int lane_of(int bit) const {
        for (int t = element_bits_; t < lanes_; ++t)
            if (now_[t] == bit) return t;
        return -1;
    }

    /// Bits that enter lane bits 0 and 1 are exchanged first, and bits that leave these lanes last.
    constexpr bool choose_exchanges(const tile_pattern& pattern) {
        int placed = 0;
        inline_list<int, max_register_bits> low, others;
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
            if (goal_.of[bit] < 0) network.loaded_registers[placed++] = static_cast<std::int8_t>(bit);
        for (const int bit : pattern.dst_lanes)
            if (bit >= pattern.lane_bits) (is_low(goal_.of[bit]) ? low : others).push_back(bit);
        inline_list<int, max_lane_bits> leaving;  // above lane bit 1
        int number_of_others = 0;
        for (int t = element_bits_; t < lanes_; ++t) {
            if (goal_.of[now_[t]] >= 0) continue;
            if (!is_low(t)) leaving.push_back(now_[t]);
            else if (number_of_others < others.size())
                second_.push_back({static_cast<std::int8_t>(others[number_of_others++]), now_[t]});
        }
        int taken = 0;
        if (low.size() + others.size() - number_of_others > leaving.size()) return false;
        for (const int bit : low)
            first_.push_back({static_cast<std::int8_t>(bit), static_cast<std::int8_t>(leaving[taken++])});
        for (; number_of_others < others.size(); ++number_of_others) {
            const bool goes_first = first_.empty() && comes_down();
            (goes_first ? first_ : second_)
                .push_back(
                    {static_cast<std::int8_t>(others[number_of_others]), static_cast<std::int8_t>(leaving[taken++])});
        }
        place_the_rest();
        for (const exchanged_bits& bits : first_) network.loaded_registers[placed++] = bits.enters;
        for (const exchanged_bits& bits : second_) network.loaded_registers[placed++] = bits.enters;
        return true;
    }
    /// True if a bit of the lanes must come down from lane bits 4 and 5 to 0 and 1.
    constexpr bool comes_down() const {
        for (int t = 4; t < lanes_; ++t)
            if (goal_.of[now_[t]] >= 0 && is_low(goal_.of[now_[t]])) return true;
        return false;
    }
    /// Bits that neither leave nor are in a segment of the destination go above it, and stay where they are if
    /// possible.
    constexpr void place_the_rest() {
        bool taken[max_lane_bits]{};
        const auto rests = [&](int bit) {
            if (goal_.of[bit] >= 0) return false;
            for (const auto* pairs : {&first_, &second_})
                for (const exchanged_bits& bits : *pairs)
                    if (bits.leaves == bit) return false;
            return true;
        };
        inline_list<int, max_lane_bits> moved;
        for (int t = element_bits_; t < lanes_; ++t) {
            if (!rests(now_[t])) continue;
            if (t < segment_) moved.push_back(now_[t]);
            else taken[t] = true, goal_.of[now_[t]] = static_cast<std::int8_t>(t);
        }
        int next = segment_;
        for (const int bit : moved) {
            while (taken[next]) ++next;
            goal_.of[bit] = static_cast<std::int8_t>(next++);
        }
    }

    /// Follows the bits through the network.
    constexpr bool run() {
        int k = network.register_bits - first_.size() - second_.size();
        for (int other = 0; other < k; ++other) network.stored_registers[other] = network.loaded_registers[other];
        for (const exchanged_bits& bits : first_) exchange(k++, bits);
        if (!first_.empty()) network.ordered[k - 1] = bring_down();
        const bit_order within = put_in_place(element_bits_, 2, 4);
        if (within == bit_order{}) return false;
        if (second_.empty()) {
            network.order = within;
        } else {
            network.within_at = static_cast<std::int8_t>(k);
            network.within = within;
            for (const exchanged_bits& bits : second_) {
                if (is_low(lane_of(bits.leaves))) return false;
                exchange(k++, bits);
            }
            network.ordered[k - 1] = put_in_place(2, lanes_, lanes_);
        }
        for (int t = element_bits_; t < lanes_; ++t) {
            if (goal_.of[now_[t]] != t) return false;
            network.stored_lanes[t] = now_[t];
        }
        return true;
    }
    constexpr void exchange(int k, const exchanged_bits& bits) {
        const int t = lane_of(bits.leaves);
        network.exchanged[k] = static_cast<std::int8_t>(t);
        network.stored_registers[k] = bits.leaves;
        now_[t] = bits.enters;
    }
    /// Brings bits that must reach lane bits 0 and 1 to 2 and 3.
    constexpr bit_order bring_down() {
        bit_order part;
        const auto wants = [&](int t) { return is_low(goal_.of[now_[t]]) && goal_.of[now_[t]] >= 0; };
        for (int t = 4; t < lanes_; ++t)
            for (int middle = 2; middle < 4 && wants(t); ++middle)
                if (!wants(middle)) part.swap(now_, t, middle);
        return part;
    }
    /// Puts the lane bits [begin, end) in place, with bits from below `limit`.
    constexpr bit_order put_in_place(int begin, int end, int limit) {
        bit_order part;
        for (int t = begin; t < end; ++t)
            for (int other = t + 1; goal_.of[now_[t]] != t && other < limit; ++other)
                if (goal_.of[now_[other]] == t) part.swap(now_, t, other);
        return part;
    }
};

// The network of a tile that is cheapest for an instruction set.
//
// SSE4.1 and AVX2 have no exchange of a register bit with lane bit 0 or 1: two shifts and two blends do it, 3 half
// cycles a register. A turn (`turn_of_lanes`) takes 1, and a shuffle within 128 bits 1. Bits that must enter lane bits
// 0 and 1 therefore enter lane bit 2, and the shuffle brings them down.
//
// Example: u8 nchw -> nChw16c with SSE4.1, 16 registers of 16 bytes: lane bits count p0 to p3, places of w; register
// bits c0 to c3 must become lane bits 0 to 3. 5 half cycles for a register; four exchanges take 3 + 3 + 2 + 1.
//     p0 p1 p2 p3    c0 enters, then c1
//     p0 p1 c1 c0    one shuffle within 128 bits
//     c0 c1 p1 p0    c3 enters, then c2
//     c0 c1 c2 c3

/// True if an instruction set turns lanes by one instruction, and exchanges register bits with lane bits 0 and 1 by
/// four.
constexpr bool turns_lanes(isa instructions) { return instructions == isa::sse41 || instructions == isa::avx2; }

/// A network of turns. Not found if the lanes would have to be ordered across 128 bits in three instructions.
class turning_network {
public:
    lane_network network;
    bool found = false;

    /// Pre:     pattern.half_bytes < 0
    constexpr turning_network(const tile_pattern& pattern, int element_bits)
        : element_bits_(element_bits), lanes_(pattern.lane_bits + element_bits), goal_(pattern, element_bits) {
        network.lane_bits = static_cast<std::int8_t>(lanes_);
        network.register_bits = static_cast<std::int8_t>(pattern.register_bits);
        for (int t = element_bits; t < lanes_; ++t) now_[t] = static_cast<std::int8_t>(t - element_bits);
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
            if (goal_.of[bit] < 0)
                network.loaded_registers[next_] = network.stored_registers[next_] = static_cast<std::int8_t>(bit),
                ++next_;
        for (const int bit : pattern.dst_lanes)
            if (bit >= pattern.lane_bits) entering_.push_back(bit);
        while (!entering_.empty()) take_step();
        order_lanes(network, now_, goal_, element_bits, pattern.dst_lanes.size() + element_bits);
        found = network.within_at < 0 || order_parts(network.order, lanes_).before.keeps(0, lanes_);
    }

private:
    int element_bits_, lanes_;
    wanted_lanes goal_;
    std::int8_t now_[max_lane_bits] = {-1, -1, -1, -1, -1, -1};  // the bit in each lane
    inline_list<int, max_register_bits> entering_;               // bits that must still enter the lanes
    int next_ = 0;                                               // the next register bit

    /// Returns the lane that the bit in a lane must reach; -1: none, or the bit of an element's bytes.
    constexpr int goal_at(int t) const { return now_[t] < 0 ? -1 : goal_.of[now_[t]]; }
    constexpr bool leaves(int t) const { return t >= element_bits_ && t < lanes_ && goal_at(t) < 0; }
    constexpr bool leaves_low() const { return leaves(0) || leaves(1); }

    /// Takes the bit out of entering_ that enters best at a lane: if a shuffle within 128 bits will follow, one that it
    /// brings down; else the one that must reach this lane, or any.
    constexpr int take_for(int lane) {
        const bool comes_down = leaves_low() && network.within_at < 0;
        int best = 0;
        for (int k = entering_.size() - 1; k >= 0; --k)
            if (comes_down ? goal_.of[entering_[k]] < 2 : goal_.of[entering_[k]] == lane) best = k;
        const int bit = entering_[best];
        entering_.erase(best);
        return bit;
    }
    constexpr void take_step() {
        const bool two_leave = leaves(2) && leaves(3);
        if (leaves(4))
            for (const int bit : entering_)
                if (goal_.of[bit] == 4) return exchange(4);
        if (two_leave && entering_.size() > 1) return turn(3);
        if (leaves(3)) {
            const bool turns = two_leave ? goal_.of[entering_[0]] == 2 : goal_at(2) == 3;
            return turns ? turn(2) : exchange(3);
        }
        if (leaves(2)) return exchange(2);
        if (leaves(4)) return exchange(4);
        if (network.within_at < 0) return shuffle_within();
        exchange(leaves(0) ? 0 : 1);
    }
    constexpr void enter(int step, int bit, int leaving) {
        network.exchanged[next_] = static_cast<std::int8_t>(step);
        network.loaded_registers[next_] = static_cast<std::int8_t>(bit);
        network.stored_registers[next_++] = static_cast<std::int8_t>(leaving);
    }
    constexpr void exchange(int t) {
        const int bit = take_for(t);
        enter(t, bit, now_[t]);
        now_[t] = static_cast<std::int8_t>(bit);
    }
    /// Turns the lanes. The bit that enters is best one that must reach `lane`: it gets to 3 if another turn follows.
    constexpr void turn(int lane) {
        const int bit = take_for(lane);
        enter(turn_of_lanes, bit, now_[3]);
        now_[3] = now_[2];
        now_[2] = static_cast<std::int8_t>(bit);
    }
    /// Puts lane bits 0 and 1 in place as far as their bits are here, and bits that leave in lane bits 3 and 2.
    constexpr void shuffle_within() {
        network.within_at = static_cast<std::int8_t>(next_);
        for (int t = element_bits_; t < 2; ++t)
            for (int other = t + 1; goal_at(t) != t && other < 4; ++other)
                if (goal_at(other) == t) network.within.swap(now_, t, other);
        for (int t = 3; t >= 2; --t)
            for (int other = element_bits_; !leaves(t) && other < t; ++other)
                if (leaves(other)) network.within.swap(now_, t, other);
    }
};

/// Writes the network of a tile for an instruction set: that of find_lane_network, or a cheaper one. Returns its cost.
///
/// Pre:     as find_lane_network
constexpr int find_table_network(lane_network& out, const tile_pattern& pattern, int element_bits, isa instructions) {
    const bool exchanges_halves = pattern.half_bytes >= 0;
    if (turns_lanes(instructions) && !exchanges_halves) {
        const turning_network turning(pattern, element_bits);
        const int cost = turning.found ? cost_of_network(turning.network, instructions) : INT_MAX;
        if (turning.found && turning.network.order.keeps(0, turning.network.lane_bits))
            return out = turning.network, cost;
        out = find_lane_network(pattern, element_bits);
        const int others = cost_of_network(out, instructions);
        if (cost > others) return others;
        return out = turning.network, cost;
    }
    out = find_lane_network(pattern, element_bits);
    const int others = cost_of_network(out, instructions);
    if (instructions != isa::avx512 || element_bits > 1 || exchanges_halves || out.order.keeps(0, 2)) return others;
    const merged_network merged(pattern, element_bits);
    const int cost = merged.found ? cost_of_network(merged.network, instructions) : INT_MAX;
    if (cost >= others) return others;
    return out = merged.network, cost;
}
constexpr lane_network find_table_network(const tile_pattern& pattern, int element_bits, isa instructions) {
    lane_network out;
    find_table_network(out, pattern, element_bits, instructions);
    return out;
}

/// Finds networks for an instruction set and elements of one size, and keeps the last two: of the cheapest tile so far,
/// and of the one that it is compared with. The network that a tile was chosen for is the network of its plan.
class kept_networks {
public:
    /// A network, what it costs, and the part of the pattern that it depends on.
    struct kept {
        int lane_bits, register_bits, half_bytes;
        inline_list<int, 6> dst_lanes;
        int cost = 0;
        lane_network network = {};
    };

    constexpr kept_networks(int element_bits, isa instructions)
        : element_bits_(element_bits), instructions_(instructions) {}

    /// Returns find_table_network of the pattern, and its cost. The reference is valid until the next call.
    constexpr const kept& find(const tile_pattern& pattern) {
        for (const kept& k : kept_)
            if (pattern.lane_bits == k.lane_bits && pattern.register_bits == k.register_bits &&
                pattern.half_bytes == k.half_bytes && pattern.dst_lanes == k.dst_lanes)
                return k;
        if (kept_.full()) kept_.erase(0);
        kept_.push_back({pattern.lane_bits, pattern.register_bits, pattern.half_bytes, pattern.dst_lanes});
        kept& last = kept_[kept_.size() - 1];
        last.cost = find_table_network(last.network, pattern, element_bits_, instructions_);
        return last;
    }
    constexpr isa instructions() const { return instructions_; }

private:
    int element_bits_;
    isa instructions_;
    scratch_list<kept, 2> kept_;
};

}  // namespace plait::engine
