#pragma once
// Tiles whose plan is a constant, as code that can be run with any plan of the pattern. One network of each shape is
// compiled. All networks are decided step by step, because each is a sequence of the same few shuffles.

#include "listed_tiles.hpp"

#include <plait/engine/plan/network.hpp>
#include <plait/engine/plan/tile_ends.hpp>

#include <array>
#include <span>

namespace listed_tiles {

/// The number of bounds of all tiles that are compiled.
inline constexpr int static_bounds = 2;

/// Moves the tile at the given addresses. `streams`: past the cache.
using static_move = void(const reorder_plan& plan, const remaining_extents<>& remaining, bool streams,
                         const std::byte* src, std::byte* dst);

/// A compiled tile.
struct static_tile {
    tile_shape shape;
    tile_pattern pattern;
    static_move* move = nullptr;
};
/// A compiled interleave.
struct static_interleave {
    int element_bytes = 0, lane_bits = 0, count = 0;
    bool deals = false;
    static_move* move = nullptr;
};
/// A pair of shuffles, run on two registers in memory.
struct static_shuffle {
    int element_bytes = 0, lane_bits = 0;
    shuffle_rule rule;
    void (*run)(std::byte* low, std::byte* high) = nullptr;
};
/// The tiles that are compiled for one instruction set and one size of elements.
struct static_code {
    std::span<const static_tile> tiles;
    std::span<const static_interleave> interleaves;
    std::span<const static_shuffle> shuffles;
};

/// Returns the pattern of a shape that is compiled: one that brings registers into lanes, if there is a network for it,
/// otherwise the one that shuffles nothing.
///
/// Bits that are lanes of a segment of the source count along bound 0, the others along bound 1.
constexpr tile_pattern compiled_pattern(isa instructions, const tile_shape& s) {
    for (const int way : {0, 1, 2}) {
        tile_pattern out = pattern_of(s);
        for (int bit = 0; bit < s.tile_bits(); ++bit) out.bounds[bit] = bit < s.src_bits ? 0 : 1;
        for (int lane = 0; lane < s.dst_bits; ++lane) {
            const int from_top = s.tile_bits() - s.dst_bits + lane,
                      registers_first = lane < s.register_bits ? s.lane_bits + lane : lane - s.register_bits;
            out.dst_lanes.push_back(way == 0 ? from_top : way == 1 ? registers_first : lane);
        }
        if (way == 2 || find_network(out, rules_of(instructions, s.element_bytes, s.lane_bits))) return out;
    }
    return {};
}

/// The patterns that are compiled of one size of elements.
template <isa Isa, int ElementBytes>
struct compiled_patterns {
    struct entry {
        tile_shape shape;
        tile_pattern pattern;
    };
    static constexpr int count = [] {
        int out = 0;
        for_each_shape(network_kind::constant, Isa, ElementBytes, [&](const tile_shape&) { ++out; });
        return out;
    }();
    static constexpr std::array<entry, static_cast<std::size_t>(count)> all = [] {
        std::array<entry, static_cast<std::size_t>(count)> out{};
        std::size_t k = 0;
        for_each_shape(network_kind::constant, Isa, ElementBytes, [&](const tile_shape& s) {
            out[k++] = {s, compiled_pattern(Isa, s)};
        });
        return out;
    }();
};

/// True if static tiles of an instruction set are compiled: those of portable code only where there is nothing else,
/// because no plan has them elsewhere.
constexpr bool has_static_tiles(isa instructions) {
    return instructions != isa::portable ||
           (!is_of_this_architecture(isa::sse41) && !is_of_this_architecture(isa::neon));
}

/// Returns the code of one instruction set and one size of elements: 1, 2, 4 or 8 bytes.
template <isa Isa, int ElementBytes>
const static_code& compiled_static_code();

}  // namespace listed_tiles
