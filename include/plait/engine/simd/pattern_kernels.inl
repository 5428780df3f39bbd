// The tiles of plans known only at run time. One kernel for each element type and pattern serves all plans with that
// pattern. The loops around the tiles are in run_time_loops.hpp.
// Included by table_kernels.inl, in the namespace of each instruction set.
// Requires what kernel.inl requires before it.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places: a walk of 196 tiles, 64
//          bytes apart in the source and 1024 in the destination, in one row; the next walk has the tiles at channel
//          16.

#include <plait/engine/simd/kernel.inl>

// The addresses of a tile's segments, for plans known only at run time, and the lanes that each tile has of them.

/// One side of a run-time tile: the addresses of its segments, and the lanes of each. The addresses must be taken in
/// rising order, each once.
///
/// Four segments share a base, so only one offset is read for four, and three more stay in registers. Keeping all
/// offsets in registers fails: GCC moves those without a register through vectors, and the shuffles wait for them.
/// Hence volatile.
template <class Byte, int Pieces>
class segment_addresses {
public:
    static constexpr bool has_lanes = Pieces <= 4;  ///< true if lanes are stored here, else in memory
    std::conditional_t<has_lanes, std::uint64_t[static_cast<std::size_t>(Pieces)], const std::uint64_t*> lanes;

    [[gnu::always_inline]] inline segment_addresses(const side_offsets& side, const std::uint64_t* of_segment)
        : fours_(side.fours), beside_{side.beside[0], side.beside[1], side.beside[2]} {
        if constexpr (!has_lanes) lanes = of_segment;
        else
            for (int k = 0; k < Pieces; ++k) lanes[k] = of_segment != nullptr ? of_segment[k] : 0;
    }
    [[gnu::always_inline]] inline Byte* address(Byte* start, int segment) const {
        if (segment == 0) return base_ = start;
        if (segment % 4 == 0) return base_ = start + fours_[segment / 4];
        return base_ + beside_[segment % 4 - 1];
    }
    /// Returns the address of any segment, in any order.
    [[gnu::always_inline]] inline Byte* address_of_any(Byte* start, int segment) const {
        return start + fours_[segment / 4] + (segment % 4 == 0 ? 0 : beside_[segment % 4 - 1]);
    }

private:
    const volatile dim_t* fours_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// The offsets and lanes that tile::move reads. If bounds clip the tile: with `Skips`, each segment is whole or absent;
/// without it, every access is masked.
template <class Tile, bool Skips>
struct tile_addresses {
    static constexpr bool every_access_is_masked = this_isa == isa::avx512 && !Skips;
    static constexpr bool segments_are_whole = Skips;
    segment_addresses<const std::byte, Tile::count * Tile::pattern.segments(side::source)> src;
    segment_addresses<std::byte, Tile::count * Tile::pattern.segments(side::destination)> dst;
};

/// Runs some consecutive tiles of a row.
template <class Tile, int... K>
[[gnu::always_inline]] inline void run_tiles(const tile_step& step, const std::byte*& src, std::byte*& dst,
                                             const Tile& run_tile, std::integer_sequence<int, K...>) {
    ((static_cast<void>(K), run_tile(src, dst), src += step.src, dst += step.dst), ...);
    // No instruction, but it hides the pointers from GCC. Otherwise GCC computes the end of a row by products, keeps
    // its beginning in memory, and the next row waits for both.
    asm("" : "+r"(src), "+r"(dst));
}

/// Calls `Tile(src, dst)` for the tiles of a walk. `Unrolled`: for small tiles, several at a time.
///
/// A single loop keeps the tile's numbers in registers. What is needed only at the ends of rows stays in memory, hence
/// volatile: rows of two tiles are common, and GCC would move all of it between registers for them.
///
/// Pre:     no loop of the walk is empty
template <bool Unrolled, class Tile>
[[gnu::always_inline]] inline void run_walk(const tile_walk& walk, const std::byte* src, std::byte* dst,
                                            const Tile& run_tile) {
    const tile_step step{walk.src_tile, walk.dst_tile};
    const dim_t one_more = walk.has_overlap ? 1 : 0, in_row = walk.tiles + one_more;
    const volatile tile_step overlap{walk.overlap_src, walk.overlap_dst},
        to_row{walk.src_row - in_row * step.src + one_more * walk.overlap_src,
               walk.dst_row - in_row * step.dst + one_more * walk.overlap_dst},
        to_plane{walk.src_plane - walk.rows * walk.src_row, walk.dst_plane - walk.rows * walk.dst_row};
    const volatile dim_t tiles = walk.tiles, rows = walk.rows, has_overlap = one_more;
    volatile dim_t rows_remaining = walk.rows, planes_remaining = walk.planes, overlap_remaining = one_more;
    dim_t remaining = walk.tiles;
    while (true) {
        if constexpr (Unrolled) {
            for (; remaining >= 4; remaining -= 4) run_tiles(step, src, dst, run_tile, indices<4>{});
            if ((remaining & 2) != 0) run_tiles(step, src, dst, run_tile, indices<2>{});
            if ((remaining & 1) != 0) run_tiles(step, src, dst, run_tile, indices<1>{});
        } else {
            do run_tiles(step, src, dst, run_tile, indices<1>{});
            while (--remaining > 0);
        }
        if (overlap_remaining != 0) {
            overlap_remaining = 0;
            remaining = 1;
            src -= overlap.src;
            dst -= overlap.dst;
            continue;
        }
        overlap_remaining = has_overlap;
        remaining = tiles;
        src += to_row.src;
        dst += to_row.dst;
        const dim_t more_rows = rows_remaining - 1;
        rows_remaining = more_rows;
        if (more_rows > 0) continue;
        rows_remaining = rows;
        src += to_plane.src;
        dst += to_plane.dst;
        const dim_t more_planes = planes_remaining - 1;
        planes_remaining = more_planes;
        if (more_planes == 0) return;
    }
}

// Not lambdas, because GCC compiles the lambdas of a template without the instruction set of the region.
template <class Types, tile_pattern Pattern, bool Stream>
struct whole_tile {
    using run_time_tile = tile_moves<Types, Pattern>;
    const reorder_plan& plan;
    const tile_addresses<run_time_tile, false> offsets;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        run_time_tile::template move<false, Stream>(plan, {}, offsets, src, dst,
                                                    typename run_time_tile::every_register{});
    }
};
template <class Types, tile_pattern Pattern, bool Stream>
    requires(Pattern.interleave != 0)
struct whole_tile<Types, Pattern, Stream> {
    using run_time_tile = interleave_tile<Types, Pattern, 0>;
    const typename run_time_tile::offset_table offsets;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        run_time_tile::template move<Stream>({}, offsets, src, dst, typename run_time_tile::every_register{});
    }
};
template <class Types, tile_pattern Pattern>
struct masked_tile {
    using run_time_tile = tile_moves<Types, Pattern>;
    const reorder_plan& plan;
    const tile_addresses<run_time_tile, false> offsets;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        constexpr int segments =
            run_time_tile::count * (Pattern.segments(side::source) + Pattern.segments(side::destination));
        if constexpr (this_isa == isa::avx512 && segments <= 48) {
            run_time_tile::template move<true, false>(plan, {}, offsets, src, dst,
                                                      typename run_time_tile::every_register{});
        } else {
            // Segments are mostly whole or absent. Loops are used because unrolled branches would be most of the code.
            constexpr int lanes = Pattern.lanes();
            constexpr typename run_time_tile::elements elements;
            typename run_time_tile::reg r[run_time_tile::count];
            for (int i = 0; i < run_time_tile::count; ++i)
                r[i] = run_time_tile::template load<lanes, true>(elements, offsets, src,
                                                                 i * Pattern.segments(side::source));
            run_time_tile::shuffle(r, indices<run_time_tile::network.steps.size()>{});
            for (int i = 0; i < run_time_tile::count; ++i)
                run_time_tile::template store<lanes, true, false>(elements, offsets, dst,
                                                                  i * Pattern.segments(side::destination), r[i]);
        }
    }
};
template <class Types, tile_pattern Pattern>
struct interleave_edge {
    using run_time_tile = interleave_tile<Types, Pattern, 0>;
    const reorder_plan& plan;
    const typename run_time_tile::offset_table offsets;
    const remaining_extents<>& remaining;
    void operator()(const std::byte* src, std::byte* dst) const {
        run_time_tile::move_edge(plan, {}, offsets, src, dst, remaining);
    }
};

template <class Types, tile_pattern Pattern, bool Stream>
void run_whole_tiles(const reorder_plan& plan, const run_time_offsets& offsets, const tile_walk& walk,
                     const std::byte* src, std::byte* dst) noexcept {
    using run = whole_tile<Types, Pattern, Stream>;
    if constexpr (Pattern.interleave != 0)
        run_walk<false>(walk, src, dst, run{typename run::run_time_tile::offset_table(plan)});
    else
        run_walk<run::run_time_tile::count <= 4>(walk, src, dst,
                                                 run{plan, {{offsets.src, nullptr}, {offsets.dst, nullptr}}});
}
template <class Types, tile_pattern Pattern>
void run_masked_tiles(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                      const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    run_walk<false>(walk, src, dst,
                    masked_tile<Types, Pattern>{plan, {{offsets.src, lanes.loaded}, {offsets.dst, lanes.stored}}});
}
template <class Types, tile_pattern Pattern>
void run_interleave_edges(const reorder_plan& plan, const remaining_extents<>& remaining, const tile_walk& walk,
                          const std::byte* src, std::byte* dst) noexcept {
    using edge = interleave_edge<Types, Pattern>;
    run_walk<false>(walk, src, dst, edge{plan, typename edge::run_time_tile::offset_table(plan), remaining});
}

/// The bits of the tile that a segment's number stands for.
template <class Tile, side Side>
constexpr segment_bits segment_bits_of() {
    segment_bits out;
    for (int k = 0; 1 << k < Tile::count * Tile::pattern.segments(Side); ++k)
        out.push_back(Tile::template bit_of<Side>(k));
    return out;
}

/// The functions that a plan needs of the kernel of its pattern, for one kind of store. This compiles less than the
/// whole kernel.
template <class Types, tile_pattern Pattern, bool Stream>
constexpr run_time_kernel make_plain_kernel() {
    run_time_kernel out;
    out.whole = out.stream = run_whole_tiles<Types, Pattern, Stream>;
    out.finish_streams = finish_streams;
    if constexpr (Pattern.interleave != 0) {
        out.edge = run_interleave_edges<Types, Pattern>;
    } else {
        using run_time_tile = tile_moves<Types, Pattern>;
        out.masked = run_masked_tiles<Types, Pattern>;
        out.src_bits = segment_bits_of<run_time_tile, side::source>();
        out.dst_bits = segment_bits_of<run_time_tile, side::destination>();
    }
    return out;
}
template <class Types, tile_pattern Pattern, bool Stream>
inline constexpr run_time_kernel plain_kernel_for = make_plain_kernel<Types, Pattern, Stream>();
