// The moves of a tile: load the registers segment by segment, run the network, store the registers. This file names no
// instruction.
// Included by tile.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.
//
// As with all .inl files, its text is read once for each instruction set: the header of an instruction set includes it
// after defining its registers, inside its own namespace and target region. This is needed because a function template
// has one target attribute; see docs/design/targets.md.
//
// Example: f32 nchw -> nChw16c with AVX-512: 16 loads of 16 places of a channel, 4 network steps on 8 pairs of
//          registers each (64 shuffles), and 16 stores of the 16 channels of a place.

#include <plait/engine/simd/tile_offsets.inl>

/// The registers of a tile and its network. `Access` loads and stores lanes, and converts or scales them on the way.
/// The `Offsets` of a function have the addresses of the segments and the lanes that each has.
template <class Types, tile_pattern Pattern, template <class, int> class Access = access>
struct tile_moves {
    using elements = Access<Types, Pattern.lanes()>;
    using reg = typename elements::reg;
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

    /// Returns the lower register of pair p of a step: p with a zero inserted at the step's bit.
    static constexpr int lower(int p, int bit) { return (p >> bit << (bit + 1)) | (p & ((1 << bit) - 1)); }
    template <shuffle_step Step, int... P>
    [[gnu::always_inline]] static inline void run_step(reg (&r)[count], std::integer_sequence<int, P...>) {
        constexpr int bit = Step.register_bit;
        (access<Types, Pattern.lanes()>::template shuffle<Step.rule>(r[lower(P, bit)], r[lower(P, bit) | 1 << bit]),
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

    template <class Offsets, int... K>
    [[gnu::always_inline]] static inline bool are_whole(const Offsets& offsets, int segment,
                                                        std::integer_sequence<int, K...>) {
        return (... && (offsets.src.lanes[segment + K] == all_lanes<side::source>));
    }
    template <int Bytes, class Offsets, int... K>
    [[gnu::always_inline]] static inline auto load_segments(const Offsets& offsets, const std::byte* src, int segment,
                                                            std::integer_sequence<int, K...>) {
        const std::byte* from[] = {offsets.src.address(src, segment + K)...};  // in order
        if constexpr (Offsets::segments_are_whole)
            ((from[K] = offsets.src.lanes[segment + K] == 0 ? zero_elements : from[K]), ...);
        return vector<Bytes>::load_segments(from[K]...);
    }

    /// Masks every access, without a branch. A masked access without lanes is slow if its address is not mapped. Such a
    /// load therefore reads zero_elements, because even the start of a tile may be beyond the source. Such a store goes
    /// to the start of the tile, which exists.
    template <int Lanes, class Elements>
    [[gnu::always_inline]] static inline auto load_masked(const Elements& lane_access, const std::byte* from,
                                                          std::uint64_t lanes) {
        return lane_access.template load<Lanes>(lanes == 0 ? zero_elements : from, lanes);
    }
    template <int Lanes, class Elements, class Register>
    [[gnu::always_inline]] static inline void store_masked(const Elements& lane_access, std::byte* start, std::byte* to,
                                                           Register value, std::uint64_t lanes) {
        lane_access.template store<Lanes>(lanes == 0 ? start : to, value, lanes);
    }

    // Loads and stores of a whole tile. If bounds are fixed, the lanes of a segment are constants, and the compiler
    // removes the branches.
    template <int Lanes, bool Invariant, class Elements, class Offsets>
    [[gnu::always_inline]] static inline auto load(const Elements& lane_access, const Offsets& offsets,
                                                   const std::byte* src, int segment) {
        constexpr int segments = Lanes / segment_lanes<side::source>;
        if constexpr (segments > 1) {
            // Segments that are only moved are merged by their loads if all of them are whole.
            if constexpr (merges_segments<Elements, Lanes>) {
                const bool all =
                    !Invariant || Offsets::segments_are_whole || are_whole(offsets, segment, indices<segments>{});
                if (all) return load_segments<Lanes * Elements::work_bytes>(offsets, src, segment, indices<segments>{});
            }
            // Converted segments are joined first, as many lanes as are converted at the same time.
            if constexpr (Elements::template is_converted_at_once<Lanes>) {
                return lane_access.template convert_loaded<Lanes>(
                    load<Lanes, Invariant>(typename Elements::unconverted{}, offsets, src, segment));
            } else if constexpr (Elements::template is_packed<Lanes> &&
                                 segment_lanes<side::source> <= Elements::at_once) {
                return pack_segments<Invariant>(lane_access, offsets, src, segment,
                                                indices<Lanes / Elements::at_once>{});
            } else {
                const auto lower = load<Lanes / 2, Invariant>(lane_access, offsets, src, segment);
                const auto upper = load<Lanes / 2, Invariant>(lane_access, offsets, src, segment + segments / 2);
                return vector<Lanes * Elements::work_bytes>::join(lower, upper);
            }
        } else {
            using loaded = decltype(lane_access.template load<Lanes>(src));
            const std::byte* const from = offsets.src.address(src, segment);
            if constexpr (!Invariant) return lane_access.template load<Lanes>(from);
            const std::uint64_t lanes = offsets.src.lanes[segment];
            if constexpr (Offsets::segments_are_whole)
                return lane_access.template load<Lanes>(lanes == 0 ? zero_elements : from);
            if constexpr (Offsets::every_access_is_masked) return load_masked<Lanes>(lane_access, from, lanes);
            if (lanes == all_lanes<side::source>) return lane_access.template load<Lanes>(from);
            if (lanes == 0) return loaded{};
            return lane_access.template load<Lanes>(from, lanes);
        }
    }
    template <bool Invariant, class Elements, class Offsets, int... K>
    [[gnu::always_inline]] static inline reg pack_segments(const Elements&, const Offsets& offsets,
                                                           const std::byte* src, int segment,
                                                           std::integer_sequence<int, K...>) {
        constexpr int lanes = Elements::at_once, bytes = lanes * static_cast<int>(sizeof(typename Elements::from));
        // Braces guarantee the order, which segment_addresses requires; call arguments are evaluated in any order.
        const bits<bytes> parts[]{load<lanes, Invariant>(typename Elements::unconverted{}, offsets, src,
                                                         segment + K * (lanes / segment_lanes<side::source>))...};
        return Elements::pack_loaded(parts[K]...);
    }

    template <int Lanes, bool Invariant, bool Stream, class Elements, class Offsets, class Register>
    [[gnu::always_inline]] static inline void store(const Elements& lane_access, const Offsets& offsets, std::byte* dst,
                                                    int segment, Register value) {
        constexpr int segments = Lanes / segment_lanes<side::destination>;
        if constexpr (segments > 1) {
            using whole = vector<Lanes * Elements::work_bytes>;
            store<Lanes / 2, Invariant, Stream>(lane_access, offsets, dst, segment, whole::template half<false>(value));
            store<Lanes / 2, Invariant, Stream>(lane_access, offsets, dst, segment + segments / 2,
                                                whole::template half<true>(value));
        } else {
            std::byte* const to = offsets.dst.address(dst, segment);
            if constexpr (!Invariant) return lane_access.template store<Lanes, Stream>(to, value);
            const std::uint64_t lanes = offsets.dst.lanes[segment];
            if constexpr (Offsets::every_access_is_masked)
                return store_masked<Lanes>(lane_access, dst, to, value, lanes);
            if (lanes == all_lanes<side::destination> || (Offsets::segments_are_whole && lanes != 0))
                lane_access.template store<Lanes, Stream>(to, value);
            else if (!Offsets::segments_are_whole && lanes != 0) lane_access.template store<Lanes>(to, value, lanes);
        }
    }
    template <class Offsets>
    [[gnu::always_inline]] static inline void ask_for_destination(const Offsets& offsets, const std::byte* dst,
                                                                  int segment) {
        constexpr int last = segment_lanes<side::destination> * static_cast<int>(sizeof(typename elements::to)) - 1;
        if (offsets.dst.lanes[segment] != 0)
            __builtin_prefetch(offsets.dst.address(dst, segment) + offsets.ahead + last, 1, 3);
    }
    template <int First, class Offsets, int... K>
    [[gnu::always_inline]] static inline void ask_for_destination(const Offsets& offsets, const std::byte* dst,
                                                                  std::integer_sequence<int, K...>) {
        (ask_for_destination(offsets, dst, First + K), ...);
    }
    /// Stores zeros into segments with padding, if the stores of elements that follow leave padding out.
    template <class Offsets, int... K>
    [[gnu::always_inline]] static inline void store_padding(const Offsets& offsets, std::byte* dst, int first,
                                                            std::integer_sequence<int, K...>) {
        (store_padding(offsets, dst, first + K), ...);
    }
    template <class Offsets>
    [[gnu::always_inline]] static inline void store_padding(const Offsets& offsets, std::byte* dst, int segment) {
        using plain = access<Types, Pattern.lanes()>;
        constexpr int lanes = segment_lanes<side::destination>;
        const decltype(plain::template load<lanes>(dst)) zero{};
        if (offsets.padding[segment] == 0) return;
        if (offsets.padding[segment] == all_lanes<side::destination>)
            plain::template store<lanes, false>(offsets.dst.address(dst, segment), zero);
        else plain::template store<lanes>(offsets.dst.address(dst, segment), zero, offsets.padding[segment]);
    }
    template <bool Invariant, bool Stream, class Offsets, int... R>
    [[gnu::always_inline]] static inline void move(const reorder_plan& plan, const elements& lane_access,
                                                   const Offsets& offsets, const std::byte* src, std::byte* dst,
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
        if (first) (__builtin_prefetch(offsets.src.address_of_any(ahead, R * in), 0, 2), ...);
        // A store waits for its cache line, and later stores wait for that store. So the last lines that a later tile
        // will write are prefetched.
        if constexpr (waits && !Stream && requires { offsets.ahead; })
            if (offsets.ahead != 0) (ask_for_destination<R * out>(offsets, dst, indices<out>{}), ...);
        reg r[count];
        ((r[R] = load<lanes, Invariant>(lane_access, offsets, src, R * in)), ...);
        shuffle(r, indices<network.steps.size()>{});
        if constexpr (Invariant && !elements::keeps_zero) (store_padding(offsets, dst, R * out, indices<out>{}), ...);
        if (between)
            ((store<lanes, Invariant, Stream>(lane_access, offsets, dst, R * out, r[R]),
              __builtin_prefetch(offsets.src.address_of_any(ahead, R * in), 0, 2)),
             ...);
        else (store<lanes, Invariant, Stream>(lane_access, offsets, dst, R * out, r[R]), ...);
    }
};
