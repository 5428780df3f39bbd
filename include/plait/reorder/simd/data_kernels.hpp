#pragma once
// The kernels whose networks are data, and what those of all instruction sets share: the tables for tiles of a few
// elements that alternate in memory on one side, as RGB does.

#include <plait/reorder/choose_tile.hpp>
#include <plait/reorder/open_kernel.hpp>

#include <cstdint>
#include <cstring>  // std::memcpy

namespace plait::simd {

/// Where 16 bytes of one register come from: for each byte its place in one of the others, 0x80 for none.
struct alignas(16) byte_table {
    std::uint8_t from[16];
    bool any;
};

/// The bytes that register `to` takes from register `from`, in each 128-bit part: the elements of Count registers, one
/// after the other, dealt out to Count registers, or collected from them.
constexpr byte_table make_byte_table(int count, int element_bytes, int to, int from, bool deal) {
    byte_table table{{}, false};
    const int lanes = 16 / element_bytes;
    for (int i = 0; i < 16; ++i) {
        const int lane = i / element_bytes;
        // Dealing, lane l of register r is element l * count + r of the run; collecting, the other way round.
        const int run = deal ? lane * count + to : to * lanes + lane;
        const int source = deal ? run / lanes : run % count, place = deal ? run % lanes : run / count;
        const bool here = source == from;
        table.from[i] = static_cast<std::uint8_t>(here ? place * element_bytes + i % element_bytes : 0x80);
        table.any = table.any || here;
    }
    return table;
}

/// All tables of one interleave: of[to][from].
template <int Count>
struct interleave_tables {
    std::uint8_t of[Count][Count][16];

    constexpr interleave_tables(int element_bytes, bool deal) : of{} {
        for (int to = 0; to < Count; ++to)
            for (int from = 0; from < Count; ++from) {
                const byte_table table = make_byte_table(Count, element_bytes, to, from, deal);
                for (int i = 0; i < 16; ++i) of[to][from][i] = table.from[i];
            }
    }
};
template <int Count, bool Deals>
inline constexpr interleave_tables<Count> every_interleave_table[] = {{1, Deals}, {2, Deals}, {4, Deals}, {8, Deals}};

/// What the ends of axes leave of a tile of an interleave: how many lanes of each register.
struct interleave_lanes {
    int valid, stored;

    interleave_lanes(const reorder_plan& plan, const open_rest& rest)
        : valid(plan.pattern.lanes()), stored(plan.pattern.lanes()) {
        for (int x = 0; x < plan.limits.size(); ++x) {
            const bool is_along = x == plan.pattern.limits[0];
            keep(valid, is_along, rest.valid[x], plan.bits[0].weight);
            keep(stored, is_along, rest.stored[x], plan.bits[0].weight);
        }
    }

private:
    static void keep(int& lanes, bool is_along, dim_t rest, dim_t weight) {
        if (rest <= 0) lanes = 0;
        else if (is_along && (lanes - 1) * weight >= rest) lanes = static_cast<int>(divide_up(rest, weight));
    }
};

/// How many pieces a register has at most on one side: of 8 bytes, or of 4 in a register of 16.
constexpr int most_pieces_of(int bytes, int register_bits) {
    return bytes == 64 && register_bits <= most_register_bits(network_kind::data, bytes, 8) ? 8 : 4;
}

/// The kernels of an instruction set whose networks are data.
struct data_kernels {
    /// By the bytes of a register and the number of registers, both as the power of two.
    const open_kernel* of[max_lane_bits + 1][max_register_bits + 1]{};
    /// By the bytes of a register, as the power of two, how many elements alternate, and whether they do in the source.
    const open_kernel* interleaves[max_lane_bits + 1][most_interleaved + 1][2]{};

    const open_kernel* find_interleave(const tile_pattern& pattern, int element_bytes) const {
        return interleaves[pattern.lane_bits + log2_of(element_bytes)][pattern.interleave]
                          [pattern.interleaves_source ? 1 : 0];
    }
};

}  // namespace plait::simd
