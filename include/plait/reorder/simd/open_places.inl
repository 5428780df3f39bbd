// Where the pieces of a tile lie whose plan is known only at run time, and what each tile has of them. Read in the same
// way as tile.inl.

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
        : fours_(side.fours), beside_{side.beside[0], side.beside[1], side.beside[2]} {
        if constexpr (!has_lanes) lanes = of_piece;
        else
            for (int k = 0; k < Pieces; ++k) lanes[k] = of_piece != nullptr ? of_piece[k] : 0;
    }
    [[gnu::always_inline]] inline Byte* place(Byte* start, int piece) const {
        if (piece == 0) return base_ = start;
        if (piece % 4 == 0) return base_ = start + fours_[piece / 4];
        return base_ + beside_[piece % 4 - 1];
    }
    /// The same in no order.
    [[gnu::always_inline]] inline Byte* place_of_any(Byte* start, int piece) const {
        return start + fours_[piece / 4] + (piece % 4 == 0 ? 0 : beside_[piece % 4 - 1]);
    }

private:
    const volatile dim_t* fours_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// What tile::move reads of a tile. Where limits leave only some of it: each piece is there or not, if Skips; else each
/// access is of some lanes.
template <class Tile, bool Skips>
struct open_tile_places {
    static constexpr bool every_access_is_masked = this_isa == isa::avx512 && !Skips;
    static constexpr bool pieces_are_whole = Skips;
    open_side_places<const std::byte, Tile::count * Tile::pattern.pieces(true)> src;
    open_side_places<std::byte, Tile::count * Tile::pattern.pieces(false)> dst;
};
