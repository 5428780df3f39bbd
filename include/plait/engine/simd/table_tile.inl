// The tile of a plan known only at run time, whose network is a table. One kernel for each number and size of registers
// serves all layouts and all element sizes. This file names no instruction.
// Included by table_kernels.inl, in the namespace of each instruction set.
// Requires kernel.inl before it.
//
// Differences between plans are branches that go the same way for each tile: the number of segments of a register on
// each side, and the kind of each exchange. The most frequent networks have kernels without these branches
// (frequent_networks of AVX2 and AVX-512). Which kernel a plan has is decided when it is made.
//
// Example: f32 nchw -> nChw16c with AVX-512: 16 registers of 64 bytes, each one segment on both sides. Register bit k
//          is exchanged with lane bit k + 2, for k from 0 to 3: 4 exchanges of 8 pairs of registers, followed by no
//          reordering.

// The addresses of a tile's segments, and its network in registers, if the network is a table.

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
    const volatile dim_t* offsets_;  // as fours_ of whole_tile_addresses
};

/// The network of a tile, for instruction sets of 32 registers. The vectors of a tile of up to four registers are held
/// in registers. A larger tile reads each vector where it is used, once for all registers: held, they would leave too
/// few registers for the tile, and a call would load all of them before its first tile.
template <int Bytes, int RegisterBits, bool HasRegistersToSpare = this_isa == isa::avx512>
class tile_network {
public:
    using reg = bits<Bytes>;
    static constexpr bool is_known = false;

    [[gnu::always_inline]] inline explicit tile_network(const network_vectors& from) : from_(from) {
        if constexpr (is_held) load_all(indices<RegisterBits>{});
    }
    [[gnu::always_inline]] inline int exchanged(int k) const { return from_.exchanged[k]; }
    [[gnu::always_inline]] inline int src_segments() const { return from_.src_segments; }
    [[gnu::always_inline]] inline int dst_segments() const { return from_.dst_segments; }
    [[gnu::always_inline]] inline half_byte_exchange half_bytes() const { return from_.half_bytes; }
    [[gnu::always_inline]] inline bool goes_before() const { return from_.goes_before; }
    [[gnu::always_inline]] inline bool goes_across() const { return from_.goes_across; }
    [[gnu::always_inline]] inline bool goes_after() const { return from_.goes_after; }
    [[gnu::always_inline]] inline reg first(int k) const {
        return vector_of(first_[is_held ? k : 0], from_.exchanges[k][0]);
    }
    [[gnu::always_inline]] inline reg second(int k) const {
        return vector_of(second_[is_held ? k : 0], from_.exchanges[k][1]);
    }
    [[gnu::always_inline]] inline reg before() const { return vector_of(before_, from_.before); }
    [[gnu::always_inline]] inline reg across() const { return vector_of(across_, from_.across); }
    [[gnu::always_inline]] inline reg after() const { return vector_of(after_, from_.after); }

private:
    static constexpr bool is_held = RegisterBits <= 2;
    static constexpr int held_exchanges = is_held && RegisterBits > 0 ? RegisterBits : 1;
    const network_vectors& from_;
    reg first_[held_exchanges], second_[held_exchanges], before_, across_, after_;

    [[gnu::always_inline]] static inline reg vector_of(const reg& held, const lane_vector& from) {
        if constexpr (is_held) return held;
        else return load_vector<Bytes>(from);
    }
    // Unrolled, because GCC would keep a loop, and the vectors on the stack.
    template <int... K>
    [[gnu::always_inline]] inline void load_all(std::integer_sequence<int, K...>) {
        ((first_[K] = load_vector<Bytes>(from_.exchanges[K][0]),
          second_[K] = load_vector<Bytes>(from_.exchanges[K][1])),
         ...);
        before_ = load_vector<Bytes>(from_.before);
        across_ = load_vector<Bytes>(from_.across);
        after_ = load_vector<Bytes>(from_.after);
    }
};

/// The network of a tile, for instruction sets of 16 registers. A loop copies the vectors of the exchanges to the
/// stack, where instructions read them, and nothing else needs an address: in registers, they would displace those of
/// the tile. Read where they are used, s8 tiles of 16 registers had 0.57 of the speed (SSE4.1, Zen 4).
template <int Bytes, int RegisterBits>
class tile_network<Bytes, RegisterBits, false> {
public:
    using reg = bits<Bytes>;
    static constexpr bool is_known = false;

    [[gnu::always_inline]] inline explicit tile_network(const network_vectors& from)
        : src_segments_(from.src_segments),
          dst_segments_(from.dst_segments),
          goes_before_(from.goes_before),
          goes_across_(from.goes_across),
          goes_after_(from.goes_after),
          half_bytes_(from.half_bytes),
          before_(load_vector<Bytes>(from.before)),
          across_(load_vector<Bytes>(from.across)),
          after_(load_vector<Bytes>(from.after)) {
        for (int k = 0; k < RegisterBits; ++k) {
            exchanged_[k] = from.exchanged[k];
            first_[k] = load_vector<Bytes>(from.exchanges[k][0]);
            second_[k] = load_vector<Bytes>(from.exchanges[k][1]);
        }
    }
    [[gnu::always_inline]] inline int exchanged(int k) const { return exchanged_[k]; }
    [[gnu::always_inline]] inline int src_segments() const { return src_segments_; }
    [[gnu::always_inline]] inline int dst_segments() const { return dst_segments_; }
    [[gnu::always_inline]] inline half_byte_exchange half_bytes() const { return half_bytes_; }
    [[gnu::always_inline]] inline bool goes_before() const { return goes_before_; }
    [[gnu::always_inline]] inline bool goes_across() const { return goes_across_; }
    [[gnu::always_inline]] inline bool goes_after() const { return goes_after_; }
    [[gnu::always_inline]] inline const reg& first(int k) const { return first_[k]; }
    [[gnu::always_inline]] inline const reg& second(int k) const { return second_[k]; }
    [[gnu::always_inline]] inline const reg& before() const { return before_; }
    [[gnu::always_inline]] inline const reg& across() const { return across_; }
    [[gnu::always_inline]] inline const reg& after() const { return after_; }

private:
    static constexpr int exchanges = RegisterBits > 0 ? RegisterBits : 1;
    int exchanged_[exchanges];
    reg first_[exchanges], second_[exchanges];
    int src_segments_, dst_segments_;
    bool goes_before_, goes_across_, goes_after_;
    half_byte_exchange half_bytes_;
    reg before_, across_, after_;
};

/// A network whose steps are known when the kernel is compiled, so that a tile has no branch.
///
/// Measured, drawn reorders with such networks, of the speed with branches in geometric mean: 1.65 with AVX2 (Zen 3, 51
/// reorders of up to 3 MB), f32 abcd -> aBcd16b of 1x64x128x1 0.76 us instead of 1.36; 1.09 with AVX-512 (Sapphire
/// Rapids, 340 of up to 300 KB), of eight registers in four pairs that exchange lanes 1.27, of two registers 1.35.
template <int Bytes, int RegisterBits, network_steps Steps>
class known_network : public tile_network<Bytes, RegisterBits> {
public:
    static constexpr bool is_known = true;

    // GCC compiles an inherited constructor without the instruction set of the region.
    [[gnu::always_inline]] inline explicit known_network(const network_vectors& from)
        : tile_network<Bytes, RegisterBits>(from) {}
    [[gnu::always_inline]] static inline constexpr int exchanged(int k) { return Steps.exchanged[k]; }
    [[gnu::always_inline]] static inline constexpr int src_segments() { return Steps.src_segments; }
    [[gnu::always_inline]] static inline constexpr int dst_segments() { return Steps.dst_segments; }
    [[gnu::always_inline]] static inline constexpr half_byte_exchange half_bytes() { return Steps.half_bytes; }
    [[gnu::always_inline]] static inline constexpr bool goes_before() { return Steps.goes_before; }
    [[gnu::always_inline]] static inline constexpr bool goes_across() { return Steps.goes_across; }
    [[gnu::always_inline]] static inline constexpr bool goes_after() { return Steps.goes_after; }
};

/// Multiplies lanes of f32 by both factors. Zeros, as beyond an end, stay zeros.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> multiplied(bits<Bytes> r, const move_factors& by) {
    using numbers = typename floats_of<Bytes>::type;
    return __builtin_bit_cast(bits<Bytes>, __builtin_bit_cast(numbers, r) * by.first * by.second);
}

/// How a tile is moved: whole; whole, with a prefetch of the next tile's lines; whole and past the cache; masked, with
/// only some bytes of each segment; or masked, and stored by copies of pieces.
enum class tile_access { whole, ahead, stream, masked, pieces };

/// True if kernels with registers of `Bytes` bytes can store past the cache: only those of the widest registers, from
/// AVX2.
template <int Bytes>
inline constexpr bool has_streams = Bytes == vector_bytes(this_isa) && Bytes > 16;

/// Moves a tile of 2^RegisterBits registers.
template <int Bytes, int RegisterBits, tile_access Access, class Network = tile_network<Bytes, RegisterBits>>
struct table_tile {
    using reg = bits<Bytes>;
    using shuffles = lane_shuffles<Bytes>;
    static constexpr int count = 1 << RegisterBits;
    using every_register = indices<count>;
    using every_pair = indices<count / 2>;
    static constexpr int most_segments = most_segments_of(Bytes, RegisterBits);
    static constexpr bool streams = Access == tile_access::stream;
    static constexpr bool is_masked = Access == tile_access::masked || Access == tile_access::pieces;

    template <class Byte>
    using addresses = std::conditional_t<is_masked, listed_addresses<Byte>, whole_tile_addresses<Byte>>;

    const reorder_plan& plan;
    const addresses<const std::byte> from;
    const addresses<std::byte> to;
    const std::uint64_t *const loaded, *const stored;  ///< the bytes of each segment that exist
    const Network network;
    const dim_t ahead;  ///< distance in bytes to the tile whose lines are prefetched
    const bool loads_whole, loads_nothing, reads_segments, streams_whole;  ///< see segment_lanes
    const bool multiplies;
    const move_factors factors;
    const masked_pieces* const pieces;

    [[gnu::always_inline]] inline table_tile(const reorder_plan& of, const run_time_offsets& offsets,
                                             const segment_lanes& lanes, const masked_pieces* stored_pieces = nullptr)
        : plan(of),
          from(offsets.src, lanes.src_offsets),
          to(offsets.dst, lanes.dst_offsets),
          loaded(lanes.loaded),
          stored(lanes.stored),
          network(offsets.network),
          ahead(of.destination_prefetch * of.sizes.dst),
          loads_whole(lanes.loads_whole),
          loads_nothing(lanes.loads_nothing),
          reads_segments(lanes.reads_segments),
          streams_whole(lanes.streams),
          multiplies(offsets.factors.changes),
          factors(offsets.factors),
          pieces(stored_pieces) {}

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        const bool prefetches = streams && plan.prefetch != 0, first = prefetches && plan.source_is_apart;
        const std::byte* const next = src + plan.prefetch * plan.sizes.src;
        if (first) ask_for(next, every_register{});
        // A tile of one register takes less time than the question.
        if constexpr (!streams && RegisterBits >= 2)
            for (dim_t line = 0; line < plan.sparse_bytes; line += cache_line_bytes)
                __builtin_prefetch(next + line, 0, 2);
        reg r[count];
        if constexpr (is_masked) {
            if (loads_nothing) {
                clear(r, every_register{});
                return store_all(dst, r);
            }
            if (!loads_whole) load_all<true>(src, r);
            else load_all<false>(src, r);
        } else {
            load_all<false>(src, r);
        }
        if (multiplies) multiply_all(r, every_register{});
        run_exchanges(r, indices<RegisterBits>{});
        order_all(r, every_register{});
        store_all(dst, r);
        if (prefetches && !first) ask_for(next, every_register{});
    }

private:
    template <int... R>
    [[gnu::always_inline]] static inline void clear(reg (&r)[count], std::integer_sequence<int, R...>) {
        ((r[R] = reg{}), ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline void multiply_all(reg (&r)[count], std::integer_sequence<int, R...>) const {
        ((r[R] = multiplied<Bytes>(r[R], factors)), ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline void ask_for(const std::byte* src, std::integer_sequence<int, R...>) const {
        (__builtin_prefetch(from.address(src, R << network.src_segments()), 0, 2), ...);
    }

    template <bool Masked>
    [[gnu::always_inline]] inline void load_all(const std::byte* src, reg (&r)[count]) const {
        const int segments = network.src_segments();
        if (segments == 0) return load_registers<1, Masked>(src, r, every_register{});
        if (segments == 1) return load_registers<2, Masked>(src, r, every_register{});
        if (most_segments <= 4 || segments == 2) return load_registers<4, Masked>(src, r, every_register{});
        if constexpr (most_segments > 4) load_registers<8, Masked>(src, r, every_register{});
    }
    [[gnu::always_inline]] inline void store_all(std::byte* dst, const reg (&r)[count]) const {
        if constexpr (Access == tile_access::pieces) {
            store_pieces(dst, r, every_register{});
        } else {
            const int segments = network.dst_segments();
            if (segments == 0) return store_registers<1>(dst, r, every_register{});
            if (segments == 1) return store_registers<2>(dst, r, every_register{});
            if (most_segments <= 4 || segments == 2) return store_registers<4>(dst, r, every_register{});
            if constexpr (most_segments > 4) store_registers<8>(dst, r, every_register{});
        }
    }
    template <int... R>
    [[gnu::always_inline]] inline void store_pieces(std::byte* dst, const reg (&r)[count],
                                                    std::integer_sequence<int, R...>) const {
        alignas(Bytes) std::byte tile[static_cast<std::size_t>(count * Bytes)];
        (vector<Bytes>::store(tile + R * Bytes, r[R]), ...);
        (*pieces)(tile, dst);
    }
    /// True if the work on each register is unrolled. Without AVX-512, masks are branches, so tiles of 16-byte
    /// registers with ends use loops, which are less code. In a loop, registers of 32 bytes would stay in memory during
    /// the whole network, which takes up to twice as long.
    static constexpr bool is_unrolled = !is_masked || Bytes > 16 || this_isa == isa::avx512;
    template <int Segments, bool Masked, int... R>
    [[gnu::always_inline]] inline void load_registers(const std::byte* src, reg (&r)[count],
                                                      std::integer_sequence<int, R...>) const {
        if constexpr (is_unrolled) ((r[R] = load<Bytes, Segments, Masked>(src, R * Segments)), ...);
        else
            for (int i = 0; i < count; ++i) r[i] = load<Bytes, Segments, Masked>(src, i * Segments);
    }
    template <int Segments, int... R>
    [[gnu::always_inline]] inline void store_registers(std::byte* dst, const reg (&r)[count],
                                                       std::integer_sequence<int, R...>) const {
        if constexpr (is_unrolled) (store<Bytes, Segments>(dst, R * Segments, r[R]), ...);
        else
            for (int i = 0; i < count; ++i) store<Bytes, Segments>(dst, i * Segments, r[i]);
    }

    template <int Width>
    static constexpr std::uint64_t all_bytes = ~std::uint64_t{0} >> (64 - Width);

    template <int Width, int... K>
    [[gnu::always_inline]] inline auto load_segments(const std::byte* src, int segment,
                                                     std::integer_sequence<int, K...>) const {
        const std::byte* const starts[] = {from.address(src, segment + K)...};  // in order
        return vector<Width>::load_segments(starts[K]...);
    }
    /// Loads some bytes of the tile: a register, or a part of one, from `Segments` segments.
    template <int Width, int Segments, bool Masked>
    [[gnu::always_inline]] inline auto load(const std::byte* src, int segment) const {
        if constexpr (Segments > 1) {
            // A register of 64 bytes is merged from segments while they are loaded.
            if constexpr (Width == 64 && Segments <= 4 && !Masked)
                return load_segments<Width>(src, segment, indices<Segments>{});
            else {
                const auto lower = load<Width / 2, Segments / 2, Masked>(src, segment);
                return vector<Width>::join(lower, load<Width / 2, Segments / 2, Masked>(src, segment + Segments / 2));
            }
        } else {
            const std::byte* const start = from.address(src, segment);
            if constexpr (!Masked) return vector<Width>::load(start);
            if constexpr (this_isa != isa::avx512) {
                if (loaded[segment] == all_bytes<Width>) return vector<Width>::load(start);
                if (loaded[segment] == 0) return bits<Width>{};
                if (reads_segments)
                    return vector<Width>::template keep_lanes<1>(vector<Width>::load(start), loaded[segment]);
            }
            return vector<Width>::template load<1>(start, loaded[segment]);
        }
    }
    template <int Width, int Segments, class Register>
    [[gnu::always_inline]] inline void store(std::byte* dst, int segment, Register value) const {
        if constexpr (Segments > 1) {
            store<Width / 2, Segments / 2>(dst, segment, vector<Width>::template half<false>(value));
            store<Width / 2, Segments / 2>(dst, segment + Segments / 2, vector<Width>::template half<true>(value));
        } else {
            std::byte* const start = to.address(dst, segment);
            if constexpr (Access == tile_access::stream) return vector<Width>::stream(start, value);
            if constexpr (Access == tile_access::masked && has_streams<Bytes>)
                if (streams_whole) {
                    if (stored[segment] != 0) vector<Width>::stream(start, value);
                    return;
                }
            // A store waits for its cache line, and later stores wait for that store; see destination_ahead.
            if constexpr (Access == tile_access::ahead) __builtin_prefetch(start + ahead + Width - 1, 1, 3);
            if constexpr (Access == tile_access::whole || Access == tile_access::ahead)
                return vector<Width>::store(start, value);
            if constexpr (this_isa == isa::avx512) {
                vector<Width>::template store<1>(start, value, stored[segment]);
            } else {
                if (stored[segment] == all_bytes<Width>) vector<Width>::store(start, value);
                else if (stored[segment] != 0) vector<Width>::template store<1>(start, value, stored[segment]);
            }
        }
    }

    template <int... K>
    [[gnu::always_inline]] inline void run_exchanges(reg (&r)[count], std::integer_sequence<int, K...>) const {
        (run_exchange<K>(r), ...);
        if (network.half_bytes() == half_byte_exchange::after) exchange_half_bytes(r, every_pair{});
    }
    /// Exchanges the halves of bytes between registers that differ in the highest bit.
    template <int... P>
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg (&r)[count], std::integer_sequence<int, P...>) {
        (shuffles::exchange_half_bytes(r[P], r[P + count / 2]), ...);
    }
    template <int K>
    [[gnu::always_inline]] inline void run_exchange(reg (&r)[count]) const {
        int lane = network.exchanged(K);
        if constexpr (K + 1 == RegisterBits)
            if (network.half_bytes() == half_byte_exchange::before) exchange_half_bytes(r, every_pair{});
        if (lane < 0) return;
        if constexpr (!exchanges_by_table) {  // the most frequent exchanges first
            if (lane == 3) return exchange<K, 3>(r, every_pair{});
            if constexpr (Bytes > 16)
                if (lane == 4) return exchange<K, 4>(r, every_pair{});
        }
        if constexpr (orders_between)
            if (lane >= orders_before) {
                order_before(r, every_register{});
                lane -= orders_before;
            }
        if (lane < 2) return exchange_within<K>(r, every_pair{});
        if (exchanges_by_table || lane == 2) return exchange<K, 2>(r, every_pair{});
        if constexpr (!exchanges_by_table) {
            if constexpr (orders_between)
                if (lane == turn_of_lanes) return exchange<K, turn_of_lanes>(r, every_pair{});
            if (Bytes == 16 || lane == 3) return exchange<K, 3>(r, every_pair{});
            if constexpr (Bytes > 16) exchange<K, 4>(r, every_pair{});
        }
    }
    template <int K, int... P>
    [[gnu::always_inline]] inline void exchange_within(reg (&r)[count], std::integer_sequence<int, P...>) const {
        const reg &first = network.first(K), &second = network.second(K);
        (shuffles::exchange_within(r[lower_of_pair(P, K)], r[lower_of_pair(P, K) | 1 << K], first, second), ...);
    }
    template <int K, int Lane, int... P>
    [[gnu::always_inline]] inline void exchange(reg (&r)[count], std::integer_sequence<int, P...>) const {
        const reg &first = network.first(K), &second = network.second(K);
        (shuffles::template exchange<Lane>(r[lower_of_pair(P, K)], r[lower_of_pair(P, K) | 1 << K], first, second),
         ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline void order_before(reg (&r)[count], std::integer_sequence<int, R...>) const {
        const reg& before = network.before();
        ((r[R] = shuffles::order_within(r[R], before)), ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline void order_all(reg (&r)[count], std::integer_sequence<int, R...>) const {
        if (network.goes_before()) order_before(r, every_register{});
        if constexpr (shuffles::goes_across)
            if (network.goes_across()) {
                const reg& across = network.across();
                ((r[R] = shuffles::order_across(r[R], across)), ...);
            }
        if (network.goes_after()) {
            const reg& after = network.after();
            ((r[R] = shuffles::order_within(r[R], after)), ...);
        }
    }
};
