// The code of a tile, written once and compiled once an instruction set: each file of simd/ includes it behind its
// registers, inside its own namespace and target region. A function template has one target attribute, so one text has
// to be read several times; see docs/design/targets.md. No instruction is named here.

#include <plait/reorder/simd/places.inl>

/// One tile: load the registers piece by piece, run the network, store them.
template <class Path, tile_pattern Pattern, int Limits>
struct tile {
    using elements = access<Path, Pattern.lanes()>;
    using reg = typename elements::reg;
    using left = remaining<Limits>;
    static constexpr tile_pattern pattern = Pattern;
    static constexpr int watched = Limits;
    static constexpr int count = Pattern.registers();
    static constexpr shuffle_network network =
        *find_network(Pattern, rules_of(this_isa, elements::work_bytes, Pattern.lane_bits));
    using every_register = indices<count>;
    using limits = indices<Limits>;

    /// The lanes of one piece, and all of them as bits.
    template <bool Source>
    static constexpr int piece_lanes = 1 << Pattern.piece_bits(Source);
    template <bool Source>
    static constexpr std::uint64_t all_lanes = ~std::uint64_t{0} >> (64 - piece_lanes<Source>);

    /// The bit of the tile that bit k of a piece's number counts: upper lanes, then registers.
    template <bool Source>
    static constexpr int bit_of(int k) {
        const int upper = Pattern.lane_bits - Pattern.piece_bits(Source), lane = Pattern.piece_bits(Source) + k;
        if (k < upper) return Source ? lane : network.ends.lanes[lane];
        return Source ? lane : network.ends.registers[k - upper];
    }

    template <bool Source>
    using piece_places = places_of_pieces<tile, Source>;
    using places = places_of_tile<tile>;

    /// The places of a plan that is a constant. Limits along which no loop goes are settled here: pieces beyond are
    /// left out of the code. Lanes beyond are read where they may be, as nothing stores them.
    static constexpr places find_places(const reorder_plan& plan, bool settle) {
        places out(plan);
        if (settle) settle_limits(plan, out, limits{});
        return out;
    }
    template <int... X>
    static constexpr void settle_limits(const reorder_plan& plan, places& out, std::integer_sequence<int, X...>) {
        (settle_limit<tile, X>(plan, out), ...);
    }

    /// The lower register of pair p of a step: p with a zero in the place of the step's bit.
    static constexpr int lower(int p, int bit) { return (p >> bit << (bit + 1)) | (p & ((1 << bit) - 1)); }
    template <shuffle_step Step, int... P>
    [[gnu::always_inline]] static inline void run_step(reg (&r)[count], std::integer_sequence<int, P...>) {
        constexpr int bit = Step.register_bit;
        (elements::template shuffle<Step.rule>(r[lower(P, bit)], r[lower(P, bit) | 1 << bit]), ...);
    }
    template <int... S>
    [[gnu::always_inline]] static inline void shuffle(reg (&r)[count], std::integer_sequence<int, S...>) {
        (run_step<network.steps[S]>(r, indices<count / 2>{}), ...);
    }

    /// Whether the instruction set merges the pieces of so many lanes while it loads them.
    template <int Lanes>
    static constexpr bool merges_pieces =
        this_isa == isa::avx512&& elements::moves_only&& Lanes* elements::work_bytes == 64 &&
        Lanes / piece_lanes<true> <= 4;

    template <class Places, int... Part>
    [[gnu::always_inline]] static inline reg load_parts(const Places& at, const std::byte* src, int piece,
                                                        std::integer_sequence<int, Part...>) {
        const std::byte* const from[] = {at.src.place(src, piece + Part)...};  // in order
        return vector<Pattern.lanes() * elements::work_bytes>::load_parts(from[Part]...);
    }

    /// Every access masked, without a branch. Without lanes it is slow where there is no memory, so it goes to the start
    /// of the tile.
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_masked(const std::byte* start, const std::byte* from,
                                                          std::uint64_t lanes) {
        return elements::template load<Lanes>(lanes == 0 ? start : from, lanes);
    }
    template <int Lanes, class Register>
    [[gnu::always_inline]] static inline void store_masked(std::byte* start, std::byte* to, Register value,
                                                           std::uint64_t lanes) {
        elements::template store<Lanes>(lanes == 0 ? start : to, value, lanes);
    }

    // A whole tile. Where limits are settled, which lanes a piece has is a constant, and the branches are gone from the
    // code.
    template <int Lanes, bool Settled, class Places>
    [[gnu::always_inline]] static inline auto load(const Places& at, const std::byte* src, int piece) {
        constexpr int pieces = Lanes / piece_lanes<true>;
        if constexpr (pieces > 1) {
            // Pieces that are only moved are merged by their loads, where all of each is there.
            if constexpr (merges_pieces<Lanes>) {
                bool all = true;
                for (int k = 0; Settled && !Places::all_are_loaded && k < pieces; ++k) all = all && at.src.lanes[piece + k] == all_lanes<true>;
                if (all) return load_parts(at, src, piece, indices<pieces>{});
            }
            const auto lower = load<Lanes / 2, Settled>(at, src, piece);
            return vector<Lanes * elements::work_bytes>::join(lower,
                                                              load<Lanes / 2, Settled>(at, src, piece + pieces / 2));
        } else {
            using loaded = decltype(elements::template load<Lanes>(src));
            const std::byte* const from = at.src.place(src, piece);
            if constexpr (!Settled || Places::all_are_loaded) return elements::template load<Lanes>(from);
            const std::uint64_t lanes = at.src.lanes[piece];
            if constexpr (Places::every_access_is_masked) return load_masked<Lanes>(src, from, lanes);
            if (lanes == all_lanes<true>) return elements::template load<Lanes>(from);
            if (lanes == 0) return loaded{};
            return elements::template load<Lanes>(from, lanes);
        }
    }
    template <int Lanes, bool Settled, bool Stream, class Places, class Register>
    [[gnu::always_inline]] static inline void store(const Places& at, std::byte* dst, int piece, Register value) {
        constexpr int pieces = Lanes / piece_lanes<false>;
        if constexpr (pieces > 1) {
            using whole = vector<Lanes * elements::work_bytes>;
            store<Lanes / 2, Settled, Stream>(at, dst, piece, whole::template half<false>(value));
            store<Lanes / 2, Settled, Stream>(at, dst, piece + pieces / 2, whole::template half<true>(value));
        } else {
            std::byte* const to = at.dst.place(dst, piece);
            if constexpr (!Settled) return elements::template store<Lanes, Stream>(to, value);
            const std::uint64_t lanes = at.dst.lanes[piece];
            if constexpr (Places::every_access_is_masked) return store_masked<Lanes>(dst, to, value, lanes);
            if (lanes == all_lanes<false> || (Places::pieces_are_whole && lanes != 0))
                elements::template store<Lanes, Stream>(to, value);
            else if (!Places::pieces_are_whole && lanes != 0) elements::template store<Lanes>(to, value, lanes);
        }
    }
    template <bool Settled, bool Stream, class Places, int... R>
    [[gnu::always_inline]] static inline void move(const reorder_plan& plan, const Places& at, const std::byte* src,
                                                   std::byte* dst, std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.pieces(true), out = Pattern.pieces(false);
        // A tile that is stored past the caches asks for the source of one some steps ahead, past them too: it is read
        // once. Measured with both compilers: all at once is best for a tile from many places, and between the stores
        // for a tile from one, where a burst of requests holds up the loads behind it.
        const bool first = Stream && plan.prefetch != 0 && plan.source_is_apart,
                   between = Stream && plan.prefetch != 0 && !first;
        const std::byte* const ahead = src + plan.prefetch * plan.sizes.src;
        if (first) (__builtin_prefetch(at.src.place_of_any(ahead, R * in), 0, 0), ...);
        reg r[count];
        ((r[R] = load<lanes, Settled>(at, src, R * in)), ...);
        shuffle(r, indices<network.steps.size()>{});
        if (between)
            ((store<lanes, Settled, Stream>(at, dst, R * out, r[R]),
              __builtin_prefetch(at.src.place_of_any(ahead, R * in), 0, 0)),
             ...);
        else (store<lanes, Settled, Stream>(at, dst, R * out, r[R]), ...);
    }

    /// The lanes of a piece that axis X leaves when the index of its first lane is `rest` below the limit.
    template <bool Source, int X>
    [[gnu::always_inline]] static constexpr std::uint64_t below(const reorder_plan& plan, dim_t rest) {
        constexpr lane_span span = lanes_along(Pattern, X, Source);
        if constexpr (span.bits == 0) return rest > 0 ? ~std::uint64_t{0} : 0;
        else
            return lanes_below(span.first, span.bits, rest,
                               plan.bits[Source ? span.first : Pattern.dst_lanes[span.first]].weight);
    }
    template <bool Source>
    static constexpr bool pieces_count_along(int axis) {
        for (int k = 0; k < Pattern.lane_bits + Pattern.register_bits - Pattern.piece_bits(Source); ++k)
            if (Pattern.limits[bit_of<Source>(k)] == axis) return true;
        return false;
    }
    /// What limits leave of all pieces alike, and of one.
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_all(const reorder_plan& plan, const left& rest,
                                                              std::integer_sequence<int, X...>) {
        return (all_lanes<Source> & ... &
                (pieces_count_along<Source>(X) ? all_lanes<Source>
                                               : below<Source, X>(plan, Source ? rest.valid[X] : rest.stored[X])));
    }
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_one(const reorder_plan& plan, const left& rest,
                                                              const piece_places<Source>& side,
                                                              [[maybe_unused]] int piece,
                                                              std::integer_sequence<int, X...>) {
        return (all_lanes<Source> & ... &
                (pieces_count_along<Source>(X)
                     ? below<Source, X>(plan, (Source ? rest.valid[X] : rest.stored[X]) - side.index[X][piece])
                     : all_lanes<Source>));
    }

    /// A tile that passes the end of an axis. All kernels of a pattern share it.
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places& at, const std::byte* src,
                                            std::byte* dst, const left& rest) noexcept {
        const std::uint64_t loaded = of_all<true>(plan, rest, limits{}), stored = of_all<false>(plan, rest, limits{});
        reg r[count];
        // Masks cost little in AVX-512; unrolled, so many pieces would be most of the code.
        if constexpr (this_isa == isa::avx512 && count * (Pattern.pieces(true) + Pattern.pieces(false)) <= 48) {
            move_masked(plan, at, src, dst, rest, loaded, stored, r, every_register{});
        } else {
            // Most pieces are whole or not there at all; only the others are masked, which costs more. In loops: it
            // runs seldom, and unrolled it would be most of the code.
            for (int i = 0; i < count; ++i)
                r[i] = load_part<Pattern.lanes()>(plan, at, src, rest, loaded, i * Pattern.pieces(true));
            shuffle(r, indices<network.steps.size()>{});
            for (int i = 0; i < count; ++i)
                store_part<Pattern.lanes()>(plan, at, dst, rest, stored, i * Pattern.pieces(false), r[i]);
        }
    }
    template <int... R>
    [[gnu::always_inline]] static inline void move_masked(const reorder_plan& plan, const places& at,
                                                          const std::byte* src, std::byte* dst, const left& rest,
                                                          std::uint64_t loaded, std::uint64_t stored, reg (&r)[count],
                                                          std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.pieces(true), out = Pattern.pieces(false);
        ((r[R] = load_part<lanes>(plan, at, src, rest, loaded, R * in)), ...);
        shuffle(r, indices<network.steps.size()>{});
        (store_part<lanes>(plan, at, dst, rest, stored, R * out, r[R]), ...);
    }
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_part(const reorder_plan& plan, const places& at,
                                                        const std::byte* src, const left& rest, std::uint64_t loaded,
                                                        int piece) {
        constexpr int pieces = Lanes / piece_lanes<true>;
        if constexpr (pieces > 1) {
            return vector<Lanes * elements::work_bytes>::join(
                load_part<Lanes / 2>(plan, at, src, rest, loaded, piece),
                load_part<Lanes / 2>(plan, at, src, rest, loaded, piece + pieces / 2));
        } else {
            using result = decltype(elements::template load<Lanes>(src));
            const std::uint64_t lanes = loaded & of_one<true>(plan, rest, at.src, piece, limits{});
            const std::byte* const from = src + at.src.offset[piece];
            if constexpr (this_isa == isa::avx512) return load_masked<Lanes>(src, from, lanes);
            if (lanes == all_lanes<true>) return elements::template load<Lanes>(from);
            return lanes == 0 ? result{} : elements::template load<Lanes>(from, lanes);
        }
    }
    template <int Lanes, class Register>
    [[gnu::always_inline]] static inline void store_part(const reorder_plan& plan, const places& at, std::byte* dst,
                                                         const left& rest, std::uint64_t stored, int piece,
                                                         Register value) {
        constexpr int pieces = Lanes / piece_lanes<false>;
        if constexpr (pieces > 1) {
            using whole = vector<Lanes * elements::work_bytes>;
            store_part<Lanes / 2>(plan, at, dst, rest, stored, piece, whole::template half<false>(value));
            store_part<Lanes / 2>(plan, at, dst, rest, stored, piece + pieces / 2, whole::template half<true>(value));
        } else {
            const std::uint64_t lanes = stored & of_one<false>(plan, rest, at.dst, piece, limits{});
            std::byte* const to = dst + at.dst.offset[piece];
            if constexpr (this_isa == isa::avx512) store_masked<Lanes>(dst, to, value, lanes);
            else if (lanes == all_lanes<false>) elements::template store<Lanes, false>(to, value);
            else if (lanes != 0) elements::template store<Lanes>(to, value, lanes);
        }
    }

    /// Whether a tile passes no end but those that each passes alike, and reads nothing behind the source.
    template <bool Settled>
    [[gnu::always_inline]] static inline bool is_whole(const reorder_plan& plan, const places& at, const std::byte* src,
                                                       const left& rest) {
        return rest.whole(plan, at.fixed, limits{}) &&
               (!Settled || at.read_bytes == 0 || rest.src_end - src >= at.read_bytes);
    }
    /// A whole tile, or one that passes the end of an axis; beyond what is stored, nothing.
    template <bool Settled, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        if (is_whole<Settled>(plan, at, src, rest)) move<Settled, Stream>(plan, at, src, dst, every_register{});
        else if (rest.any(limits{})) move_part(plan, at, src, dst, rest);
    }
};
