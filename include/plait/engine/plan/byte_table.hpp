#pragma once
// Where the bytes of an interleave come from: which elements of one register go to which of another.
//
// Example: RGB in bytes, 48 of them in three registers of 16. Red is bytes 0 3 6 9 12 15 of the first register, then
// 2 5 8 11 14 of the second, then 1 4 7 10 13 of the third.

#include <plait/engine/plan/internal_names.hpp>

#include <cstdint>

namespace plait::engine {

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
        const int source = deal ? run / lanes : run % count, source_lane = deal ? run % lanes : run / count;
        const bool is_taken = source == from;
        table.from[i] = static_cast<std::uint8_t>(is_taken ? source_lane * element_bytes + i % element_bytes : 0x80);
        table.any = table.any || is_taken;
    }
    return table;
}

}  // namespace plait::engine
