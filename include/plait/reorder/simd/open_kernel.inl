// The tiles of plans known only at run time: one kernel for each path of an element and pattern, which all plans with
// that pattern share. The loops around them are in run_open_plan.hpp. Read in the same way as tile.inl.

#include <plait/reorder/simd/open_places.inl>

/// Runs some tiles of a row, one behind the other.
template <class Tile, int... K>
[[gnu::always_inline]] inline void run_some(const tile_step& step, const std::byte*& src, std::byte*& dst,
                                            const Tile& run_tile, std::integer_sequence<int, K...>) {
    ((static_cast<void>(K), run_tile(src, dst), src += step.src, dst += step.dst), ...);
    // Nothing is done here, but GCC cannot see what the pointers are: it would compute where a row ends by products,
    // and keep where it begins in memory; the next row would wait for both.
    asm("" : "+r"(src), "+r"(dst));
}

/// Runs `Tile(src, dst)` for the tiles of a walk. `Unrolled`: small ones, some at a time.
///
/// One loop has the tile's numbers in registers. What is asked for at the ends of rows stays in memory, hence volatile:
/// rows of two tiles are common, and for them GCC would move all of it between registers.
///
/// Pre:     no loop of the walk is empty
template <bool Unrolled, class Tile>
[[gnu::always_inline]] inline void run_walk(const tile_walk& walk, const std::byte* src, std::byte* dst,
                                            const Tile& run_tile) {
    const tile_step step{walk.src_tile, walk.dst_tile};
    const dim_t one_more = walk.goes_back ? 1 : 0, in_row = walk.tiles + one_more;
    const volatile tile_step back{walk.back_src, walk.back_dst},
        to_row{walk.src_row - in_row * step.src + one_more * walk.back_src,
               walk.dst_row - in_row * step.dst + one_more * walk.back_dst},
        to_plane{walk.src_plane - walk.rows * walk.src_row, walk.dst_plane - walk.rows * walk.dst_row};
    const volatile dim_t tiles = walk.tiles, rows = walk.rows, goes_back = one_more;
    volatile dim_t rows_left = walk.rows, planes_left = walk.planes, back_left = one_more;
    dim_t left = walk.tiles;
    while (true) {
        if constexpr (Unrolled) {
            for (; left >= 4; left -= 4) run_some(step, src, dst, run_tile, indices<4>{});
            if ((left & 2) != 0) run_some(step, src, dst, run_tile, indices<2>{});
            if ((left & 1) != 0) run_some(step, src, dst, run_tile, indices<1>{});
        } else {
            do run_some(step, src, dst, run_tile, indices<1>{});
            while (--left > 0);
        }
        if (back_left != 0) {
            back_left = 0;
            left = 1;
            src -= back.src;
            dst -= back.dst;
            continue;
        }
        back_left = goes_back;
        left = tiles;
        src += to_row.src;
        dst += to_row.dst;
        const dim_t more_rows = rows_left - 1;
        rows_left = more_rows;
        if (more_rows > 0) continue;
        rows_left = rows;
        src += to_plane.src;
        dst += to_plane.dst;
        const dim_t more_planes = planes_left - 1;
        planes_left = more_planes;
        if (more_planes == 0) return;
    }
}

// Not lambdas: GCC makes those of a template without the instruction set of the region.
template <class Path, tile_pattern Pattern, bool Stream>
struct whole_tile {
    using open_tile = tile_moves<Path, Pattern>;
    const reorder_plan& plan;
    const open_tile_places<open_tile, false> at;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        open_tile::template move<false, Stream>(plan, at, src, dst, typename open_tile::every_register{});
    }
};
template <class Path, tile_pattern Pattern, bool Stream>
    requires(Pattern.interleave != 0)
struct whole_tile<Path, Pattern, Stream> {
    using open_tile = interleave_tile<Path, Pattern, 0>;
    const typename open_tile::places at;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        open_tile::template move<Stream>({}, at, src, dst, typename open_tile::every_register{});
    }
};
template <class Path, tile_pattern Pattern>
struct masked_tile {
    using open_tile = tile_moves<Path, Pattern>;
    const reorder_plan& plan;
    const open_tile_places<open_tile, false> at;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        constexpr int pieces = open_tile::count * (Pattern.pieces(true) + Pattern.pieces(false));
        if constexpr (this_isa == isa::avx512 && pieces <= 48) {
            open_tile::template move<true, false>(plan, at, src, dst, typename open_tile::every_register{});
        } else {
            // Pieces are mostly whole or not there at all. In loops: unrolled, the branches would be most of the code.
            constexpr int lanes = Pattern.lanes();
            typename open_tile::reg r[open_tile::count];
            for (int i = 0; i < open_tile::count; ++i)
                r[i] = open_tile::template load<lanes, true>(at, src, i * Pattern.pieces(true));
            open_tile::shuffle(r, indices<open_tile::network.steps.size()>{});
            for (int i = 0; i < open_tile::count; ++i)
                open_tile::template store<lanes, true, false>(at, dst, i * Pattern.pieces(false), r[i]);
        }
    }
};
template <class Path, tile_pattern Pattern>
struct part_of_interleave {
    using open_tile = interleave_tile<Path, Pattern, 0, access<Path, Pattern.lanes()>, open_rest>;
    const reorder_plan& plan;
    const typename open_tile::places at;
    const open_rest& rest;
    void operator()(const std::byte* src, std::byte* dst) const { open_tile::move_part(plan, at, src, dst, rest); }
};

template <class Path, tile_pattern Pattern, bool Stream>
void run_whole_tiles(const reorder_plan& plan, const open_places& at, const tile_walk& walk, const std::byte* src,
                     std::byte* dst) noexcept {
    using run = whole_tile<Path, Pattern, Stream>;
    if constexpr (Pattern.interleave != 0) run_walk<false>(walk, src, dst, run{typename run::open_tile::places(plan)});
    else run_walk<run::open_tile::count <= 4>(walk, src, dst, run{plan, {{at.src, nullptr}, {at.dst, nullptr}}});
}
template <class Path, tile_pattern Pattern>
void run_masked_tiles(const reorder_plan& plan, const open_places& at, const piece_lanes& lanes, const tile_walk& walk,
                      const std::byte* src, std::byte* dst) noexcept {
    run_walk<false>(walk, src, dst, masked_tile<Path, Pattern>{plan, {{at.src, lanes.loaded}, {at.dst, lanes.stored}}});
}
template <class Path, tile_pattern Pattern>
void run_parts_of_interleave(const reorder_plan& plan, const open_rest& rest, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept {
    using part = part_of_interleave<Path, Pattern>;
    run_walk<false>(walk, src, dst, part{plan, typename part::open_tile::places(plan), rest});
}

/// The bits of the tile that a piece's number counts.
template <class Tile, bool Source>
constexpr piece_bits piece_bits_of() {
    piece_bits out;
    for (int k = 0; 1 << k < Tile::count * Tile::pattern.pieces(Source); ++k)
        out.push_back(Tile::template bit_of<Source>(k));
    return out;
}

/// What a plan needs of the kernel of its pattern, stored in one way: less to compile than all of it.
template <class Path, tile_pattern Pattern, bool Stream>
constexpr open_kernel make_plain_kernel() {
    open_kernel out;
    out.whole = out.stream = run_whole_tiles<Path, Pattern, Stream>;
    out.finish_streams = finish_streams;
    if constexpr (Pattern.interleave != 0) {
        out.part = run_parts_of_interleave<Path, Pattern>;
    } else {
        using open_tile = tile_moves<Path, Pattern>;
        out.masked = run_masked_tiles<Path, Pattern>;
        out.src_bits = piece_bits_of<open_tile, true>();
        out.dst_bits = piece_bits_of<open_tile, false>();
    }
    return out;
}
template <class Path, tile_pattern Pattern, bool Stream>
inline constexpr open_kernel plain_kernel_for = make_plain_kernel<Path, Pattern, Stream>();

#include <plait/reorder/simd/data_kernels.inl>
