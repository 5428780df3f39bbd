// The tile of a plan that is a constant. Read in the same way as tile_moves.inl.

#include <plait/engine/simd/tile_moves.inl>

/// One tile, of plans that watch so many axes.
template <class Types, tile_pattern Pattern, int Bounds>
struct tile : tile_moves<Types, Pattern> {
    using base = tile_moves<Types, Pattern>;
    using elements = typename base::elements;
    using reg = typename base::reg;
    using every_register = typename base::every_register;
    using base::count, base::network;
    template <bool Source>
    static constexpr int segment_lanes = base::template segment_lanes<Source>;
    template <bool Source>
    static constexpr std::uint64_t all_lanes = base::template all_lanes<Source>;
    using remaining_type = remaining_extents<Bounds>;
    static constexpr int bound_count = Bounds;
    using bounds = indices<Bounds>;

    template <bool Source>
    using offsets_of_side = segment_offsets<tile, Source>;
    using offsets = tile_offsets<tile>;

    /// Where the segments of a plan that is a constant lie; if `fix`, bounds along which no loop goes are fixed here.
    static constexpr offsets find_offsets(const reorder_plan& plan, bool fix) {
        offsets whole(plan);
        if (fix) fix_bounds(plan, whole, bounds{});
        return whole;
    }
    template <int... X>
    static constexpr void fix_bounds(const reorder_plan& plan, tile_offsets<tile>& out,
                                     std::integer_sequence<int, X...>) {
        (fix_bound<tile, X>(plan, out), ...);
    }

    /// The lanes of a segment that axis X leaves when the index of its first lane is `remaining` below the bound.
    template <bool Source, int X>
    [[gnu::always_inline]] static constexpr std::uint64_t below(const reorder_plan& plan, dim_t remaining) {
        constexpr lane_span span = lanes_along(Pattern, X, Source);
        if constexpr (span.bits == 0) return remaining > 0 ? ~std::uint64_t{0} : 0;
        else
            return lanes_below(span.first, span.bits, remaining,
                               plan.bits[Source ? span.first : Pattern.dst_lanes[span.first]].index_step);
    }
    template <bool Source>
    static constexpr bool segments_count_along(int axis) {
        for (int k = 0; k < Pattern.lane_bits + Pattern.register_bits - Pattern.segment_bits(Source); ++k)
            if (Pattern.bounds[base::template bit_of<Source>(k)] == axis) return true;
        return false;
    }
    /// What bounds leave of all segments alike, and of one.
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_all(const reorder_plan& plan, const remaining_type& remaining,
                                                              std::integer_sequence<int, X...>) {
        return (all_lanes<Source> & ... &
                (segments_count_along<Source>(X)
                     ? all_lanes<Source>
                     : below<Source, X>(plan, Source ? remaining.valid[X] : remaining.stored[X])));
    }
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_one(const reorder_plan& plan, const remaining_type& remaining,
                                                              const offsets_of_side<Source>& side,
                                                              [[maybe_unused]] int segment,
                                                              std::integer_sequence<int, X...>) {
        return (
            all_lanes<Source> & ... &
            (segments_count_along<Source>(X)
                 ? below<Source, X>(plan, (Source ? remaining.valid[X] : remaining.stored[X]) - side.index[X][segment])
                 : all_lanes<Source>));
    }

    /// A tile that passes the end of an axis. All kernels of a pattern share it.
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const tile_offsets<tile>& at,
                                            const std::byte* src, std::byte* dst,
                                            const remaining_type& remaining) noexcept {
        const std::uint64_t loaded = of_all<true>(plan, remaining, bounds{}),
                            stored = of_all<false>(plan, remaining, bounds{});
        reg r[count];
        // Masks cost little in AVX-512; unrolled, so many segments would be most of the code.
        if constexpr (this_isa == isa::avx512 && count * (Pattern.segments(true) + Pattern.segments(false)) <= 48) {
            move_masked(plan, at, src, dst, remaining, loaded, stored, r, every_register{});
        } else {
            // Most segments are whole or not there at all; only the others are masked, which costs more. In loops: it
            // runs seldom, and unrolled it would be most of the code.
            for (int i = 0; i < count; ++i)
                r[i] = load_part<Pattern.lanes()>(plan, at, src, remaining, loaded, i * Pattern.segments(true));
            base::shuffle(r, indices<network.steps.size()>{});
            for (int i = 0; i < count; ++i)
                store_part<Pattern.lanes()>(plan, at, dst, remaining, stored, i * Pattern.segments(false), r[i]);
        }
    }
    template <int... R>
    [[gnu::always_inline]] static inline void move_masked(const reorder_plan& plan, const tile_offsets<tile>& at,
                                                          const std::byte* src, std::byte* dst,
                                                          const remaining_type& remaining, std::uint64_t loaded,
                                                          std::uint64_t stored, reg (&r)[count],
                                                          std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.segments(true), out = Pattern.segments(false);
        ((r[R] = load_part<lanes>(plan, at, src, remaining, loaded, R * in)), ...);
        base::shuffle(r, indices<network.steps.size()>{});
        (store_part<lanes>(plan, at, dst, remaining, stored, R * out, r[R]), ...);
    }
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_part(const reorder_plan& plan, const tile_offsets<tile>& at,
                                                        const std::byte* src, const remaining_type& remaining,
                                                        std::uint64_t loaded, int segment) {
        constexpr int segments = Lanes / segment_lanes<true>;
        if constexpr (segments > 1) {
            return vector<Lanes * elements::work_bytes>::join(
                load_part<Lanes / 2>(plan, at, src, remaining, loaded, segment),
                load_part<Lanes / 2>(plan, at, src, remaining, loaded, segment + segments / 2));
        } else {
            using result = decltype(elements::template load<Lanes>(src));
            const std::uint64_t lanes = loaded & of_one<true>(plan, remaining, at.src, segment, bounds{});
            const std::byte* const from = src + at.src.offset[segment];
            if constexpr (this_isa == isa::avx512) return base::template load_masked<Lanes>(from, lanes);
            if (lanes == all_lanes<true>) return elements::template load<Lanes>(from);
            return lanes == 0 ? result{} : elements::template load<Lanes>(from, lanes);
        }
    }
    template <int Lanes, class Register>
    [[gnu::always_inline]] static inline void store_part(const reorder_plan& plan, const tile_offsets<tile>& at,
                                                         std::byte* dst, const remaining_type& remaining,
                                                         std::uint64_t stored, int segment, Register value) {
        constexpr int segments = Lanes / segment_lanes<false>;
        if constexpr (segments > 1) {
            using whole = vector<Lanes * elements::work_bytes>;
            store_part<Lanes / 2>(plan, at, dst, remaining, stored, segment, whole::template half<false>(value));
            store_part<Lanes / 2>(plan, at, dst, remaining, stored, segment + segments / 2,
                                  whole::template half<true>(value));
        } else {
            const std::uint64_t lanes = stored & of_one<false>(plan, remaining, at.dst, segment, bounds{});
            std::byte* const to = dst + at.dst.offset[segment];
            if constexpr (this_isa == isa::avx512) base::template store_masked<Lanes>(dst, to, value, lanes);
            else if (lanes == all_lanes<false>) elements::template store<Lanes, false>(to, value);
            else if (lanes != 0) elements::template store<Lanes>(to, value, lanes);
        }
    }

    /// Whether a tile passes no end but those that each passes alike, and reads nothing behind the source.
    template <bool Invariant>
    [[gnu::always_inline]] static inline bool is_whole(const reorder_plan& plan, const tile_offsets<tile>& at,
                                                       const std::byte* src, const remaining_type& remaining) {
        return remaining.whole(plan, at.invariant, bounds{}) &&
               (!Invariant || at.read_bytes == 0 || remaining.src_end - src >= at.read_bytes);
    }
    /// A whole tile, or one that passes the end of an axis; beyond what is stored, nothing.
    template <bool Invariant, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offsets& at, const std::byte* src,
                                                  std::byte* dst, const remaining_type& remaining) {
        if (is_whole<Invariant>(plan, at, src, remaining))
            base::template move<Invariant, Stream>(plan, at, src, dst, every_register{});
        else if (remaining.any(bounds{})) move_part(plan, at, src, dst, remaining);
    }
};
