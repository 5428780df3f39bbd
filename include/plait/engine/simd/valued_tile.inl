// A tile whose attributes have values by position, or that adds a part of what the destination held. Its elements pass
// as the numbers that the arithmetic is done in. Read in the same way as tile.inl.

/// One tile, with any attributes. The source's are applied before the network, the destination's behind it.
template <class Types, tile_pattern Pattern, int Bounds>
struct valued_tile : attributed_tile<Types, Pattern, Bounds> {
    using base = attributed_tile<Types, Pattern, Bounds>;
    using offset_table = typename base::offset_table;
    using reg = typename base::reg;
    using number = typename Types::work;
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
    /// What is left of the bounded axes, and where the values of the attributes are.
    struct remaining_type : remaining_extents<Bounds> {
        attributes* how;
        dim_t src_zero_point = 0, src_scale = 0, dst_factor = 0, dst_zero_point = 0;

        explicit remaining_type(attributes& from) : how(&from) {}
        template <int... X>
        [[gnu::always_inline]] inline void go_on(const plan_loop& loop, dim_t distance,
                                                 std::integer_sequence<int, X...> bounds) {
            remaining_extents<Bounds>::go_on(loop, distance, bounds);
            src_zero_point += distance * how->src_zero_point.step(loop.axis);
            src_scale += distance * how->src_scale.step(loop.axis);
            dst_factor += distance * how->dst_factor.step(loop.axis);
            dst_zero_point += distance * how->dst_zero_point.step(loop.axis);
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
    /// y and a part of what a register of the destination holds, in the lanes of its segments.
    template <class LanesOf>
    [[gnu::always_inline]] static inline reg add_old(const attributes& how, reg y, const offset_table& offsets,
                                                     const std::byte* dst, int r, const LanesOf& lanes_of) {
        const reg old = load_old<Pattern.lanes()>(offsets, dst, r * Pattern.segments(side::destination), lanes_of);
        return numbers::plus(y, numbers::times(numbers::all(how.beta), old));
    }
    template <int Lanes, class LanesOf>
    [[gnu::always_inline]] static inline auto load_old(const offset_table& offsets, const std::byte* dst, int segment,
                                                       const LanesOf& lanes_of) {
        constexpr int segments = Lanes / base::template segment_lanes<side::destination>;
        if constexpr (segments > 1) {
            return vector<Lanes * sizeof(number)>::join(
                load_old<Lanes / 2>(offsets, dst, segment, lanes_of),
                load_old<Lanes / 2>(offsets, dst, segment + segments / 2, lanes_of));
        } else {
            using old = access<element_types<typename Types::to, number, typename Types::to>, Pattern.lanes()>;
            using loaded = decltype(old::template load<Lanes>(dst));
            const std::uint64_t lanes = lanes_of(segment);
            if (lanes == base::template all_lanes<side::destination>)
                return old::template load<Lanes>(dst + offsets.dst.offset[segment]);
            return lanes == 0 ? loaded{} : old::template load<Lanes>(dst + offsets.dst.offset[segment], lanes);
        }
    }

    /// A register of a whole tile; where no lane of it is in the source, nothing is done to it.
    template <bool Invariant>
    [[gnu::always_inline]] static inline reg load_with(const attributes& how, const offset_table& offsets,
                                                       const std::byte* src, int r) {
        constexpr int segments = Pattern.segments(side::source);
        bool any = !Invariant;
        for (int segment = r * segments; segment < (r + 1) * segments; ++segment)
            any = any || offsets.src.lanes[segment] != 0;
        const reg x = base::template load<Pattern.lanes(), Invariant>(offsets, src, r * segments);
        return any ? from_source(how, x, r) : x;
    }
    template <bool Invariant, int... R>
    [[gnu::always_inline]] static inline void move(const attributes& how, const offset_table& offsets,
                                                   const std::byte* src, std::byte* dst,
                                                   std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes(), out = Pattern.segments(side::destination);
        const typename base::template interior_lanes<side::destination, Invariant> stored{offsets};
        reg r[count];
        ((r[R] = load_with<Invariant>(how, offsets, src, R)), ...);
        base::shuffle(r, indices<base::network.steps.size()>{});
        if (how.beta != 0) ((r[R] = add_old(how, r[R], offsets, dst, R, stored)), ...);
        base::template store_padding<Invariant>(offsets, dst, indices<offset_table::segments>{});
        (base::template store<lanes, Invariant, false>(offsets, dst, R * out, to_destination(how, r[R], R)), ...);
    }
    [[gnu::noinline]] static void move_edge(const reorder_plan& plan, const offset_table& offsets, const std::byte* src,
                                            std::byte* dst, const remaining_type& remaining) noexcept {
        constexpr int lanes = Pattern.lanes();
        const attributes& how = *remaining.how;
        remaining_extents<Bounds> valid = remaining;
        const bool is_padded = base::leave_padding_out(valid);
        const typename base::template edge_lanes<side::destination> stored{plan, offsets, valid};
        const std::uint64_t loaded = base::template of_all<side::source>(plan, remaining, indices<Bounds>{});
        reg r[count];
        for (int i = 0; i < count; ++i)
            r[i] = from_source(how,
                               base::template load_edge<lanes>(plan, offsets, src, remaining, loaded,
                                                               i * Pattern.segments(side::source)),
                               i);
        base::shuffle(r, indices<base::network.steps.size()>{});
        for (int i = 0; i < count; ++i) {
            if (how.beta != 0) r[i] = add_old(how, r[i], offsets, dst, i, stored);
            r[i] = to_destination(how, r[i], i);
        }
        if (is_padded) base::store_zeros(plan, offsets, dst, remaining);
        for (int i = 0; i < count; ++i)
            base::template store_edge<lanes>(plan, offsets, dst, valid, stored.alike,
                                             i * Pattern.segments(side::destination), r[i]);
    }
    template <bool Invariant, bool>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        const bool whole = base::template is_interior<Invariant>(plan, offsets, src, remaining);
        if (!whole && !remaining.any(indices<Bounds>{})) return;
        remaining.prepare();
        if (whole) return move<Invariant>(*remaining.how, offsets, src, dst, indices<count>{});
        const remaining_type here = remaining;  // of which the function may take the address
        move_edge(plan, offsets, src, dst, here);
    }

private:
    static constexpr int src_bit(int b) { return b; }
    static constexpr int dst_bit(int b) {
        // Asked only where there are lanes: GCC 12 warns of the lane before the first otherwise.
        if constexpr (Pattern.lane_bits > 0)
            if (b < Pattern.lane_bits) return base::network.ends.lanes[b];
        return base::stored_bit(b - Pattern.lane_bits);
    }
};
