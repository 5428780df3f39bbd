#pragma once
// Reads and writes runs of up to 64 bits that may begin inside a byte. Bit 0 is the lowest of byte 0.

#include <plait/core/axis.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the lowest `width` bits, all set.
constexpr std::uint64_t low_bits(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Returns `width` bits from bit `begin` on.
///
/// Pre:     1 <= width <= 64; the bytes from begin / 8 to (begin + width - 1) / 8 may be read
constexpr std::uint64_t read_bits(const std::byte* from, dim_t begin, int width) {
    const std::byte* at = from + begin / 8;
    const int skipped = static_cast<int>(begin % 8);
    std::uint64_t out = static_cast<std::uint64_t>(*at) >> skipped;
    for (int have = 8 - skipped; have < width; have += 8) out |= static_cast<std::uint64_t>(*++at) << have;
    return out & low_bits(width);
}

/// Writes `width` bits from bit `begin` on; other bits of the bytes stay.
///
/// Pre:     as read_bits
constexpr void write_bits(std::byte* to, dim_t begin, int width, std::uint64_t value) {
    std::byte* at = to + begin / 8;
    int skipped = static_cast<int>(begin % 8);
    for (int done = 0; done < width; skipped = 0, ++at) {
        const int left = width - done, count = left < 8 - skipped ? left : 8 - skipped;
        const auto mask = static_cast<std::uint8_t>(low_bits(count) << skipped);
        const auto bits = static_cast<std::uint8_t>((value >> done & low_bits(count)) << skipped);
        *at = static_cast<std::byte>((static_cast<std::uint8_t>(*at) & ~mask) | bits);
        done += count;
    }
}

}  // namespace plait::detail
