// Tiles of a few elements that alternate in memory on one side, such as RGB.
// Included by kernel.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.
//
// Example: u8 nhwc -> nchw of RGB images with AVX-512, 64 pixels a tile, 192 bytes: four times 48. Of each 48 bytes,
//          the first 16 are a quarter of register 0, the next 16 of register 1, the last 16 of register 2. So red is
//          picked in the same way in all quarters: bytes 0 3 6 9 12 15 of register 0, 2 5 8 11 14 of register 1, 1 4 7
//          10 13 of register 2.

/// Registers that alternate in memory: a run of `Count` registers, in which each 128-bit part has 16 bytes of register
/// 0, then of register 1, and so on. Bytes are of the working type; in memory lanes may be wider or narrower.
template <class Elements, int Count>
struct alternating_registers {
    static constexpr int segment_lanes = 16 / Elements::work_bytes;

    template <int Lanes, class Register>
    [[gnu::always_inline]] static inline void load_all(const Elements& lane_access, const std::byte* src,
                                                       Register (&r)[Count]) {
        load_each<Lanes>(lane_access, src, r, indices<Count>{});
    }
    template <int Lanes, bool Stream, class Register>
    [[gnu::always_inline]] static inline void store_all(const Elements& lane_access, std::byte* dst,
                                                        const Register (&r)[Count]) {
        store_each<Lanes, Stream>(lane_access, dst, r, indices<Count>{});
    }

    template <int Lanes>
    [[gnu::always_inline]] static inline auto load(const Elements& lane_access, const std::byte* src, int number) {
        constexpr int bytes = static_cast<int>(sizeof(typename Elements::from));
        if constexpr (Lanes == segment_lanes) {
            return lane_access.template load<Lanes>(src + number * segment_lanes * bytes);
        } else {
            const auto lower = load<Lanes / 2>(lane_access, src, number);
            return vector<Lanes * Elements::work_bytes>::join(
                lower, load<Lanes / 2>(lane_access, src + Lanes / 2 * Count * bytes, number));
        }
    }
    template <int Lanes, bool Stream, class Register>
    [[gnu::always_inline]] static inline void store(const Elements& lane_access, std::byte* dst, int number,
                                                    Register value) {
        constexpr int bytes = static_cast<int>(sizeof(typename Elements::to));
        if constexpr (Lanes == segment_lanes) {
            lane_access.template store<Lanes, Stream>(dst + number * segment_lanes * bytes, value);
        } else {
            using whole = vector<Lanes * Elements::work_bytes>;
            store<Lanes / 2, Stream>(lane_access, dst, number, whole::template half<false>(value));
            store<Lanes / 2, Stream>(lane_access, dst + Lanes / 2 * Count * bytes, number,
                                     whole::template half<true>(value));
        }
    }

private:
    // Registers of 64 bytes are loaded and stored whole if the count is odd: the four parts of an alternating register
    // are then in different places of the loaded ones.
    template <int Lanes>
    using registers = vector<Lanes * Elements::work_bytes>;
    template <int Lanes>
    static constexpr bool moves_whole = Lanes* Elements::work_bytes == 64 && Count % 2 != 0;
    static constexpr int place_of(int part, int number) { return (part * Count + number) % 4; }
    static constexpr int part_in(int place, int number) {
        int part = 0;
        while (place_of(part, number) != place) ++part;
        return part;
    }
    template <int Lanes, class Register, int... R>
    [[gnu::always_inline]] static inline void load_each(const Elements& lane_access, const std::byte* src,
                                                        Register (&r)[Count], std::integer_sequence<int, R...>) {
        if constexpr (moves_whole<Lanes>) {
            constexpr auto bytes = static_cast<int>(sizeof(typename Elements::from));
            const Register whole[] = {lane_access.template load<Lanes>(src + R * Lanes * bytes)...};
            ((r[R] = parts_of<registers<Lanes>, R>(whole)), ...);
        } else {
            ((r[R] = load<Lanes>(lane_access, src, R)), ...);
        }
    }
    template <class Vector, int R, class Register>
    [[gnu::always_inline]] static inline Register parts_of(const Register (&whole)[Count]) {
        Register all = whole[R / 4];
        all = Vector::template select_part<place_of(1, R)>(whole[(Count + R) / 4], all);
        all = Vector::template select_part<place_of(2, R)>(whole[(2 * Count + R) / 4], all);
        all = Vector::template select_part<place_of(3, R)>(whole[(3 * Count + R) / 4], all);
        return Vector::template order_parts<place_of(0, R), place_of(1, R), place_of(2, R), place_of(3, R)>(all);
    }
    template <int Lanes, bool Stream, class Register, int... R>
    [[gnu::always_inline]] static inline void store_each(const Elements& lane_access, std::byte* dst,
                                                         const Register (&r)[Count], std::integer_sequence<int, R...>) {
        if constexpr (moves_whole<Lanes>) {
            constexpr auto bytes = static_cast<int>(sizeof(typename Elements::to));
            const Register placed[] = {
                registers<Lanes>::template order_parts<part_in(0, R), part_in(1, R), part_in(2, R), part_in(3, R)>(
                    r[R])...};
            (lane_access.template store<Lanes, Stream>(dst + R * Lanes * bytes, whole_of<registers<Lanes>, R>(placed)),
             ...);
        } else {
            (store<Lanes, Stream>(lane_access, dst, R, r[R]), ...);
        }
    }
    template <class Vector, int Whole, class Register>
    [[gnu::always_inline]] static inline Register whole_of(const Register (&placed)[Count]) {
        constexpr int first = 4 * Whole;
        Register all = placed[first % Count];
        all = Vector::template select_part<1>(placed[(first + 1) % Count], all);
        all = Vector::template select_part<2>(placed[(first + 2) % Count], all);
        return Vector::template select_part<3>(placed[(first + 3) % Count], all);
    }
};

/// The tables of an interleave of an odd count, in registers.
template <class Vector, int Count>
struct blend_registers {
    using reg = typename Vector::reg;
    reg selected[Count][Count], order[Count];

    [[gnu::always_inline]] inline explicit blend_registers(const blend_tables<Count>& tables) {
        spread(tables, indices<Count>{});
    }
    /// Deals the elements of `Count` registers out to them in turn, or collects them.
    template <bool Deals>
    [[gnu::always_inline]] inline void run(reg (&r)[Count]) const {
        run<Deals>(r, indices<Count>{});
    }

private:
    template <int... R>
    [[gnu::always_inline]] inline void spread(const blend_tables<Count>& tables, std::integer_sequence<int, R...>) {
        ((order[R] = Vector::spread(tables.order[R])), ...);
        (spread_part<R>(tables, indices<Count>{}), ...);
    }
    template <int Part, int... R>
    [[gnu::always_inline]] inline void spread_part(const blend_tables<Count>& tables,
                                                   std::integer_sequence<int, R...>) {
        ((selected[Part][R] = Vector::spread(tables.selected[Part][R])), ...);
    }
    template <bool Deals, int... R>
    [[gnu::always_inline]] inline void run(reg (&r)[Count], std::integer_sequence<int, R...>) const {
        if constexpr (!Deals) ((r[R] = Vector::pick_bytes(r[R], order[R])), ...);
        const reg from[] = {r[R]...};
        ((r[R] = blend<Deals, R>(from, indices<Count - 1>{})), ...);
        if constexpr (Deals) ((r[R] = Vector::pick_bytes(r[R], order[R])), ...);
    }
    template <bool Deals, int To, int... From>
    [[gnu::always_inline]] inline reg blend(const reg (&from)[Count], std::integer_sequence<int, From...>) const {
        reg all = from[0];
        ((all = Vector::select_bytes(Deals ? selected[From + 1][To] : selected[To][From + 1], from[From + 1], all)),
         ...);
        return all;
    }
};

/// One tile; `Access` loads and stores its elements.
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access = access>
struct interleave_tile {
    using elements = Access<Types, Pattern.lanes()>;
    using reg = typename elements::reg;
    using whole_register = vector<Pattern.lanes() * elements::work_bytes>;
    using remaining_type = tile_state<Bounds, elements>;
    static constexpr int count = Pattern.interleave;
    using alternating = alternating_registers<elements, count>;
    static constexpr bool deals = Pattern.interleaves_source;
    using every_register = indices<count>;

    struct offset_table {
        dim_t step_src, step_dst;  ///< distance in bytes between the alternating elements
        dim_t lane_src, lane_dst;
        dim_t index_step;
        constexpr explicit offset_table(const reorder_plan& plan)
            : step_src(plan.interleaved.src * plan.sizes.src),
              step_dst(plan.interleaved.dst * plan.sizes.dst),
              lane_src(plan.bits[0].src * plan.sizes.src),
              lane_dst(plan.bits[0].dst * plan.sizes.dst),
              index_step(plan.bits[0].index_step) {}
    };
    static constexpr offset_table find_offsets(const reorder_plan& plan, bool) { return offset_table(plan); }

    template <int To, int From>
    [[gnu::always_inline]] static inline void gather_one(reg& sum, reg value) {
        static constexpr byte_table table = make_byte_table(count, elements::work_bytes, To, From, deals);
        if constexpr (table.any) sum = whole_register::bit_or(sum, whole_register::pick_bytes(value, table.from));
    }
    template <int To, int... From>
    [[gnu::always_inline]] static inline reg gather(const reg (&r)[count], std::integer_sequence<int, From...>) {
        reg sum{};
        (gather_one<To, From>(sum, r[From]), ...);
        return sum;
    }
    /// Deals the elements out, or collects them, in place.
    template <int... R>
    [[gnu::always_inline]] static inline void interleave(reg (&r)[count], std::integer_sequence<int, R...>) {
        if constexpr (count % 2 != 0) {
            static constexpr blend_tables<count> tables(elements::work_bytes, deals);
            const blend_registers<whole_register, count> blends(tables);
            blends.template run<deals>(r);
        } else {
            const reg from[] = {r[R]...};
            ((r[R] = gather<R>(from, every_register{})), ...);
        }
    }

    template <bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const elements& lane_access, const offset_table& offsets,
                                                   const std::byte* src, std::byte* dst,
                                                   std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes();
        reg r[count];
        if constexpr (deals) alternating::template load_all<lanes>(lane_access, src, r);
        else ((r[R] = lane_access.template load<lanes>(src + R * offsets.step_src)), ...);
        interleave(r, every_register{});
        if constexpr (deals) (lane_access.template store<lanes, Stream>(dst + R * offsets.step_dst, r[R]), ...);
        else alternating::template store_all<lanes, Stream>(lane_access, dst, r);
    }

    /// Moves a tile that passes the end of an axis, element by element. There is at most one such tile in a row.
    template <class Remaining>
    [[gnu::noinline]] static void move_edge(const reorder_plan& plan, const elements& whole,
                                            const offset_table& offsets, const std::byte* src, std::byte* dst,
                                            const Remaining& remaining) noexcept {
        const auto lane_access = whole.one();
        const int along = plan.pattern.bounds[0];  // a run-time pattern has none
        for (int lane = 0; lane < Pattern.lanes(); ++lane) {
            bool valid = true, stored = true;
            for (int x = 0; x < plan.bounds.size(); ++x) {
                const dim_t index = x == along ? lane * offsets.index_step : 0;
                valid = valid && index < remaining.valid[x];
                stored = stored && index < remaining.stored[x];
            }
            for (int c = 0; stored && c < count; ++c) {
                std::byte* const element = dst + lane * offsets.lane_dst + c * offsets.step_dst;
                if (valid)
                    lane_access.template store<1, false>(
                        element, lane_access.template load<1>(src + lane * offsets.lane_src + c * offsets.step_src));
                else std::memset(element, 0, sizeof(to));
            }
        }
    }

    template <bool Invariant, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        constexpr bool never[Bounds > 0 ? Bounds : 1]{};
        if (remaining.whole(plan, never)) move<Stream>(remaining.elements, offsets, src, dst, every_register{});
        else if (remaining.any())
            move_edge<remaining_extents<Bounds>>(plan, remaining.elements, offsets, src, dst, remaining);
    }

private:
    using from = typename Types::from;
    using to = typename Types::to;
};
