#pragma once
// The inputs of conversions that are decided, as bits: all of a type of up to 32 bits, classes of f64, and numbers and
// attributes that a counter draws.

#include <plait/contract/attributes.hpp>
#include <plait/core/packed_elements.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace conversions {

using plait::data_type;

inline std::size_t bytes_of_row(data_type type, std::size_t count) {
    return (count * static_cast<std::size_t>(plait::size_in_bits(type)) + 7) / 8;
}
inline std::uint64_t bits_at(data_type type, const std::byte* memory, std::size_t place) {
    const int width = plait::size_in_bits(type);
    return plait::detail::read_bits(memory, static_cast<plait::dim_t>(place) * width, width);
}
inline void set_bits_at(data_type type, std::byte* memory, std::size_t place, std::uint64_t bits) {
    const auto copy = [&]<class Bits>(Bits value) {
        std::memcpy(memory + place * sizeof(value), &value, sizeof(value));
    };
    switch (const int width = plait::size_in_bits(type)) {
        case 64: return copy(bits);
        case 32: return copy(static_cast<std::uint32_t>(bits));
        case 16: return copy(static_cast<std::uint16_t>(bits));
        case 8: return copy(static_cast<std::uint8_t>(bits));
        default: plait::detail::write_bits(memory, static_cast<plait::dim_t>(place) * width, width, bits);
    }
}

/// Returns the bits of the number of a type that is nearest to x.
inline std::uint64_t bits_of_number(data_type type, double x) {
    return plait::with_element_type(type, [&]<plait::element T>(T) {
        const T number = plait::convert<T>(x);
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof(number));
        static_assert(std::endian::native == std::endian::little);
        return bits;
    });
}
inline double number_of_bits(data_type type, std::uint64_t bits) {
    std::byte memory[8];
    set_bits_at(type, memory, 0, bits);
    return plait::detail::load_number(type, memory, 0);
}

/// The patterns of a binary float around each rounding boundary that a narrower format can have: for each sign and
/// exponent, and for each number of dropped bits, what is kept ends in 0 or 1, carries into the exponent or does not,
/// and what is dropped is below, at or above a half.
class float_classes {
public:
    explicit float_classes(data_type type)
        : mantissa_(type == data_type::f64 ? 52 : 23), exponents_(type == data_type::f64 ? 4096 : 512) {}

    std::uint64_t count() const { return exponents_ * static_cast<std::uint64_t>(mantissa_ + 1) * kept * dropped; }
    std::uint64_t at(std::uint64_t k) const {
        const std::uint64_t which_dropped = k % dropped, which_kept = k / dropped % kept;
        k /= dropped * kept;
        const int cut = static_cast<int>(k % static_cast<std::uint64_t>(mantissa_ + 1));
        const std::uint64_t exponent = k / static_cast<std::uint64_t>(mantissa_ + 1);
        const std::uint64_t half = cut == 0 ? 0 : std::uint64_t{1} << (cut - 1), ones = (std::uint64_t{1} << cut) - 1;
        const std::uint64_t low[] = {0, 1, half - 1, half, half + 1, ones};
        const std::uint64_t alternate = 0x5555555555555555;
        const std::uint64_t high[] = {0, 1, 2, 3, ~std::uint64_t{0}, ~std::uint64_t{0} - 1, alternate, ~alternate};
        const std::uint64_t mantissa = high[which_kept] << cut | (low[which_dropped] & ones);
        return exponent << mantissa_ | (mantissa & ((std::uint64_t{1} << mantissa_) - 1));
    }

private:
    static constexpr std::uint64_t kept = 8, dropped = 6;
    int mantissa_;
    std::uint64_t exponents_;  // with the sign
};

/// Returns the numbers of a type, the middles of neighbours, and where the largest is passed. Of f32 and s32 these are
/// some numbers; f64 has none that rounds.
inline std::vector<double> boundaries_of(data_type type) {
    std::vector<double> numbers, out;
    const int width = plait::size_in_bits(type);
    const auto take = [&](double x) {
        if (std::isfinite(x)) numbers.push_back(x);
    };
    if (width <= 16)
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << width; ++bits) take(number_of_bits(type, bits));
    else if (type == data_type::f32)
        for (std::uint32_t k = 0; k < 1u << 20; ++k)
            for (const std::uint32_t next : {0u, 1u}) take(number_of_bits(type, k * 4097u + next));
    else if (type == data_type::s32)
        for (int power = 0; power < 32; ++power)
            for (const int step : {-2, -1, 0, 1, 2, 64, 128, -64, -128})
                for (const int sign : {-1, 1}) take(sign * (std::ldexp(1.0, power) + step));
    else return {};
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const auto around = [&](double x) {
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double y : {std::nextafter(x, -infinity), x, std::nextafter(x, infinity)}) out.push_back(y);
    };
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        around(numbers[k]);
        if (k != 0) around(numbers[k] / 2 + numbers[k - 1] / 2);
    }
    if (numbers.size() > 1) {
        const double last = numbers.back(), first = numbers.front();
        around(last + (last - numbers[numbers.size() - 2]) / 2);
        around(first - (numbers[1] - first) / 2);
    }
    return out;
}

/// The inputs of the conversions from one type to another.
class inputs {
public:
    inputs(data_type from, data_type to, std::uint64_t share, std::uint64_t shares)
        : type_(from), classes_(from), share_(share - 1), shares_(shares) {
        const int width = plait::size_in_bits(from);
        if (width <= 16) {
            values_ = std::uint64_t{1} << width;
            group_ = std::max<std::uint64_t>(values_, lanes);
            count_ = lanes * group_;
            distinct_ = values_;
            return;
        }
        for (const double x : boundaries_of(to)) listed_.push_back(bits_of_number(from, x));
        if (from != data_type::s32) class_count_ = classes_.count();
        if (width == 32) values_ = ((std::uint64_t{1} << 32) - share_ + shares_ - 1) / shares_;
        count_ = listed_.size() + class_count_ + values_;
        distinct_ = width == 32 && shares_ == 1 ? values_ : count_;
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t distinct() const { return distinct_; }

    /// Returns the bits of an input. Each value of a type of up to 16 bits occurs in each lane of a register. A share
    /// of 2^32 inputs has all exponents, because numbers are multiplied by an odd one.
    std::uint64_t at(std::uint64_t k) const {
        if (plait::size_in_bits(type_) <= 16) return (k + k / group_) % values_;
        if (k < listed_.size()) return listed_[k];
        k -= listed_.size();
        if (k < class_count_) return classes_.at(k);
        return (share_ + (k - class_count_) * shares_) * 0x9e3779b1u & 0xffffffffu;
    }

private:
    static constexpr std::uint64_t lanes = 64;
    data_type type_;
    float_classes classes_;
    std::uint64_t share_, shares_, values_ = 0, group_ = 1, class_count_ = 0, count_ = 0, distinct_ = 0;
    std::vector<std::uint64_t> listed_;
};

/// Returns the k-th number that a counter draws (splitmix64).
constexpr std::uint64_t drawn(std::uint64_t k) {
    std::uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/// Returns any bits, or those of a multiple of 1/16 of any size: most of any f32 are beyond the range of small types.
inline std::uint64_t drawn_bits(data_type type, std::uint64_t k) {
    const std::uint64_t x = drawn(k);
    if (k % 2 == 0 || plait::size_in_bits(type) < 16) return x & plait::detail::low_bits(plait::size_in_bits(type));
    const auto number = static_cast<std::int32_t>(x >> 32) >> (x % 32);
    const double value = type == data_type::s32 ? number : number / 16.0;
    return bits_of_number(type, value);
}

/// Returns attributes of which at least one changes something: each of the 15 combinations in turn.
inline plait::detail::element_attributes drawn_attributes(std::uint64_t k) {
    const auto scale = [&](std::uint64_t which) {
        const std::uint64_t x = drawn(k * 8 + which);
        const float mantissa = x % 4 == 0 ? 1.0f : 1.0f + static_cast<float>(x >> 40) * 0x1p-24f;
        const float value = std::ldexp(x & 4 ? -mantissa : mantissa, static_cast<int>(x >> 8 & 15) - 8);
        return value == 1.0f ? 0.5f : value;
    };
    const auto zero_point = [&](std::uint64_t which) {
        const std::uint64_t x = drawn(k * 8 + which);
        const auto value = static_cast<std::int32_t>(x >> 32) >> (x % 4 == 0 ? x >> 2 & 15 : 23);
        return value == 0 ? 3 : value;
    };
    const std::uint64_t active = k % 15 + 1;
    plait::detail::element_attributes out;
    if (active & 1) out.src_scale = scale(0);
    if (active & 2) out.dst_scale = scale(1);
    if (active & 4) out.src_zero_point = zero_point(2);
    if (active & 8) out.dst_zero_point = zero_point(3);
    return out;
}

}  // namespace conversions
