// Conversion of rows of elements, for run-time reorders.
// Included by the header of each instruction set, in its namespace.
// Requires element_access.inl before it.

#include <plait/engine/simd/plain_rows.inl>
#include <plait/engine/simd/row_access.inl>

#include <plait/engine/simd/row_registers.inl>

#include <plait/engine/simd/nibble_rows.inl>
#include <plait/engine/simd/row_sums.inl>
#include <plait/engine/simd/small_rows.inl>

/// Loads the old contents of the destination as adjacent numbers. It is a separate function, because it is rarely used.
template <class Number, int Lanes, class Kept>
[[gnu::noinline]] inline void load_old(data_type type, const std::byte* from, const dim_t* steps, Kept kept,
                                       std::byte* numbers) noexcept {
    constexpr dim_t bytes = vector_bytes(this_isa), side_by_side[]{0, bytes, 2 * bytes, 3 * bytes};
    row_registers<Number, Lanes>::template load<void>(type, from, steps, kept)
        .template store_as<Number>(numbers, side_by_side, std::false_type{});
}

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

/// Returns true if f32 numbers are only multiplied.
inline bool only_multiplies(const row_operations& operations) {
    return operations.src == data_type::f32 && operations.dst == data_type::f32 &&
           operations.with[0].numbers == nullptr && operations.with[3].numbers == nullptr &&
           operations.beta.numbers == nullptr &&
           (operations.with[1].numbers != nullptr || operations.with[2].numbers != nullptr);
}

/// Multiplies rows of f32 by one or two numbers, the usual scales. No register checks for other operations.
template <bool Twice>
[[gnu::noinline]] inline void multiply_rows(const row_operand& by, const row_operand& then_by, const std::byte* from,
                                            std::byte* to, const row_block& block) noexcept {
    constexpr int lanes = row_lanes<float>;
    using floats = access<element_types<float, float, float>, lanes>;
    const dim_t by_element = by.differs_in_row ? ~dim_t{0} : 0, then_element = then_by.differs_in_row ? ~dim_t{0} : 0;
    for (dim_t again = 0; again < block.repeats; ++again) {
        const std::byte *x = from + again * block.from_repeat, *first = by.numbers, *second = then_by.numbers;
        std::byte* y = to + again * block.to_repeat;
        for (dim_t row = 0; row < block.rows; ++row) {
            for_row<lanes>(
                block.count, [&](dim_t i, auto kept) __attribute__((always_inline)) {
                    auto some = multiply<float, lanes>(load_some<floats, lanes>(x + 4 * i, kept),
                                                       load_some<floats, lanes>(first + 4 * (i & by_element), kept));
                    if constexpr (Twice)
                        some = multiply<float, lanes>(some,
                                                      load_some<floats, lanes>(second + 4 * (i & then_element), kept));
                    store_some<floats, lanes>(y + 4 * i, some, kept);
                });
            x += block.from_step;
            y += block.to_step;
            first += by.row_step;
            if constexpr (Twice) second += then_by.row_step;
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
    if constexpr ((std::is_void_v<T> && std::is_same_v<Number, float>) ||
                  (std::is_same_v<T, float> && std::is_same_v<U, float>))
        if (only_multiplies(operations))
            return operations.with[1].numbers != nullptr && operations.with[2].numbers != nullptr
                       ? multiply_rows<true>(operations.with[1], operations.with[2], from, to, block)
                       : multiply_rows<false>(operations.with[operations.with[1].numbers != nullptr ? 1 : 2], {}, from,
                                              to, block);
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

template <class Number>
[[gnu::noinline]] inline void stream_lines(const std::byte* from, std::byte* to, dim_t bytes) noexcept {
    constexpr dim_t at_once = row_lanes<Number> * sizeof(Number);
    for (dim_t i = 0; i < bytes; i += at_once) vector<at_once>::stream(to + i, vector<at_once>::load(from + i));
}
template <class>
inline void finish_streamed_lines() noexcept {
    finish_streams();
}

/// The functions for rows of all types, computed in Number.
template <class Number>
inline constexpr row_conversions rows_of{
    .convert = convert_rows<void, void, Number>,
    .small = &small_rows_of<u1, u2, u4, s4, float4_e2m1, float4_e3m0, float6_e2m3, float6_e3m2, float8_e8m0,
                            float8_ue4m3, boolean>,
    .nibbles = &nibble_rows_of<float, bfloat16, float16, std::int8_t, std::uint8_t>,
    .plain = &plain_rows_of<Number>,
    .spread = spread_numbers<Number>,
    .stream = stream_lines<float>,
    .finish_streams = finish_streamed_lines<Number>,
    .sum = sum_row<std::int32_t>,
    .add_to = add_row<std::int32_t>,
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
    .small = &small_rows_of<From, To>,
    .nibbles = find_nibble_rows<From, To>(),
    .spread = spread_numbers<arithmetic_type<T, U>>,
    .stream = stream_lines<float>,
    .finish_streams = finish_streamed_lines<arithmetic_type<T, U>>,
};
