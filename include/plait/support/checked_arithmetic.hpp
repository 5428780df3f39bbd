#pragma once
// Arithmetic that says when it leaves the range of 63 bits, instead of wrapping around.

#include <cstdint>

namespace plait {

/// A running sum or product of 64-bit integers that remembers an overflow.
///
/// Post:    ok() holds if and only if every step so far was exact
struct checked_integer {
    std::int64_t value = 0;
    bool exact = true;

    constexpr bool ok() const { return exact; }
    constexpr checked_integer& operator+=(std::int64_t x) {
        exact = !__builtin_add_overflow(value, x, &value) && exact;
        return *this;
    }
    constexpr checked_integer& operator*=(std::int64_t x) {
        exact = !__builtin_mul_overflow(value, x, &value) && exact;
        return *this;
    }
    constexpr checked_integer& add_product(std::int64_t a, std::int64_t b) {
        std::int64_t product = 0;
        exact = !__builtin_mul_overflow(a, b, &product) && exact;
        return *this += product;
    }
    friend constexpr checked_integer operator*(checked_integer a, std::int64_t b) { return a *= b; }
    friend constexpr checked_integer operator+(checked_integer a, std::int64_t b) { return a += b; }
};

/// a + b and a * b in 64 bits, as the machine does them: for numbers of which somebody else has checked that they fit,
/// and which are never undefined.
constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// The largest number that divides both; 0 for two zeros. (<numeric> has one, and 3,000 lines with it.)
///
/// Pre:     a >= 0, b >= 0
constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
    while (b != 0) {
        const std::int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/// n / by, with 32 bits where both fit: many CPUs take 20 to 60 cycles less for it.
///
/// Pre:     n >= 0, by > 0
constexpr std::int64_t divide_down(std::int64_t n, std::int64_t by) {
    if (((n | by) >> 32) != 0) return n / by;
    return static_cast<std::uint32_t>(n) / static_cast<std::uint32_t>(by);
}

/// n / by, rounded up.
///
/// Pre:     n >= 0, by > 0
constexpr std::int64_t divide_up(std::int64_t n, std::int64_t by) { return n / by + (n % by != 0); }

/// The smaller of two, and the larger. <algorithm> has them too, and takes longer to include than all of support.
constexpr std::int64_t smaller_of(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
constexpr std::int64_t larger_of(std::int64_t a, std::int64_t b) { return a < b ? b : a; }

}  // namespace plait
