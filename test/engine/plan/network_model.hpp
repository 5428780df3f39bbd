#pragma once
// Networks as data, byte by byte and without an instruction.

#include <plait/engine/plan/lane_network.hpp>

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace plait_test {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

/// A tile in registers; each byte is the number of the place from which it was loaded.
using registers = std::vector<std::array<int, 64>>;

/// Returns a byte's number, from the bits of the tile and its position in the element.
inline int number_of(const std::vector<int>& tile_bits, int lane, int element_bits) {
    int number = lane & ((1 << element_bits) - 1);
    for (std::size_t bit = 0; bit < tile_bits.size(); ++bit)
        number |= tile_bits[bit] << (static_cast<int>(bit) + element_bits);
    return number;
}

inline tile_pattern random_pattern(random_source& random, int element_bits, int widest) {
    tile_pattern p;
    p.lane_bits = static_cast<int>(random.between(4, widest)) - element_bits;
    p.register_bits = static_cast<int>(random.between(0, max_register_bits));
    const int bits = p.lane_bits + p.register_bits;
    p.src_upper_bits = static_cast<int>(random.between(0, p.lane_bits));
    std::vector<int> left;
    for (int bit = 0; bit < bits; ++bit) left.push_back(bit);
    const int piece = static_cast<int>(random.between(0, p.lane_bits));
    for (int lane = 0; lane < piece; ++lane) {
        // Often the bit that is already there.
        std::size_t at = static_cast<std::size_t>(random.between(0, static_cast<int>(left.size()) - 1));
        if (random.once_in(2))
            for (std::size_t k = 0; k < left.size(); ++k)
                if (left[k] == lane) at = k;
        p.dst_lanes.push_back(left[at]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return p;
}

inline registers load(const tile_pattern& p, const lane_network& network, int element_bits) {
    registers r(std::size_t{1} << p.register_bits);
    for (std::size_t number = 0; number < r.size(); ++number)
        for (int lane = 0; lane < 1 << network.lane_bits; ++lane) {
            std::vector<int> bits(static_cast<std::size_t>(p.lane_bits + p.register_bits));
            for (int b = 0; b < p.lane_bits; ++b) bits[static_cast<std::size_t>(b)] = lane >> (b + element_bits) & 1;
            for (int k = 0; k < p.register_bits; ++k)
                bits[static_cast<std::size_t>(network.loaded_registers[k])] = static_cast<int>(number >> k & 1);
            r[number][static_cast<std::size_t>(lane)] = number_of(bits, lane, element_bits);
        }
    return r;
}

/// By definition: exchanges, then the order.
inline void run_network(registers& r, const lane_network& network) {
    const int lanes = 1 << network.lane_bits;
    const auto put_in_order = [&](const bit_order& order) {
        for (auto& one : r) {
            const auto before = one;
            for (int lane = 0; lane < lanes; ++lane)
                one[static_cast<std::size_t>(lane)] = before[static_cast<std::size_t>(source_of(order, lane))];
        }
    };
    for (int k = 0; k < network.register_bits; ++k) {
        if (k == network.within_at) put_in_order(network.within);
        if (network.exchanged[k] < 0) continue;
        const registers before = r;
        for (std::size_t number = 0; number < r.size(); ++number)
            for (int lane = 0; lane < lanes; ++lane) {
                const int at = network.exchanged[k], register_bit = static_cast<int>(number >> k & 1);
                if (at == turn_of_lanes) {
                    // The register bit has become lane bit 2, lane bit 2 has become 3, and 3 the register bit.
                    const std::size_t was = (number & ~(std::size_t{1} << k)) | static_cast<std::size_t>(lane >> 2 & 1)
                                                                                    << k;
                    r[number][static_cast<std::size_t>(lane)] =
                        before[was][static_cast<std::size_t>((lane & ~12) | (lane >> 3 & 1) << 2 | register_bit << 3)];
                    continue;
                }
                const int lane_bit = lane >> at & 1;
                const std::size_t from = (number & ~(std::size_t{1} << k)) | static_cast<std::size_t>(lane_bit) << k;
                r[number][static_cast<std::size_t>(lane)] =
                    before[from][static_cast<std::size_t>((lane & ~(1 << at)) | register_bit << at)];
            }
        put_in_order(network.ordered[k]);
    }
    put_in_order(network.order);
}

/// By the vectors, as the instructions read them.
inline void run_vectors(registers& r, const network_vectors& v, const lane_network& network, isa which) {
    const int lanes = 1 << network.lane_bits;
    const auto within = [&](const lane_vector& from) {
        for (auto& one : r) {
            const auto before = one;
            for (int i = 0; i < lanes; ++i)
                one[static_cast<std::size_t>(i)] = before[static_cast<std::size_t>((i & ~15) + from.byte(i))];
        }
    };
    for (int k = 0; k < network.register_bits; ++k) {
        int at = v.exchanged[k];
        if (at < 0) continue;
        if (at >= orders_before) {
            within(v.before);
            at -= orders_before;
        }
        for (std::size_t low = 0; low < r.size(); ++low) {
            if ((low >> k & 1) != 0) continue;
            const std::size_t high = low | std::size_t{1} << k;
            const auto a = r[low], b = r[high];
            for (int i = 0; i < lanes; ++i) {
                const auto here = static_cast<std::size_t>(i);
                if (at < 2) {
                    // Shifts of four bytes by whole bytes, and a choice between both for each.
                    const int shifted = v.exchanges[k][1].byte(i & ~3) / 8;
                    const bool one = v.exchanges[k][0].byte(i) == 0xff;
                    REQUIRE((one || v.exchanges[k][0].byte(i) == 0));
                    REQUIRE((shifted == 1 || shifted == 2));
                    r[low][here] = one ? b[here - static_cast<std::size_t>(shifted)] : a[here];
                    r[high][here] = one ? b[here] : a[here + static_cast<std::size_t>(shifted)];
                } else if (which == isa::avx512) {
                    for (const int second : {0, 1}) {
                        const int index = v.exchanges[k][second].byte(i & ~3);
                        const auto& from = index < lanes / 4 ? a : b;
                        r[second == 0 ? low : high][here] =
                            from[static_cast<std::size_t>(index % (lanes / 4) * 4 + i % 4)];
                    }
                } else if (at == turn_of_lanes) {
                    // Unpacks the lower, and the upper, two 4-byte lanes of each 16 bytes.
                    const auto from = static_cast<std::size_t>((i & ~15) + (i >> 3 & 1) * 4 + i % 4);
                    const bool second = (i >> 2 & 1) != 0;
                    r[low][here] = second ? b[from] : a[from];
                    r[high][here] = second ? b[from + 8] : a[from + 8];
                } else {
                    const bool one = (i >> at & 1) != 0;
                    r[low][here] = one ? b[static_cast<std::size_t>(i & ~(1 << at))] : a[here];
                    r[high][here] = one ? b[here] : a[static_cast<std::size_t>(i | 1 << at)];
                }
            }
        }
    }
    if (v.goes_before) within(v.before);
    if (v.goes_across) {
        CHECK(network.lane_bits > 4);
        for (auto& one : r) {
            const auto before = one;
            for (int i = 0; i < lanes; ++i)
                one[static_cast<std::size_t>(i)] = before[static_cast<std::size_t>(v.across.byte(i & ~3) * 4 + i % 4)];
        }
    }
    if (v.goes_after) within(v.after);
}

/// True if each byte of a segment of the destination is the right one.
inline bool is_in_place(const registers& r, const tile_pattern& p, const lane_network& network, int element_bits) {
    const int piece = p.dst_lanes.size();
    for (std::size_t number = 0; number < r.size(); ++number)
        for (int lane = 0; lane < 1 << network.lane_bits; ++lane) {
            std::vector<int> bits(static_cast<std::size_t>(p.lane_bits + p.register_bits), -1);
            for (int t = 0; t < p.lane_bits; ++t) {
                const int bit = t < piece ? p.dst_lanes[t] : network.stored_lanes[t + element_bits];
                bits[static_cast<std::size_t>(bit)] = lane >> (t + element_bits) & 1;
            }
            for (int k = 0; k < p.register_bits; ++k)
                bits[static_cast<std::size_t>(network.stored_registers[k])] = static_cast<int>(number >> k & 1);
            for (const int bit : bits)
                if (bit < 0) return false;  // counted by nothing
            if (r[number][static_cast<std::size_t>(lane)] != number_of(bits, lane, element_bits)) return false;
        }
    return true;
}

}  // namespace plait_test
