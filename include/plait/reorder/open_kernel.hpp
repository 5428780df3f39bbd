#pragma once
// Kernels that read their plan at run time: what one is, and where the pieces of its tile lie. simd/open_kernel.inl
// makes them, run_open_plan.hpp runs them.

#include <plait/reorder/open_plan.hpp>

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

/// One side of a tile: where its pieces lie, and what limits leave of them.
class open_side {
public:
    dim_t fours[max_pieces / 4];  ///< where pieces 0, 4, 8, ... lie, in bytes from the start of the tile
    dim_t beside[3];              ///< and how far behind each of them the next three
    int pieces;

    open_side(const reorder_plan& plan, const piece_bits& counted, bool source)
        : pieces(1 << counted.size()), counted_(counted.size()) {
        const int lane_bits = plan.pattern.piece_bits(source), bytes = source ? plan.sizes.src : plan.sizes.dst;
        all_lanes_ = ~std::uint64_t{0} >> (64 - (1 << lane_bits));
        dim_t step[max_piece_bits]{};
        piece_bytes_ = dim_t{bytes} << lane_bits;
        for (int k = 0; k < counted_; ++k) {
            const tile_bit& bit = plan.bits[counted[k]];
            step[k] = (source ? bit.src : bit.dst) * bytes;
        }
        beside[0] = step[0];
        beside[1] = step[1];
        beside[2] = step[0] + step[1];
        fours[0] = 0;
        for (int k = 0; k + 2 < counted_; ++k)
            for (int four = 0; four < 1 << k; ++four) fours[four | 1 << k] = fours[four] + step[k + 2];
        for (int x = 0; x < plan.limits.size(); ++x) watch(x, plan, counted, source);
    }
    dim_t place_of(int piece) const { return fours[piece / 4] + (piece % 4 == 0 ? 0 : beside[piece % 4 - 1]); }
    bool has_lanes_along(int limit) const { return along_[limit].span.bits > 0; }
    void set_all(std::uint64_t* kept) const {
        for (int piece = 0; piece < pieces; ++piece) kept[piece] = all_lanes_;
    }
    /// How far the pieces reach of which anything is kept, in bytes from the start of the tile.
    dim_t end_of(const std::uint64_t* kept) const {
        dim_t end = 0;
        for (int piece = 0; piece < pieces; ++piece)
            if (const dim_t at = place_of(piece) + piece_bytes_; kept[piece] != 0 && at > end) end = at;
        return end;
    }
    /// Keeps the lanes of each piece that a limit leaves, `rest` behind the first index of the tile. Whether each piece
    /// is whole then, or not there at all, if it was before.
    bool keep_below(std::uint64_t* kept, int limit, dim_t rest) const {
        const axis_of_tile& along = along_[limit];
        if (along.span.bits == 0) {
            keep_pieces_below(kept, limit, rest);
            return true;
        }
        bool whole = true;
        for_each_mask(
            along, rest,
            [&](dim_t left) {
                const std::uint64_t lanes =
                    all_lanes_ & lanes_below(along.span.first, along.span.bits, left, along.lane_weight);
                whole = whole && (lanes == 0 || lanes == all_lanes_);
                return lanes;
            },
            kept);
        return whole;
    }
    /// Keeps all of each piece of which a limit leaves anything.
    void keep_pieces_below(std::uint64_t* kept, int limit, dim_t rest) const {
        for_each_mask(
            along_[limit], rest, [](dim_t left) { return left > 0 ? ~std::uint64_t{0} : 0; }, kept);
    }

private:
    // Without initializers: most plans have no limits.
    struct axis_of_tile {
        dim_t weight[max_piece_bits];  ///< what each bit of a piece's number adds to the index
        dim_t lane_weight;
        lane_span span;
        bool by_piece;
        axis_of_tile() {}
    };
    axis_of_tile along_[max_limits];
    std::uint64_t all_lanes_;
    dim_t piece_bytes_;
    int counted_;

    void watch(int x, const reorder_plan& plan, const piece_bits& counted, bool source) {
        axis_of_tile& along = along_[x];
        along.by_piece = false;
        for (int k = 0; k < counted_; ++k) {
            const bool counts = plan.pattern.limits[counted[k]] == x;
            along.weight[k] = counts ? plan.bits[counted[k]].weight : 0;
            along.by_piece = along.by_piece || counts;
        }
        along.span = {};
        along.lane_weight = 1;
        for (int lane = 0; lane < plan.pattern.piece_bits(source); ++lane) {
            const int bit = source ? lane : plan.pattern.dst_lanes[lane];
            if (plan.pattern.limits[bit] != x || along.span.bits++ != 0) continue;
            along.span.first = lane;
            along.lane_weight = plan.bits[bit].weight;
        }
    }
    /// Keeps lanes_of(what is left behind the first lane of a piece) of each piece.
    template <class LanesOf>
    void for_each_mask(const axis_of_tile& along, dim_t rest, const LanesOf& lanes_of, std::uint64_t* kept) const {
        if (!along.by_piece) {
            const std::uint64_t lanes = lanes_of(rest);
            if (lanes == all_lanes_) return;
            for (int piece = 0; piece < pieces; ++piece) kept[piece] &= lanes;
            return;
        }
        dim_t left[max_pieces];
        left[0] = rest;
        kept[0] &= lanes_of(rest);
        for (int piece = 1; piece < pieces; ++piece) {
            left[piece] = left[piece & (piece - 1)] - along.weight[std::countr_zero(static_cast<unsigned>(piece))];
            kept[piece] &= lanes_of(left[piece]);
        }
    }
};

/// Both sides of a tile.
struct open_places {
    open_side src, dst;
};

/// What is left of each limit, from the first index of a tile on.
struct open_rest {
    dim_t valid[max_limits], stored[max_limits];
    const std::byte* src_end;  ///< behind the source's last element

    open_rest() {}
    open_rest(const reorder_plan& plan, const std::byte* src) : src_end(src + plan.src_end * plan.sizes.src) {
        for (int x = 0; x < plan.limits.size(); ++x) {
            valid[x] = plan.limits[x].valid;
            stored[x] = plan.limits[x].stored;
        }
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

/// A limit that every tile of a plan passes in the same way, as no loop goes along it: 9 of 16 places of 3 by 3
/// weights.
struct settled_axis {
    dim_t valid = 0, stored = 0;
    inline_list<dim_t, max_tile_bits> weights;  ///< what each bit of the tile adds to the index along it

    constexpr bool exists() const { return !weights.empty(); }
    constexpr bool operator==(const settled_axis&) const = default;
};

/// That of a plan in open form; none where there is none, or more than one.
constexpr settled_axis find_settled_axis(const reorder_plan& plan) {
    settled_axis out;
    for (int x = 0; x < plan.limits.size(); ++x) {
        bool settled = true;
        for (const plan_loop& loop : plan.loops) settled = settled && loop.limit != x;
        if (!settled) continue;
        if (out.exists()) return {};
        out.valid = plan.limits[x].valid;
        out.stored = plan.limits[x].stored;
        for (int bit = 0; bit < plan.bits.size(); ++bit)
            out.weights.push_back(plan.pattern.limits[bit] == x ? plan.bits[bit].weight : 0);
    }
    return out;
}

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

/// The code for plans of one pattern and path of elements.
struct open_kernel {
    using whole_tiles = void(const reorder_plan& plan, const open_places& at, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept;
    using masked_tiles = void(const reorder_plan& plan, const open_places& at, const std::uint64_t* loaded,
                              const std::uint64_t* stored, const tile_walk& walk, const std::byte* src,
                              std::byte* dst) noexcept;
    using parts_of_tiles = void(const reorder_plan& plan, const open_rest& rest, const tile_walk& walk,
                                const std::byte* src, std::byte* dst) noexcept;

    whole_tiles *whole = nullptr, *stream = nullptr;  ///< the latter past the cache
    masked_tiles* masked = nullptr;                   ///< these lanes of each tile; or
    masked_tiles* skipping = nullptr;                 ///< the same where each piece is there or not; or
    masked_tiles* settled = nullptr;  ///< the same where `axis` is all that limits leave of them, alike in all; or
    const std::uint64_t* settled_lanes = nullptr;  ///< what that loads of each piece
    parts_of_tiles* part = nullptr;                ///< what limits leave, of an interleave
    void (*finish_streams)() = nullptr;
    int steps = 0;  ///< what its network takes a register, in half cycles
    piece_bits src_bits, dst_bits;
    settled_axis axis;
};

}  // namespace plait
