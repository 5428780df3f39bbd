// The walk of a kernel whose plan is data: up to three loops around its tile. The loops around walks are in
// run_time_loops.hpp.
// Included by table_kernels.inl, in the namespace of each instruction set.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places: a walk of 196 tiles, 64
//          bytes apart in the source and 1024 in the destination, in one row; the next walk has the tiles at channel
//          16.
//
// Tiles are classes, not lambdas, because GCC compiles the lambdas of a template without the instruction set of the
// region.

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
