// Conversion of the lanes of registers, for every pair of element types; and arithmetic on lanes, which is never fused.
// Included by the header of each instruction set except portable.hpp, in its namespace.
// Requires `words` before it: the instruction set's registers of 32-bit lanes.
//
// A conversion works on a whole register, whatever the number of lanes. Bytes above the converted lanes are
// unspecified. `words` is a template parameter, so that functions that an instruction set lacks are not looked up.

/// Returns the bits of a positive f32, as a constant.
constexpr std::uint32_t f32_bits(double x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }
constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Replaces NaN in x by the NaN that convert makes. Returns x unchanged if `Asked` is false.
template <class Words, bool Asked = true>
[[gnu::always_inline]] inline typename Words::reg quiet_nans(typename Words::reg x) {
    if constexpr (!Asked) return x;
    else return Words::select_nan(x, Words::all(0x7fc00000u), x);
}

/// Converts lanes of f32 to a smaller format, in 32-bit lanes, rounding to nearest even. The lanes were converted from
/// type From by to_f32. If From is not f32, their only NaN is the one that convert makes; integers have none.
///
/// Source:  convert.hpp, encode
template <element U, class Words, class From = float>
[[gnu::always_inline]] inline typename Words::reg encode_lanes(typename Words::reg x) {
    constexpr float_format f = U::format;
    constexpr int dropped = 23 - f.mantissa_bits;
    constexpr std::uint32_t below_half = (1u << (dropped - 1)) - 1;
    using w = Words;
    if constexpr (f.exponent_bits == 8) {  // bf16 is the upper half of f32, subnormal or not; rounding up may carry
        // 8-bit types (f8 and small integers) convert exactly.
        if constexpr (sizeof(From) == 1) return w::template shift_right<dropped>(x);
        if constexpr (w::has_lane_masks && std::is_same_v<U, bfloat16>)
            return w::template shift_right<dropped>(w::rounded_upper_halves(x));
        const auto odd = w::bit_and(w::template shift_right<dropped>(x), w::all(1u));
        const auto rounded = w::template shift_right<dropped>(w::add(w::add(x, w::all(below_half)), odd));
        if constexpr (std::is_same_v<From, float>) return w::select_nan(x, w::all(f.quiet_nan), rounded);
        else return rounded;  // 0x7fc00000 + 0x7fff, without its low half, is bf16's NaN 0x7fc0
    } else {
        // Normal numbers: change the bias of the exponent, then round. Below the smallest normal number the result is
        // too small, because each step down halves the unit. The sum for subnormal numbers would be too large above
        // that number, so it is clamped there. The larger of the two is right.
        constexpr std::uint32_t bias = static_cast<std::uint32_t>(127 - f.bias()) << 23;
        const auto magnitude = w::bit_and(x, w::all(0x7fffffffu));
        const auto odd = w::bit_and(w::template shift_right<dropped>(x), w::all(1u));
        const auto normal =
            w::template shift_right_signed<dropped>(w::add(w::add(magnitude, w::all(below_half - bias)), odd));
        // Subnormal numbers: add a number whose last bit is their unit, so that the addition rounds.
        constexpr std::uint32_t shift = f32_bits(power_of_two(24 - f.bias() - f.mantissa_bits));
        const auto near_zero = w::minimum(magnitude, w::all(f32_bits(power_of_two(1 - f.bias()))));
        const auto subnormal = w::subtract(w::add(near_zero, w::all(shift), float{}), w::all(shift));
        const auto number = w::minimum(w::maximum(normal, subnormal), w::all(f.largest() + (f.has_nan ? 1 : 0)));
        if constexpr (!f.has_sign)
            return w::select_nan(x, w::all(f.quiet_nan), w::select_greater(w::all(0u), x, w::all(0u), number));
        const auto sign =
            w::bit_and(w::template shift_right<31 - f.exponent_bits - f.mantissa_bits>(x), w::all(f.sign()));
        if constexpr (std::is_integral_v<From>) return w::bit_or(number, sign);
        else return w::select_nan(x, w::all(f.quiet_nan), w::bit_or(number, sign));
    }
}

/// Converts 32-bit lanes that hold numbers of a smaller format to f32, exactly. If `QuietNans` is false, a NaN of bf16
/// may be a different NaN.
///
/// Source:  convert.hpp, decode
template <element T, class Words, bool QuietNans = true>
[[gnu::always_inline]] inline typename Words::reg decode_lanes(typename Words::reg x) {
    constexpr float_format f = T::format;
    constexpr int added = 23 - f.mantissa_bits;
    using w = Words;
    if constexpr (f.exponent_bits == 8) {
        return quiet_nans<w, QuietNans>(w::template shift_left<added>(x));
    } else {
        // A subnormal number: put its bits after the exponent of the smallest normal number, and subtract that number.
        // Multiplying by a power of two instead would have a subnormal f32 as a factor, which is slow on some CPUs.
        constexpr std::uint32_t bias = static_cast<std::uint32_t>(127 - f.bias()) << 23, unit = 1u << 23;
        const auto magnitude = w::template shift_left<added>(w::bit_and(x, w::all(f.sign() - 1)));
        auto number = w::add(magnitude, w::all(bias));
        const auto subnormal = w::subtract(w::add(number, w::all(unit)), w::all(bias + unit), float{});
        number = w::select_greater(w::all(unit), magnitude, subnormal, number);
        // Infinity and NaN have the largest exponent in both formats.
        constexpr std::uint32_t special = f.infinity() << added;
        if constexpr (f.has_infinity)
            number = w::select_greater(magnitude, w::all(special - 1), w::add(number, w::all(bias)), number);
        const auto sign =
            w::bit_and(w::template shift_left<31 - f.exponent_bits - f.mantissa_bits>(x), w::all(1u << 31));
        constexpr std::uint32_t last = (f.has_infinity ? f.infinity() : f.largest()) << added;
        return w::select_greater(magnitude, w::all(last), w::all(0x7fc00000u), w::bit_or(number, sign));
    }
}

/// Converts lanes of integers of any size to s32.
template <element T, class Words, class Register>
[[gnu::always_inline]] inline typename Words::reg widen_integers(Register x) {
    if constexpr (std::is_same_v<T, std::int8_t>) return Words::widen_signed(x);
    else if constexpr (std::is_same_v<T, std::uint8_t>) return Words::template widen_unsigned<1>(x);
    else return x;
}
/// Converts s32 to U, with saturation.
template <element U, class Words>
[[gnu::always_inline]] inline bits<Words::lanes * sizeof(U)> narrow_integers(typename Words::reg x) {
    if constexpr (std::is_same_v<U, std::int8_t>) return Words::saturate_s8(x);
    else if constexpr (std::is_same_v<U, std::uint8_t>) return Words::saturate_u8(x);
    else return x;
}

/// Limits numbers to the upper bound of U, before they are converted to s32. Numbers below the lower bound, and NaN,
/// then become INT_MIN; for u8, NaN becomes the upper bound.
template <element U, class Float, class Words>
[[gnu::always_inline]] inline typename Words::reg limit_lanes(typename Words::reg x) {
    if constexpr (std::is_same_v<U, std::uint8_t>) return Words::at_most(x, Float{255});
    else if constexpr (std::is_same_v<U, std::int8_t>) return Words::at_most_or_nan(x, Float{127});
    else
        return Words::at_most_or_nan(x,
                                     static_cast<Float>(std::is_same_v<Float, double> ? 2147483647.0 : 2147483520.0));
}

/// Converts any type except f64 to f32, as convert does. If `QuietNans` is false, a NaN may be a different NaN.
template <element T, class Words, bool QuietNans = true, class Register>
[[gnu::always_inline]] inline typename Words::reg to_f32(Register x) {
    using w = Words;
    if constexpr (std::is_same_v<T, float>) {
        return x;
    } else if constexpr (std::is_integral_v<T>) {
        return w::s32_to_f32(widen_integers<T, w>(x));
    } else if constexpr (w::converts_f16 && std::is_same_v<T, float16>) {
        return quiet_nans<w, QuietNans>(w::f16_to_f32(x));
    } else if constexpr (w::converts_f16 && std::is_same_v<T, float8_e5m2>) {  // e5m2 is f16 without its low byte
        return quiet_nans<w, QuietNans>(w::f16_to_f32(w::high_bytes(x)));
    } else if constexpr (w::converts_f16 && std::is_same_v<T, float8_e4m3>) {
        // e4m3 has one exponent bit less than f16, and a bias smaller by 8. Its only NaN becomes 480.
        const auto number = w::multiply(w::f16_to_f32(w::and_16(w::signed_bytes_by_7(x), static_cast<short>(0xbfff))),
                                        w::all(256.0f), float{});
        return w::select_greater(w::bit_and(number, w::all(0x7fffffffu)), w::all(f32_bits(448)), w::all(0x7fc00000u),
                                 number);
    } else {
        return decode_lanes<T, w, QuietNans>(w::template widen_unsigned<sizeof(T)>(x));
    }
}

/// Converts f32 to any type except f64. As in encode_lanes, the lanes were converted from type From.
template <element U, class Words, class From = float>
[[gnu::always_inline]] inline bits<Words::lanes * sizeof(U)> from_f32(typename Words::reg x) {
    using w = Words;
    if constexpr (std::is_same_v<U, float>) return x;
    else if constexpr (std::is_integral_v<U>) return narrow_integers<U, w>(w::f32_to_s32(limit_lanes<U, float, w>(x)));
    else if constexpr (w::has_lane_masks && std::is_same_v<U, float16> && std::is_same_v<From, float>)
        return w::quiet_f16(x);
    else if constexpr (w::converts_f16 && std::is_same_v<U, float16>)
        return w::f32_to_f16(quiet_nans<w, std::is_same_v<From, float>>(x));
    else return w::template narrow<sizeof(U)>(encode_lanes<U, w, From>(x));
}

/// Converts f64 to any other type. The result is in the low half of its lanes.
template <element U, class Words>
[[gnu::always_inline]] inline bits<Words::lanes * sizeof(U)> from_f64(typename Words::reg x) {
    using w = Words;
    constexpr int bytes = sizeof(typename w::reg);
    if constexpr (std::is_same_v<U, float>) return w::template fit<bytes>(w::f64_to_f32(x));
    else if constexpr (std::is_integral_v<U>)
        return narrow_integers<U, w>(w::template fit<bytes>(w::f64_to_s32(limit_lanes<U, double, w>(x))));
    else  // f32 has two bits more than the smaller format, and an odd last bit if inexact, so rounding again is exact
        return from_f32<U, w>(w::template fit<bytes>(w::f64_to_odd_f32(x)));
}

/// Converts any other type to f64, from the low half of its lanes.
template <element T, class Words, class Register>
[[gnu::always_inline]] inline typename Words::reg to_f64(Register x) {
    using w = Words;
    constexpr int bytes = sizeof(typename w::reg) / 2;
    if constexpr (std::is_integral_v<T>) return w::s32_to_f64(w::template fit<bytes>(widen_integers<T, w>(x)));
    else return w::f32_to_f64(w::template fit<bytes>(to_f32<T, w>(x)));
}

template <element T, element U, class Words, class Register>
[[gnu::always_inline]] inline auto convert_register(Register x) {
    if constexpr (std::is_same_v<T, double>) return from_f64<U, Words>(x);
    else if constexpr (std::is_same_v<U, double>) return to_f64<T, Words>(x);
    else if constexpr (std::is_same_v<T, std::int8_t> && std::is_same_v<U, std::uint8_t>) return Words::s8_to_u8(x);
    else if constexpr (std::is_same_v<T, std::uint8_t> && std::is_same_v<U, std::int8_t>) return Words::u8_to_s8(x);
    else if constexpr (std::is_integral_v<T> && std::is_integral_v<U>)
        return narrow_integers<U, Words>(widen_integers<T, Words>(x));
    else return from_f32<U, Words, T>(to_f32<T, Words, !std::is_integral_v<U>>(x));
}

/// Converts the low lanes of a register to another type.
///
/// Pre:     Lanes is a power of two, with Lanes * max(sizeof(T), sizeof(U), 4) <= vector_bytes(this_isa)
/// Post:    lane i of the result is convert<U>(lane i of from), bit for bit
template <element T, element U, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(U)> convert_lanes(bits<Lanes * sizeof(T)> from) {
    constexpr int all_lanes = sizeof(T) == 8 || sizeof(U) == 8 ? words::lanes / 2 : words::lanes;
    static_assert(Lanes <= all_lanes);
    constexpr int register_bytes = static_cast<int>(sizeof(T) == 8 ? sizeof(words::reg) : words::lanes * sizeof(T));
    if constexpr (std::is_same_v<T, U>) return from;
    else return words::fit<Lanes * sizeof(U)>(convert_register<T, U, words>(words::fit<register_bytes>(from)));
}

/// Converts the lanes of a register of f32 from another type. If `QuietNans` is false, a NaN may be a different NaN.
template <element T, bool QuietNans, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(float)> number_lanes(bits<Lanes * sizeof(T)> from) {
    static_assert(Lanes == words::lanes);
    return to_f32<T, words, QuietNans>(words::fit<static_cast<int>(Lanes * sizeof(T))>(from));
}

/// True if a whole register of the smaller type U is made by packing registers of 32-bit lanes of type T.
template <class T, class U, class Words = words>
constexpr bool packs_when_loaded = (sizeof(typename Words::reg) >= 32 && sizeof(T) <= 4 && sizeof(U) <= 2 &&
                                    !std::is_same_v<T, U> &&
                                    !(Words::converts_f16 && std::is_same_v<U, float16>)&&!(std::is_integral_v<T> &&
                                                                                            std::is_integral_v<U> &&
                                                                                            sizeof(T) == sizeof(U)));

/// Converts lanes to the form that is packed: s32 without saturation, or the bits of a smaller format.
template <element T, element U, class Words, class Register>
[[gnu::always_inline]] inline typename Words::reg lanes_to_pack(Register x) {
    if constexpr (std::is_integral_v<T> && std::is_integral_v<U>) return widen_integers<T, Words>(x);
    else if constexpr (std::is_integral_v<U>)
        return Words::f32_to_s32(limit_lanes<U, float, Words>(to_f32<T, Words, false>(x)));
    else if constexpr (Words::has_lane_masks && std::is_same_v<U, bfloat16>) {  // bf16 is the upper half
        if constexpr (sizeof(T) == 1) return to_f32<T, Words>(x);
        else return Words::rounded_upper_halves(to_f32<T, Words, false>(x));
    } else return encode_lanes<U, Words, T>(to_f32<T, Words>(x));
}

/// Converts the lanes of two or four registers, as many as one register of U holds.
///
/// Pre:     packs_when_loaded<T, U>
/// Post:    as convert_lanes of each, joined
template <element T, element U, class Words = words, class... Register>
[[gnu::always_inline]] inline typename Words::reg pack_lanes(Register... x) {
    if constexpr (Words::has_lane_masks && std::is_same_v<U, bfloat16>)
        return Words::pack_upper_halves(lanes_to_pack<T, U, Words>(x)...);
    else if constexpr (sizeof(U) == 2) return Words::pack_u16(lanes_to_pack<T, U, Words>(x)...);
    else return Words::template pack_8<std::is_same_v<U, std::int8_t>>(lanes_to_pack<T, U, Words>(x)...);
}

/// Sums, differences and products of lanes of f32 or f64, each rounded separately.
///
/// Pre:     T is float or double
template <class T, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(T)> add(bits<Lanes * sizeof(T)> a, bits<Lanes * sizeof(T)> b) {
    constexpr int bytes = sizeof(words::reg);
    return words::fit<Lanes * sizeof(T)>(words::add(words::fit<bytes>(a), words::fit<bytes>(b), T{}));
}
template <class T, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(T)> subtract(bits<Lanes * sizeof(T)> a, bits<Lanes * sizeof(T)> b) {
    constexpr int bytes = sizeof(words::reg);
    return words::fit<Lanes * sizeof(T)>(words::subtract(words::fit<bytes>(a), words::fit<bytes>(b), T{}));
}
template <class T, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(T)> multiply(bits<Lanes * sizeof(T)> a, bits<Lanes * sizeof(T)> b) {
    constexpr int bytes = sizeof(words::reg);
    return words::fit<Lanes * sizeof(T)>(words::multiply(words::fit<bytes>(a), words::fit<bytes>(b), T{}));
}
/// Sums of s32, modulo 2^32.
template <int Lanes>
[[gnu::always_inline]] inline bits<Lanes * 4> add_integers(bits<Lanes * 4> a, bits<Lanes * 4> b) {
    constexpr int bytes = sizeof(words::reg);
    return words::fit<Lanes * 4>(words::add(words::fit<bytes>(a), words::fit<bytes>(b)));
}
/// Returns a register with x in every lane.
template <class T, int Lanes>
[[gnu::always_inline]] inline bits<Lanes * sizeof(T)> broadcast(T x) {
    return words::fit<Lanes * sizeof(T)>(words::all(x));
}
