// The tile of a plan that is a constant. Read in the same way as tile_moves.inl.

#include <plait/reorder/simd/tile_moves.inl>

/// One tile, of plans that watch so many axes.
template <class Path, tile_pattern Pattern, int Limits>
struct tile : tile_moves<Path, Pattern> {
    using base = tile_moves<Path, Pattern>;
    using elements = typename base::elements;
    using reg = typename base::reg;
    using every_register = typename base::every_register;
    using base::count, base::network;
    template <bool Source>
    static constexpr int piece_lanes = base::template piece_lanes<Source>;
    template <bool Source>
    static constexpr std::uint64_t all_lanes = base::template all_lanes<Source>;
    using left = remaining<Limits>;
    static constexpr int watched = Limits;
    using limits = indices<Limits>;

    template <bool Source>
    using piece_places = places_of_pieces<tile, Source>;
    /// The tiles that pass the end of an axis have code of their own: of more than two axes it would be too much.
    static constexpr bool has_ends = Limits == 1 || Limits == 2;
    using places = std::conditional_t<has_ends, places_and_ends<tile>, places_of_tile<tile>>;

    /// The places of a plan that is a constant. Limits along which no loop goes are settled here.
    static constexpr places find_places(const reorder_plan& plan, bool settle) {
        return find_places(plan, settle, limits{});
    }
    template <int... X>
    static constexpr places find_places(const reorder_plan& plan, bool settle, std::integer_sequence<int, X...>) {
        places_of_tile<tile> whole(plan);
        if (settle) settle_limits(plan, whole, limits{});
        if constexpr (has_ends)
            return {whole,
                    {places_at_end<tile>::template find<X>(plan, whole, true)...},
                    {places_at_end<tile>::template find<X>(plan, whole, false)...}};
        else return whole;
    }

    template <int... X>
    static constexpr void settle_limits(const reorder_plan& plan, places_of_tile<tile>& out,
                                        std::integer_sequence<int, X...>) {
        (settle_limit<tile, X>(plan, out), ...);
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
            if (Pattern.limits[base::template bit_of<Source>(k)] == axis) return true;
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
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places_of_tile<tile>& at,
                                            const std::byte* src, std::byte* dst, const left& rest) noexcept {
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
            base::shuffle(r, indices<network.steps.size()>{});
            for (int i = 0; i < count; ++i)
                store_part<Pattern.lanes()>(plan, at, dst, rest, stored, i * Pattern.pieces(false), r[i]);
        }
    }
    template <int... R>
    [[gnu::always_inline]] static inline void move_masked(const reorder_plan& plan, const places_of_tile<tile>& at,
                                                          const std::byte* src, std::byte* dst, const left& rest,
                                                          std::uint64_t loaded, std::uint64_t stored, reg (&r)[count],
                                                          std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.pieces(true), out = Pattern.pieces(false);
        ((r[R] = load_part<lanes>(plan, at, src, rest, loaded, R * in)), ...);
        base::shuffle(r, indices<network.steps.size()>{});
        (store_part<lanes>(plan, at, dst, rest, stored, R * out, r[R]), ...);
    }
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_part(const reorder_plan& plan, const places_of_tile<tile>& at,
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
            if constexpr (this_isa == isa::avx512) return base::template load_masked<Lanes>(from, lanes);
            if (lanes == all_lanes<true>) return elements::template load<Lanes>(from);
            return lanes == 0 ? result{} : elements::template load<Lanes>(from, lanes);
        }
    }
    template <int Lanes, class Register>
    [[gnu::always_inline]] static inline void store_part(const reorder_plan& plan, const places_of_tile<tile>& at,
                                                         std::byte* dst, const left& rest, std::uint64_t stored,
                                                         int piece, Register value) {
        constexpr int pieces = Lanes / piece_lanes<false>;
        if constexpr (pieces > 1) {
            using whole = vector<Lanes * elements::work_bytes>;
            store_part<Lanes / 2>(plan, at, dst, rest, stored, piece, whole::template half<false>(value));
            store_part<Lanes / 2>(plan, at, dst, rest, stored, piece + pieces / 2, whole::template half<true>(value));
        } else {
            const std::uint64_t lanes = stored & of_one<false>(plan, rest, at.dst, piece, limits{});
            std::byte* const to = dst + at.dst.offset[piece];
            if constexpr (this_isa == isa::avx512) base::template store_masked<Lanes>(dst, to, value, lanes);
            else if (lanes == all_lanes<false>) elements::template store<Lanes, false>(to, value);
            else if (lanes != 0) elements::template store<Lanes>(to, value, lanes);
        }
    }

    /// Whether a tile passes no end but those that each passes alike, and reads nothing behind the source.
    template <bool Settled>
    [[gnu::always_inline]] static inline bool is_whole(const reorder_plan& plan, const places_of_tile<tile>& at,
                                                       const std::byte* src, const left& rest) {
        return rest.whole(plan, at.fixed, limits{}) &&
               (!Settled || at.read_bytes == 0 || rest.src_end - src >= at.read_bytes);
    }
    /// A whole tile, or one that passes the end of an axis; beyond what is stored, nothing.
    template <bool Settled, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        if (is_whole<Settled>(plan, at, src, rest))
            base::template move<Settled, Stream>(plan, at, src, dst, every_register{});
        else if (!run_end(plan, at, src, dst, rest, limits{}) && rest.any(limits{}))
            move_part(plan, at, src, dst, rest);
    }
    /// Moves a tile that passes the end of one axis as all do there, and no other; false for others.
    template <int... X>
    [[gnu::always_inline]] static inline bool run_end([[maybe_unused]] const reorder_plan& plan,
                                                      [[maybe_unused]] const places& at,
                                                      [[maybe_unused]] const std::byte* src,
                                                      [[maybe_unused]] std::byte* dst,
                                                      [[maybe_unused]] const left& rest,
                                                      std::integer_sequence<int, X...>) {
        if constexpr (has_ends)
            return ((run_end_along<X>(plan, at.valid_ends[X], src, dst, rest) ||
                     run_end_along<X>(plan, at.stored_ends[X], src, dst, rest)) ||
                    ...);
        else return false;
    }
    template <int X>
    [[gnu::always_inline]] static inline bool run_end_along(const reorder_plan& plan, const places_at_end<tile>& end,
                                                            const std::byte* src, std::byte* dst, const left& rest) {
        if (!end.passes || rest.valid[X] != end.valid || rest.stored[X] != end.stored) return false;
        if (!is_whole<true>(plan, end.places, src, rest)) return false;
        base::template move<true, false>(plan, end.places, src, dst, every_register{});
        return true;
    }
};
