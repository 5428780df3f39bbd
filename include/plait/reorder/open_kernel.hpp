#pragma once
// Kernels that read their plan at run time: what one is, and where the pieces of its tile lie. simd/open_kernel.inl
// makes them, run_open_plan.hpp runs them.

#include <plait/reorder/network_vectors.hpp>
#include <plait/reorder/open_plan.hpp>
#include <plait/reorder/piece_masks.hpp>
#include <plait/reorder/stage.hpp>

#include <cstddef>
#include <cstdint>

namespace plait {

/// Where the pieces of one side of a tile lie, in bytes from its start.
struct open_side {
    dim_t fours[max_pieces / 4]{};  ///< pieces 0, 4, 8, ...
    dim_t beside[3]{};              ///< and how far behind each of them the next three

    constexpr open_side() = default;
    constexpr open_side(const reorder_plan& plan, const piece_bits& counted, bool source) {
        const auto step = [&](int k) {
            if (k >= counted.size()) return dim_t{0};
            const tile_bit& bit = plan.bits[counted[k]];
            return source ? bit.src * plan.sizes.src : bit.dst * plan.sizes.dst;
        };
        beside[0] = step(0);
        beside[1] = step(1);
        beside[2] = beside[0] + beside[1];
        for (int k = 2; k < counted.size(); ++k) {
            const int lower = 1 << (k - 2);
            for (int four = 0; four < lower; ++four) fours[four | lower] = fours[four] + step(k);
        }
    }
    constexpr dim_t place_of(int piece) const {
        return fours[piece / 4] + (piece % 4 == 0 ? 0 : beside[piece % 4 - 1]);
    }
    /// Those of so many pieces; 0 where a piece has no lanes.
    constexpr void places_of(const std::uint64_t* lanes, int pieces, dim_t* places) const {
        const auto place = [&](int piece, dim_t there) { places[piece] = lanes[piece] == 0 ? 0 : there; };
        for (int piece = 0; piece + 4 <= pieces; piece += 4) {
            const dim_t first = fours[piece / 4];
            place(piece, first);
            place(piece + 1, first + beside[0]);
            place(piece + 2, first + beside[1]);
            place(piece + 3, first + beside[2]);
        }
        for (int piece = 0; pieces < 4 && piece < pieces; ++piece) place(piece, place_of(piece));
    }
    constexpr bool operator==(const open_side&) const = default;
};

/// Both sides of a tile, and what a kernel whose network is data reads besides.
struct open_places {
    open_side src, dst;
    piece_bits src_bits, dst_bits;  ///< what the number of a piece counts
    network_vectors network;
    bool lanes_are_bytes = false;  ///< in masks; else a lane is an element
    constexpr bool operator==(const open_places&) const = default;

    /// How many lanes of a mask an element has, as the power of two.
    constexpr int lanes_of_element(const reorder_plan& plan) const {
        return lanes_are_bytes ? log2_of(plan.sizes.work) : 0;
    }
};

/// Where the pieces of a tile lie, and its network, for a kernel whose network is data.
constexpr void find_places(open_places& out, const reorder_plan& plan, isa which) {
    const int element_bits = log2_of(plan.sizes.work);
    const lane_network network = find_lane_network(plan.pattern, element_bits);
    fill_vectors(out.network, network, which);
    const int src_piece = plan.pattern.piece_bits(true), dst_piece = plan.pattern.piece_bits(false);
    for (int lane = src_piece; lane < plan.pattern.lane_bits; ++lane) out.src_bits.push_back(lane);
    for (int lane = dst_piece; lane < plan.pattern.lane_bits; ++lane)
        out.dst_bits.push_back(network.stored_lanes[lane + element_bits]);
    for (int k = 0; k < network.register_bits; ++k) {
        out.src_bits.push_back(network.loaded_registers[k]);
        out.dst_bits.push_back(network.stored_registers[k]);
    }
    out.network.src_pieces = static_cast<std::int8_t>(plan.pattern.lane_bits - src_piece);
    out.network.dst_pieces = static_cast<std::int8_t>(plan.pattern.lane_bits - dst_piece);
    out.lanes_are_bytes = true;
    out.src = {plan, out.src_bits, true};
    out.dst = {plan, out.dst_bits, false};
}

/// What is left of each limit, from the first index of a tile on.
struct open_rest {
    dim_t valid[max_limits], stored[max_limits];
    const std::byte* src_end;  ///< behind the source's last element

    open_rest() {}
    explicit open_rest(const reorder_plan& plan) : src_end(nullptr) {
        for (int x = 0; x < plan.limits.size(); ++x) {
            valid[x] = plan.limits[x].valid;
            stored[x] = plan.limits[x].stored;
        }
    }
    open_rest(const reorder_plan& plan, const std::byte* src) : open_rest(plan) {
        src_end = src + plan.src_end * plan.sizes.src;
    }
    /// How far all of a tile is within a limit; negative where it is not.
    dim_t spare(const reorder_plan& plan, int limit) const {
        return (valid[limit] < stored[limit] ? valid[limit] : stored[limit]) - plan.limits[limit].reach;
    }
    void move_on(int limit, dim_t indices_on) {
        if (limit < 0) return;
        valid[limit] -= indices_on;
        stored[limit] -= indices_on;
    }
};

/// A step on both sides, in bytes.
struct tile_step {
    dim_t src, dst;
};

/// Tiles along the last three loops of a plan: planes of rows of tiles. All steps are in bytes.
struct tile_walk {
    dim_t planes, rows, tiles;
    dim_t src_plane, dst_plane;
    dim_t src_row, dst_row;
    dim_t src_tile, dst_tile;
    bool goes_back;  ///< whether one tile more ends each row, so much further back than a step
    dim_t back_src, back_dst;
};

/// What a tile has of each piece where it passes the end of an axis.
struct piece_lanes {
    const std::uint64_t *loaded = nullptr, *stored = nullptr;    ///< lanes, as bits
    const dim_t *src_offsets = nullptr, *dst_offsets = nullptr;  ///< where it lies, in bytes; 0 where there is nothing
    bool loads_whole = true;     ///< whether pieces may be loaded as a whole, what is not there being anything
    bool loads_nothing = false;  ///< all of the tile is padding
};

/// The code for plans of one pattern and path of elements.
struct open_kernel {
    using whole_tiles = void(const reorder_plan& plan, const open_places& at, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept;
    using masked_tiles = void(const reorder_plan& plan, const open_places& at, const piece_lanes& lanes,
                              const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept;
    using parts_of_tiles = void(const reorder_plan& plan, const open_rest& rest, const tile_walk& walk,
                                const std::byte* src, std::byte* dst) noexcept;

    whole_tiles *whole = nullptr, *stream = nullptr;  ///< the latter past the cache
    masked_tiles* masked = nullptr;                   ///< these lanes of each tile; or
    parts_of_tiles* part = nullptr;                   ///< what limits leave, of an interleave
    void (*finish_streams)() = nullptr;
    piece_bits src_bits, dst_bits;
    bool is_data = false;            ///< whether its network is data: then the bits of pieces are found for each plan
    isa network_of = isa::portable;  ///< whose vectors it reads

    constexpr open_places places_of(const reorder_plan& plan) const {
        open_places out;
        if (is_data) {
            find_places(out, plan, network_of);
        } else {
            out.src_bits = src_bits;
            out.dst_bits = dst_bits;
            out.src = {plan, src_bits, true};
            out.dst = {plan, dst_bits, false};
        }
        return out;
    }
};

}  // namespace plait
