// Rows of 4-bit elements with one set of numbers each: what becomes of the 16 possible elements is computed once, and
// looked up for each element.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires nibble_lookup*.inl and row_registers.inl before it.

/// Some of the 16 elements, as numbers, after the operations of one row, as convert_pieces does them. Operations that
/// change nothing are done too: x - 0 and x * 1 are x, also for -0.
template <bool HasDst, int Lanes, class Register>
[[gnu::always_inline]] inline Register numbers_of_row(Register x, float first, float second, float third,
                                                      float fourth) {
    x = subtract<float, Lanes>(x, broadcast<float, Lanes>(first));
    x = multiply<float, Lanes>(x, broadcast<float, Lanes>(second));
    if constexpr (!HasDst) return x;
    x = multiply<float, Lanes>(x, broadcast<float, Lanes>(third));
    return subtract<float, Lanes>(x, broadcast<float, Lanes>(fourth));
}

/// Converts rows of 4-bit elements to elements of type U.
template <element U, bool HasDst>
[[gnu::always_inline]] inline void convert_nibble_rows_with(const nibble_row_block& block) noexcept {
    constexpr dim_t bytes = sizeof(U), at_once = 32;
    constexpr int lanes = row_lanes<float>, table_bytes = 16 * static_cast<int>(bytes);
    using floats = access<element_types<float, float, float>, lanes>;
    constexpr float zero = 0, one = 1;
    const auto or_else = [](const float* with, const float& neutral) { return with != nullptr ? with : &neutral; };
    const float *first = or_else(block.with[0], zero), *second = or_else(block.with[1], one),
                *third = or_else(block.with[2], one), *fourth = or_else(block.with[3], zero);
    const dim_t first_step = block.with_step[0], second_step = block.with_step[1], third_step = block.with_step[2],
                fourth_step = block.with_step[3], whole = block.count / at_once, remaining = block.count % at_once;
    const std::byte* from = block.from;
    std::byte* to = block.to;
    const auto* const elements = reinterpret_cast<const std::byte*>(block.elements);
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step) {
        const auto make_table = [&]() __attribute__((always_inline)) {
            if constexpr (lanes == 16) {
                return nibble_table<static_cast<int>(bytes)>(
                    convert_lanes<float, U, lanes>(numbers_of_row<HasDst, lanes>(floats::template load<lanes>(elements),
                                                                                 *first, *second, *third, *fourth)));
            } else {
                alignas(64) std::byte numbers[table_bytes];
                using made = access<element_types<float, float, U>, lanes>;
                for (int i = 0; i < 16; i += lanes)
                    made::template store<lanes, false>(
                        numbers + i * bytes,
                        numbers_of_row<HasDst, lanes>(floats::template load<lanes>(elements + i * dim_t{sizeof(float)}),
                                                      *first, *second, *third, *fourth));
                return nibble_table<static_cast<int>(bytes)>(numbers);
            }
        };
        const nibble_table<static_cast<int>(bytes)> table = make_table();
        const std::byte* src = from;
        std::byte* dst = to;
        for (dim_t i = 0; i < whole; ++i, src += at_once / 2, dst += at_once * bytes) table.look_up(src, dst);
        if (remaining > 0) {
            alignas(64) std::byte last[at_once / 2]{}, made[at_once * bytes];
            std::memcpy(last, src, static_cast<std::size_t>((remaining + 1) / 2));
            table.look_up(last, made);
            std::memcpy(dst, made, static_cast<std::size_t>(remaining * bytes));
        }
        first += first_step;
        second += second_step;
        third += third_step;
        fourth += fourth_step;
    }
}
template <element U>
[[gnu::noinline]] inline void convert_nibble_rows(const nibble_row_block& block) noexcept {
    if (block.with[2] != nullptr || block.with[3] != nullptr) convert_nibble_rows_with<U, true>(block);
    else convert_nibble_rows_with<U, false>(block);
}

template <element N>
inline constexpr integer_limits limits_of_nibble = [] {
    if constexpr (integer_type<N>) return limits_of<N>();
    else return integer_limits{0, 0, false};
}();
/// The type that numbers are converted to before they become 4-bit elements of type N.
template <element N>
using before_nibble = std::conditional_t<!integer_type<N>, N,
                                         std::conditional_t<limits_of_nibble<N>.is_signed, std::int8_t, std::uint8_t>>;

/// Converts some elements of type T to before_nibble<N>, with the operations of a row.
template <element T, element N, int Lanes>
[[gnu::always_inline]] inline bits<Lanes> nibble_numbers(const std::byte* from, const float* const (&with)[4]) {
    constexpr int lanes = row_lanes<float>;
    if constexpr (Lanes > lanes) {
        return vector<Lanes>::join(
            nibble_numbers<T, N, Lanes / 2>(from, with),
            nibble_numbers<T, N, Lanes / 2>(from + Lanes / 2 * static_cast<int>(sizeof(T)), with));
    } else {
        using elements = access<element_types<T, float, float>, lanes>;
        return convert_lanes<float, before_nibble<N>, lanes>(
            numbers_of_row<true, lanes>(elements::template load<lanes>(from), *with[0], *with[1], *with[2], *with[3]));
    }
}
/// Makes 8 bytes of 16 numbers: limits them to the range of N, and joins each two.
template <element N>
[[gnu::always_inline]] inline bits<16> join_numbers(bits<16> numbers) {
    using number = std::conditional_t<std::is_same_v<before_nibble<N>, std::int8_t>, std::int8_t, std::uint8_t>;
    using lanes [[gnu::vector_size(16)]] = number;
    using pairs [[gnu::vector_size(16)]] = std::uint16_t;
    lanes x;
    std::memcpy(&x, &numbers, sizeof(x));
    // A comparison has signed lanes, which EDG does not cast.
    [[maybe_unused]] const auto mask_of = [](auto compared) __attribute__((always_inline)) {
        lanes mask;
        std::memcpy(&mask, &compared, sizeof(mask));
        return mask;
    };
    if constexpr (integer_type<N>) {
        constexpr auto low = static_cast<number>(limits_of_nibble<N>.low),
                       high = static_cast<number>(limits_of_nibble<N>.high);
        const lanes most = x - x + high, above = mask_of(x > most);
        x = (x & ~above) | (most & above);
        if constexpr (low < 0) {
            const lanes least = x - x + low, below = mask_of(x < least);
            x = ((x & ~below) | (least & below)) & 15;
        }
    }
    const pairs both = (pairs)x, joined = both | (is_little_endian ? both >> 4 : both << 12);
    std::memcpy(&numbers, &joined, sizeof(joined));
    static constexpr std::uint8_t even_bytes[16] = {0,    2,    4,    6,    8,    10,   12,   14,
                                                    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    return vector<16>::pick_bytes(numbers, even_bytes);
}

/// Converts rows of T to rows of 4-bit elements of type N. Each row begins at a byte.
template <element T, element N>
[[gnu::noinline]] inline void pack_nibble_rows(const nibble_row_block& block) noexcept {
    constexpr dim_t bytes = sizeof(T), at_once = 16;
    constexpr float zero = 0, one = 1;
    const auto or_else = [](const float* with, const float& neutral) { return with != nullptr ? with : &neutral; };
    const float* with[4] = {or_else(block.with[0], zero), or_else(block.with[1], one), or_else(block.with[2], one),
                            or_else(block.with[3], zero)};
    const std::byte* from = block.from;
    std::byte* to = block.to;
    const dim_t whole = block.count / at_once, remaining = block.count % at_once;
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step) {
        const std::byte* src = from;
        std::byte* dst = to;
        for (dim_t i = 0; i < whole; ++i, src += at_once * bytes, dst += at_once / 2)
            vector<8>::store(
                dst, vector<16>::template half<false>(join_numbers<N>(nibble_numbers<T, N, at_once>(src, with))));
        if (remaining > 0) {
            alignas(64) std::byte last[at_once * bytes]{}, made[at_once];
            std::memcpy(last, src, static_cast<std::size_t>(remaining * bytes));
            vector<16>::store(made, join_numbers<N>(nibble_numbers<T, N, at_once>(last, with)));
            std::memcpy(dst, made, static_cast<std::size_t>(remaining / 2));
            if (remaining % 2 != 0) store_element<N>(dst, remaining - 1, load_element<N>(made, remaining - 1));
        }
        for (int k = 0; k < 4; ++k) with[k] += block.with_step[k];
    }
}

template <element T, element... N>
constexpr void add_nibble_packing(nibble_row_functions& out) {
    ((out.from[static_cast<int>(data_type_of<T>)][static_cast<int>(data_type_of<N>)] = pack_nibble_rows<T, N>), ...);
}
/// The functions from and to some types; null for others.
template <element... T>
constexpr nibble_row_functions make_nibble_rows() {
    nibble_row_functions out;
    ((out.to[static_cast<int>(data_type_of<T>)] = convert_nibble_rows<T>), ...);
    (add_nibble_packing<T, u4, s4, float4_e2m1>(out), ...);
    return out;
}
template <element... T>
inline constexpr nibble_row_functions nibble_rows_of = make_nibble_rows<T...>();
/// The functions of a pair of types, of which one is a 4-bit type and the other has functions.
template <element T, element U>
constexpr nibble_row_functions make_nibble_rows_for() {
    nibble_row_functions out;
    if constexpr (size_in_bits(data_type_of<T>) == 4)
        out.to[static_cast<int>(data_type_of<U>)] = convert_nibble_rows<U>;
    else add_nibble_packing<T, U>(out);
    return out;
}
template <element T, element U>
inline constexpr nibble_row_functions nibble_rows_for = make_nibble_rows_for<T, U>();
