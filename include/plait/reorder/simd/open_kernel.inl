// The tiles of plans known only at run time: one kernel for each path of an element and pattern, which all plans with
// that pattern share. The loops around them are in run_open_plan.hpp. Read in the same way as tile.inl.

/// One side of an open tile: where its pieces lie, and which lanes each has. The places of a tile are asked for in
/// rising order, each once.
///
/// Four pieces share a base: one offset is read for four, and three more stay in registers. All would not: GCC moves
/// those that it has no registers for through vectors, which the shuffles wait for; hence volatile.
template <class Byte, int Pieces>
class open_side_places {
public:
    static constexpr bool has_lanes = Pieces <= 4;  ///< by itself; more are in memory
    std::conditional_t<has_lanes, std::uint64_t[static_cast<std::size_t>(Pieces)], const std::uint64_t*> lanes;

    [[gnu::always_inline]] inline open_side_places(const open_side& side, const std::uint64_t* of_piece)
        : offset_(side.offset) {
        for (int k = 1; k < 4; ++k) beside_[k - 1] = k < side.pieces ? side.offset[k] : 0;
        if constexpr (!has_lanes) lanes = of_piece;
        else
            for (int k = 0; k < Pieces; ++k) lanes[k] = of_piece != nullptr ? of_piece[k] : 0;
    }
    [[gnu::always_inline]] inline Byte* place(Byte* start, int piece) const {
        if (piece == 0) return base_ = start;
        if (piece % 4 == 0) return base_ = start + offset_[piece];
        return base_ + beside_[piece % 4 - 1];
    }
    /// The same in no order.
    [[gnu::always_inline]] inline Byte* place_of_any(Byte* start, int piece) const { return start + offset_[piece]; }

private:
    const volatile dim_t* offset_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// What tile::move reads of a tile. Where limits leave only some of it: all is loaded, but some pieces are not stored,
/// if Skips; else each access is of some lanes.
template <class Tile, bool Skips>
struct open_tile_places {
    static constexpr bool every_access_is_masked = this_isa == isa::avx512 && !Skips;
    static constexpr bool pieces_are_whole = Skips, all_are_loaded = Skips;
    open_side_places<const std::byte, Tile::count * Tile::pattern.pieces(true)> src;
    open_side_places<std::byte, Tile::count * Tile::pattern.pieces(false)> dst;
};

/// Runs `Tile(src, dst)` for the tiles of a walk. The walk by value: what lies in memory could change with each store.
template <class Tile>
[[gnu::always_inline]] inline void run_walk(tile_walk walk, const std::byte* src, std::byte* dst,
                                            const Tile& run_tile) {
    for (dim_t plane = 0; plane < walk.planes; ++plane, src += walk.src_plane, dst += walk.dst_plane) {
        const std::byte* row_src = src;
        std::byte* row_dst = dst;
        for (dim_t row = 0; row < walk.rows; ++row, row_src += walk.src_row, row_dst += walk.dst_row) {
            const std::byte* from = row_src;
            std::byte* to = row_dst;
            // One loop more instead of a question at each tile, or twice the code.
            for (dim_t left = walk.tiles, then = walk.goes_back ? 1 : 0; left > 0; left = then, then = 0) {
                for (; left > 0; --left, from += walk.src_tile, to += walk.dst_tile) run_tile(from, to);
                from -= walk.back_src;
                to -= walk.back_dst;
            }
        }
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
struct skipping_tile {
    using open_tile = tile_moves<Path, Pattern>;
    const reorder_plan& plan;
    const open_tile_places<open_tile, true> at;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        open_tile::template move<true, false>(plan, at, src, dst, typename open_tile::every_register{});
    }
};
/// The lanes of one side that a settled axis leaves; read beyond them where that is said to be possible.
template <class Tile, bool Source, settled_axis Axis>
struct settled_lanes {
    static constexpr int pieces = Tile::count * Tile::pattern.pieces(Source);
    std::uint64_t of_piece[pieces];

    constexpr settled_lanes() : of_piece{} {
        const dim_t end = Source ? Axis.valid : Axis.stored;
        bool has_lanes = false;
        for (int lane = 0; lane < Tile::pattern.piece_bits(Source); ++lane)
            has_lanes = has_lanes || Axis.weights[Source ? lane : Tile::pattern.dst_lanes[lane]] != 0;
        for (int piece = 0; piece < pieces; ++piece) {
            dim_t first = 0;
            for (int k = 0; 1 << k < pieces; ++k)
                if ((piece >> k & 1) != 0) first += Axis.weights[Tile::template bit_of<Source>(k)];
            for (int lane = 0; lane < 1 << Tile::pattern.piece_bits(Source); ++lane) {
                dim_t index = first;
                for (int k = 0; 1 << k <= lane; ++k)
                    if ((lane >> k & 1) != 0) index += Axis.weights[Source ? k : Tile::pattern.dst_lanes[k]];
                if (index < end) of_piece[piece] |= std::uint64_t{1} << lane;
            }
            if (Source && has_lanes && Axis.valid == Axis.stored && of_piece[piece] != 0)
                of_piece[piece] = Tile::template all_lanes<Source>;
        }
    }
};
template <class Tile, bool Source, settled_axis Axis, class Byte>
struct settled_side : open_side_places<Byte, Tile::count * Tile::pattern.pieces(Source)> {
    using base = open_side_places<Byte, Tile::count * Tile::pattern.pieces(Source)>;
    static constexpr settled_lanes<Tile, Source, Axis> constant{};
    static constexpr const std::uint64_t (&lanes)[settled_lanes<Tile, Source, Axis>::pieces] = constant.of_piece;
    // Not inherited: GCC makes such a one without the instruction set of the region.
    [[gnu::always_inline]] inline settled_side(const open_side& side, const std::uint64_t* of_piece)
        : base(side, of_piece) {}
};
template <class Tile, settled_axis Axis>
struct settled_places {
    static constexpr bool every_access_is_masked = false, pieces_are_whole = false, all_are_loaded = false;
    settled_side<Tile, true, Axis, const std::byte> src;
    settled_side<Tile, false, Axis, std::byte> dst;
};
template <class Path, tile_pattern Pattern, settled_axis Axis>
struct settled_tile {
    using open_tile = tile_moves<Path, Pattern>;
    const reorder_plan& plan;
    const settled_places<open_tile, Axis> at;
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        open_tile::template move<true, false>(plan, at, src, dst, typename open_tile::every_register{});
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
    if constexpr (Pattern.interleave != 0) run_walk(walk, src, dst, run{typename run::open_tile::places(plan)});
    else run_walk(walk, src, dst, run{plan, {{at.src, nullptr}, {at.dst, nullptr}}});
}
template <class Path, tile_pattern Pattern>
void run_masked_tiles(const reorder_plan& plan, const open_places& at, const std::uint64_t* loaded,
                      const std::uint64_t* stored, const tile_walk& walk, const std::byte* src,
                      std::byte* dst) noexcept {
    run_walk(walk, src, dst, masked_tile<Path, Pattern>{plan, {{at.src, loaded}, {at.dst, stored}}});
}
template <class Path, tile_pattern Pattern>
void run_skipping_tiles(const reorder_plan& plan, const open_places& at, const std::uint64_t* loaded,
                        const std::uint64_t* stored, const tile_walk& walk, const std::byte* src,
                        std::byte* dst) noexcept {
    run_walk(walk, src, dst, skipping_tile<Path, Pattern>{plan, {{at.src, loaded}, {at.dst, stored}}});
}
template <class Path, tile_pattern Pattern, settled_axis Axis>
void run_settled_tiles(const reorder_plan& plan, const open_places& at, const std::uint64_t*, const std::uint64_t*,
                       const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    run_walk(walk, src, dst, settled_tile<Path, Pattern, Axis>{plan, {{at.src, nullptr}, {at.dst, nullptr}}});
}
template <class Path, tile_pattern Pattern>
void run_parts_of_interleave(const reorder_plan& plan, const open_rest& rest, const tile_walk& walk,
                             const std::byte* src, std::byte* dst) noexcept {
    using part = part_of_interleave<Path, Pattern>;
    run_walk(walk, src, dst, part{plan, typename part::open_tile::places(plan), rest});
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
        for (const shuffle_step& step : open_tile::network.steps)
            out.steps += cost_of_step(step.rule.first, Path::sizes.work);
        out.src_bits = piece_bits_of<open_tile, true>();
        out.dst_bits = piece_bits_of<open_tile, false>();
    }
    return out;
}
template <class Path, tile_pattern Pattern, bool Stream>
inline constexpr open_kernel plain_kernel_for = make_plain_kernel<Path, Pattern, Stream>();

/// All of the kernel of a path and a pattern; with code for a settled axis, if there is one.
template <class Path, tile_pattern Pattern, settled_axis Axis>
constexpr open_kernel make_open_kernel() {
    open_kernel out = make_plain_kernel<Path, Pattern, false>();
    out.stream = run_whole_tiles<Path, Pattern, true>;
    if constexpr (Pattern.interleave == 0) {
        out.skipping = run_skipping_tiles<Path, Pattern>;
        if constexpr (Axis.exists()) out.settled = run_settled_tiles<Path, Pattern, Axis>;
        out.axis = Axis;
    }
    return out;
}
template <class Path, tile_pattern Pattern, settled_axis Axis = settled_axis{}>
inline constexpr open_kernel open_kernel_for = make_open_kernel<Path, Pattern, Axis>();
