// A tile whose values are scaled on the way, all alike.
// Read once in each instruction set's namespace, see tile_moves.inl.
// Needs before it: interleave.inl, tile.inl.

#include <plait/engine/simd/scaled_access.inl>

/// One tile, scaled. Padding is zero, whatever the attributes make of zeros: where a tile has some, zeros are stored
/// first, then the lanes that are valid.
template <class Types, tile_pattern Pattern, int Bounds>
struct scaled_tile : tile<Types, Pattern, Bounds> {
    using base = tile<Types, Pattern, Bounds>;
    using reg = typename base::reg;
    using access = scaled_access<Types, Pattern.lanes()>;
    using remaining_type = scaled_remaining<Bounds, access>;
    static constexpr int count = base::count;

    /// Of the destination's lanes, a whole tile has those that are valid.
    struct offset_table : tile_offsets<base> {
        static constexpr int segments = base::count * Pattern.segments(side::destination);
        std::uint64_t
            zeros[segments]{};  ///< the lanes to store zeros in before: all of a segment, where some are padding

        constexpr explicit offset_table(const reorder_plan& plan) : tile_offsets<base>(plan) {}
    };
    static constexpr offset_table find_offsets(const reorder_plan& plan, bool fix) {
        offset_table out(plan);
        if (!fix) return out;
        base::fix_bounds(plan, out, indices<Bounds>{});
        std::uint64_t stored[offset_table::segments]{};
        for (int segment = 0; segment < offset_table::segments; ++segment) stored[segment] = out.dst.lanes[segment];
        leave_padding_out(plan, out, indices<Bounds>{});
        for (int segment = 0; segment < offset_table::segments; ++segment)
            if (stored[segment] != out.dst.lanes[segment]) out.zeros[segment] = stored[segment];
        return out;
    }
    /// What is left, with the padding left out; whether there is some.
    [[gnu::always_inline]] static inline bool leave_padding_out(remaining_extents<Bounds>& remaining) {
        bool any = false;
        for (int x = 0; x < Bounds; ++x) {
            any = any || remaining.valid[x] < remaining.stored[x];
            if (remaining.valid[x] < remaining.stored[x]) remaining.stored[x] = remaining.valid[x];
        }
        return any;
    }

    /// Zeros where the rest stores anything.
    [[gnu::always_inline]] static inline void store_zeros(const reorder_plan& plan, const offset_table& offsets,
                                                          std::byte* dst, const remaining_extents<Bounds>& remaining) {
        const std::uint64_t stored =
            base::template lanes_common_to_segments<side::destination>(plan, remaining, indices<Bounds>{});
        for (int i = 0; i < base::count; ++i)
            base::template store_edge<Pattern.lanes()>(plan, offsets, dst, remaining, stored,
                                                       i * Pattern.segments(side::destination), typename base::reg{});
    }

    /// The lanes of a segment that is in a whole tile, or in one that passes the end of an axis.
    template <side Side, bool Invariant>
    struct interior_lanes {
        const offset_table& offsets;
        [[gnu::always_inline]] inline std::uint64_t operator()(int segment) const {
            if constexpr (!Invariant) return base::template all_lanes<Side>;
            else return Side == side::source ? offsets.src.lanes[segment] : offsets.dst.lanes[segment];
        }
    };
    template <side Side>
    struct edge_lanes {
        const reorder_plan& plan;
        const offset_table& offsets;
        const remaining_extents<Bounds>& remaining;
        std::uint64_t alike = base::template lanes_common_to_segments<Side>(plan, remaining, indices<Bounds>{});
        [[gnu::always_inline]] inline std::uint64_t operator()(int segment) const {
            if constexpr (Side == side::source)
                return alike & base::template lanes_of_segment<side::source>(plan, remaining, offsets.src, segment,
                                                                             indices<Bounds>{});
            else
                return alike & base::template lanes_of_segment<side::destination>(plan, remaining, offsets.dst, segment,
                                                                                  indices<Bounds>{});
        }
    };

    /// Zeros into the segments of a whole tile that have padding.
    template <int... Segment>
    [[gnu::always_inline]] static inline void store_padding(const offset_table& offsets, std::byte* dst,
                                                            std::integer_sequence<int, Segment...>) {
        (store_padding_of(offsets, dst, Segment), ...);
    }

    template <int Lanes, class LanesOf>
    [[gnu::always_inline]] static inline auto load(const access& scaling, const offset_table& offsets,
                                                   const std::byte* src, int segment, const LanesOf& lanes_of) {
        constexpr int segments = Lanes / base::template segment_lanes<side::source>;
        if constexpr (segments > 1) {
            return vector<Lanes * sizeof(typename Types::work)>::join(
                load<Lanes / 2>(scaling, offsets, src, segment, lanes_of),
                load<Lanes / 2>(scaling, offsets, src, segment + segments / 2, lanes_of));
        } else {
            using loaded = decltype(scaling.template load<Lanes>(src));
            const std::uint64_t lanes = lanes_of(segment);
            if (lanes == base::template all_lanes<side::source>)
                return scaling.template load<Lanes>(src + offsets.src.offset[segment]);
            return lanes == 0 ? loaded{} : scaling.template load<Lanes>(src + offsets.src.offset[segment], lanes);
        }
    }
    template <int Lanes, bool Stream, class Register, class LanesOf>
    [[gnu::always_inline]] static inline void store(const access& scaling, const offset_table& offsets, std::byte* dst,
                                                    int segment, Register value, const LanesOf& lanes_of) {
        constexpr int segments = Lanes / base::template segment_lanes<side::destination>;
        if constexpr (segments > 1) {
            using whole = vector<Lanes * sizeof(typename Types::work)>;
            store<Lanes / 2, Stream>(scaling, offsets, dst, segment, whole::template half<false>(value), lanes_of);
            store<Lanes / 2, Stream>(scaling, offsets, dst, segment + segments / 2, whole::template half<true>(value),
                                     lanes_of);
        } else {
            const std::uint64_t lanes = lanes_of(segment);
            if (lanes == base::template all_lanes<side::destination>)
                scaling.template store<Lanes, Stream>(dst + offsets.dst.offset[segment], value);
            else if (lanes != 0) scaling.template store<Lanes, false>(dst + offsets.dst.offset[segment], value, lanes);
        }
    }
    template <bool Invariant, bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const access& scaling, const offset_table& offsets,
                                                   const std::byte* src, std::byte* dst,
                                                   std::integer_sequence<int, R...>) {
        reg r[count];
        ((r[R] = load<Pattern.lanes()>(scaling, offsets, src, R * Pattern.segments(side::source),
                                       interior_lanes<side::source, Invariant>{offsets})),
         ...);
        base::shuffle(r, indices<base::network.steps.size()>{});
        if constexpr (Invariant) store_padding(offsets, dst, indices<offset_table::segments>{});
        (store<Pattern.lanes(), Stream>(scaling, offsets, dst, R * Pattern.segments(side::destination), r[R],
                                        interior_lanes<side::destination, Invariant>{offsets}),
         ...);
    }
    [[gnu::noinline]] static void move_edge(const reorder_plan& plan, const offset_table& offsets, const std::byte* src,
                                            std::byte* dst, const remaining_type& remaining) noexcept {
        reg r[count];
        const edge_lanes<side::source> loaded{plan, offsets, remaining};
        for (int i = 0; i < count; ++i)
            r[i] = load<Pattern.lanes()>(remaining.scaling, offsets, src, i * Pattern.segments(side::source), loaded);
        base::shuffle(r, indices<base::network.steps.size()>{});
        remaining_extents<Bounds> valid = remaining;
        if (leave_padding_out(valid)) store_zeros(plan, offsets, dst, remaining);
        const edge_lanes<side::destination> stored{plan, offsets, valid};
        for (int i = 0; i < count; ++i)
            store<Pattern.lanes(), false>(remaining.scaling, offsets, dst, i * Pattern.segments(side::destination),
                                          r[i], stored);
    }
    template <bool Invariant, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        if (base::template is_interior<Invariant>(plan, offsets, src, remaining)) {
            move<Invariant, Stream>(remaining.scaling, offsets, src, dst, indices<count>{});
        } else if (remaining.any(indices<Bounds>{})) {
            const remaining_type here = remaining;  // of which the function may take the address
            move_edge(plan, offsets, src, dst, here);
        }
    }

private:
    [[gnu::always_inline]] static inline void store_padding_of(const offset_table& offsets, std::byte* dst,
                                                               int segment) {
        using elements = typename base::elements;
        constexpr int lanes = base::template segment_lanes<side::destination>;
        const decltype(elements::template load<lanes>(dst)) zero{};
        if (offsets.zeros[segment] == 0) return;
        if (offsets.zeros[segment] == base::template all_lanes<side::destination>)
            elements::template store<lanes, false>(dst + offsets.dst.offset[segment], zero);
        else elements::template store<lanes>(dst + offsets.dst.offset[segment], zero, offsets.zeros[segment]);
    }
    template <int... X>
    static constexpr void leave_padding_out(const reorder_plan& plan, offset_table& out,
                                            std::integer_sequence<int, X...>) {
        (leave_padding_out_along<X>(plan, out), ...);
    }
    template <int X>
    static constexpr void leave_padding_out_along(const reorder_plan& plan, offset_table& out) {
        if (!out.invariant[X]) return;
        for (int segment = 0; segment < offset_table::segments; ++segment)
            out.dst.lanes[segment] &=
                base::template below<side::destination, X>(plan, plan.bounds[X].valid - out.dst.index[X][segment]);
    }
};

/// What scales the tiles of a pattern.
template <class Types, tile_pattern Pattern, int Bounds>
struct pick_scaled_tile {
    using type = scaled_tile<Types, Pattern, Bounds>;
};
template <class Types, tile_pattern Pattern, int Bounds>
    requires(Pattern.interleave != 0)
struct pick_scaled_tile<Types, Pattern, Bounds> {
    using elements = scaled_access<Types, Pattern.lanes()>;
    using type = interleave_tile<Types, Pattern, Bounds, elements, scaled_remaining<Bounds, elements>>;
};
