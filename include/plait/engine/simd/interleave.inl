// Tiles of a few elements that alternate in memory on one side, such as RGB. The plan is a constant, or data as for the
// kernels of table_kernels.inl; the tile is the same.
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

/// The shuffles of an interleave: they deal the elements of `Count` registers out to these in turn, or collect them.
/// `ElementBytes`: the size of an element; 0 if it is known only at run time.
template <int Bytes, int Count, bool Deals, int ElementBytes>
struct interleave_steps : blend_registers<vector<Bytes>, Count> {
    [[gnu::always_inline]] inline explicit interleave_steps(int element_bytes)
        : blend_registers<vector<Bytes>, Count>(every_blend_table<Count, Deals>[log2_of(element_bytes)]) {}
    [[gnu::always_inline]] inline void operator()(bits<Bytes> (&r)[Count]) const { this->template run<Deals>(r); }
};
template <int Bytes, int Count, bool Deals, int ElementBytes>
    requires(Count % 2 == 0)
struct interleave_steps<Bytes, Count, Deals, ElementBytes> {
    using reg = bits<Bytes>;
    const interleave_tables<Count>& tables;

    [[gnu::always_inline]] inline explicit interleave_steps(int element_bytes)
        : tables(every_interleave_table<Count, Deals>[log2_of(element_bytes)]) {}
    /// Calls put(to, register) for each register. If the size of elements is a constant, shuffles that pick nothing are
    /// left out.
    template <class Put>
    [[gnu::always_inline]] inline void operator()(const reg (&r)[Count], const Put& put) const {
        if constexpr (ElementBytes == 0) {
            for (int to = 0; to < Count; ++to) put(to, gather(r, to, indices<Count - 1>{}));
        } else {
            put_each(r, put, indices<Count>{});
        }
    }

private:
    template <int... From>
    [[gnu::always_inline]] inline reg gather(const reg (&r)[Count], int to, std::integer_sequence<int, From...>) const {
        reg sum = vector<Bytes>::pick_bytes(r[0], tables.of[to][0]);
        ((sum = vector<Bytes>::bit_or(sum, vector<Bytes>::pick_bytes(r[From + 1], tables.of[to][From + 1]))), ...);
        return sum;
    }
    template <class Put, int... To>
    [[gnu::always_inline]] inline void put_each(const reg (&r)[Count], const Put& put,
                                                std::integer_sequence<int, To...>) const {
        (put(To, gather_some<To>(r, indices<Count>{})), ...);
    }
    template <int To, int... From>
    [[gnu::always_inline]] static inline reg gather_some(const reg (&r)[Count], std::integer_sequence<int, From...>) {
        reg sum{};
        (add<To, From>(sum, r[From]), ...);
        return sum;
    }
    template <int To, int From>
    [[gnu::always_inline]] static inline void add(reg& sum, reg value) {
        static constexpr byte_table table = make_byte_table(Count, ElementBytes, To, From, Deals);
        if constexpr (table.any) sum = vector<Bytes>::bit_or(sum, vector<Bytes>::pick_bytes(value, table.from));
    }
};

/// The shuffles of an interleave of nine: an interleave of three, twice. Dealing, the first deals out each run of three
/// registers, so that register 3 k + v has the k-th third of the elements whose index is v modulo 3; the second deals
/// these three thirds out. Collecting is the inverse.
///
/// Example: the weights of a kernel of 3 x 3: first the columns become registers, then the rows of each column. A
/// register takes 4 selections and 2 shuffles; in one step it would take 8 and 1.
template <int Bytes, bool Deals, int ElementBytes>
struct interleave_steps<Bytes, 9, Deals, ElementBytes> : blend_registers<vector<Bytes>, 3> {
    using reg = bits<Bytes>;

    [[gnu::always_inline]] inline explicit interleave_steps(int element_bytes)
        : blend_registers<vector<Bytes>, 3>(every_blend_table<3, Deals>[log2_of(element_bytes)]) {}
    [[gnu::always_inline]] inline void operator()(reg (&r)[9]) const {
        if constexpr (Deals) run_runs(r), run_thirds(r);
        else run_thirds(r), run_runs(r);
    }

private:
    [[gnu::always_inline]] inline void run_runs(reg (&r)[9]) const {
        run_three(r[0], r[1], r[2]);
        run_three(r[3], r[4], r[5]);
        run_three(r[6], r[7], r[8]);
    }
    [[gnu::always_inline]] inline void run_thirds(reg (&r)[9]) const {
        run_three(r[0], r[3], r[6]);
        run_three(r[1], r[4], r[7]);
        run_three(r[2], r[5], r[8]);
    }
    [[gnu::always_inline]] inline void run_three(reg& first, reg& second, reg& third) const {
        reg three[] = {first, second, third};
        this->template run<Deals>(three);
        first = three[0], second = three[1], third = three[2];
    }
};

/// A tile of `Lanes` times `Count` elements that alternate in memory on one side: in the source if `Deals`. On the
/// other side, the registers are `apart` bytes apart.
template <class Elements, int Lanes, int Count, bool Deals, bool Stream, int ElementBytes>
struct alternating_tile {
    using reg = bits<Lanes * Elements::work_bytes>;
    using alternating = alternating_registers<Elements, Count>;
    using every_register = indices<Count>;
    [[no_unique_address]] const Elements lane_access;
    const dim_t apart;
    const interleave_steps<Lanes * Elements::work_bytes, Count, Deals, ElementBytes> steps;

    [[gnu::always_inline]] inline alternating_tile(const Elements& of, dim_t bytes_apart, int element_bytes)
        : lane_access(of), apart(bytes_apart), steps(element_bytes) {}

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, every_register{});
    }

private:
    /// Stores a register. A class, because GCC compiles the lambdas of a template without the instruction set.
    struct stored_register {
        const alternating_tile& tile;
        std::byte* dst;
        [[gnu::always_inline]] inline void operator()(int number, reg value) const {
            if constexpr (Deals) tile.lane_access.template store<Lanes, Stream>(dst + number * tile.apart, value);
            else alternating::template store<Lanes, Stream>(tile.lane_access, dst, number, value);
        }
    };
    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        const stored_register put{*this, dst};
        reg r[Count];
        if constexpr (Deals) alternating::template load_all<Lanes>(lane_access, src, r);
        else ((r[R] = lane_access.template load<Lanes>(src + R * apart)), ...);
        if constexpr (Count % 2 == 0) {
            steps(r, put);
        } else {
            steps(r);
            if constexpr (Deals) (put(R, r[R]), ...);
            else alternating::template store_all<Lanes, Stream>(lane_access, dst, r);
        }
    }
};

/// Moves a tile that passes the end of an axis: `lanes.valid` lanes of each register are read, and `lanes.stored` are
/// written. Its elements are copied to and from a whole tile.
template <class Elements, int Lanes, int Count, bool Deals, int ElementBytes>
struct alternating_edge {
    [[no_unique_address]] const Elements lane_access;
    const dim_t apart;
    const int element_bytes;
    const interleave_lanes lanes;

    void operator()(const std::byte* src, std::byte* dst) const {
        constexpr std::size_t count = Count, from_bytes = sizeof(typename Elements::from),
                              to_bytes = sizeof(typename Elements::to);
        alignas(64) std::byte from[Lanes * count * from_bytes]{}, to[Lanes * count * to_bytes];
        const auto valid = static_cast<std::size_t>(lanes.valid), stored = static_cast<std::size_t>(lanes.stored);
        constexpr std::size_t from_register = Lanes * from_bytes, to_register = Lanes * to_bytes;
        if constexpr (Deals) std::memcpy(from, src, valid * count * from_bytes);
        else
            for (int k = 0; k < Count; ++k)
                std::memcpy(from + static_cast<std::size_t>(k) * from_register, src + k * apart, valid * from_bytes);
        alternating_tile<Elements, Lanes, Count, Deals, false, ElementBytes>(
            lane_access, Deals ? to_register : from_register, element_bytes)(from, to);
        // Padding is zero, whatever lane_access converts zero to.
        const auto clear = [&](std::byte* at, std::size_t elements) {
            if (!Elements::keeps_zero && valid < stored)
                std::memset(at + valid * elements * to_bytes, 0, (stored - valid) * elements * to_bytes);
        };
        if constexpr (Deals) {
            for (int k = 0; k < Count; ++k) {
                std::byte* const plane = to + static_cast<std::size_t>(k) * to_register;
                clear(plane, 1);
                std::memcpy(dst + k * apart, plane, stored * to_bytes);
            }
        } else {
            clear(to, count);
            std::memcpy(dst, to, stored * count * to_bytes);
        }
    }
};

/// The distance in bytes between the registers of a tile on the side where they do not alternate.
constexpr dim_t bytes_between_registers(const reorder_plan& plan) {
    return plan.pattern.interleaves_source ? plan.interleaved.dst * plan.sizes.dst
                                           : plan.interleaved.src * plan.sizes.src;
}

/// The tile of a plan that is a constant; `Access` loads and stores its elements.
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access = access>
struct interleave_tile {
    using elements = Access<Types, Pattern.lanes()>;
    using remaining_type = tile_state<Bounds, elements>;
    static constexpr int count = Pattern.interleave;

    struct offset_table {
        dim_t apart;
    };
    static constexpr offset_table find_offsets(const reorder_plan& plan, bool) {
        return {bytes_between_registers(plan)};
    }

    /// There is at most one such tile in a row.
    [[gnu::noinline]] static void move_edge(const elements& lane_access, dim_t apart, const std::byte* src,
                                            std::byte* dst, const interleave_lanes& lanes) noexcept {
        alternating_edge<elements, Pattern.lanes(), count, Pattern.interleaves_source, elements::work_bytes>{
            lane_access, apart, elements::work_bytes, lanes}(src, dst);
    }
    template <bool Invariant, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        constexpr bool never[Bounds > 0 ? Bounds : 1]{};
        if (remaining.whole(plan, never))
            alternating_tile<elements, Pattern.lanes(), count, Pattern.interleaves_source, Stream,
                             elements::work_bytes>(remaining.elements, offsets.apart, elements::work_bytes)(src, dst);
        else if (remaining.any())
            move_edge(remaining.elements, offsets.apart, src, dst, interleave_lanes(plan, remaining));
    }
};
