// The offsets of a tile's segments, and the lanes that each tile has of them.
// Included by tile_moves.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. Segment 5 of the source is
//          16 places of channel 5, at 5 * 3136 elements, or 62720 bytes, from the start of the tile. At channel 16, one
//          channel remains: segment 0 has all its lanes, and segments 1 to 15 have none. These are constants, so the 15
//          loads are left out.

/// The properties of each segment on one side: its offset in bytes, the index of its first lane along each bounded
/// axis, and the lanes that a whole tile has. They are constants for a static plan.
template <class Tile, side Side>
struct segment_offsets {
    static constexpr int segments = Tile::count * Tile::pattern.segments(Side);
    dim_t offset[segments]{};
    dim_t index[Tile::bound_count > 0 ? Tile::bound_count : 1][segments]{};
    std::uint64_t lanes[segments]{};

    /// Returns the address of a segment of the tile at `start`.
    template <class Byte>
    [[gnu::always_inline]] constexpr Byte* address(Byte* start, int segment) const {
        return start + offset[segment];
    }
    template <class Byte>
    [[gnu::always_inline]] constexpr Byte* address_of_any(Byte* start, int segment) const {
        return start + offset[segment];
    }
    constexpr explicit segment_offsets(const reorder_plan& plan) {
        for (int segment = 0; segment < segments; ++segment) {
            lanes[segment] = Tile::template all_lanes<Side>;
            for (int k = 0; 1 << k < segments; ++k) {
                if ((segment >> k & 1) == 0) continue;
                const int bit = Tile::template bit_of<Side>(k), bound = Tile::pattern.bounds[bit];
                offset[segment] +=
                    Side == side::source ? plan.bits[bit].src * plan.sizes.src : plan.bits[bit].dst * plan.sizes.dst;
                if (bound >= 0) index[bound][segment] += plan.bits[bit].index_step;
            }
        }
    }
};

template <class Tile>
struct tile_offsets {
    static constexpr bool every_access_is_masked = false, segments_are_whole = false;
    segment_offsets<Tile, side::source> src;
    segment_offsets<Tile, side::destination> dst;
    /// The lanes of each segment that are zeroed before a whole tile stores its elements, if it has padding and the
    /// elements do not keep zero.
    std::uint64_t padding[segment_offsets<Tile, side::destination>::segments]{};
    bool invariant[Tile::bound_count > 0 ? Tile::bound_count : 1]{};  ///< bounds that every tile passes in the same way
    dim_t read_bytes = 0;  ///< how far a whole tile reads; 0: only its elements
    dim_t ahead = 0;       ///< how far ahead it prefetches the lines that it will write, in bytes; 0: no prefetch

    constexpr explicit tile_offsets(const reorder_plan& plan)
        : src(plan), dst(plan), ahead(destination_ahead(plan) * plan.sizes.dst) {}
};

/// Fixes bound X at `valid` and `stored` remaining indices: segments beyond them are left out of the code. Lanes beyond
/// them may be read if memory allows, because nothing stores them.
template <class Tile, int X>
constexpr void fix_bound(const reorder_plan& plan, tile_offsets<Tile>& out, dim_t valid, dim_t stored) {
    const bool read_beyond = valid == stored && lanes_along(Tile::pattern, X, side::source).bits > 0;
    out.invariant[X] = true;
    for (int segment = 0; segment < out.src.segments; ++segment) {
        const std::uint64_t lanes = Tile::template below<side::source, X>(plan, valid - out.src.index[X][segment]);
        out.src.lanes[segment] &= lanes != 0 && read_beyond ? ~std::uint64_t{0} : lanes;
        const dim_t end = out.src.offset[segment] + Tile::template segment_lanes<side::source> * plan.sizes.src;
        if (read_beyond && lanes != 0 && end > out.read_bytes) out.read_bytes = end;
    }
    for (int segment = 0; segment < out.dst.segments; ++segment)
        out.dst.lanes[segment] &= Tile::template below<side::destination, X>(plan, stored - out.dst.index[X][segment]);
}
/// Fixes bound X if no loop advances along it.
template <class Tile, int X>
constexpr void fix_bound(const reorder_plan& plan, tile_offsets<Tile>& out) {
    for (const plan_loop& loop : plan.loops)
        if (loop.bound == X) return;
    fix_bound<Tile, X>(plan, out, plan.bounds[X].valid, plan.bounds[X].stored);
}

/// Removes the padding along bound X from the lanes that a whole tile stores, if X is fixed.
template <class Tile, int X>
constexpr void leave_padding_out(const reorder_plan& plan, tile_offsets<Tile>& out) {
    if (!out.invariant[X]) return;
    for (int segment = 0; segment < out.dst.segments; ++segment) {
        const std::uint64_t stored = out.dst.lanes[segment];
        out.dst.lanes[segment] &=
            Tile::template below<side::destination, X>(plan, plan.bounds[X].valid - out.dst.index[X][segment]);
        if (stored != out.dst.lanes[segment]) out.padding[segment] |= stored;
    }
}

/// Returns the start of the tile that contains an index along bound X. The outermost loops along it have the largest
/// steps.
constexpr dim_t start_of_tile_with(const reorder_plan& plan, int x, dim_t index) {
    dim_t start = 0;
    for (dim_t below = INT64_MAX, index_step = 0;; below = index_step) {
        // Not a pointer, because with -fsanitize=undefined GCC does not compare the address of a constant plan's loop
        // with null.
        dim_t extent = 0;
        index_step = 0;
        for (const plan_loop& loop : plan.loops)
            if (loop.bound == x && loop.index_step < below && loop.index_step > index_step) {
                index_step = loop.index_step;
                extent = loop.extent;
            }
        if (index_step == 0) return start;
        const dim_t steps = (index - start) / index_step;
        start += (steps < extent ? steps : extent - 1) * index_step;
    }
}

/// A tile that passes an end of an axis along which loops advance. What remains there is a constant too.
template <class Tile>
struct end_tile_offsets {
    tile_offsets<Tile> offsets;
    dim_t valid = 0, stored = 0;  ///< what remains of the axis
    bool passes = false;

    /// Finds the tile with the last valid index along bound X, or the tile with the last stored one. `whole` has the
    /// offsets of the other tiles.
    template <int X>
    static constexpr end_tile_offsets find(const reorder_plan& plan, const tile_offsets<Tile>& whole, bool last_valid) {
        const auto [valid, stored, reach] = plan.bounds[X];
        end_tile_offsets out{whole};
        if (whole.invariant[X] || valid <= 0 || stored <= 0) return out;
        const dim_t least = valid < stored ? valid : stored, start = start_of_tile_with(plan, X, stored - 1),
                    first = start_of_tile_with(plan, X, least - 1);
        if (last_valid && first == start) return out;  // the same tile: one is enough
        out.valid = valid - (last_valid ? first : start);
        out.stored = stored - (last_valid ? first : start);
        out.passes = out.stored > 0 && (out.valid < reach || out.stored < reach);
        if (out.passes) fix_bound<Tile, X>(plan, out.offsets, out.valid, out.stored);
        return out;
    }
};
