// The tile of a static plan.
// Included by kernel.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. At channel 16 one channel
//          remains to load, and 16 to store. A segment of the source is 16 places of a channel: the first of 16
//          segments has all its lanes, the others none. A segment of the destination is 16 channels of a place: all 16
//          have all lanes, and 15 lanes of each store zeros. From nhwc, a segment of the source is 16 channels of a
//          place: each has lane 0 only.

#include <plait/engine/simd/tile_moves.inl>

/// The `Ends` of tiles without special code for the ends of axes.
struct no_ends {
    template <class Remaining, class Bounds>
    [[gnu::always_inline]] static inline bool run_end(const reorder_plan&, const std::byte*, std::byte*,
                                                      const Remaining&, Bounds) {
        return false;
    }
};

/// One tile, of plans with `Bounds` bounds. Padding is zero, whatever `Access` converts zero to. If `Access` does not
/// keep zero, zeros are stored first, then the valid lanes.
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access = access>
struct tile : tile_moves<Types, Pattern, Access> {
    using base = tile_moves<Types, Pattern, Access>;
    using elements = typename base::elements;
    using reg = typename base::reg;
    using every_register = typename base::every_register;
    using base::count, base::network;
    template <side Side>
    static constexpr int segment_lanes = base::template segment_lanes<Side>;
    template <side Side>
    static constexpr std::uint64_t all_lanes = base::template all_lanes<Side>;
    using remaining_type = tile_state<Bounds, elements>;
    static constexpr int bound_count = Bounds;
    using bounds = indices<Bounds>;

    template <side Side>
    using offsets_of_side = segment_offsets<tile, Side>;
    using offset_table = tile_offsets<tile>;

    /// Returns the segment offsets of a static plan. If `fix`, bounds that no loop advances along are fixed in the
    /// code.
    static constexpr offset_table find_offsets(const reorder_plan& plan, bool fix) {
        offset_table out(plan);
        if (fix) fix_bounds(plan, out, bounds{});
        return out;
    }
    template <int... X>
    static constexpr void fix_bounds(const reorder_plan& plan, tile_offsets<tile>& out,
                                     std::integer_sequence<int, X...>) {
        (fix_bound<tile, X>(plan, out), ...);
        if constexpr (!elements::keeps_zero) (leave_padding_out<tile, X>(plan, out), ...);
    }

    /// Returns the lanes of a segment within axis X when `remaining` indices are left from its first lane.
    template <side Side, int X>
    [[gnu::always_inline]] static constexpr std::uint64_t below(const reorder_plan& plan, dim_t remaining) {
        constexpr lane_span span = lanes_along(Pattern, X, Side);
        if constexpr (span.bits == 0) return remaining > 0 ? ~std::uint64_t{0} : 0;
        else
            return lanes_below(span.first, span.bits, remaining,
                               plan.bits[Side == side::source ? span.first : Pattern.dst_lanes[span.first]].index_step);
    }
    template <side Side>
    static constexpr bool segments_count_along(int axis) {
        for (int k = 0; k < Pattern.lane_bits + Pattern.register_bits - Pattern.segment_bits(Side); ++k)
            if (Pattern.bounds[base::template bit_of<Side>(k)] == axis) return true;
        return false;
    }
    /// Two masks of lanes: the lanes that bounds leave of every segment, for bounds on which the number of a segment
    /// has no influence; and the lanes that the other bounds leave of one segment.
    template <side Side, int... X>
    [[gnu::always_inline]] static inline std::uint64_t lanes_common_to_segments(
        const reorder_plan& plan, const remaining_extents<Bounds>& remaining, std::integer_sequence<int, X...>) {
        return (all_lanes<Side> & ... &
                (segments_count_along<Side>(X)
                     ? all_lanes<Side>
                     : below<Side, X>(plan, Side == side::source ? remaining.valid[X] : remaining.stored[X])));
    }
    template <side Side, int... X>
    [[gnu::always_inline]] static inline std::uint64_t lanes_of_segment(const reorder_plan& plan,
                                                                        const remaining_extents<Bounds>& remaining,
                                                                        const offsets_of_side<Side>& offsets,
                                                                        [[maybe_unused]] int segment,
                                                                        std::integer_sequence<int, X...>) {
        return (all_lanes<Side> & ... &
                (segments_count_along<Side>(X)
                     ? below<Side, X>(plan, (Side == side::source ? remaining.valid[X] : remaining.stored[X]) -
                                                offsets.index[X][segment])
                     : all_lanes<Side>));
    }

    /// Moves a tile that passes the end of an axis. All kernels of a pattern share it.
    [[gnu::noinline]] static void move_edge(const reorder_plan& plan, const tile_offsets<tile>& offsets,
                                            const std::byte* src, std::byte* dst,
                                            const remaining_type& remaining) noexcept {
        reg r[count];
        load_edges(plan, offsets, src, remaining, r, every_register{});
        base::shuffle(r, indices<network.steps.size()>{});
        if constexpr (elements::keeps_zero) {
            store_edges(plan, remaining.elements, offsets, dst, remaining, r, every_register{});
        } else {
            remaining_extents<Bounds> valid = remaining;
            if (valid.leave_padding_out()) {
                const reg zeros[count]{};
                store_edges(plan, access<Types, Pattern.lanes()>{}, offsets, dst, remaining, zeros, every_register{});
            }
            store_edges(plan, remaining.elements, offsets, dst, valid, r, every_register{});
        }
    }
    /// True if the segments of an edge tile are masked one by one, without a loop. Masks cost little in AVX-512, but
    /// many unrolled segments would be most of the code. With other instruction sets a mask costs more, and most
    /// segments are whole or absent, so they use loops: edges are few.
    static constexpr bool unrolls_edges =
        this_isa == isa::avx512 && count * (Pattern.segments(side::source) + Pattern.segments(side::destination)) <= 48;
    template <int... R>
    [[gnu::always_inline]] static inline void load_edges(const reorder_plan& plan, const tile_offsets<tile>& offsets,
                                                         const std::byte* src, const remaining_type& remaining,
                                                         reg (&r)[count], std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.segments(side::source);
        const std::uint64_t loaded = lanes_common_to_segments<side::source>(plan, remaining, bounds{});
        if constexpr (unrolls_edges) ((r[R] = load_edge<lanes>(plan, offsets, src, remaining, loaded, R * in)), ...);
        else
            for (int i = 0; i < count; ++i) r[i] = load_edge<lanes>(plan, offsets, src, remaining, loaded, i * in);
    }
    template <class Elements, int... R>
    [[gnu::always_inline]] static inline void store_edges(const reorder_plan& plan, const Elements& lane_access,
                                                          const tile_offsets<tile>& offsets, std::byte* dst,
                                                          const remaining_extents<Bounds>& remaining,
                                                          const reg (&r)[count], std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), out = Pattern.segments(side::destination);
        const std::uint64_t stored = lanes_common_to_segments<side::destination>(plan, remaining, bounds{});
        if constexpr (unrolls_edges)
            (store_edge<lanes>(plan, lane_access, offsets, dst, remaining, stored, R * out, r[R]), ...);
        else
            for (int i = 0; i < count; ++i)
                store_edge<lanes>(plan, lane_access, offsets, dst, remaining, stored, i * out, r[i]);
    }
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_edge(const reorder_plan& plan, const tile_offsets<tile>& offsets,
                                                        const std::byte* src, const remaining_type& remaining,
                                                        std::uint64_t loaded, int segment) {
        constexpr int segments = Lanes / segment_lanes<side::source>;
        if constexpr (segments > 1) {
            return vector<Lanes * elements::work_bytes>::join(
                load_edge<Lanes / 2>(plan, offsets, src, remaining, loaded, segment),
                load_edge<Lanes / 2>(plan, offsets, src, remaining, loaded, segment + segments / 2));
        } else {
            const elements& lane_access = remaining.elements;
            using result = decltype(lane_access.template load<Lanes>(src));
            const std::uint64_t lanes =
                loaded & lanes_of_segment<side::source>(plan, remaining, offsets.src, segment, bounds{});
            const std::byte* const from = src + offsets.src.offset[segment];
            if constexpr (this_isa == isa::avx512) return base::template load_masked<Lanes>(lane_access, from, lanes);
            if (lanes == all_lanes<side::source>) return lane_access.template load<Lanes>(from);
            return lanes == 0 ? result{} : lane_access.template load<Lanes>(from, lanes);
        }
    }
    template <int Lanes, class Elements, class Register>
    [[gnu::always_inline]] static inline void store_edge(const reorder_plan& plan, const Elements& lane_access,
                                                         const tile_offsets<tile>& offsets, std::byte* dst,
                                                         const remaining_extents<Bounds>& remaining,
                                                         std::uint64_t stored, int segment, Register value) {
        constexpr int segments = Lanes / segment_lanes<side::destination>;
        if constexpr (segments > 1) {
            using whole = vector<Lanes * elements::work_bytes>;
            store_edge<Lanes / 2>(plan, lane_access, offsets, dst, remaining, stored, segment,
                                  whole::template half<false>(value));
            store_edge<Lanes / 2>(plan, lane_access, offsets, dst, remaining, stored, segment + segments / 2,
                                  whole::template half<true>(value));
        } else {
            const std::uint64_t lanes =
                stored & lanes_of_segment<side::destination>(plan, remaining, offsets.dst, segment, bounds{});
            std::byte* const to = dst + offsets.dst.offset[segment];
            if constexpr (this_isa == isa::avx512)
                base::template store_masked<Lanes>(lane_access, dst, to, value, lanes);
            else if (lanes == all_lanes<side::destination>) lane_access.template store<Lanes, false>(to, value);
            else if (lanes != 0) lane_access.template store<Lanes>(to, value, lanes);
        }
    }

    /// Returns true if a tile passes no end, except those that are fixed, and reads nothing beyond the source.
    template <bool Invariant>
    [[gnu::always_inline]] static inline bool is_interior(const reorder_plan& plan, const tile_offsets<tile>& offsets,
                                                          const std::byte* src,
                                                          const remaining_extents<Bounds>& remaining) {
        return remaining.whole(plan, offsets.invariant) &&
               (!Invariant || offsets.read_bytes == 0 || remaining.src_end - src >= offsets.read_bytes);
    }
    /// Moves a whole tile, or one that passes the end of an axis. A tile beyond the stored part moves nothing. `Ends`
    /// has special code for some tiles that pass an end, and returns true if it has moved the tile.
    template <bool Invariant, bool Stream, class Ends = no_ends>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        if (is_interior<Invariant>(plan, offsets, src, remaining))
            base::template move<Invariant, Stream>(plan, remaining.elements, offsets, src, dst, every_register{});
        else if (!Ends::run_end(plan, src, dst, remaining, bounds{}) && remaining.any()) {
            if constexpr (std::is_empty_v<elements>) {
                move_edge(plan, offsets, src, dst, remaining);
            } else {
                // The function takes the address of a copy, so that the elements of other tiles stay in registers.
                const remaining_type here = remaining;
                move_edge(plan, offsets, src, dst, here);
            }
        }
    }
};
