// Rows of elements that rows are not computed with directly: elements smaller than a byte, and rare types of 8 bits.
// They are unpacked to elements of another type before the conversion, and packed after it. Included by
// row_conversions.inl, in the namespace of each instruction set. Requires plain_rows.inl and lane_shuffles*.inl before
// it.

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
