// The tile of a static plan: the offsets of its segments, its moves, and what it does at the ends of axes. This file
// names no instruction. Included by kernel.inl, in the namespace of each instruction set. Requires element_access.inl
// before it.
//
// As with all .inl files, its text is read once for each instruction set: the header of an instruction set includes it
// after defining its registers, inside its own namespace and target region. This is needed because a function template
// has one target attribute; see docs/design/targets.md.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. At channel 16 one channel
//          remains to load, and 16 to store. A segment of the source is 16 places of a channel: the first of 16
//          segments has all its lanes, the others none. A segment of the destination is 16 channels of a place: all 16
//          have all lanes, and 15 lanes of each store zeros. From nhwc, a segment of the source is 16 channels of a
//          place: each has lane 0 only.

// The offsets of a tile's segments, and the lanes that each tile has of them.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. Segment 5 of the source is
//          16 places of channel 5, at 5 * 3136 elements, or 62720 bytes, from the start of the tile. At channel 16, one
//          channel remains: segment 0 has all its lanes, and segments 1 to 15 have none. These are constants, so the 15
//          loads are left out.

/// The properties of each segment on one side: its offset in bytes, the index of its first lane along each bounded
/// axis, and the lanes that a whole tile has. They are constants for a static plan.
template <class Tile, side Side>
struct segment_offsets {
    static constexpr int segments = Tile::count * Tile::pattern.segments(Side);
    dim_t offset[segments]{};
    dim_t index[Tile::bound_count > 0 ? Tile::bound_count : 1][segments]{};
    std::uint64_t lanes[segments]{};

    static constexpr bool is_edge = false;
    /// Returns the address of a segment of the tile at `start`.
    template <class Byte>
    [[gnu::always_inline]] constexpr Byte* address(Byte* start, int segment) const {
        return start + offset[segment];
    }
    [[gnu::always_inline]] constexpr std::uint64_t lanes_of(int segment) const { return lanes[segment]; }
    constexpr explicit segment_offsets(const reorder_plan& plan) {
        for (int segment = 0; segment < segments; ++segment) {
            lanes[segment] = Tile::template all_lanes<Side>;
            for (int k = 0; 1 << k < segments; ++k) {
                if ((segment >> k & 1) == 0) continue;
                const int bit = Tile::template bit_of<Side>(k), bound = Tile::pattern.bounds[bit];
                offset[segment] +=
                    Side == side::source ? plan.bits[bit].src * plan.sizes.src : plan.bits[bit].dst * plan.sizes.dst;
                if (bound >= 0) index[bound][segment] += plan.bits[bit].index_step;
            }
        }
    }
};

template <class Tile>
struct tile_offsets {
    segment_offsets<Tile, side::source> src;
    segment_offsets<Tile, side::destination> dst;
    /// The lanes of each segment that are zeroed before a whole tile stores its elements, if it has padding and the
    /// elements do not keep zero.
    std::uint64_t padding[segment_offsets<Tile, side::destination>::segments]{};
    bool invariant[Tile::bound_count > 0 ? Tile::bound_count : 1]{};  ///< bounds that every tile passes in the same way
    dim_t read_bytes = 0;  ///< how far a whole tile reads; 0: only its elements
    dim_t ahead = 0;       ///< how far ahead it prefetches the lines that it will write, in bytes; 0: no prefetch

    constexpr explicit tile_offsets(const reorder_plan& plan)
        : src(plan), dst(plan), ahead(destination_ahead(plan) * plan.sizes.dst) {}
};

/// Fixes bound X at `valid` and `stored` remaining indices: segments beyond them are left out of the code. Lanes beyond
/// them may be read if memory allows, because nothing stores them.
template <class Tile, int X>
constexpr void fix_bound(const reorder_plan& plan, tile_offsets<Tile>& out, dim_t valid, dim_t stored) {
    const bool read_beyond = valid == stored && lanes_along(Tile::pattern, X, side::source).bits > 0;
    out.invariant[X] = true;
    for (int segment = 0; segment < out.src.segments; ++segment) {
        const std::uint64_t lanes = Tile::template below<side::source, X>(plan, valid - out.src.index[X][segment]);
        out.src.lanes[segment] &= lanes != 0 && read_beyond ? ~std::uint64_t{0} : lanes;
        const dim_t end = out.src.offset[segment] + Tile::template segment_lanes<side::source> * plan.sizes.src;
        if (read_beyond && lanes != 0 && end > out.read_bytes) out.read_bytes = end;
    }
    for (int segment = 0; segment < out.dst.segments; ++segment)
        out.dst.lanes[segment] &= Tile::template below<side::destination, X>(plan, stored - out.dst.index[X][segment]);
}
/// Fixes bound X if no loop advances along it.
template <class Tile, int X>
constexpr void fix_bound(const reorder_plan& plan, tile_offsets<Tile>& out) {
    for (const plan_loop& loop : plan.loops)
        if (loop.bound == X) return;
    fix_bound<Tile, X>(plan, out, plan.bounds[X].valid, plan.bounds[X].stored);
}

/// Removes the padding along bound X from the lanes that a whole tile stores, if X is fixed.
template <class Tile, int X>
constexpr void leave_padding_out(const reorder_plan& plan, tile_offsets<Tile>& out) {
    if (!out.invariant[X]) return;
    for (int segment = 0; segment < out.dst.segments; ++segment) {
        const std::uint64_t stored = out.dst.lanes[segment];
        out.dst.lanes[segment] &=
            Tile::template below<side::destination, X>(plan, plan.bounds[X].valid - out.dst.index[X][segment]);
        if (stored != out.dst.lanes[segment]) out.padding[segment] |= stored;
    }
}

/// Returns the start of the tile that contains an index along bound X. The outermost loops along it have the largest
/// steps.
constexpr dim_t start_of_tile_with(const reorder_plan& plan, int x, dim_t index) {
    dim_t start = 0;
    for (dim_t below = INT64_MAX, index_step = 0;; below = index_step) {
        // Not a pointer, because with -fsanitize=undefined GCC does not compare the address of a constant plan's loop
        // with null.
        dim_t extent = 0;
        index_step = 0;
        for (const plan_loop& loop : plan.loops)
            if (loop.bound == x && loop.index_step < below && loop.index_step > index_step) {
                index_step = loop.index_step;
                extent = loop.extent;
            }
        if (index_step == 0) return start;
        const dim_t steps = (index - start) / index_step;
        start += (steps < extent ? steps : extent - 1) * index_step;
    }
}

/// A tile that passes an end of an axis along which loops advance. What remains there is a constant too.
template <class Tile>
struct end_tile_offsets {
    tile_offsets<Tile> offsets;
    dim_t valid = 0, stored = 0;  ///< what remains of the axis
    bool passes = false;

    /// Finds the tile with the last valid index along bound X, or the tile with the last stored one. `whole` has the
    /// offsets of the other tiles.
    template <int X>
    static constexpr end_tile_offsets find(const reorder_plan& plan, const tile_offsets<Tile>& whole, bool last_valid) {
        const auto [valid, stored, reach] = plan.bounds[X];
        end_tile_offsets out{whole};
        if (whole.invariant[X] || valid <= 0 || stored <= 0) return out;
        const dim_t least = valid < stored ? valid : stored, start = start_of_tile_with(plan, X, stored - 1),
                    first = start_of_tile_with(plan, X, least - 1);
        if (last_valid && first == start) return out;  // the same tile: one is enough
        out.valid = valid - (last_valid ? first : start);
        out.stored = stored - (last_valid ? first : start);
        out.passes = out.stored > 0 && (out.valid < reach || out.stored < reach);
        if (out.passes) fix_bound<Tile, X>(plan, out.offsets, out.valid, out.stored);
        return out;
    }
};

// The moves of a tile: load the registers segment by segment, run the network, store the registers.
//
// Example: f32 nchw -> nChw16c with AVX-512: 16 loads of 16 places of a channel, 4 network steps on 8 pairs of
//          registers each (64 shuffles), and 16 stores of the 16 channels of a place.

/// The `Ends` of tiles without special code for the ends of axes.
struct no_ends {
    template <class Remaining, class Bounds>
    [[gnu::always_inline]] static inline bool run_end(const reorder_plan&, const std::byte*, std::byte*,
                                                      const Remaining&, Bounds) {
        return false;
    }
};

/// One tile, of plans with `Bounds` bounds. `Access` loads and stores lanes, and converts or scales them on the way.
/// Padding is zero, whatever it converts zero to: if it does not keep zero, zeros are stored first, then the valid
/// lanes.
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access = access>
struct tile {
    using elements = Access<Types, Pattern.lanes()>;
    using reg = typename elements::reg;
    using remaining_type = tile_state<Bounds, elements>;
    static constexpr int bound_count = Bounds;
    using bounds = indices<Bounds>;
    template <side Side>
    using offsets_of_side = segment_offsets<tile, Side>;
    using offset_table = tile_offsets<tile>;

    static constexpr tile_pattern pattern = Pattern;
    static constexpr int count = Pattern.registers();
    static constexpr shuffle_network network =
        *find_network(Pattern, rules_of(this_isa, elements::work_bytes, Pattern.lane_bits));
    using every_register = indices<count>;
    static constexpr auto order = store_order(network.ends);

    /// Returns the bit of the tile that bit k of a register's number stands for when the register is stored.
    static constexpr int stored_bit(int k) { return network.ends.registers[order[k]]; }
    /// Returns the number, after the last step, of the register that is stored at a place in the order.
    static constexpr int register_stored_at(int place) {
        int number = 0;
        for (int k = 0; k < order.size(); ++k) number |= (place >> k & 1) << order[k];
        return number;
    }

    /// The number of lanes of one segment, and the mask of all of them.
    template <side Side>
    static constexpr int segment_lanes = 1 << Pattern.segment_bits(Side);
    template <side Side>
    static constexpr std::uint64_t all_lanes = ~std::uint64_t{0} >> (64 - segment_lanes<Side>);

    /// Returns the bit of the tile that bit k of a segment's number stands for: upper lanes first, then registers.
    template <side Side>
    static constexpr int bit_of(int k) {
        const int upper = Pattern.lane_bits - Pattern.segment_bits(Side), lane = Pattern.segment_bits(Side) + k;
        if (k < upper) return Side == side::source ? lane : network.ends.lanes[lane];
        return Side == side::source ? lane : stored_bit(k - upper);
    }

    template <shuffle_step Step, int... P>
    [[gnu::always_inline]] static inline void run_step(reg (&r)[count], std::integer_sequence<int, P...>) {
        constexpr int bit = Step.register_bit;
        (access<Types, Pattern.lanes()>::template shuffle<Step.rule>(r[lower_of_pair(P, bit)],
                                                                     r[lower_of_pair(P, bit) | 1 << bit]),
         ...);
    }
    template <int... S>
    [[gnu::always_inline]] static inline void shuffle(reg (&r)[count], std::integer_sequence<int, S...>) {
        (run_step<network.steps[S]>(r, indices<count / 2>{}), ...);
        take_order(r, every_register{});
    }
    /// Renumbers the registers in the order in which they are stored. This takes no instruction.
    template <int... R>
    [[gnu::always_inline]] static inline void take_order(reg (&r)[count], std::integer_sequence<int, R...>) {
        const reg made[count] = {r[R]...};
        ((r[R] = made[register_stored_at(R)]), ...);
    }

    /// True if the instruction set merges the segments of `Lanes` lanes while it loads them.
    template <class Elements, int Lanes>
    static constexpr bool merges_segments = (this_isa == isa::avx512 && Elements::moves_only &&
                                             Lanes * Elements::work_bytes == 64 &&
                                             Lanes / segment_lanes<side::source> <= 4);

    template <class Segments, int... K>
    [[gnu::always_inline]] static inline bool are_whole(const Segments& from, int segment,
                                                        std::integer_sequence<int, K...>) {
        return (... && (from.lanes_of(segment + K) == all_lanes<side::source>));
    }
    template <int Bytes, class Segments, int... K>
    [[gnu::always_inline]] static inline auto load_segments(const Segments& from, const std::byte* src, int segment,
                                                            std::integer_sequence<int, K...>) {
        return vector<Bytes>::load_segments(from.address(src, segment + K)...);
    }

    // Loads and stores of a segment. If bounds are fixed, its lanes are constants, and the compiler removes the
    // branches. At an end that is not a constant, AVX-512 masks every access, without a branch. A masked access without
    // lanes is slow if its address is not mapped. Such a load therefore reads zero_elements, because even the start of
    // a tile may be beyond the source. Such a store goes to the start of the tile, which exists.
    template <int Lanes, bool Invariant, class Elements, class Segments>
    [[gnu::always_inline]] static inline auto load(const Elements& lane_access, const Segments& from,
                                                   const std::byte* src, int segment) {
        constexpr int segments = Lanes / segment_lanes<side::source>;
        if constexpr (segments > 1) {
            // Segments that are only moved are merged by their loads if all of them are whole.
            if constexpr (merges_segments<Elements, Lanes> && !Segments::is_edge) {
                if (!Invariant || are_whole(from, segment, indices<segments>{}))
                    return load_segments<Lanes * Elements::work_bytes>(from, src, segment, indices<segments>{});
            }
            // Converted segments are joined first, as many lanes as are converted at the same time.
            if constexpr (Elements::template is_converted_at_once<Lanes>) {
                return lane_access.template convert_loaded<Lanes>(
                    load<Lanes, Invariant>(typename Elements::unconverted{}, from, src, segment));
            } else if constexpr (Elements::template is_packed<Lanes> &&
                                 segment_lanes<side::source> <= Elements::at_once) {
                return pack_segments<Invariant>(lane_access, from, src, segment, indices<Lanes / Elements::at_once>{});
            } else {
                const auto lower = load<Lanes / 2, Invariant>(lane_access, from, src, segment);
                const auto upper = load<Lanes / 2, Invariant>(lane_access, from, src, segment + segments / 2);
                return vector<Lanes * Elements::work_bytes>::join(lower, upper);
            }
        } else {
            using loaded = decltype(lane_access.template load<Lanes>(src));
            const std::byte* const at = from.address(src, segment);
            if constexpr (!Invariant) return lane_access.template load<Lanes>(at);
            const std::uint64_t lanes = from.lanes_of(segment);
            if constexpr (Segments::is_edge && this_isa == isa::avx512)
                return lane_access.template load<Lanes>(lanes == 0 ? zero_elements : at, lanes);
            if (lanes == all_lanes<side::source>) return lane_access.template load<Lanes>(at);
            if (lanes == 0) return loaded{};
            return lane_access.template load<Lanes>(at, lanes);
        }
    }
    template <bool Invariant, class Elements, class Segments, int... K>
    [[gnu::always_inline]] static inline reg pack_segments(const Elements&, const Segments& from, const std::byte* src,
                                                           int segment, std::integer_sequence<int, K...>) {
        constexpr int lanes = Elements::at_once, bytes = lanes * static_cast<int>(sizeof(typename Elements::from));
        const bits<bytes> parts[]{load<lanes, Invariant>(typename Elements::unconverted{}, from, src,
                                                         segment + K * (lanes / segment_lanes<side::source>))...};
        return Elements::pack_loaded(parts[K]...);
    }

    template <int Lanes, bool Invariant, bool Stream, class Elements, class Segments, class Register>
    [[gnu::always_inline]] static inline void store(const Elements& lane_access, const Segments& to, std::byte* dst,
                                                    int segment, Register value) {
        constexpr int segments = Lanes / segment_lanes<side::destination>;
        if constexpr (segments > 1) {
            using whole = vector<Lanes * Elements::work_bytes>;
            store<Lanes / 2, Invariant, Stream>(lane_access, to, dst, segment, whole::template half<false>(value));
            store<Lanes / 2, Invariant, Stream>(lane_access, to, dst, segment + segments / 2,
                                                whole::template half<true>(value));
        } else {
            std::byte* const at = to.address(dst, segment);
            if constexpr (!Invariant) return lane_access.template store<Lanes, Stream>(at, value);
            const std::uint64_t lanes = to.lanes_of(segment);
            if constexpr (Segments::is_edge && this_isa == isa::avx512)
                return lane_access.template store<Lanes>(lanes == 0 ? dst : at, value, lanes);
            if (lanes == all_lanes<side::destination>) lane_access.template store<Lanes, Stream>(at, value);
            else if (lanes != 0) lane_access.template store<Lanes>(at, value, lanes);
        }
    }
    [[gnu::always_inline]] static inline void ask_for_destination(const offset_table& offsets, const std::byte* dst,
                                                                  int segment) {
        constexpr int last = segment_lanes<side::destination> * static_cast<int>(sizeof(typename elements::to)) - 1;
        if (offsets.dst.lanes[segment] != 0)
            __builtin_prefetch(offsets.dst.address(dst, segment) + offsets.ahead + last, 1, 3);
    }
    template <int First, int... K>
    [[gnu::always_inline]] static inline void ask_for_destination(const offset_table& offsets, const std::byte* dst,
                                                                  std::integer_sequence<int, K...>) {
        (ask_for_destination(offsets, dst, First + K), ...);
    }
    /// Stores zeros into segments with padding, if the stores of elements that follow leave padding out.
    template <int... K>
    [[gnu::always_inline]] static inline void store_padding(const offset_table& offsets, std::byte* dst, int first,
                                                            std::integer_sequence<int, K...>) {
        (store_padding(offsets, dst, first + K), ...);
    }
    [[gnu::always_inline]] static inline void store_padding(const offset_table& offsets, std::byte* dst, int segment) {
        using plain = access<Types, Pattern.lanes()>;
        constexpr int lanes = segment_lanes<side::destination>;
        const decltype(plain::template load<lanes>(dst)) zero{};
        if (offsets.padding[segment] == 0) return;
        if (offsets.padding[segment] == all_lanes<side::destination>)
            plain::template store<lanes, false>(offsets.dst.address(dst, segment), zero);
        else plain::template store<lanes>(offsets.dst.address(dst, segment), zero, offsets.padding[segment]);
    }
    template <bool Invariant, bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const reorder_plan& plan, const elements& lane_access,
                                                   const offset_table& offsets, const std::byte* src, std::byte* dst,
                                                   std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.segments(side::source),
                      out = Pattern.segments(side::destination);
        // A tile that is stored past the caches prefetches the source of a later tile. Measured with both compilers: if
        // the tile's source is scattered, it is best to prefetch everything first. If the source is contiguous,
        // prefetches between the stores are best, because a burst of requests delays the loads after it. Prefetch into
        // L2 (2): of tensors of 200 MB, into L1 too (3) had 0.63 of memcpy on Emerald Rapids, into L2 0.64, past the
        // caches (0, prefetchnta) 0.66; on Cascade Lake, past the caches had half the speed (docs/design/speed.md).
        constexpr bool waits = elements::waits_for_memory;
        const bool first = waits && Stream && plan.prefetch != 0 && plan.source_is_apart,
                   between = waits && Stream && plan.prefetch != 0 && !first;
        const std::byte* const ahead = src + plan.prefetch * plan.sizes.src;
        if (first) (__builtin_prefetch(offsets.src.address(ahead, R * in), 0, 2), ...);
        // A store waits for its cache line, and later stores wait for that store. So the last lines that a later tile
        // will write are prefetched.
        if constexpr (waits && !Stream)
            if (offsets.ahead != 0) (ask_for_destination<R * out>(offsets, dst, indices<out>{}), ...);
        reg r[count];
        ((r[R] = load<lanes, Invariant>(lane_access, offsets.src, src, R * in)), ...);
        shuffle(r, indices<network.steps.size()>{});
        if constexpr (Invariant && !elements::keeps_zero) (store_padding(offsets, dst, R * out, indices<out>{}), ...);
        if (between)
            ((store<lanes, Invariant, Stream>(lane_access, offsets.dst, dst, R * out, r[R]),
              __builtin_prefetch(offsets.src.address(ahead, R * in), 0, 2)),
             ...);
        else (store<lanes, Invariant, Stream>(lane_access, offsets.dst, dst, R * out, r[R]), ...);
    }

    // The ends of axes.

    /// Returns the segment offsets of a plan. If `fix`, bounds that no loop advances along are fixed in the code.
    static constexpr offset_table find_offsets(const reorder_plan& plan, bool fix) {
        offset_table out(plan);
        if (fix) fix_bounds(plan, out, bounds{});
        return out;
    }
    template <int... X>
    static constexpr void fix_bounds(const reorder_plan& plan, offset_table& out, std::integer_sequence<int, X...>) {
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
            if (Pattern.bounds[bit_of<Side>(k)] == axis) return true;
        return false;
    }
    /// The lanes that bounds leave of the segments of one side. It takes the place of segment_offsets, but is not a
    /// constant.
    template <side Side>
    struct segments_at_end {
        static constexpr bool is_edge = true;
        const reorder_plan& plan;
        const offsets_of_side<Side>& offsets;
        const remaining_extents<Bounds>& remaining;
        const std::uint64_t common;  ///< the lanes that bounds leave on which the number of a segment has no influence

        [[gnu::always_inline]] inline segments_at_end(const reorder_plan& of, const offsets_of_side<Side>& at,
                                                      const remaining_extents<Bounds>& left)
            : plan(of), offsets(at), remaining(left), common(lanes_along_bounds<false>(0, bounds{})) {}
        template <class Byte>
        [[gnu::always_inline]] inline Byte* address(Byte* start, int segment) const {
            return offsets.address(start, segment);
        }
        [[gnu::always_inline]] inline std::uint64_t lanes_of(int segment) const {
            return common & lanes_along_bounds<true>(segment, bounds{});
        }

    private:
        /// Returns the lanes that bounds leave of a segment, for bounds along which segments count, or for the others.
        template <bool Counted, int... X>
        [[gnu::always_inline]] inline std::uint64_t lanes_along_bounds([[maybe_unused]] int segment,
                                                                       std::integer_sequence<int, X...>) const {
            return (all_lanes<Side> & ... &
                    (segments_count_along<Side>(X) == Counted
                         ? below<Side, X>(plan, (Side == side::source ? remaining.valid[X] : remaining.stored[X]) -
                                                    (Counted ? offsets.index[X][segment] : 0))
                         : all_lanes<Side>));
        }
    };

    /// Moves a tile that passes the end of an axis. All kernels of a pattern share it.
    [[gnu::noinline]] static void move_edge(const reorder_plan& plan, const offset_table& offsets, const std::byte* src,
                                            std::byte* dst, const remaining_type& remaining) noexcept {
        reg r[count];
        load_edges(segments_at_end<side::source>(plan, offsets.src, remaining), remaining.elements, src, r,
                   every_register{});
        shuffle(r, indices<network.steps.size()>{});
        if constexpr (elements::keeps_zero) {
            store_edges(segments_at_end<side::destination>(plan, offsets.dst, remaining), remaining.elements, dst, r,
                        every_register{});
        } else {
            remaining_extents<Bounds> valid = remaining;
            if (valid.leave_padding_out()) {
                const reg zeros[count]{};
                store_edges(segments_at_end<side::destination>(plan, offsets.dst, remaining),
                            access<Types, Pattern.lanes()>{}, dst, zeros, every_register{});
            }
            store_edges(segments_at_end<side::destination>(plan, offsets.dst, valid), remaining.elements, dst, r,
                        every_register{});
        }
    }
    /// True if the segments of an edge tile are masked one by one, without a loop. Masks cost little in AVX-512, but
    /// many unrolled segments would be most of the code. With other instruction sets a mask costs more, and most
    /// segments are whole or absent, so they use loops: edges are few.
    static constexpr bool unrolls_edges =
        this_isa == isa::avx512 && count * (Pattern.segments(side::source) + Pattern.segments(side::destination)) <= 48;
    template <int... R>
    [[gnu::always_inline]] static inline void load_edges(const segments_at_end<side::source>& from,
                                                         const elements& lane_access, const std::byte* src,
                                                         reg (&r)[count], std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), in = Pattern.segments(side::source);
        if constexpr (unrolls_edges) ((r[R] = load<lanes, true>(lane_access, from, src, R * in)), ...);
        else
            for (int i = 0; i < count; ++i) r[i] = load<lanes, true>(lane_access, from, src, i * in);
    }
    template <class Elements, int... R>
    [[gnu::always_inline]] static inline void store_edges(const segments_at_end<side::destination>& to,
                                                          const Elements& lane_access, std::byte* dst,
                                                          const reg (&r)[count], std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), out = Pattern.segments(side::destination);
        if constexpr (unrolls_edges) (store<lanes, true, false>(lane_access, to, dst, R * out, r[R]), ...);
        else
            for (int i = 0; i < count; ++i) store<lanes, true, false>(lane_access, to, dst, i * out, r[i]);
    }

    /// Returns true if a tile passes no end, except those that are fixed, and reads nothing beyond the source.
    template <bool Invariant>
    [[gnu::always_inline]] static inline bool is_interior(const reorder_plan& plan, const offset_table& offsets,
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
            move<Invariant, Stream>(plan, remaining.elements, offsets, src, dst, every_register{});
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
