#pragma once
// Kernels that read their plan at run time: what one is, and where the pieces of its tile lie. simd/open_kernel.inl
// makes them, run_open_plan.hpp runs them.

#include <plait/reorder/network_vectors.hpp>
#include <plait/reorder/open_plan.hpp>
#include <plait/reorder/stage.hpp>

#include <bit>  // std::countr_zero
#include <cstddef>
#include <cstdint>

namespace plait {

inline constexpr int max_piece_bits = max_register_bits + 3;  // a piece has 8 bytes at least, a register 64 at most
inline constexpr int max_pieces = 1 << max_piece_bits;

/// The lanes whose index along one watched axis lies below `rest`, as bits: of those that lane bits [first, first +
/// bits) count; `weight` is what the first of them adds.
[[gnu::always_inline]] constexpr std::uint64_t lanes_below(int first, int bits, dim_t rest, dim_t weight) {
    // A one at every 2^n-th bit.
    constexpr std::uint64_t every[] = {
        ~0ull, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1};
    const dim_t steps = weight == 1 ? rest : (rest + weight - 1) / weight;
    if (rest <= 0) return 0;
    if (steps >= dim_t{1} << bits) return ~std::uint64_t{0};
    // The first `steps` of every 2^(first + bits) lanes, each counting 2^first of them.
    return ((std::uint64_t{1} << (steps << first)) - 1) * every[first + bits];
}

/// The bits of the tile that the bits of a piece's number count on one side.
using piece_bits = inline_list<int, max_piece_bits>;

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

/// The lanes of a piece, as bits.
constexpr std::uint64_t all_lanes_of(int lane_bits) { return ~std::uint64_t{0} >> (64 - (1 << lane_bits)); }

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

/// What a limit leaves of the pieces of one side.
class limited_side {
public:
    limited_side(const reorder_plan& plan, const open_places& at, bool source, int limit)
        : pieces_(1 << (source ? at.src_bits : at.dst_bits).size()),
          all_lanes_(all_lanes_of(plan.pattern.piece_bits(source) + at.lanes_of_element(plan))) {
        const piece_bits& counted = source ? at.src_bits : at.dst_bits;
        for (int k = 0; k < counted.size(); ++k) {
            const bool counts = plan.pattern.limits[counted[k]] == limit;
            weight_[k] = counts ? plan.bits[counted[k]].weight : 0;
            by_piece_ = by_piece_ || counts;
        }
        for (int lane = 0; lane < plan.pattern.piece_bits(source); ++lane) {
            const int bit = source ? lane : plan.pattern.dst_lanes[lane];
            if (plan.pattern.limits[bit] != limit || span_.bits++ != 0) continue;
            span_.first = lane;
            lane_weight_ = plan.bits[bit].weight;
        }
        span_.first += at.lanes_of_element(plan);
    }
    bool has_lanes() const { return span_.bits > 0; }

    /// Keeps the lanes of each piece that the limit leaves, `rest` behind the first index of the tile.
    void keep_below(std::uint64_t* kept, dim_t rest) const {
        if (!has_lanes()) return keep_pieces_below(kept, rest);
        for_each_piece(kept, rest, [&](dim_t left) {
            return all_lanes_ & lanes_below(span_.first, span_.bits, left, lane_weight_);
        });
    }
    /// Keeps all of each piece of which the limit leaves anything.
    void keep_pieces_below(std::uint64_t* kept, dim_t rest) const {
        for_each_piece(kept, rest, [&](dim_t left) { return left > 0 ? all_lanes_ : 0; });
    }

private:
    int pieces_;
    std::uint64_t all_lanes_;
    dim_t weight_[max_piece_bits];  ///< what each bit of a piece's number adds to the index along the axis
    bool by_piece_ = false;         ///< whether any does
    lane_span span_;                ///< the lanes that count along it
    dim_t lane_weight_ = 1;

    /// Keeps lanes_of(what is left behind the first lane of a piece) of each piece.
    template <class LanesOf>
    void for_each_piece(std::uint64_t* kept, dim_t rest, const LanesOf& lanes_of) const {
        const std::uint64_t first = lanes_of(rest);
        if (!by_piece_) {
            for (int piece = 0; first != all_lanes_ && piece < pieces_; ++piece) kept[piece] &= first;
            return;
        }
        dim_t left[max_pieces];
        left[0] = rest;
        kept[0] &= first;
        for (int piece = 1; piece < pieces_; ++piece) {
            left[piece] = left[piece & (piece - 1)] - weight_[std::countr_zero(static_cast<unsigned>(piece))];
            kept[piece] &= lanes_of(left[piece]);
        }
    }
};

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
