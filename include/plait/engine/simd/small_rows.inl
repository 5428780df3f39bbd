// Rows of elements that rows are not computed with directly: elements smaller than a byte, and rare types of 8 bits.
// They are unpacked to elements of another type before the conversion, and packed after it.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires the plain rows and the registers of row_conversions.inl, and nibble_lookup, before it.

// Rows of 4-bit elements with one set of numbers each: what becomes of the 16 possible elements is computed once, and
// looked up for each element.

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

/// The number of elements that are unpacked or packed at once, and of their 4-bit elements the bytes.
inline constexpr int small_at_once = 64, nibble_bytes = small_at_once / 2;

/// Splits bytes into the 4-bit numbers of their halves, the low one first.
[[gnu::always_inline]] inline void split_nibbles(const std::byte* from, std::byte* to) {
    std::uint8_t bytes[nibble_bytes];
    std::uint16_t pairs[nibble_bytes];
    std::memcpy(bytes, from, sizeof(bytes));
    for (int i = 0; i < nibble_bytes; ++i) {
        const int halves = is_little_endian ? bytes[i] | bytes[i] << 4 : bytes[i] << 8 | bytes[i] >> 4;
        pairs[i] = static_cast<std::uint16_t>(halves & 0x0f0f);
    }
    std::memcpy(to, pairs, sizeof(pairs));
}
/// Joins 4-bit numbers to bytes.
[[gnu::always_inline]] inline void join_nibbles(const std::byte* from, std::byte* to) {
    std::uint16_t pairs[nibble_bytes];
    std::uint8_t bytes[nibble_bytes];
    std::memcpy(pairs, from, sizeof(pairs));
    for (int i = 0; i < nibble_bytes; ++i) {
        const int joined = is_little_endian ? pairs[i] | pairs[i] >> 4 : pairs[i] >> 8 | pairs[i] << 4;
        bytes[i] = static_cast<std::uint8_t>(joined);
    }
    std::memcpy(to, bytes, sizeof(bytes));
}

/// The type that elements of type T are unpacked to: u8 or s8 for integers, bf16 for floats, which it holds exactly.
template <element T>
using unpacked = std::conditional_t<!integer_type<T>, bfloat16,
                                    std::conditional_t<std::is_same_v<T, s4>, std::int8_t, std::uint8_t>>;
template <element T>
struct unpacked_table {
    static constexpr int count = 1 << size_in_bits(data_type_of<T>);
    unpacked<T> of[count];
    std::uint8_t low[count], high[count];  ///< the bytes of bf16

    constexpr unpacked_table() : of{}, low{}, high{} {
        for (int i = 0; i < count; ++i) {
            const T x = T::from_bits(static_cast<std::uint8_t>(i));
            if constexpr (integer_type<T>) of[i] = static_cast<unpacked<T>>(static_cast<int>(x));
            else {
                of[i] = bfloat16(static_cast<float>(x));
                low[i] = static_cast<std::uint8_t>(of[i].bits & 255);
                high[i] = static_cast<std::uint8_t>(of[i].bits >> 8);
            }
        }
    }
};
template <element T>
inline constexpr unpacked_table<T> unpacked_numbers{};

/// Replaces 64 codes of 4 bits by the numbers of a table.
template <element T>
[[gnu::always_inline]] inline void look_up_numbers(const std::byte* codes, std::byte* to) {
    const auto low = vector<16>::load(reinterpret_cast<const std::byte*>(unpacked_numbers<T>.low)),
               high = vector<16>::load(reinterpret_cast<const std::byte*>(unpacked_numbers<T>.high));
    for (int i = 0; i < small_at_once; i += 16) {
        const auto some = vector<16>::load(codes + i);
        alignas(16) std::byte halves[2][16];
        vector<16>::store(halves[0], lane_shuffles<16>::order_within(low, some));
        vector<16>::store(halves[1], lane_shuffles<16>::order_within(high, some));
        for (int k = 0; k < 16; ++k) {
            to[2 * (i + k)] = halves[is_little_endian ? 0 : 1][k];
            to[2 * (i + k) + 1] = halves[is_little_endian ? 1 : 0][k];
        }
    }
}

/// Unpacks whole groups of 64 elements that begin at a byte.
template <element T>
[[gnu::always_inline]] inline void unpack_at_once(const std::byte* from, std::byte* to) {
    alignas(64) std::byte codes[small_at_once];
    constexpr int bits = size_in_bits(data_type_of<T>);
    if constexpr (bits == 4) {
        split_nibbles(from, codes);
        if constexpr (std::is_same_v<T, u4>) return static_cast<void>(std::memcpy(to, codes, sizeof(codes)));
        else if constexpr (std::is_same_v<T, s4>) {
            std::uint8_t numbers[small_at_once];
            std::memcpy(numbers, codes, sizeof(numbers));
            for (std::uint8_t& x : numbers) x = static_cast<std::uint8_t>((x ^ 8) - 8);
            return static_cast<void>(std::memcpy(to, numbers, sizeof(numbers)));
        } else return look_up_numbers<T>(codes, to);
    } else {
        for (int i = 0; i < small_at_once; ++i) codes[i] = std::byte{load_element<T>(from, i).bits};
        for (int i = 0; i < small_at_once; ++i) {
            const unpacked<T> number = unpacked_numbers<T>.of[std::to_integer<int>(codes[i])];
            std::memcpy(to + i * static_cast<int>(sizeof(number)), &number, sizeof(number));
        }
    }
}

/// Unpacks `count` elements from place `place` on.
template <element T>
[[gnu::noinline]] inline void unpack_row(const std::byte* from, dim_t place, dim_t count, std::byte* to) noexcept {
    constexpr int bits = size_in_bits(data_type_of<T>);
    const auto one = [&] {
        const unpacked<T> number = unpacked_numbers<T>.of[load_element<T>(from, place).bits];
        std::memcpy(to, &number, sizeof(number));
        to += sizeof(number);
        ++place;
        --count;
    };
    while (count > 0 && place * bits % 8 != 0) one();
    for (; count >= small_at_once; count -= small_at_once, place += small_at_once) {
        unpack_at_once<T>(from + place * bits / 8, to);
        to += small_at_once * sizeof(unpacked<T>);
    }
    while (count > 0) one();
}

/// Limits 64 integers to the range of T, and keeps their lowest bits.
template <element T>
[[gnu::always_inline]] inline void limit_numbers(const std::byte* from, std::byte* to) {
    constexpr auto low = static_cast<unpacked<T>>(T::lowest), high = static_cast<unpacked<T>>(T::largest);
    constexpr int mask = (1 << size_in_bits(data_type_of<T>)) - 1;
    unpacked<T> numbers[small_at_once];
    std::memcpy(numbers, from, sizeof(numbers));
    for (unpacked<T>& x : numbers) {
        x = x > high ? high : x;
        if constexpr (low < 0) x = x < low ? low : x;
        x = static_cast<unpacked<T>>(x & mask);
    }
    std::memcpy(to, numbers, sizeof(numbers));
}
/// Makes up to 64 elements of type T of numbers, as bit patterns in bytes. Numbers are those of unpacked<T> if T is an
/// integer type; else they are f32 or f64.
template <element T, element Number>
[[gnu::always_inline]] inline void encode_numbers(const std::byte* from, dim_t count, std::byte* to) {
    if constexpr (size_in_bits(data_type_of<T>) < 8 && integer_type<T>) {
        alignas(64) std::byte some[small_at_once];
        if (count == small_at_once) return limit_numbers<T>(from, to);
        std::memcpy(some, from, static_cast<std::size_t>(count));
        limit_numbers<T>(some, some);
        std::memcpy(to, some, static_cast<std::size_t>(count));
    } else if constexpr (std::is_same_v<Number, float> && !integer_type<T> && !std::is_same_v<T, float8_e8m0> &&
                         this_isa != isa::portable) {
        row_block row;
        row.count = count;
        convert_plain_rows<float, T>(from, to, row);
    } else {
        for (dim_t i = 0; i < count; ++i) {
            Number x;
            std::memcpy(&x, from + i * static_cast<dim_t>(sizeof(x)), sizeof(x));
            to[i] = std::byte{convert<T>(x).bits};
        }
    }
}

/// Packs `count` numbers as elements of type T to place `place` on; elements that share a byte with them stay.
template <element T, element Number>
[[gnu::noinline]] inline void pack_row(const std::byte* from, dim_t count, std::byte* to, dim_t place) noexcept {
    constexpr int bits = size_in_bits(data_type_of<T>);
    constexpr dim_t number_bytes = sizeof(Number);
    alignas(64) std::byte codes[small_at_once]{};
    while (count > 0) {
        // Up to the next byte, then as much as is encoded at once.
        dim_t some = count < small_at_once ? count : small_at_once;
        if (place * bits % 8 != 0 && some > 1) some = 1;
        encode_numbers<T, Number>(from, some, codes);
        if (bits == 8) {
            std::memcpy(to + place, codes, static_cast<std::size_t>(some));
        } else if (bits == 4 && some > 1) {
            alignas(64) std::byte joined[nibble_bytes];
            join_nibbles(codes, joined);
            if (some == small_at_once) std::memcpy(to + place / 2, joined, sizeof(joined));
            else std::memcpy(to + place / 2, joined, static_cast<std::size_t>(some / 2));
            if (some % 2 != 0)
                store_element<T>(to, place + some - 1, T::from_bits(std::to_integer<std::uint8_t>(codes[some - 1])));
        } else {
            for (dim_t i = 0; i < some; ++i)
                store_element<T>(to, place + i, T::from_bits(std::to_integer<std::uint8_t>(codes[i])));
        }
        from += some * number_bytes;
        place += some;
        count -= some;
    }
}

template <element T>
constexpr void add_small_rows(small_rows& out) {
    if constexpr (size_in_bits(data_type_of<T>) < 8 || std::is_same_v<T, float8_e8m0> ||
                  std::is_same_v<T, float8_ue4m3> || std::is_same_v<T, boolean>) {
        small_row_functions& of = out.of[static_cast<int>(data_type_of<T>)];
        of.unpack = unpack_row<T>;
        if constexpr (integer_type<T> && !std::is_same_v<T, boolean>) {
            of.pack = pack_row<T, unpacked<T>>;
            of.pack_f64 = of.pack;
        } else {
            of.pack = pack_row<T, float>;
            of.pack_f64 = pack_row<T, double>;
        }
    }
}
template <element... T>
constexpr small_rows make_small_rows() {
    small_rows out;
    (add_small_rows<T>(out), ...);
    return out;
}
/// The functions for some types. It is a template, so that including this file compiles nothing before it is used.
template <element... T>
inline constexpr small_rows small_rows_of = make_small_rows<T...>();
