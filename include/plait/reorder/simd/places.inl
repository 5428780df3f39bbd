// Where the pieces of a tile lie, and what each tile has of them. Read in the same way as tile.inl.

/// What the number of each piece stands for on one side: its offset in bytes, the index of its first lane along each
/// watched axis, and which of its lanes a whole tile has. Constants where the plan is one.
template <class Tile, bool Source>
struct places_of_pieces {
    static constexpr int pieces = Tile::count * Tile::pattern.pieces(Source);
    dim_t offset[pieces]{};
    dim_t index[Tile::watched > 0 ? Tile::watched : 1][pieces]{};
    std::uint64_t lanes[pieces]{};

    /// Where a piece of the tile at `start` begins.
    template <class Byte>
    [[gnu::always_inline]] constexpr Byte* place(Byte* start, int piece) const {
        return start + offset[piece];
    }
    template <class Byte>
    [[gnu::always_inline]] constexpr Byte* place_of_any(Byte* start, int piece) const {
        return start + offset[piece];
    }
    constexpr explicit places_of_pieces(const reorder_plan& plan) {
        for (int piece = 0; piece < pieces; ++piece) {
            lanes[piece] = Tile::template all_lanes<Source>;
            for (int k = 0; 1 << k < pieces; ++k) {
                if ((piece >> k & 1) == 0) continue;
                const int bit = Tile::template bit_of<Source>(k), limit = Tile::pattern.limits[bit];
                offset[piece] += Source ? plan.bits[bit].src * plan.sizes.src : plan.bits[bit].dst * plan.sizes.dst;
                if (limit >= 0) index[limit][piece] += plan.bits[bit].weight;
            }
        }
    }
};

template <class Tile>
struct places_of_tile {
    static constexpr bool every_access_is_masked = false, pieces_are_whole = false;
    places_of_pieces<Tile, true> src;
    places_of_pieces<Tile, false> dst;
    bool fixed[Tile::watched > 0 ? Tile::watched : 1]{};  ///< limits that each tile passes in the same way
    dim_t read_bytes = 0;  ///< how far a whole tile reads; 0: no further than its elements
    dim_t ahead = 0;       ///< how far ahead it asks for the lines that it will write, in bytes; 0: it does not

    constexpr explicit places_of_tile(const reorder_plan& plan)
        : src(plan), dst(plan), ahead(destination_ahead(plan) * plan.sizes.dst) {}
};

/// Settles limit X where `valid` and `stored` are left of it: pieces beyond are left out of the code. Lanes beyond are
/// read where they may be, as nothing stores them.
template <class Tile, int X>
constexpr void settle_limit(const reorder_plan& plan, places_of_tile<Tile>& out, dim_t valid, dim_t stored) {
    const bool read_beyond = valid == stored && lanes_along(Tile::pattern, X, true).bits > 0;
    out.fixed[X] = true;
    for (int piece = 0; piece < out.src.pieces; ++piece) {
        const std::uint64_t lanes = Tile::template below<true, X>(plan, valid - out.src.index[X][piece]);
        out.src.lanes[piece] &= lanes != 0 && read_beyond ? ~std::uint64_t{0} : lanes;
        const dim_t end = out.src.offset[piece] + Tile::template piece_lanes<true> * plan.sizes.src;
        if (read_beyond && lanes != 0 && end > out.read_bytes) out.read_bytes = end;
    }
    for (int piece = 0; piece < out.dst.pieces; ++piece)
        out.dst.lanes[piece] &= Tile::template below<false, X>(plan, stored - out.dst.index[X][piece]);
}
/// The same, if no loop goes along it.
template <class Tile, int X>
constexpr void settle_limit(const reorder_plan& plan, places_of_tile<Tile>& out) {
    for (const plan_loop& loop : plan.loops)
        if (loop.limit == X) return;
    settle_limit<Tile, X>(plan, out, plan.limits[X].valid, plan.limits[X].stored);
}

/// Where the tile begins that has an index along limit X: the outermost loops along it take the largest steps.
constexpr dim_t start_of_tile_with(const reorder_plan& plan, int x, dim_t index) {
    dim_t start = 0;
    for (dim_t below = INT64_MAX, weight = 0;; below = weight) {
        const plan_loop* next = nullptr;
        for (const plan_loop& loop : plan.loops)
            if (loop.limit == x && loop.weight < below && (next == nullptr || loop.weight > next->weight)) next = &loop;
        if (next == nullptr) return start;
        weight = next->weight;
        const dim_t steps = (index - start) / weight;
        start += (steps < next->extent ? steps : next->extent - 1) * weight;
    }
}

/// A tile that passes an end of an axis that loops go along: what is left there is a constant too.
template <class Tile>
struct places_at_end {
    places_of_tile<Tile> places;
    dim_t valid = 0, stored = 0;  ///< what is left of the axis
    bool passes = false;

    /// The tile with the last valid index along limit X, or that with the last one stored; `whole` are the places of
    /// the other tiles.
    template <int X>
    static constexpr places_at_end find(const reorder_plan& plan, const places_of_tile<Tile>& whole, bool last_valid) {
        const auto [valid, stored, reach] = plan.limits[X];
        places_at_end out{whole};
        if (whole.fixed[X] || valid <= 0 || stored <= 0) return out;
        const dim_t least = valid < stored ? valid : stored, start = start_of_tile_with(plan, X, stored - 1),
                    first = start_of_tile_with(plan, X, least - 1);
        if (last_valid && first == start) return out;  // one is enough
        out.valid = valid - (last_valid ? first : start);
        out.stored = stored - (last_valid ? first : start);
        out.passes = out.stored > 0 && (out.valid < reach || out.stored < reach);
        if (out.passes) settle_limit<Tile, X>(plan, out.places, out.valid, out.stored);
        return out;
    }
};

/// The places of a plan that watches few axes, and those of tiles that pass their ends.
template <class Tile>
struct places_and_ends : places_of_tile<Tile> {
    places_at_end<Tile> valid_ends[Tile::watched], stored_ends[Tile::watched];
};
