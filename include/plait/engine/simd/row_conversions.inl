// Conversion of rows of elements, for run-time reorders: elements that only change their type; rows with operands;
// sums. Included by row_functions.inl, in the namespace of each instruction set. Requires element_access.inl and
// nibble_lookup before it.

// Rows of elements that only change their type.

/// Converts rows from one type to another: first whole registers of a narrower destination, then as many lanes as are
/// converted at the same time, then masked lanes.
template <element T, element U>
[[gnu::noinline]] inline void convert_plain_rows(const std::byte* from, std::byte* to,
                                                 const row_block& block) noexcept {
    using types = element_types<T, std::conditional_t<(sizeof(U) <= sizeof(T)), U, T>, U>;
    constexpr dim_t src_bytes = sizeof(T), dst_bytes = sizeof(U),
                    widest = src_bytes > dst_bytes ? src_bytes : dst_bytes;
    // Wider elements are converted from memory: an instruction loads and widens as many as it converts.
    constexpr int at_once = vector_bytes(this_isa) / static_cast<int>(widest > 4 ? widest : 4),
                  whole = vector_bytes(this_isa) / static_cast<int>(sizeof(typename types::work)),
                  wide = dst_bytes > src_bytes && at_once < whole ? at_once : whole,
                  narrow = at_once < wide ? at_once : wide;
    using wide_access = access<types, wide>;
    using narrow_access = access<types, narrow>;
    dim_t count = block.count, rows = block.rows;
    if (block.from_step == count * src_bytes && block.to_step == count * dst_bytes) {  // as one row
        count *= rows;
        rows = 1;
    }
    // Rows that fit in one access are converted two at a time.
    const auto run_blocks =
        [&block, rows ](const std::byte* src, std::byte* dst, auto number) __attribute__((always_inline)) {
        constexpr int lanes = decltype(number)::value;
        using one = access<types, lanes>;
        dim_t remaining = rows;
        for (; remaining > 1; remaining -= 2, src += 2 * block.from_step, dst += 2 * block.to_step) {
            const auto first = one::template load<lanes>(src),
                       second = one::template load<lanes>(src + block.from_step);
            one::template store<lanes, false>(dst, first);
            one::template store<lanes, false>(dst + block.to_step, second);
        }
        if (remaining == 1) one::template store<lanes, false>(dst, one::template load<lanes>(src));
    };
    const auto run_rows = [&block, rows, count ](const std::byte* src, std::byte* dst) __attribute__((always_inline)) {
        for (dim_t row = 0; row < rows; ++row, src += block.from_step, dst += block.to_step) {
            dim_t i = 0;
            for (; i + wide <= count; i += wide)
                wide_access::template store<wide, false>(dst + i * dst_bytes,
                                                         wide_access::template load<wide>(src + i * src_bytes));
            if constexpr (narrow < wide)
                for (; i + narrow <= count; i += narrow)
                    narrow_access::template store<narrow, false>(
                        dst + i * dst_bytes, narrow_access::template load<narrow>(src + i * src_bytes));
            if (i == count) continue;
            const std::uint64_t lanes = ~std::uint64_t{0} >> (64 - (count - i));
            narrow_access::template store<narrow>(
                dst + i * dst_bytes, narrow_access::template load<narrow>(src + i * src_bytes, lanes), lanes);
        }
    };
    for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat) {
        if constexpr (narrow == 16) {  // blocks of 16 and of 8 elements are common
            if (count == 16) {
                run_blocks(from, to, std::integral_constant<int, 16>{});
                continue;
            }
            if (count == 8) {
                run_blocks(from, to, std::integral_constant<int, 8>{});
                continue;
            }
        }
        run_rows(from, to);
    }
}

/// True if the instruction set has functions for pairs of types. CPUs before AVX2 do without: row_conversions::convert
/// does the work, at half the speed with a tenth of the code.
inline constexpr bool has_plain_rows = this_isa != isa::portable && this_isa != isa::sse41;

/// The function for a pair of types: between f32 and all others, and between all others except 8-bit floating-point
/// types, which are rare. It is null for other pairs, and if nothing changes.
template <element T, element U>
constexpr plain_rows* find_plain_rows() {
    constexpr bool has_f32 = std::is_same_v<T, float> || std::is_same_v<U, float>;
    if constexpr (!has_plain_rows || std::is_same_v<T, U> || ((is_small_float<T> || is_small_float<U>)&&!has_f32))
        return nullptr;
    else return convert_plain_rows<T, U>;
}
template <element T, element... U>
constexpr void add_plain_rows(plain_rows_table& table) {
    ((table.of[static_cast<int>(data_type_of<T>)][static_cast<int>(data_type_of<U>)] = find_plain_rows<T, U>()), ...);
}
template <element... T>
constexpr plain_rows_table make_plain_rows() {
    plain_rows_table table;
    (add_plain_rows<T, double, float, bfloat16, float16, float8_e5m2, float8_e4m3, std::int32_t, std::int8_t,
                    std::uint8_t>(table),
     ...);
    return table;
}
/// The functions for all pairs of types. It is a template, so that including this file compiles nothing before it is
/// used.
template <class Number>
inline constexpr plain_rows_table plain_rows_of =
    make_plain_rows<std::conditional_t<std::is_same_v<Number, float>, double, Number>, float, bfloat16, float16,
                    float8_e5m2, float8_e4m3, std::int32_t, std::int8_t, std::uint8_t>();

// Loads and stores of one register of a row, and the loop over the registers of a row.

/// Calls `some(place, lanes)` for each register of a row. `lanes` is false for all lanes, or a mask for the last
/// register.
template <int Lanes, class Some>
[[gnu::always_inline]] inline void for_row(dim_t count, Some some) {
    dim_t i = 0;
    for (; i + Lanes <= count; i += Lanes) some(i, std::false_type{});
    if (i < count) some(i, ~std::uint64_t{0} >> (64 - (count - i)));
}
template <class Elements, int Lanes, class Kept>
[[gnu::always_inline]] inline auto load_some(const std::byte* from, Kept lanes) {
    if constexpr (std::is_same_v<Kept, std::false_type>) return Elements::template load<Lanes>(from);
    else return Elements::template load<Lanes>(from, lanes);
}
template <class Elements, int Lanes, class Kept, class Register>
[[gnu::always_inline]] inline void store_some(std::byte* to, Register value, Kept lanes) {
    if constexpr (std::is_same_v<Kept, std::false_type>) Elements::template store<Lanes, false>(to, value);
    else Elements::template store<Lanes>(to, value, lanes);
}

// Several registers of rows: their addresses, and the conversion of their elements to numbers and back.

/// The number of lanes in one register of numbers.
template <class Number>
inline constexpr int row_lanes = vector_bytes(this_isa) / static_cast<int>(sizeof(Number));

/// Some pieces of rows, each at most a register of numbers. Steps are in bytes.
struct row_pieces {
    static constexpr int operands = 5;
    static constexpr int at_once = 4;

    dim_t repeats = 1, from_repeat = 0, to_repeat = 0;  ///< of all of them
    dim_t count = 0;
    dim_t overlap = 0;  ///< number of elements by which the last piece begins early, to end with the row
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    dim_t from_step = 0, to_step = 0;
    const std::byte* operand[operands]{};  ///< the last is beta
    dim_t operand_step[operands]{}, operand_element[operands]{}, operand_repeat[operands]{};

    /// Returns true if all pieces of a repeat are computed with the same register of an operand.
    bool is_shared(int k) const { return operand[k] != nullptr && operand_step[k] == 0; }
};

/// The beginnings of some pieces, in bytes from the first. Beyond the last piece, the last piece is repeated.
template <int AtOnce>
struct piece_steps {
    dim_t from[AtOnce], to[AtOnce], operands[row_pieces::operands][AtOnce];

    /// The last piece begins `back` elements early.
    [[gnu::always_inline]] inline piece_steps(const row_pieces& p, dim_t pieces, dim_t from_bytes, dim_t to_bytes,
                                              dim_t overlap = 0) {
        const dim_t last = pieces - 1;
        const auto set = [last](dim_t * steps, dim_t step, dim_t too_early) __attribute__((always_inline)) {
            const dim_t behind = last * step - too_early;
            steps[0] = last < 1 ? behind : 0;
            steps[1] = last < 2 ? behind : step;
            steps[2] = last < 3 ? behind : 2 * step;
            steps[3] = behind;
        };
        set(from, p.from_step, overlap * from_bytes);
        set(to, p.to_step, overlap * to_bytes);
        for (int k = 0; k < row_pieces::operands; ++k)
            if (p.operand[k] != nullptr) set(operands[k], p.operand_step[k], overlap * p.operand_element[k]);
    }
};

/// Registers of numbers, of pieces that begin at steps[k]. There are no lambdas, because GCC keeps registers captured
/// by closures in memory.
template <class Number, int Lanes>
struct row_registers {
    static constexpr int lanes = Lanes;
    using numbers = access<element_types<Number, Number, Number>, lanes>;
    using reg = typename numbers::reg;
    reg a, b, c, d;

    [[gnu::always_inline]] static inline row_registers all(reg one) { return {one, one, one, one}; }
    /// Loads those of the first four operands that all pieces share.
    [[gnu::always_inline]] static inline void load_shared(const row_pieces& p, const bool* shared, reg& first,
                                                          reg& second, reg& third, reg& fourth) {
        if (shared[0]) first = numbers::template load<lanes>(p.operand[0]);
        if (shared[1]) second = numbers::template load<lanes>(p.operand[1]);
        if (shared[2]) third = numbers::template load<lanes>(p.operand[2]);
        if (shared[3]) fourth = numbers::template load<lanes>(p.operand[3]);
    }
    template <class T, class Kept>
    [[gnu::always_inline]] static inline row_registers loaded(const std::byte* from, const dim_t* steps, Kept kept) {
        using elements = access<element_types<T, Number, Number>, lanes>;
        return {load_some<elements, lanes>(from + steps[0], kept), load_some<elements, lanes>(from + steps[1], kept),
                load_some<elements, lanes>(from + steps[2], kept), load_some<elements, lanes>(from + steps[3], kept)};
    }
    /// Loads elements of type T, or of `type` if T is void. f64 elements are computed only in f64.
    template <class T, class Kept>
    [[gnu::always_inline]] static inline row_registers load(data_type type, const std::byte* from, const dim_t* steps,
                                                            Kept kept) {
        if constexpr (!std::is_void_v<T>) return loaded<T>(from, steps, kept);
        switch (type) {
            case data_type::f64: return loaded<Number>(from, steps, kept);
            case data_type::bf16: return loaded<bfloat16>(from, steps, kept);
            case data_type::f16: return loaded<float16>(from, steps, kept);
            case data_type::f8_e5m2: return loaded<float8_e5m2>(from, steps, kept);
            case data_type::f8_e4m3: return loaded<float8_e4m3>(from, steps, kept);
            case data_type::s32: return loaded<std::int32_t>(from, steps, kept);
            case data_type::s8: return loaded<std::int8_t>(from, steps, kept);
            case data_type::u8: return loaded<std::uint8_t>(from, steps, kept);
            default: break;  // f32; rows of smaller types are converted from and to others first (packed_rows.inl)
        }
        return loaded<float>(from, steps, kept);
    }
    template <class U, class Kept>
    [[gnu::always_inline]] inline void store_as(std::byte* to, const dim_t* steps, Kept kept) const {
        using elements = access<element_types<Number, Number, U>, lanes>;
        store_some<elements, lanes>(to + steps[0], a, kept);
        store_some<elements, lanes>(to + steps[1], b, kept);
        store_some<elements, lanes>(to + steps[2], c, kept);
        store_some<elements, lanes>(to + steps[3], d, kept);
    }
    template <class U, class Kept>
    [[gnu::always_inline]] inline void store(data_type type, std::byte* to, const dim_t* steps, Kept kept) const {
        if constexpr (!std::is_void_v<U>) return store_as<U>(to, steps, kept);
        switch (type) {
            case data_type::f64: return store_as<Number>(to, steps, kept);
            case data_type::bf16: return store_as<bfloat16>(to, steps, kept);
            case data_type::f16: return store_as<float16>(to, steps, kept);
            case data_type::f8_e5m2: return store_as<float8_e5m2>(to, steps, kept);
            case data_type::f8_e4m3: return store_as<float8_e4m3>(to, steps, kept);
            case data_type::s32: return store_as<std::int32_t>(to, steps, kept);
            case data_type::s8: return store_as<std::int8_t>(to, steps, kept);
            case data_type::u8: return store_as<std::uint8_t>(to, steps, kept);
            default: break;  // f32; rows of smaller types are converted from and to others first (packed_rows.inl)
        }
        return store_as<float>(to, steps, kept);
    }
    [[gnu::always_inline]] inline row_registers operator-(const row_registers& o) const {
        return {subtract<Number, lanes>(a, o.a), subtract<Number, lanes>(b, o.b), subtract<Number, lanes>(c, o.c),
                subtract<Number, lanes>(d, o.d)};
    }
    [[gnu::always_inline]] inline row_registers operator*(const row_registers& o) const {
        return {multiply<Number, lanes>(a, o.a), multiply<Number, lanes>(b, o.b), multiply<Number, lanes>(c, o.c),
                multiply<Number, lanes>(d, o.d)};
    }
    [[gnu::always_inline]] inline row_registers operator+(const row_registers& o) const {
        return {add<Number, lanes>(a, o.a), add<Number, lanes>(b, o.b), add<Number, lanes>(c, o.c),
                add<Number, lanes>(d, o.d)};
    }
};

// Sums of rows of s8, modulo 2^32, for compensation. For example, 1 2 3 4 adds 10 to the sum of the row, or 1, 2, 3 and
// 4 to four adjacent sums.

#include <plait/engine/simd/byte_kernels.inl>

/// Templates, so that including this file compiles nothing before it is used.
template <class Byte>
std::uint32_t sum_row(const std::byte* from, dim_t count) noexcept {
    // An s8 whose highest bit is inverted is a number from 0 to 255, which is 128 more.
    return static_cast<std::uint32_t>(sum_of_run(sum_runs<Byte>, from, count, {0x80, false}) -
                                      128 * static_cast<std::uint64_t>(count));
}

template <class Sum>
[[gnu::noinline]] inline void add_row(const std::byte* from, std::byte* to, dim_t count) noexcept {
    constexpr int lanes = row_lanes<Sum>;
    using elements = access<element_types<std::int8_t, Sum, Sum>, lanes>;
    using sums = access<element_types<Sum, Sum, Sum>, lanes>;
    for_row<lanes>(count, [=](dim_t i, auto kept) {
        std::byte* const here = to + 4 * i;
        store_some<sums, lanes>(
            here, add_integers<lanes>(load_some<sums, lanes>(here, kept), load_some<elements, lanes>(from + i, kept)),
            kept);
    });
}

#include <plait/engine/simd/small_rows.inl>

/// Loads the old contents of the destination as adjacent numbers. It is a separate function, because it is rarely used.
template <class Number, int Lanes, class Kept>
[[gnu::noinline]] inline void load_old(data_type type, const std::byte* from, const dim_t* steps, Kept kept,
                                       std::byte* numbers) noexcept {
    constexpr dim_t bytes = vector_bytes(this_isa), side_by_side[]{0, bytes, 2 * bytes, 3 * bytes};
    row_registers<Number, Lanes>::template load<void>(type, from, steps, kept)
        .template store_as<Number>(numbers, side_by_side, std::false_type{});
}

#include <plait/engine/simd/computed_rows.inl>

/// Converts pieces of `Lanes` lanes, all lanes or those of a mask, from elements T to elements U; if these are void, of
/// the types in `operations`.
template <class T, class U, class Number, int Lanes, class Kept>
[[gnu::noinline]] inline void convert_pieces(const row_operations& operations, row_pieces& p, Kept kept) noexcept {
    using registers = row_registers<Number, Lanes>;
    constexpr int at_once = row_pieces::at_once;
    [[maybe_unused]] constexpr dim_t bytes = vector_bytes(this_isa), side_by_side[]{0, bytes, 2 * bytes, 3 * bytes};
    const piece_steps<at_once> several(p, at_once, size_in_bytes(operations.src), size_in_bytes(operations.dst)),
        last(p, (p.count - 1) % at_once + 1, size_in_bytes(operations.src), size_in_bytes(operations.dst), p.overlap);
    const piece_steps<at_once>* steps = p.count > at_once ? &several : &last;
    // The steps from the last piece to the first of the next repeat; 0 for absent operands.
    const dim_t behind = (p.count - 1) / at_once * at_once, from_repeat = p.from_repeat - behind * p.from_step,
                to_repeat = p.to_repeat - behind * p.to_step;
    dim_t operand_repeat[row_pieces::operands];
    for (int k = 0; k < row_pieces::operands; ++k)
        operand_repeat[k] = p.operand_repeat[k] - (behind + at_once) * p.operand_step[k];
    alignas(64) [[maybe_unused]] std::byte old[at_once * vector_bytes(this_isa)];
    const data_type src = operations.src, dst = operations.dst;
    // Operands that all pieces share stay in registers. They are named one by one, because GCC keeps arrays of
    // registers in memory.
    const bool held[]{p.is_shared(0), p.is_shared(1), p.is_shared(2), p.is_shared(3)};
    typename registers::reg first{}, second{}, third{}, fourth{};
    registers::load_shared(p, held, first, second, third, fourth);
    for (dim_t remaining = p.count;;) {
        // Types known only at run time come first, so that no register lives across a call.
        if constexpr (std::is_void_v<U>)
            if (p.operand[4] != nullptr) load_old<Number, Lanes>(dst, p.to, steps->to, kept, old);
        registers x = registers::template load<T>(src, p.from, steps->from, kept);
        // Each operand advances where it is used. Together, the compiler would do it in a vector register, and wait for
        // that.
        const auto operand = [&](int k) __attribute__((always_inline)) {
            const registers numbers =
                registers::template loaded<Number>(p.operand[k], steps->operands[k], std::false_type{});
            p.operand[k] += at_once * p.operand_step[k];
            return numbers;
        };
        if (p.operand[0] != nullptr) x = held[0] ? x - registers::all(first) : x - operand(0);
        if (p.operand[1] != nullptr) x = held[1] ? x * registers::all(second) : x * operand(1);
        if (p.operand[4] != nullptr) {
            if constexpr (std::is_void_v<U>)
                x = x + operand(4) * registers::template loaded<Number>(old, side_by_side, std::false_type{});
            else x = x + operand(4) * registers::template load<U>(dst, p.to, steps->to, kept);
        }
        if (p.operand[2] != nullptr) x = held[2] ? x * registers::all(third) : x * operand(2);
        if (p.operand[3] != nullptr) x = held[3] ? x - registers::all(fourth) : x - operand(3);
        x.template store<U>(dst, p.to, steps->to, kept);
        remaining -= at_once;
        if (remaining > 0) {
            p.from += at_once * p.from_step;
            p.to += at_once * p.to_step;
            if (remaining <= at_once) steps = &last;
        } else {
            if (--p.repeats == 0) return;
            remaining = p.count;
            p.from += from_repeat;
            p.to += to_repeat;
            for (int k = 0; k < row_pieces::operands; ++k) p.operand[k] += operand_repeat[k];
            registers::load_shared(p, held, first, second, third, fourth);
            if (remaining > at_once) steps = &several;
        }
    }
}

/// Converts rows. Rows of several registers are converted one after the other; the last register overlaps the one
/// before it. Shorter rows are converted across, several rows at a time.
template <class T, class U, class Number>
[[gnu::noinline]] inline void convert_rows(const row_operations& operations, const std::byte* from, std::byte* to,
                                           const row_block& some_rows) noexcept {
    constexpr int lanes = row_lanes<Number>;
    constexpr dim_t number_bytes = sizeof(Number);
    const dim_t from_bytes = size_in_bytes(operations.src), to_bytes = size_in_bytes(operations.dst);
    const row_block block = join_rows(operations, some_rows, number_bytes);
    const dim_t count = block.count, rows = block.rows;
    const auto operand = [&operations](int k) -> const row_operand& {
        return k < 4 ? operations.with[k] : operations.beta;
    };
    constexpr bool is_f32 = std::is_same_v<T, float> && std::is_same_v<U, float>,
                   is_any = std::is_void_v<T> && std::is_same_v<Number, float>;
    if constexpr (is_any && has_plain_rows) {
        if (convert_computed_rows<Number>(operations, from, to, block)) return;
    } else if constexpr (is_any || is_f32) {
        if (operations.src == data_type::f32 && operations.dst == data_type::f32)
            return compute_rows<Number>(computed_rows_for<Number, Number>, operations, from, to, block);
    }
    // The old contents of the destination can be read only once, so no element is converted twice if beta is used.
    const bool has_overlap = count > lanes && count % lanes != 0 && operations.beta.numbers == nullptr;
    const dim_t whole = count / lanes + (has_overlap ? 1 : 0), remaining = has_overlap ? 0 : count % lanes,
                overlap = has_overlap ? lanes - count % lanes : 0;
    // Converts pieces of some rows, from `piece`: along rows, which may have repeats, or one piece of each row.
    const auto run = [&](dim_t row, dim_t again, dim_t piece, bool across, bool rows_repeat) {
        row_pieces p{.repeats = block.repeats, .from_repeat = block.from_repeat, .to_repeat = block.to_repeat};
        if (rows_repeat) p.repeats = rows, p.from_repeat = block.from_step, p.to_repeat = block.to_step;
        const dim_t first = piece * lanes - (across && piece + 1 == whole ? overlap : 0);
        p.from = from + row * block.from_step + again * block.from_repeat + first * from_bytes;
        p.to = to + row * block.to_step + again * block.to_repeat + first * to_bytes;
        p.from_step = across ? block.from_step : lanes * from_bytes;
        p.to_step = across ? block.to_step : lanes * to_bytes;
        for (int k = 0; k < row_pieces::operands; ++k) {
            const row_operand& o = operand(k);
            if (o.numbers == nullptr) continue;
            const dim_t element = o.differs_in_row ? number_bytes : 0;
            p.operand[k] = o.numbers + row * o.row_step + first * element;
            p.operand_step[k] = across ? o.row_step : lanes * element;
            p.operand_element[k] = element;
            p.operand_repeat[k] = rows_repeat ? o.row_step : 0;
        }
        p.count = across ? rows : piece < whole ? whole : 1;
        p.overlap = across ? 0 : overlap;
        if (piece < whole) return convert_pieces<T, U, Number, lanes>(operations, p, std::false_type{});
        // Blocks of eight elements, half a register, are common.
        if constexpr (lanes == 16)
            if (remaining == 8) return convert_pieces<T, U, Number, 8>(operations, p, std::false_type{});
        convert_pieces<T, U, Number, lanes>(operations, p, ~std::uint64_t{0} >> (64 - remaining));
    };
    if (rows > 1 && whole < row_pieces::at_once - 1) {
        for (dim_t piece = 0; piece < whole; ++piece) run(0, 0, piece, true, false);
    } else if (whole > 0 && rows >= block.repeats) {  // fewer calls are better
        for (dim_t again = 0; again < block.repeats; ++again) run(0, again, 0, false, true);
    } else if (whole > 0) {
        for (dim_t row = 0; row < rows; ++row) run(row, 0, 0, false, false);
    }
    if (remaining > 0) run(0, 0, whole, true, false);
}

/// Writes runs of equal numbers. Each run overwrites the surplus of the run before it.
template <class Number>
[[gnu::noinline]] inline void spread_numbers(const std::byte* numbers, dim_t count, dim_t length,
                                             std::byte* to) noexcept {
    constexpr int lanes = row_lanes<Number>;
    constexpr dim_t bytes = sizeof(Number);
    for (dim_t i = 0; i < count; ++i, numbers += bytes, to += length * bytes) {
        Number number;
        std::memcpy(&number, numbers, sizeof(number));
        const auto all = broadcast<Number, lanes>(number);
        for (dim_t k = 0; k < length; k += lanes) vector<lanes * bytes>::store(to + k * bytes, all);
    }
}

template <class Byte>
void stream_lines(const std::byte* from, std::byte* to, dim_t bytes) noexcept {
    stream_and_fetch<vector_bytes(this_isa)>(from, to, bytes, nullptr, 0);
}

/// T, which a compiler knows only when it knows Number. Templates whose arguments it knows are instantiated where they
/// are named, even if that is in a template that nothing uses.
template <class T, class Number>
using known_with = std::conditional_t<std::is_void_v<Number>, Number, T>;

/// The functions for rows of all types, computed in Number.
template <class Number>
inline constexpr row_conversions rows_of{
    .convert = convert_rows<void, void, Number>,
    .of_small = &small_rows_of<known_with<u1, Number>, u2, u4, s4, float4_e2m1, float4_e3m0, float6_e2m3, float6_e3m2,
                               float8_e8m0, float8_ue4m3, boolean>,
    .nibbles = &nibble_rows_of<known_with<float, Number>, bfloat16, float16, std::int8_t, std::uint8_t>,
    .plain = &plain_rows_of<Number>,
    .spread = spread_numbers<Number>,
    .stream = stream_lines<known_with<std::byte, Number>>,
    .finish_streams = finish_streamed_bytes<known_with<std::byte, Number>>,
    .sum = sum_row<known_with<std::byte, Number>>,
    .add_to = add_row<known_with<std::int32_t, Number>>,
};
/// The functions for rows of 4-bit elements on one side, if there are any for the other side's type.
template <element From, element To>
constexpr const nibble_row_functions* find_nibble_rows() {
    constexpr bool reads = size_in_bits(data_type_of<From>) == 4,
                   packs = std::is_same_v<To, u4> || std::is_same_v<To, s4> || std::is_same_v<To, float4_e2m1>;
    using other = std::conditional_t<reads, To, From>;
    constexpr bool is_made = std::is_same_v<other, float> || std::is_same_v<other, bfloat16> ||
                             std::is_same_v<other, float16> || std::is_same_v<other, std::int8_t> ||
                             std::is_same_v<other, std::uint8_t>;
    if constexpr ((reads || packs) && is_made) return &nibble_rows_for<From, To>;
    else return nullptr;
}

/// The functions for rows of T that become U, with attributes and without compensation, for a pair of static layouts.
/// `From` and `To` are the elements in memory; if they are small, T and U are the types of row_type_of.
template <element T, element U, element From = T, element To = U>
inline constexpr row_conversions rows_of_types{
    .convert = convert_rows<T, U, arithmetic_type<T, U>>,
    .of_small = &small_rows_of<From, To>,
    .nibbles = find_nibble_rows<From, To>(),
    .spread = spread_numbers<arithmetic_type<T, U>>,
    .stream = stream_lines<known_with<std::byte, T>>,
    .finish_streams = finish_streamed_bytes<known_with<std::byte, T>>,
};
