// The code of a tile, written once and compiled once an instruction set: each file of simd/ includes it behind its
// registers, inside its own namespace and target region. A function template has one target attribute, so one text has
// to be read several times; see docs/design/targets.md. No instruction is named here.

// Everything is unrolled by folds over index sequences, not by loops: GCC keeps loops at -O2, and with them the plan's
// numbers in memory.
template <int Count>
using indices = std::make_integer_sequence<int, Count>;

/// What is left of each watched axis, from the first index of a tile on.
template <int Limits>
struct remaining {
    dim_t valid[Limits > 0 ? Limits : 1];
    dim_t stored[Limits > 0 ? Limits : 1];

    template <int... X>
    [[gnu::always_inline]] inline void start(const reorder_plan& plan, std::integer_sequence<int, X...>) {
        // A plan known at run time may watch fewer axes than its kernel can.
        ((valid[X] = X < plan.limits.size() ? plan.limits[X].valid : INT64_MAX), ...);
        ((stored[X] = X < plan.limits.size() ? plan.limits[X].stored : INT64_MAX), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] -= loop.limit == X ? loop.weight : 0, stored[X] -= loop.limit == X ? loop.weight : 0), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step_back(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] += loop.limit == X ? loop.back : 0, stored[X] += loop.limit == X ? loop.back : 0), ...);
    }
    /// Whether a whole tile lies within the limits; whether anything of it is stored.
    template <int... X>
    [[gnu::always_inline]] inline bool whole(const reorder_plan& plan, std::integer_sequence<int, X...>) const {
        return ((valid[X] >= plan.limits[X].reach && stored[X] >= plan.limits[X].reach) && ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline bool any(std::integer_sequence<int, X...>) const {
        return ((stored[X] > 0) && ...);
    }
};

/// The lanes whose index along one watched axis lies below `rest`, as bits; `weight` is what the first of them adds.
template <int First, int Bits>
[[gnu::always_inline]] inline std::uint64_t lanes_below(dim_t rest, dim_t weight) {
    // A one at every 2^n-th bit.
    constexpr std::uint64_t every[] = {
        ~0ull, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1};
    const dim_t steps = weight == 1 ? rest : (rest + weight - 1) / weight;
    if (rest <= 0) return 0;
    if (steps >= dim_t{1} << Bits) return ~std::uint64_t{0};
    // The first `steps` of every 2^(First + Bits) lanes, each counting 2^First of them.
    return ((std::uint64_t{1} << (steps << First)) - 1) * every[First + Bits];
}

/// One tile: load the registers, run the network, store them.
template <class Registers, tile_pattern Pattern, int Limits>
struct tile {
    using reg = typename Registers::reg;
    using left = remaining<Limits>;
    static constexpr int count = Pattern.registers();
    static constexpr std::uint64_t all_lanes = (std::uint64_t{2} << (Pattern.lanes() - 1)) - 1;
    static constexpr shuffle_network network =
        *find_network(Pattern, rules_of(this_isa, Registers::element_bytes, Pattern.lane_bits));
    using every_register = indices<count>;
    using limits = indices<Limits>;

    /// The bit of the tile that bit j of a register's number counts, before and behind the network.
    template <bool Source>
    static constexpr int bit_of(int j) {
        return Source ? Pattern.lane_bits + j : network.ends.registers[j];
    }

    /// What the number of each register stands for on one side: its offset in bytes, and the index of its first lane
    /// along each watched axis. Constants where the plan is one.
    struct register_places {
        dim_t offset[count]{};
        dim_t index[Limits > 0 ? Limits : 1][count]{};
    };
    struct places {
        register_places src, dst;
    };
    static constexpr places find_places(const reorder_plan& plan) {
        places out;
        for (const bool source : {true, false}) {
            register_places& side = source ? out.src : out.dst;
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < Pattern.register_bits; ++j) {
                    if ((i >> j & 1) == 0) continue;
                    const int bit = source ? bit_of<true>(j) : bit_of<false>(j);
                    side.offset[i] += (source ? plan.bits[bit].src : plan.bits[bit].dst) * Registers::element_bytes;
                    if (Pattern.limits[bit] >= 0) side.index[Pattern.limits[bit]][i] += plan.bits[bit].weight;
                }
        }
        return out;
    }

    /// The lower register of pair p of a step: p with a zero in the place of the step's bit.
    static constexpr int lower(int p, int bit) { return (p >> bit << (bit + 1)) | (p & ((1 << bit) - 1)); }
    template <shuffle_step Step, int... P>
    [[gnu::always_inline]] static inline void run_step(reg (&r)[count], std::integer_sequence<int, P...>) {
        constexpr int bit = Step.register_bit;
        (Registers::template shuffle<Step.rule>(r[lower(P, bit)], r[lower(P, bit) | 1 << bit]), ...);
    }
    template <int... S>
    [[gnu::always_inline]] static inline void shuffle(reg (&r)[count], std::integer_sequence<int, S...>) {
        (run_step<network.steps[S]>(r, indices<count / 2>{}), ...);
    }

    template <bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const reorder_plan& plan, const places& at, const std::byte* src,
                                                   std::byte* dst, std::integer_sequence<int, R...>) {
        // A tile that is stored past the caches asks for the source of one some steps ahead, past them too: it is read
        // once. Measured with both compilers: all at once is best for a tile from many places, and between the stores
        // for a tile from one, where a burst of requests holds up the loads behind it.
        const bool first = Stream && plan.prefetch != 0 && plan.source_is_apart,
                   between = Stream && plan.prefetch != 0 && !first;
        const std::byte* const ahead = src + plan.prefetch * Registers::element_bytes;
        if (first) (__builtin_prefetch(ahead + at.src.offset[R], 0, 0), ...);
        reg r[count];
        ((r[R] = Registers::load(src + at.src.offset[R])), ...);
        shuffle(r, indices<network.steps.size()>{});
        if (between)
            ((Registers::stream(dst + at.dst.offset[R], r[R]), __builtin_prefetch(ahead + at.src.offset[R], 0, 0)),
             ...);
        else if constexpr (Stream) (Registers::stream(dst + at.dst.offset[R], r[R]), ...);
        else (Registers::store(dst + at.dst.offset[R], r[R]), ...);
    }

    template <bool Source>
    static constexpr bool registers_count_along(int axis) {
        for (int j = 0; j < Pattern.register_bits; ++j)
            if (Pattern.limits[bit_of<Source>(j)] == axis) return true;
        return false;
    }

    /// The lanes of a register whose index along axis X lies below the limit, when its first lane has `index`.
    template <bool Source, int X>
    [[gnu::always_inline]] static inline std::uint64_t below(const reorder_plan& plan, const left& rest, dim_t index) {
        constexpr lane_span span = lanes_along(Pattern, X, Source);
        const dim_t here = (Source ? rest.valid[X] : rest.stored[X]) - index;
        if constexpr (span.bits == 0) return here > 0 ? ~std::uint64_t{0} : 0;
        else
            return lanes_below<span.first, span.bits>(
                here, plan.bits[Source ? span.first : Pattern.dst_lanes[span.first]].weight);
    }
    /// What limits leave of all registers alike, and of register i.
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_all(const reorder_plan& plan, const left& rest,
                                                              std::integer_sequence<int, X...>) {
        return (all_lanes & ... & (registers_count_along<Source>(X) ? all_lanes : below<Source, X>(plan, rest, 0)));
    }
    template <bool Source, int... X>
    [[gnu::always_inline]] static inline std::uint64_t of_one(const reorder_plan& plan, const left& rest,
                                                              const register_places& side, [[maybe_unused]] int i,
                                                              std::integer_sequence<int, X...>) {
        return (all_lanes & ... &
                (registers_count_along<Source>(X) ? below<Source, X>(plan, rest, side.index[X][i]) : all_lanes));
    }

    /// A tile that passes the end of an axis. Most of its registers are whole or not there at all; only the others are
    /// masked, as a masked access costs more, and holds up loads that come behind a masked store. All kernels of a
    /// pattern share this, in loops: it runs seldom, and unrolled it would be most of the code.
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places& at, const std::byte* src,
                                            std::byte* dst, const left& rest) noexcept {
        reg r[count];
        const std::uint64_t loaded = of_all<true>(plan, rest, limits{}), stored = of_all<false>(plan, rest, limits{});
        for (int i = 0; i < count; ++i) {
            const std::uint64_t lanes = loaded & of_one<true>(plan, rest, at.src, i, limits{});
            r[i] = lanes == all_lanes ? Registers::load(src + at.src.offset[i])
                   : lanes == 0       ? reg{}
                                      : Registers::load(src + at.src.offset[i], lanes);
        }
        shuffle(r, indices<network.steps.size()>{});
        for (int i = 0; i < count; ++i) {
            const std::uint64_t lanes = stored & of_one<false>(plan, rest, at.dst, i, limits{});
            if (lanes == all_lanes) Registers::store(dst + at.dst.offset[i], r[i]);
            else if (lanes != 0) Registers::store(dst + at.dst.offset[i], r[i], lanes);
        }
    }

    /// A whole tile, or one that passes the end of an axis; beyond what is stored, nothing.
    template <bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        if (rest.whole(plan, limits{})) move<Stream>(plan, at, src, dst, every_register{});
        else if (rest.any(limits{})) move_part(plan, at, src, dst, rest);
    }
};
