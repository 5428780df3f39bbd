// A tile whose attributes have values by position, or that adds a part of what the destination held. Its elements pass
// as the numbers that the arithmetic is done in. Read in the same way as tile.inl.

/// One tile, with any attributes. The source's are applied before the network, the destination's behind it.
template <class Path, tile_pattern Pattern, int Limits>
struct valued_tile : attributed_tile<Path, Pattern, Limits> {
    using base = attributed_tile<Path, Pattern, Limits>;
    using places = typename base::places;
    using reg = typename base::reg;
    using number = typename Path::work;
    using numbers = lane_numbers<number, Pattern.lanes()>;
    static constexpr int count = base::count;

    template <class Value, class Become>
    using values_of = lane_values<Value, number, Pattern.lanes(), count, Become>;

    struct attributes {
        values_of<std::int32_t, as_numbers> src_zero_point;
        values_of<float, as_numbers> src_scale;
        values_of<float, as_reciprocals> dst_factor;
        values_of<std::int32_t, as_negatives> dst_zero_point;
        number beta;

        attributes(const reorder_attributes& a, const dims& extents, const reorder_plan& plan)
            : src_zero_point(a.src_zero_point, extents, plan, src_bit),
              src_scale(a.src_scale, extents, plan, src_bit),
              dst_factor(a.dst_scale, extents, plan, dst_bit),
              dst_zero_point(a.dst_zero_point, extents, plan, dst_bit),
              beta(static_cast<number>(a.beta)) {}
    };
    /// What is left of the watched axes, and where the values of the attributes are.
    struct left : remaining<Limits> {
        attributes* how;
        dim_t src_zero_point = 0, src_scale = 0, dst_factor = 0, dst_zero_point = 0;

        explicit left(attributes& from) : how(&from) {}
        template <int... X>
        [[gnu::always_inline]] inline void step(const plan_loop& loop, std::integer_sequence<int, X...> limits) {
            remaining<Limits>::step(loop, limits);
            src_zero_point += loop.weight * how->src_zero_point.step(loop.axis);
            src_scale += loop.weight * how->src_scale.step(loop.axis);
            dst_factor += loop.weight * how->dst_factor.step(loop.axis);
            dst_zero_point += loop.weight * how->dst_zero_point.step(loop.axis);
        }
        [[gnu::always_inline]] inline void prepare() const {
            how->src_zero_point.want(src_zero_point);
            how->src_scale.want(src_scale);
            how->dst_factor.want(dst_factor);
            how->dst_zero_point.want(dst_zero_point);
        }
    };

    [[gnu::always_inline]] static inline reg from_source(const attributes& how, reg x, int r) {
        return numbers::times(numbers::minus(x, how.src_zero_point.lanes_of(r)), how.src_scale.lanes_of(r));
    }
    [[gnu::always_inline]] static inline reg to_destination(const attributes& how, reg y, int r) {
        return numbers::minus(numbers::times(y, how.dst_factor.lanes_of(r)), how.dst_zero_point.lanes_of(r));
    }
    /// y and a part of what a register of the destination holds, in the lanes of its pieces.
    template <class LanesOf>
    [[gnu::always_inline]] static inline reg add_old(const attributes& how, reg y, const places& at,
                                                     const std::byte* dst, int r, const LanesOf& lanes_of) {
        const reg old = load_old<Pattern.lanes()>(at, dst, r * Pattern.pieces(false), lanes_of);
        return numbers::plus(y, numbers::times(numbers::all(how.beta), old));
    }
    template <int Lanes, class LanesOf>
    [[gnu::always_inline]] static inline auto load_old(const places& at, const std::byte* dst, int piece,
                                                       const LanesOf& lanes_of) {
        constexpr int pieces = Lanes / base::template piece_lanes<false>;
        if constexpr (pieces > 1) {
            return vector<Lanes * sizeof(number)>::join(load_old<Lanes / 2>(at, dst, piece, lanes_of),
                                                        load_old<Lanes / 2>(at, dst, piece + pieces / 2, lanes_of));
        } else {
            using old = access<element_path<typename Path::to, number, typename Path::to>, Pattern.lanes()>;
            using loaded = decltype(old::template load<Lanes>(dst));
            const std::uint64_t lanes = lanes_of(piece);
            if (lanes == base::template all_lanes<false>) return old::template load<Lanes>(dst + at.dst.offset[piece]);
            return lanes == 0 ? loaded{} : old::template load<Lanes>(dst + at.dst.offset[piece], lanes);
        }
    }

    /// A register of a whole tile; where no lane of it is in the source, nothing is done to it.
    template <bool Settled>
    [[gnu::always_inline]] static inline reg load_with(const attributes& how, const places& at, const std::byte* src,
                                                       int r) {
        constexpr int pieces = Pattern.pieces(true);
        bool any = !Settled;
        for (int piece = r * pieces; piece < (r + 1) * pieces; ++piece) any = any || at.src.lanes[piece] != 0;
        const reg x = base::template load<Pattern.lanes(), Settled>(at, src, r * pieces);
        return any ? from_source(how, x, r) : x;
    }
    template <bool Settled, int... R>
    [[gnu::always_inline]] static inline void move(const attributes& how, const places& at, const std::byte* src,
                                                   std::byte* dst, std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), out = Pattern.pieces(false);
        const typename base::template whole_lanes<false, Settled> stored{at};
        reg r[count];
        ((r[R] = load_with<Settled>(how, at, src, R)), ...);
        base::shuffle(r, indices<base::network.steps.size()>{});
        if (how.beta != 0) ((r[R] = add_old(how, r[R], at, dst, R, stored)), ...);
        base::template store_padding<Settled>(at, dst, indices<places::pieces>{});
        (base::template store<lanes, Settled, false>(at, dst, R * out, to_destination(how, r[R], R)), ...);
    }
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places& at, const std::byte* src,
                                            std::byte* dst, const left& rest) noexcept {
        constexpr int lanes = Pattern.lanes();
        const attributes& how = *rest.how;
        remaining<Limits> valid = rest;
        const bool is_padded = base::leave_padding_out(valid);
        const typename base::template part_lanes<false> stored{plan, at, valid};
        const std::uint64_t loaded = base::template of_all<true>(plan, rest, indices<Limits>{});
        reg r[count];
        for (int i = 0; i < count; ++i)
            r[i] = from_source(
                how, base::template load_part<lanes>(plan, at, src, rest, loaded, i * Pattern.pieces(true)), i);
        base::shuffle(r, indices<base::network.steps.size()>{});
        for (int i = 0; i < count; ++i) {
            if (how.beta != 0) r[i] = add_old(how, r[i], at, dst, i, stored);
            r[i] = to_destination(how, r[i], i);
        }
        if (is_padded) base::store_zeros(plan, at, dst, rest);
        for (int i = 0; i < count; ++i)
            base::template store_part<lanes>(plan, at, dst, valid, stored.alike, i * Pattern.pieces(false), r[i]);
    }
    template <bool Settled, bool>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        const bool whole = base::template is_whole<Settled>(plan, at, src, rest);
        if (!whole && !rest.any(indices<Limits>{})) return;
        rest.prepare();
        if (whole) return move<Settled>(*rest.how, at, src, dst, indices<count>{});
        const left here = rest;  // of which the function may take the address
        move_part(plan, at, src, dst, here);
    }

private:
    static constexpr int src_bit(int b) { return b; }
    static constexpr int dst_bit(int b) {
        return b < Pattern.lane_bits ? base::network.ends.lanes[b] : base::stored_bit(b - Pattern.lane_bits);
    }
};
