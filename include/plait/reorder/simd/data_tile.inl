// The tile of a plan known only at run time, whose network is data: one kernel for each number and size of registers
// serves all layouts and all sizes of elements. Read once an instruction set, behind what it does with lanes
// (lane_shuffles*.inl). No instruction is named here.
//
// What differs from plan to plan is asked by branches that go the same way for each tile: how many pieces a register
// has on each side, and what each exchange is.

/// One side of a whole tile: where its pieces lie. They are asked for in rising order, each once.
///
/// Four pieces share a base: one offset is read for four, and three more stay in registers. All would not: GCC moves
/// those that it has no registers for through vectors, which the shuffles wait for; hence volatile.
template <class Byte>
class whole_places {
public:
    [[gnu::always_inline]] inline whole_places(const open_side& side, const dim_t*)
        : fours_(side.fours), beside_{side.beside[0], side.beside[1], side.beside[2]} {}
    [[gnu::always_inline]] inline Byte* place(Byte* start, int piece) const {
        if (piece == 0) return base_ = start;
        if (piece % 4 == 0) return base_ = start + fours_[piece / 4];
        return base_ + beside_[piece % 4 - 1];
    }

private:
    const volatile dim_t* fours_;
    dim_t beside_[3];
    mutable Byte* base_ = nullptr;
};
/// The same where axes end inside of the tile: pieces that are not there are at its start, where there is something.
template <class Byte>
class listed_places {
public:
    [[gnu::always_inline]] inline listed_places(const open_side&, const dim_t* offsets) : offsets_(offsets) {}
    [[gnu::always_inline]] inline Byte* place(Byte* start, int piece) const { return start + offsets_[piece]; }

private:
    const dim_t* offsets_;
};

/// How a tile is moved: whole; whole, asking for the lines of the next; whole and past the cache; or only some bytes of
/// each piece.
enum class tile_access { whole, ahead, stream, masked };

/// The network of a tile, in registers.
template <int Bytes, int RegisterBits>
struct network_registers {
    using reg = bits<Bytes>;
    int exchanged[RegisterBits > 0 ? RegisterBits : 1];
    reg first[RegisterBits > 0 ? RegisterBits : 1], second[RegisterBits > 0 ? RegisterBits : 1];
    bool goes_before, goes_across, goes_after;
    reg before, across, after;

    [[gnu::always_inline]] inline explicit network_registers(const network_vectors& from)
        : goes_before(from.goes_before),
          goes_across(from.goes_across),
          goes_after(from.goes_after),
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

/// The way through a tile of 2^RegisterBits registers.
template <int Bytes, int RegisterBits, tile_access How>
struct data_tile {
    using reg = bits<Bytes>;
    using shuffles = lane_shuffles<Bytes>;
    static constexpr int count = 1 << RegisterBits;
    using every_register = indices<count>;
    using every_pair = indices<count / 2>;
    static constexpr int most_pieces = most_pieces_of(Bytes, RegisterBits);
    static constexpr bool streams = How == tile_access::stream;

    template <class Byte>
    using places = std::conditional_t<How == tile_access::masked, listed_places<Byte>, whole_places<Byte>>;

    const reorder_plan& plan;
    const places<const std::byte> from;
    const places<std::byte> to;
    const std::uint64_t *const loaded, *const stored;  ///< which bytes of each piece there are
    const network_registers<Bytes, RegisterBits> network;
    const int src_pieces, dst_pieces;       ///< of a register, as the power of two
    const dim_t ahead;                      ///< where the next tile lies that it asks for the lines of, in bytes
    const bool loads_whole, loads_nothing;  ///< see piece_lanes

    [[gnu::always_inline]] inline data_tile(const reorder_plan& of, const open_places& at, const piece_lanes& lanes)
        : plan(of),
          from(at.src, lanes.src_offsets),
          to(at.dst, lanes.dst_offsets),
          loaded(lanes.loaded),
          stored(lanes.stored),
          network(at.network),
          src_pieces(at.network.src_pieces),
          dst_pieces(at.network.dst_pieces),
          ahead(How == tile_access::ahead ? destination_ahead(of) * of.sizes.dst : 0),
          loads_whole(lanes.loads_whole),
          loads_nothing(lanes.loads_nothing) {}

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        const bool prefetches = streams && plan.prefetch != 0, first = prefetches && plan.source_is_apart;
        const std::byte* const next = src + plan.prefetch * plan.sizes.src;
        if (first) ask_for(next, every_register{});
        reg r[count];
        if constexpr (How == tile_access::masked) {
            if (loads_nothing) {
                clear(r, every_register{});
                return store_all(dst, r);
            }
            if (!loads_whole) load_all<true>(src, r);
            else load_all<false>(src, r);
        } else {
            load_all<false>(src, r);
        }
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
    [[gnu::always_inline]] inline void ask_for(const std::byte* src, std::integer_sequence<int, R...>) const {
        (__builtin_prefetch(from.place(src, R << src_pieces), 0, 3), ...);
    }

    template <bool Masked>
    [[gnu::always_inline]] inline void load_all(const std::byte* src, reg (&r)[count]) const {
        if (src_pieces == 0) return load_registers<1, Masked>(src, r, every_register{});
        if (src_pieces == 1) return load_registers<2, Masked>(src, r, every_register{});
        if (most_pieces <= 4 || src_pieces == 2) return load_registers<4, Masked>(src, r, every_register{});
        if constexpr (most_pieces > 4) load_registers<8, Masked>(src, r, every_register{});
    }
    [[gnu::always_inline]] inline void store_all(std::byte* dst, const reg (&r)[count]) const {
        if (dst_pieces == 0) return store_registers<1>(dst, r, every_register{});
        if (dst_pieces == 1) return store_registers<2>(dst, r, every_register{});
        if (most_pieces <= 4 || dst_pieces == 2) return store_registers<4>(dst, r, every_register{});
        if constexpr (most_pieces > 4) store_registers<8>(dst, r, every_register{});
    }
    /// Whether what is done to each register is written out. In loops, the branches that masks are without AVX-512 are
    /// less code, where tiles have ends only.
    static constexpr bool is_unrolled = How != tile_access::masked || this_isa == isa::avx512;
    template <int Pieces, bool Masked, int... R>
    [[gnu::always_inline]] inline void load_registers(const std::byte* src, reg (&r)[count],
                                                      std::integer_sequence<int, R...>) const {
        if constexpr (is_unrolled) ((r[R] = load<Bytes, Pieces, Masked>(src, R * Pieces)), ...);
        else
            for (int i = 0; i < count; ++i) r[i] = load<Bytes, Pieces, Masked>(src, i * Pieces);
    }
    template <int Pieces, int... R>
    [[gnu::always_inline]] inline void store_registers(std::byte* dst, const reg (&r)[count],
                                                       std::integer_sequence<int, R...>) const {
        if constexpr (is_unrolled) (store<Bytes, Pieces>(dst, R * Pieces, r[R]), ...);
        else
            for (int i = 0; i < count; ++i) store<Bytes, Pieces>(dst, i * Pieces, r[i]);
    }

    template <int Width>
    static constexpr std::uint64_t all_bytes = ~std::uint64_t{0} >> (64 - Width);

    template <int Width, int... Part>
    [[gnu::always_inline]] inline auto load_parts(const std::byte* src, int piece,
                                                  std::integer_sequence<int, Part...>) const {
        const std::byte* const parts[] = {from.place(src, piece + Part)...};  // in order
        return vector<Width>::load_parts(parts[Part]...);
    }
    /// Some bytes of the tile: of a register, or of a part of one, in so many pieces.
    template <int Width, int Pieces, bool Masked>
    [[gnu::always_inline]] inline auto load(const std::byte* src, int piece) const {
        if constexpr (Pieces > 1) {
            // A register of 64 bytes is merged from pieces while they are loaded.
            if constexpr (Width == 64 && Pieces <= 4 && !Masked)
                return load_parts<Width>(src, piece, indices<Pieces>{});
            else {
                const auto lower = load<Width / 2, Pieces / 2, Masked>(src, piece);
                return vector<Width>::join(lower, load<Width / 2, Pieces / 2, Masked>(src, piece + Pieces / 2));
            }
        } else {
            const std::byte* const here = from.place(src, piece);
            if constexpr (!Masked) return vector<Width>::load(here);
            if constexpr (this_isa != isa::avx512) {
                if (loaded[piece] == all_bytes<Width>) return vector<Width>::load(here);
                if (loaded[piece] == 0) return bits<Width>{};
            }
            return vector<Width>::template load<1>(here, loaded[piece]);
        }
    }
    template <int Width, int Pieces, class Register>
    [[gnu::always_inline]] inline void store(std::byte* dst, int piece, Register value) const {
        if constexpr (Pieces > 1) {
            store<Width / 2, Pieces / 2>(dst, piece, vector<Width>::template half<false>(value));
            store<Width / 2, Pieces / 2>(dst, piece + Pieces / 2, vector<Width>::template half<true>(value));
        } else {
            std::byte* const here = to.place(dst, piece);
            if constexpr (How == tile_access::stream) return vector<Width>::stream(here, value);
            // A store waits for its line, and those behind it wait for the store: see destination_ahead.
            if constexpr (How == tile_access::ahead) __builtin_prefetch(here + ahead + Width - 1, 1, 3);
            if constexpr (How == tile_access::whole || How == tile_access::ahead)
                return vector<Width>::store(here, value);
            if constexpr (this_isa == isa::avx512) {
                vector<Width>::template store<1>(here, value, stored[piece]);
            } else {
                if (stored[piece] == all_bytes<Width>) vector<Width>::store(here, value);
                else if (stored[piece] != 0) vector<Width>::template store<1>(here, value, stored[piece]);
            }
        }
    }

    template <int... K>
    [[gnu::always_inline]] inline void run_exchanges(reg (&r)[count], std::integer_sequence<int, K...>) const {
        (run_exchange<K>(r), ...);
    }
    template <int K>
    [[gnu::always_inline]] inline void run_exchange(reg (&r)[count]) const {
        const int lane = network.exchanged[K];
        if (lane < 0) return;
        if (lane < 2) return exchange_within<K>(r, every_pair{});
        if (exchanges_by_table || lane == 2) return exchange<K, 2>(r, every_pair{});
        if constexpr (!exchanges_by_table) {
            if (Bytes == 16 || lane == 3) return exchange<K, 3>(r, every_pair{});
            if constexpr (Bytes > 16) exchange<K, 4>(r, every_pair{});
        }
    }
    /// The lower register of pair p: p with a zero in the place of the register bit.
    static constexpr int lower(int p, int bit) { return (p >> bit << (bit + 1)) | (p & ((1 << bit) - 1)); }
    template <int K, int... P>
    [[gnu::always_inline]] inline void exchange_within(reg (&r)[count], std::integer_sequence<int, P...>) const {
        (shuffles::exchange_within(r[lower(P, K)], r[lower(P, K) | 1 << K], network.first[K], network.second[K]), ...);
    }
    template <int K, int Lane, int... P>
    [[gnu::always_inline]] inline void exchange(reg (&r)[count], std::integer_sequence<int, P...>) const {
        (shuffles::template exchange<Lane>(r[lower(P, K)], r[lower(P, K) | 1 << K], network.first[K],
                                           network.second[K]),
         ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline void order_all(reg (&r)[count], std::integer_sequence<int, R...>) const {
        if (network.goes_before) ((r[R] = shuffles::order_within(r[R], network.before)), ...);
        if constexpr (shuffles::goes_across)
            if (network.goes_across) ((r[R] = shuffles::order_across(r[R], network.across)), ...);
        if (network.goes_after) ((r[R] = shuffles::order_within(r[R], network.after)), ...);
    }
};

/// A tile whose registers are loaded and stored as they are.
template <int Bytes, int RegisterBits, bool Stream>
struct copied_tile {
    static constexpr int count = 1 << RegisterBits;
    const reorder_plan& plan;
    const whole_places<const std::byte> from;
    const whole_places<std::byte> to;

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, indices<count>{});
    }

private:
    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        const bool prefetches = Stream && plan.prefetch != 0;
        const std::byte* const ahead = src + plan.prefetch * plan.sizes.src;
        bits<Bytes> r[count];
        ((r[R] = vector<Bytes>::load(from.place(src, R))), ...);
        if constexpr (Stream) (vector<Bytes>::stream(to.place(dst, R), r[R]), ...);
        else (vector<Bytes>::store(to.place(dst, R), r[R]), ...);
        if (prefetches) (__builtin_prefetch(from.place(ahead, R), 0, 3), ...);
    }
};

template <int Bytes, int RegisterBits, bool Stream>
void run_whole_data(const reorder_plan& plan, const open_places& at, const tile_walk& walk, const std::byte* src,
                    std::byte* dst) noexcept {
    // A few registers that are only copied take less than what a tile asks for.
    if constexpr (RegisterBits <= 2)
        if (!at.network.shuffles && at.network.src_pieces == 0 && at.network.dst_pieces == 0) {
            const copied_tile<Bytes, RegisterBits, Stream> tile{plan, {at.src, nullptr}, {at.dst, nullptr}};
            return run_walk<true>(walk, src, dst, tile);
        }
    // Of eight registers or more, as fewer leave few stores waiting.
    if constexpr (!Stream && RegisterBits >= 3 && Bytes == vector_bytes(this_isa))
        if (destination_ahead(plan) != 0)
            return run_walk<false>(walk, src, dst,
                                   data_tile<Bytes, RegisterBits, tile_access::ahead>(plan, at, piece_lanes{}));
    constexpr tile_access how = Stream ? tile_access::stream : tile_access::whole;
    run_walk<false>(walk, src, dst, data_tile<Bytes, RegisterBits, how>(plan, at, piece_lanes{}));
}
template <int Bytes, int RegisterBits>
void run_masked_data(const reorder_plan& plan, const open_places& at, const piece_lanes& lanes, const tile_walk& walk,
                     const std::byte* src, std::byte* dst) noexcept {
    run_walk<false>(walk, src, dst, data_tile<Bytes, RegisterBits, tile_access::masked>(plan, at, lanes));
}

/// The kernel of all tiles of 2^RegisterBits registers of so many bytes. Only the widest registers are stored past the
/// cache, and those not of CPUs before AVX2.
template <int Bytes, int RegisterBits>
constexpr open_kernel make_data_kernel() {
    constexpr bool streams = Bytes == vector_bytes(this_isa) && Bytes > 16;
    open_kernel out;
    out.whole = run_whole_data<Bytes, RegisterBits, false>;
    out.stream = run_whole_data<Bytes, RegisterBits, streams>;
    out.masked = run_masked_data<Bytes, RegisterBits>;
    out.finish_streams = finish_streams;
    out.network_of = this_isa;
    out.is_data = true;
    return out;
}
template <int Bytes, int RegisterBits>
inline constexpr open_kernel data_kernel_for = make_data_kernel<Bytes, RegisterBits>();

/// A tile of a few elements that alternate in memory on one side: in the source where it Deals. The tables of its size
/// of elements are data.
template <int Bytes, int Count, bool Deals, bool Stream>
struct interleaved_tile {
    using reg = bits<Bytes>;
    using every_register = indices<Count>;
    const dim_t step;  ///< from one of those that alternate to the next, on the side where they are apart, in bytes
    const interleave_tables<Count>& tables;

    [[gnu::always_inline]] inline interleaved_tile(const reorder_plan& plan, dim_t bytes_apart)
        : step(bytes_apart), tables(every_interleave_table<Count, Deals>[log2_of(plan.sizes.work)]) {}

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, every_register{});
    }

private:
    /// The register numbered `number` of a run, in which each 128-bit part has Count pieces of 16 bytes in a row.
    template <int Width>
    [[gnu::always_inline]] static inline auto load_run(const std::byte* src, int number) {
        if constexpr (Width == 16) return vector<16>::load(src + number * 16);
        else {
            const auto lower = load_run<Width / 2>(src, number);
            return vector<Width>::join(lower, load_run<Width / 2>(src + Width / 2 * Count, number));
        }
    }
    template <int Width, class Register>
    [[gnu::always_inline]] static inline void store_run(std::byte* dst, int number, Register value) {
        if constexpr (Width == 16) {
            if constexpr (Stream) vector<16>::stream(dst + number * 16, value);
            else vector<16>::store(dst + number * 16, value);
        } else {
            store_run<Width / 2>(dst, number, vector<Width>::template half<false>(value));
            store_run<Width / 2>(dst + Width / 2 * Count, number, vector<Width>::template half<true>(value));
        }
    }
    template <int... From>
    [[gnu::always_inline]] inline reg gather(const reg (&r)[Count], int to, std::integer_sequence<int, From...>) const {
        reg sum = vector<Bytes>::pick_bytes(r[0], tables.of[to][0]);
        ((sum = vector<Bytes>::bit_or(sum, vector<Bytes>::pick_bytes(r[From + 1], tables.of[to][From + 1]))), ...);
        return sum;
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        if constexpr (Stream) vector<Bytes>::stream(to, value);
        else vector<Bytes>::store(to, value);
    }
    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        reg r[Count];
        ((r[R] = get(src, R)), ...);
        // Three, the channels of images, are written out.
        if constexpr (Count == 3) (put(dst, R, gather(r, R, indices<Count - 1>{})), ...);
        else
            for (int to = 0; to < Count; ++to) put(dst, to, gather(r, to, indices<Count - 1>{}));
    }
    [[gnu::always_inline]] inline reg get(const std::byte* src, int number) const {
        if constexpr (Deals) return load_run<Bytes>(src, number);
        else return vector<Bytes>::load(src + number * step);
    }
    [[gnu::always_inline]] inline void put(std::byte* dst, int number, reg value) const {
        if constexpr (Deals) store(dst + number * step, value);
        else store_run<Bytes>(dst, number, value);
    }
};
template <int Bytes, int Count, bool Deals, bool Stream>
void run_whole_interleaves(const reorder_plan& plan, const open_places&, const tile_walk& walk, const std::byte* src,
                           std::byte* dst) noexcept {
    const dim_t apart = Deals ? plan.interleaved.dst * plan.sizes.dst : plan.interleaved.src * plan.sizes.src;
    run_walk<false>(walk, src, dst, interleaved_tile<Bytes, Count, Deals, Stream>(plan, apart));
}
/// A tile that passes the end of an axis: its elements are copied to and from a whole one.
template <int Bytes, int Count, bool Deals>
struct interleave_part {
    const reorder_plan& plan;
    const std::size_t read, written;  ///< of each of those that alternate, in bytes

    void operator()(const std::byte* src, std::byte* dst) const {
        alignas(64) std::byte from[Bytes * Count]{}, to[Bytes * Count];
        const dim_t apart = Deals ? plan.interleaved.dst * plan.sizes.dst : plan.interleaved.src * plan.sizes.src;
        if constexpr (Deals) std::memcpy(from, src, read * Count);
        else
            for (int k = 0; k < Count; ++k) std::memcpy(from + k * Bytes, src + k * apart, read);
        interleaved_tile<Bytes, Count, Deals, false>(plan, Bytes)(from, to);
        if constexpr (Deals)
            for (int k = 0; k < Count; ++k) std::memcpy(dst + k * apart, to + k * Bytes, written);
        else std::memcpy(dst, to, written * Count);
    }
};
template <int Bytes, int Count, bool Deals>
void run_interleave_parts(const reorder_plan& plan, const open_rest& rest, const tile_walk& walk, const std::byte* src,
                          std::byte* dst) noexcept {
    const interleave_lanes lanes(plan, rest);
    const auto bytes = static_cast<std::size_t>(plan.sizes.work);
    run_walk<false>(walk, src, dst,
                    interleave_part<Bytes, Count, Deals>{plan, static_cast<std::size_t>(lanes.valid) * bytes,
                                                         static_cast<std::size_t>(lanes.stored) * bytes});
}
template <int Bytes, int Count, bool Deals>
constexpr open_kernel make_interleave_kernel() {
    open_kernel out;
    out.whole = run_whole_interleaves<Bytes, Count, Deals, false>;
    out.stream = run_whole_interleaves<Bytes, Count, Deals, true>;
    out.part = run_interleave_parts<Bytes, Count, Deals>;
    out.finish_streams = finish_streams;
    return out;
}
template <int Bytes, int Count, bool Deals>
inline constexpr open_kernel interleave_kernel_for = make_interleave_kernel<Bytes, Count, Deals>();

template <int Bytes, int Count>
constexpr void add_interleave(data_kernels& out) {
    out.interleaves[log2_of(Bytes)][Count][0] = &interleave_kernel_for<Bytes, Count, false>;
    out.interleaves[log2_of(Bytes)][Count][1] = &interleave_kernel_for<Bytes, Count, true>;
}
template <int Bytes, int... R>
constexpr void add_kernels(data_kernels& out, std::integer_sequence<int, R...>) {
    ((out.of[log2_of(Bytes)][R] = &data_kernel_for<Bytes, R>), ...);
    add_interleave<Bytes, 3>(out);
    add_interleave<Bytes, 5>(out);
    add_interleave<Bytes, 6>(out);
    add_interleave<Bytes, 7>(out);
}
/// The kernels of registers of so many bytes; of 32 with up to 8 registers: of 16 that there are, 16 leave none to
/// shuffle with.
template <int Bytes>
constexpr data_kernels make_data_kernels(data_kernels others = {}) {
    add_kernels<Bytes>(others, indices < Bytes == 32 ? max_register_bits : max_register_bits + 1 > {});
    return others;
}
