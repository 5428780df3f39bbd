#pragma once
// The byte shuffles of an interleave: which elements of one register go to which register.
//
// Example: RGB in bytes, 48 of them in three registers of 16. Red is bytes 0 3 6 9 12 15 of the first register, then
// 2 5 8 11 14 of the second, then 1 4 7 10 13 of the third.

#include <plait/engine/plan/internal_names.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The source of each of the 16 bytes of a register: its index in another register, or 0x80 if it comes from elsewhere.
struct alignas(16) byte_table {
    std::uint8_t from[16];
    bool any;
};

/// Returns the bytes that register `to` takes from register `from`, in each 128-bit part. With `deal`, the consecutive
/// elements of `count` registers are dealt out to `count` registers in turn; otherwise they are collected from them.
constexpr byte_table make_byte_table(int count, int element_bytes, int to, int from, bool deal) {
    byte_table table{{}, false};
    const int lanes = 16 / element_bytes;
    for (int i = 0; i < 16; ++i) {
        const int lane = i / element_bytes;
        // When dealing, lane l of register r is element l * count + r of the run; when collecting, it is the inverse.
        const int run = deal ? lane * count + to : to * lanes + lane;
        const int source = deal ? run / lanes : run % count, source_lane = deal ? run % lanes : run / count;
        const bool is_taken = source == from;
        table.from[i] = static_cast<std::uint8_t>(is_taken ? source_lane * element_bytes + i % element_bytes : 0x80);
        table.any = table.any || is_taken;
    }
    return table;
}

/// The byte shuffles of an interleave of an odd count. In each 128-bit part, the elements that go to one register are
/// in different places of the registers that they come from. So they are first selected from these registers, place by
/// place, and then put in order, which is one shuffle for a register instead of `Count`. Collecting is the inverse.
///
/// Example: RGB in bytes: red is in places 0 3 6 9 12 15 of the first register, 2 5 8 11 14 of the second, 1 4 7 10 13
/// of the third.
template <int Count>
    requires(Count % 2 != 0)
struct alignas(16) blend_tables {
    static constexpr auto count = static_cast<std::size_t>(Count);
    std::uint8_t selected[count][count][16];  ///< [part of the run][channel]: 0xff in the places of the channel
    std::uint8_t order[count][16];  ///< [channel]: from places to lanes when dealing, from lanes to places otherwise

    constexpr blend_tables(int element_bytes, bool deal) : selected{}, order{} {
        const int lanes = 16 / element_bytes;
        for (int part = 0; part < Count; ++part)
            for (int i = 0; i < 16; ++i) {
                const int run = part * lanes + i / element_bytes, byte = i % element_bytes;
                const int channel = run % Count, lane = run / Count * element_bytes + byte;
                selected[part][channel][i] = 0xff;
                order[channel][deal ? lane : i] = static_cast<std::uint8_t>(deal ? i : lane);
            }
    }
};

}  // namespace plait::engine
