// Where the segments of a tile lie whose plan is known only at run time, and what each tile has of them.
// Read once in each instruction set's namespace, see tile_moves.inl.

/// One side of a run-time tile: where its segments lie, and which lanes each has. The places of a tile are asked for
/// in rising order, each once.
///
/// Four segments share a base: one offset is read for four, and three more stay in registers. All would not: GCC moves
/// those that it has no registers for through vectors, which the shuffles wait for; hence volatile.
template <class Byte, int Pieces>
class segment_addresses {
public:
    static constexpr bool has_lanes = Pieces <= 4;  ///< by itself; more are in memory
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
    /// The same in no order.
    [[gnu::always_inline]] inline Byte* address_of_any(Byte* start, int segment) const {
        return start + fours_[segment / 4] + (segment % 4 == 0 ? 0 : beside_[segment % 4 - 1]);
    }

private:
    const volatile dim_t* fours_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// What tile::move reads of a tile. Where bounds leave only some of it: each segment is there or not, if Skips; else
/// each access is of some lanes.
template <class Tile, bool Skips>
struct tile_addresses {
    static constexpr bool every_access_is_masked = this_isa == isa::avx512 && !Skips;
    static constexpr bool segments_are_whole = Skips;
    segment_addresses<const std::byte, Tile::count * Tile::pattern.segments(side::source)> src;
    segment_addresses<std::byte, Tile::count * Tile::pattern.segments(side::destination)> dst;
};
