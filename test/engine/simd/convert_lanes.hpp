#pragma once
// The numbers for tests of lane conversions, and the results of convert.

#include <plait/contract/convert.hpp>
#include <plait/engine/plan/network.hpp>

#include <doctest/doctest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace lanes {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

/// Lists end with zeros, to whole registers of any size.
template <class T>
void fill_up(std::vector<T>& list) {
    while (list.size() % 64 != 0) list.push_back(T{});
}

/// Numbers of a format, the midpoints between them, and the neighbours of both, with both signs.
template <class T>
void add_numbers_of(const float_format& f, std::vector<T>& list) {
    const std::uint32_t ends = f.largest() + 1;
    const auto add = [&](T x) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        for (const T y : {std::nextafter(x, -infinity), x, std::nextafter(x, infinity)}) {
            list.push_back(y);
            list.push_back(-y);
        }
    };
    for (std::uint32_t bits = 0; bits < ends; ++bits) {
        const std::uint32_t in_binade = bits & ((1u << f.mantissa_bits) - 1);
        const bool subnormal = bits < 1u << f.mantissa_bits;
        // All of the short formats; of the long ones, the first and last of each power of two, and some between.
        if (ends > 256 && !subnormal && in_binade > 2 && in_binade + 3 < 1u << f.mantissa_bits && bits % 37 != 0)
            continue;
        const double low = decode(f, bits),
                     high = bits + 1 < ends ? decode(f, bits + 1) : 2 * low - decode(f, bits - 1);
        add(static_cast<T>(low));
        add(static_cast<T>((low + high) / 2));
        add(static_cast<T>(high));
    }
}

/// NaNs with every kind of payload, infinities, and numbers around the bounds of the integers.
template <class T, class Bits>
void add_special_numbers(std::vector<T>& list) {
    using limits = std::numeric_limits<T>;
    constexpr int mantissa_bits = limits::digits - 1;
    const Bits infinity = std::bit_cast<Bits>(limits::infinity()), sign = Bits{1} << (8 * sizeof(T) - 1);
    for (int bit = 0; bit < mantissa_bits; ++bit)
        for (const Bits payload : {Bits{1} << bit, (Bits{2} << bit) - 1}) {
            list.push_back(std::bit_cast<T>(infinity | payload));
            list.push_back(std::bit_cast<T>(sign | infinity | payload));
            list.push_back(std::bit_cast<T>(payload));  // subnormal
            list.push_back(std::bit_cast<T>(sign | payload));
        }
    for (const T x : {limits::infinity(), limits::max(), limits::min(), limits::denorm_min(), T{0}})
        list.push_back(x), list.push_back(-x);
    for (int half = -600; half <= 600; ++half) {
        const T x = static_cast<T>(half) / 2;
        for (const T y : {std::nextafter(x, -limits::max()), x, std::nextafter(x, limits::max())}) list.push_back(y);
    }
    for (const double bound : {2147483520.0, 2147483646.0, 2147483647.0, 2147483648.0, 4294967296.0, 65535.0, 32768.0})
        for (int quarter = -8; quarter <= 8; ++quarter) {
            const T x = static_cast<T>(bound + quarter / 4.0);
            for (const T y : {std::nextafter(x, T{0}), x, std::nextafter(x, limits::max())})
                list.push_back(y), list.push_back(-y);
        }
}

/// Random bits, and numbers in the range of the small formats.
template <class T, class Bits>
void add_random_numbers(std::vector<T>& list) {
    std::mt19937_64 random(20);
    for (int i = 0; i < 50000; ++i) {
        list.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
        const double x = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
        list.push_back(static_cast<T>(std::ldexp(x, static_cast<int>(random() % 64) - 30)));
        if (std::is_same_v<T, double>)
            list.push_back(static_cast<T>(std::ldexp(x, static_cast<int>(random() % 300) - 150)));
    }
}

template <class T>
std::vector<T> make_inputs() {
    std::vector<T> list;
    if constexpr (std::is_same_v<T, std::int32_t>) {
        for (int i = -1000; i <= 1000; ++i) list.push_back(i);
        // Around all numbers of 9 and 12 bits, the midpoints for bf16 and f16, and their neighbours.
        for (int bits : {4, 5, 9, 12, 25})
            for (int shift = 0; shift + bits < 32; ++shift)
                for (int i = 0; i < 200; ++i) {
                    const int x = ((1 << (bits - 1)) + (i * 37 % (1 << (bits - 1)))) << shift;
                    for (int d = -2; d <= 2; ++d) list.push_back(x + d), list.push_back(-x + d);
                }
        for (int d = 0; d < 300; ++d) list.push_back(INT32_MAX - d), list.push_back(INT32_MIN + d);
        std::mt19937_64 random(20);
        for (int i = 0; i < 100000; ++i) list.push_back(static_cast<std::int32_t>(random()));
    } else if constexpr (std::is_floating_point_v<T>) {
        using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        add_numbers_of(bfloat16::format, list);
        add_numbers_of(float16::format, list);
        add_numbers_of(float8_e5m2::format, list);
        add_numbers_of(float8_e4m3::format, list);
        add_special_numbers<T, bits>(list);
        add_random_numbers<T, bits>(list);
    } else {
        for (std::uint32_t x = 0; x < 1u << 8 * sizeof(T); ++x) {
            T value;
            std::memcpy(&value, &x, sizeof(T));
            list.push_back(value);
        }
    }
    fill_up(list);
    return list;
}

template <class T>
const std::vector<T>& inputs() {
    static const std::vector<T> list = make_inputs<T>();
    return list;
}
template <class T, class U>
const std::vector<U>& converted() {
    static const std::vector<U> list = [] {
        std::vector<U> out;
        for (const T& x : inputs<T>()) out.push_back(convert<U>(x));
        return out;
    }();
    return list;
}

template <class T, class U>
std::string describe(T from, U is, U should_be) {
    std::uint64_t in = 0, out = 0, expected = 0;
    std::memcpy(&in, &from, sizeof(T));
    std::memcpy(&out, &is, sizeof(U));
    std::memcpy(&expected, &should_be, sizeof(U));
    char text[100];
    std::snprintf(text, sizeof(text), "%s 0x%" PRIx64 " became %s 0x%" PRIx64 " instead of 0x%" PRIx64,
                  to_string(data_type_of<T>), in, to_string(data_type_of<U>), out, expected);
    return text;
}

template <class T, class U>
void check_conversion(void (*run)(const void*, void*, std::size_t), const char* isa_name, int lane_count) {
    const std::vector<T>& in = inputs<T>();
    const std::vector<U>& expected = converted<T, U>();
    std::vector<U> out(in.size());
    run(in.data(), out.data(), in.size());
    std::size_t right = 0;
    while (right < in.size() && std::memcmp(&out[right], &expected[right], sizeof(U)) == 0) ++right;
    CHECK_MESSAGE(right == in.size(), isa_name, ", ", lane_count,
                  " lanes: ", describe(in[right], out[right], expected[right]));
}

template <class Isa, int Bytes, class T, class U, int Lanes>
void check_lane_counts(const char* isa_name) {
    if constexpr (!std::is_same_v<T, U>) {
        constexpr int widest = sizeof(T) == 8 || sizeof(U) == 8 ? 8 : 4;
        if constexpr (Lanes * widest <= Bytes) {
            check_conversion<T, U>(&Isa::template convert<T, U, Lanes>, isa_name, Lanes);
            check_lane_counts<Isa, Bytes, T, U, 2 * Lanes>(isa_name);
        }
    }
}
template <class Isa, class T, class U>
void check_packed_lanes([[maybe_unused]] const char* isa_name) {
    if constexpr (Isa::template packs<T, U>) check_conversion<T, U>(&Isa::template pack<T, U>, isa_name, 4 / sizeof(U));
}
template <class Isa, int Bytes, class T, class... U>
void check_targets(const char* isa_name) {
    (check_lane_counts<Isa, Bytes, T, U, 2>(isa_name), ...);
    (check_packed_lanes<Isa, T, U>(isa_name), ...);
}
template <class Isa, int Bytes, class... T>
void check_pairs(const char* isa_name) {
    (check_targets<Isa, Bytes, T, T...>(isa_name), ...);
}

/// Every ordered pair of element types, with every number of lanes.
template <class Isa, isa Which>
void check_every_pair() {
    if (!cpu_has(Which)) return;
    check_pairs<Isa, vector_bytes(Which), double, float, bfloat16, float16, float8_e5m2, float8_e4m3, std::int32_t,
                std::int8_t, std::uint8_t>(to_string(Which));
}

template <class Isa, isa Which, int Bytes, int ElementBytes, int Rule>
void check_rule() {
    using element = std::conditional_t<(ElementBytes > 2), std::uint64_t, std::uint16_t>;
    constexpr int lane_bits = log2_of(Bytes / ElementBytes), count = 2 << lane_bits;
    constexpr shuffle_rule rule = rules_of(Which, ElementBytes, lane_bits)[Rule];
    tile_pattern pattern;
    pattern.lane_bits = lane_bits;
    pattern.register_bits = 1;
    bit_positions behind(pattern);
    behind.apply({rule, 0});
    std::vector<char> memory(2 * Bytes), wanted(memory);
    for (int i = 0; i < count; ++i) {
        int to = behind.registers[0] == lane_bits ? i & 1 << lane_bits : (i >> behind.registers[0] & 1) << lane_bits;
        for (int lane = 0; lane < lane_bits; ++lane) to |= (i >> behind.lanes[lane] & 1) << lane;
        const element number = static_cast<element>(i + 1);
        std::memcpy(&memory[static_cast<std::size_t>(i * ElementBytes)], &number, ElementBytes);
        std::memcpy(&wanted[static_cast<std::size_t>(to * ElementBytes)], &number, ElementBytes);
    }
    Isa::template shuffle<Bytes, ElementBytes, rule>(memory.data());
    CHECK_MESSAGE(memory == wanted, std::string(to_string(Which)), ", ", ElementBytes, " bytes, ", count / 2,
                  " lanes, rule ", Rule);
}
template <class Isa, isa Which, int Bytes, int ElementBytes>
void check_rules() {
    if constexpr (Bytes <= vector_bytes(Which)) {
        [&]<int... R>(std::integer_sequence<int, R...>) { (check_rule<Isa, Which, Bytes, ElementBytes, R>(), ...); }
        (std::make_integer_sequence<int, rules_of(Which, ElementBytes, log2_of(Bytes / ElementBytes)).size()>{});
        check_rules<Isa, Which, 2 * Bytes, ElementBytes>();
    }
}
/// Every pair of shuffles of which networks are made, for every size of elements and registers.
template <class Isa, isa Which>
void check_every_rule() {
    if (!cpu_has(Which)) return;
    check_rules<Isa, Which, 16, 1>();
    check_rules<Isa, Which, 16, 2>();
    check_rules<Isa, Which, 16, 4>();
    check_rules<Isa, Which, 16, 8>();
}

}  // namespace lanes
