// A tile whose values are scaled on the way, all alike. Read in the same way as tile.inl.

#include <plait/reorder/simd/scaled_access.inl>

/// What all tiles with attributes share: padding is zero, whatever they make of zeros. Where a tile has some, zeros are
/// stored first, then the lanes that are valid.
template <class Path, tile_pattern Pattern, int Limits>
struct attributed_tile : tile<Path, Pattern, Limits> {
    using base = tile<Path, Pattern, Limits>;

    /// Of the destination's lanes, a whole tile has those that are valid.
    struct places : places_of_tile<base> {
        static constexpr int pieces = base::count * Pattern.pieces(false);
        std::uint64_t zeros[pieces]{};  ///< the lanes to store zeros in before: all of a piece, where some are padding

        constexpr explicit places(const reorder_plan& plan) : places_of_tile<base>(plan) {}
    };
    static constexpr places find_places(const reorder_plan& plan, bool settle) {
        places out(plan);
        if (!settle) return out;
        base::settle_limits(plan, out, indices<Limits>{});
        std::uint64_t stored[places::pieces]{};
        for (int piece = 0; piece < places::pieces; ++piece) stored[piece] = out.dst.lanes[piece];
        leave_padding_out(plan, out, indices<Limits>{});
        for (int piece = 0; piece < places::pieces; ++piece)
            if (stored[piece] != out.dst.lanes[piece]) out.zeros[piece] = stored[piece];
        return out;
    }
    /// What is left, with the padding left out; whether there is some.
    [[gnu::always_inline]] static inline bool leave_padding_out(remaining<Limits>& rest) {
        bool any = false;
        for (int x = 0; x < Limits; ++x) {
            any = any || rest.valid[x] < rest.stored[x];
            if (rest.valid[x] < rest.stored[x]) rest.stored[x] = rest.valid[x];
        }
        return any;
    }

    /// Zeros where the rest stores anything.
    [[gnu::always_inline]] static inline void store_zeros(const reorder_plan& plan, const places& at, std::byte* dst,
                                                          const remaining<Limits>& rest) {
        const std::uint64_t stored = base::template of_all<false>(plan, rest, indices<Limits>{});
        for (int i = 0; i < base::count; ++i)
            base::template store_part<Pattern.lanes()>(plan, at, dst, rest, stored, i * Pattern.pieces(false),
                                                       typename base::reg{});
    }

    /// The lanes of a piece that is in a whole tile, or in one that passes the end of an axis.
    template <bool Source, bool Settled>
    struct whole_lanes {
        const places& at;
        [[gnu::always_inline]] inline std::uint64_t operator()(int piece) const {
            if constexpr (!Settled) return base::template all_lanes<Source>;
            else return Source ? at.src.lanes[piece] : at.dst.lanes[piece];
        }
    };
    template <bool Source>
    struct part_lanes {
        const reorder_plan& plan;
        const places& at;
        const remaining<Limits>& rest;
        std::uint64_t alike = base::template of_all<Source>(plan, rest, indices<Limits>{});
        [[gnu::always_inline]] inline std::uint64_t operator()(int piece) const {
            if constexpr (Source)
                return alike & base::template of_one<true>(plan, rest, at.src, piece, indices<Limits>{});
            else return alike & base::template of_one<false>(plan, rest, at.dst, piece, indices<Limits>{});
        }
    };

    /// Zeros into the pieces of a whole tile that have padding.
    template <bool Settled, int... Piece>
    [[gnu::always_inline]] static inline void store_padding(const places& at, std::byte* dst,
                                                            std::integer_sequence<int, Piece...>) {
        if constexpr (Settled) (store_padding_of(at, dst, Piece), ...);
    }

private:
    [[gnu::always_inline]] static inline void store_padding_of(const places& at, std::byte* dst, int piece) {
        using elements = typename base::elements;
        constexpr int lanes = base::template piece_lanes<false>;
        const decltype(elements::template load<lanes>(dst)) zero{};
        if (at.zeros[piece] == 0) return;
        if (at.zeros[piece] == base::template all_lanes<false>)
            elements::template store<lanes, false>(dst + at.dst.offset[piece], zero);
        else elements::template store<lanes>(dst + at.dst.offset[piece], zero, at.zeros[piece]);
    }
    template <int... X>
    static constexpr void leave_padding_out(const reorder_plan& plan, places& out, std::integer_sequence<int, X...>) {
        (leave_padding_out_along<X>(plan, out), ...);
    }
    template <int X>
    static constexpr void leave_padding_out_along(const reorder_plan& plan, places& out) {
        if (!out.fixed[X]) return;
        for (int piece = 0; piece < places::pieces; ++piece)
            out.dst.lanes[piece] &=
                base::template below<false, X>(plan, plan.limits[X].valid - out.dst.index[X][piece]);
    }
};

/// One tile, scaled.
template <class Path, tile_pattern Pattern, int Limits>
struct scaled_tile : attributed_tile<Path, Pattern, Limits> {
    using base = attributed_tile<Path, Pattern, Limits>;
    using places = typename base::places;
    using reg = typename base::reg;
    using access = scaled_access<Path, Pattern.lanes()>;
    using left = scaled_remaining<Limits, access>;
    static constexpr int count = base::count;

    template <int Lanes, class LanesOf>
    [[gnu::always_inline]] static inline auto load(const access& how, const places& at, const std::byte* src, int piece,
                                                   const LanesOf& lanes_of) {
        constexpr int pieces = Lanes / base::template piece_lanes<true>;
        if constexpr (pieces > 1) {
            return vector<Lanes * sizeof(typename Path::work)>::join(
                load<Lanes / 2>(how, at, src, piece, lanes_of),
                load<Lanes / 2>(how, at, src, piece + pieces / 2, lanes_of));
        } else {
            using loaded = decltype(how.template load<Lanes>(src));
            const std::uint64_t lanes = lanes_of(piece);
            if (lanes == base::template all_lanes<true>) return how.template load<Lanes>(src + at.src.offset[piece]);
            return lanes == 0 ? loaded{} : how.template load<Lanes>(src + at.src.offset[piece], lanes);
        }
    }
    template <int Lanes, bool Stream, class Register, class LanesOf>
    [[gnu::always_inline]] static inline void store(const access& how, const places& at, std::byte* dst, int piece,
                                                    Register value, const LanesOf& lanes_of) {
        constexpr int pieces = Lanes / base::template piece_lanes<false>;
        if constexpr (pieces > 1) {
            using whole = vector<Lanes * sizeof(typename Path::work)>;
            store<Lanes / 2, Stream>(how, at, dst, piece, whole::template half<false>(value), lanes_of);
            store<Lanes / 2, Stream>(how, at, dst, piece + pieces / 2, whole::template half<true>(value), lanes_of);
        } else {
            const std::uint64_t lanes = lanes_of(piece);
            if (lanes == base::template all_lanes<false>)
                how.template store<Lanes, Stream>(dst + at.dst.offset[piece], value);
            else if (lanes != 0) how.template store<Lanes, false>(dst + at.dst.offset[piece], value, lanes);
        }
    }
    template <bool Settled, bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const access& how, const places& at, const std::byte* src,
                                                   std::byte* dst, std::integer_sequence<int, R...>) {
        reg r[count];
        ((r[R] = load<Pattern.lanes()>(how, at, src, R * Pattern.pieces(true),
                                       typename base::template whole_lanes<true, Settled>{at})),
         ...);
        base::shuffle(r, indices<base::network.steps.size()>{});
        base::template store_padding<Settled>(at, dst, indices<places::pieces>{});
        (store<Pattern.lanes(), Stream>(how, at, dst, R * Pattern.pieces(false), r[R],
                                        typename base::template whole_lanes<false, Settled>{at}),
         ...);
    }
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places& at, const std::byte* src,
                                            std::byte* dst, const left& rest) noexcept {
        reg r[count];
        const typename base::template part_lanes<true> loaded{plan, at, rest};
        for (int i = 0; i < count; ++i)
            r[i] = load<Pattern.lanes()>(rest.how, at, src, i * Pattern.pieces(true), loaded);
        base::shuffle(r, indices<base::network.steps.size()>{});
        remaining<Limits> valid = rest;
        if (base::leave_padding_out(valid)) base::store_zeros(plan, at, dst, rest);
        const typename base::template part_lanes<false> stored{plan, at, valid};
        for (int i = 0; i < count; ++i)
            store<Pattern.lanes(), false>(rest.how, at, dst, i * Pattern.pieces(false), r[i], stored);
    }
    template <bool Settled, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        if (base::template is_whole<Settled>(plan, at, src, rest)) {
            move<Settled, Stream>(rest.how, at, src, dst, indices<count>{});
        } else if (rest.any(indices<Limits>{})) {
            const left here = rest;  // of which the function may take the address
            move_part(plan, at, src, dst, here);
        }
    }
};

/// What scales the tiles of a pattern.
template <class Path, tile_pattern Pattern, int Limits>
struct pick_scaled_tile {
    using type = scaled_tile<Path, Pattern, Limits>;
};
template <class Path, tile_pattern Pattern, int Limits>
    requires(Pattern.interleave != 0)
struct pick_scaled_tile<Path, Pattern, Limits> {
    using elements = scaled_access<Path, Pattern.lanes()>;
    using type = interleave_tile<Path, Pattern, Limits, elements, scaled_remaining<Limits, elements>>;
};
