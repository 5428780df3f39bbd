// The addresses of a tile's segments, for plans known only at run time, and the lanes that each tile has of them.
// Included by pattern_kernels.inl, in the namespace of each instruction set.
// Requires tile.inl before it.

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
