// The addresses of a tile's segments, and its network in registers, if the network is a table.
// Included by table_tile.inl, in the namespace of each instruction set.
// Requires lane_shuffles*.inl before it.

/// One side of a whole tile: the addresses of its segments. They must be taken in rising order, each once.
///
/// Four segments share a base, so only one offset is read for four, and three more stay in registers. Keeping all
/// offsets in registers fails: GCC moves those without a register through vectors, and the shuffles wait for them.
/// Hence volatile.
template <class Byte>
class whole_tile_addresses {
public:
    [[gnu::always_inline]] inline whole_tile_addresses(const side_offsets& side, const dim_t*)
        : fours_(side.fours), beside_{side.beside[0], side.beside[1], side.beside[2]} {}
    [[gnu::always_inline]] inline Byte* address(Byte* start, int segment) const {
        if (segment == 0) return base_ = start;
        if (segment % 4 == 0) return base_ = start + fours_[segment / 4];
        return base_ + beside_[segment % 4 - 1];
    }

private:
    const volatile dim_t* fours_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// One side of a tile in which axes end. Absent segments point to its start, which is valid memory.
template <class Byte>
class listed_addresses {
public:
    [[gnu::always_inline]] inline listed_addresses(const side_offsets&, const dim_t* offsets) : offsets_(offsets) {}
    [[gnu::always_inline]] inline Byte* address(Byte* start, int segment) const { return start + offsets_[segment]; }

private:
    const dim_t* offsets_;
};

/// The network of a tile, in registers.
template <int Bytes, int RegisterBits>
struct network_registers {
    using reg = bits<Bytes>;
    int exchanged[RegisterBits > 0 ? RegisterBits : 1];
    reg first[RegisterBits > 0 ? RegisterBits : 1], second[RegisterBits > 0 ? RegisterBits : 1];
    int within_at;
    bool goes_before, goes_across, goes_after;
    half_byte_exchange half_bytes;
    reg before, across, after;

    [[gnu::always_inline]] inline explicit network_registers(const network_vectors& from)
        : within_at(from.within_at),
          goes_before(from.goes_before),
          goes_across(from.goes_across),
          goes_after(from.goes_after),
          half_bytes(from.half_bytes),
          before(load_vector<Bytes>(from.before)),
          across(load_vector<Bytes>(from.across)),
          after(load_vector<Bytes>(from.after)) {
        for (int k = 0; k < RegisterBits; ++k) {
            exchanged[k] = from.exchanged[k];
            first[k] = load_vector<Bytes>(from.exchanges[k][0]);
            second[k] = load_vector<Bytes>(from.exchanges[k][1]);
        }
    }
};
