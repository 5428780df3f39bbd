// The walk of a kernel whose plan is data: up to three loops around its tile. The loops around walks are in
// run_time_loops.hpp.
// Included by table_kernels.inl, in the namespace of each instruction set, and by element_kernel.hpp.
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
[[gnu::always_inline]] inline void run_walk(const kernel_walk& walk, const std::byte* src, std::byte* dst,
                                            const Tile& run_tile) {
    const tile_step step = walk.step;
    const volatile kernel_walk* const volatile at = &walk;  // volatile itself, to need no register
    volatile dim_t rows_remaining = walk.rows, planes_remaining = walk.planes;
    volatile bool overlap_remaining = walk.has_overlap;
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
        if (overlap_remaining) {
            overlap_remaining = false;
            remaining = 1;
            const volatile kernel_walk& ends = *at;
            src -= ends.overlap.src;
            dst -= ends.overlap.dst;
            continue;
        }
        const volatile kernel_walk& ends = *at;
        const dim_t more_rows = rows_remaining - 1;
        if (more_rows > 0) {
            rows_remaining = more_rows;
            src += ends.to_row.src;
            dst += ends.to_row.dst;
        } else {
            const dim_t more_planes = planes_remaining - 1;
            if (more_planes == 0) return;
            planes_remaining = more_planes;
            rows_remaining = ends.rows;
            src += ends.to_plane.src;
            dst += ends.to_plane.dst;
        }
        overlap_remaining = ends.has_overlap;
        remaining = ends.tiles;
    }
}
