#pragma once
// Rows of elements smaller than a byte, moved without tiles. Places and runs are in bits; only the bits of the elements
// are written, and only bytes that hold some of them are read.
//
// Example: 9 elements of 4 bits from place 3 to place 0: four bytes of the destination, each from the high half of one
// byte of the source and the low half of the next, and then a low half.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/plan/internal_names.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A run of bits: the place of the first, and their number.
struct bit_run {
    dim_t begin = 0, count = 0;

    /// Cuts off up to `most` bits at the beginning.
    constexpr bit_run cut_off(dim_t most) {
        const bit_run out{begin, count < most ? count : most};
        begin += out.count;
        count -= out.count;
        return out;
    }
    /// Returns how many bits come before the first whole byte, at most all.
    constexpr dim_t before_byte() const { return (8 - begin % 8) % 8; }
};

/// Copies a run of bits to another place.
///
/// Pre:     the two memories do not overlap
constexpr void copy_bits(const std::byte* from, dim_t begin, std::byte* to, bit_run run) {
    const auto copy_few = [&](const bit_run& few) {
        if (few.count == 0) return;
        const int bits = static_cast<int>(few.count);
        detail::store_bits(to, few.begin, bits, detail::load_bits(from, begin, bits));
        begin += few.count;
    };
    copy_few(run.cut_off(run.before_byte()));
    const dim_t bytes = run.count / 8;
    const std::byte* const source = from + begin / 8;
    std::byte* const destination = to + run.begin / 8;
    if (const int shift = static_cast<int>(begin % 8); shift == 0) {
        for (dim_t k = 0; k < bytes; ++k) destination[k] = source[k];
    } else {
        for (dim_t k = 0; k < bytes; ++k) destination[k] = source[k] >> shift | source[k + 1] << (8 - shift);
    }
    begin += 8 * bytes;
    run.cut_off(8 * bytes);
    copy_few(run);
}

/// Zeroes a run of bits.
constexpr void zero_bits(std::byte* to, bit_run run) {
    const auto zero_few = [to](const bit_run& few) {
        if (few.count != 0) detail::store_bits(to, few.begin, static_cast<int>(few.count), 0);
    };
    zero_few(run.cut_off(run.before_byte()));
    const bit_run bytes = run.cut_off(run.count / 8 * 8);
    for (dim_t k = 0; k < bytes.count / 8; ++k) to[bytes.begin / 8 + k] = std::byte{};
    zero_few(run);
}

/// A row of elements at equal distances, in elements: `valid` of them have a source, and those up to `stored` are zero.
struct element_row {
    dim_t src = 0, src_step = 0, dst = 0, dst_step = 0;
    dim_t valid = 0, stored = 0;
};

/// Moves the elements of a row that have 4 bits each and are adjacent in the destination, two at a time.
constexpr void gather_halves(const std::byte* from, std::byte* to, const element_row& row) {
    dim_t src = row.src, dst = row.dst;
    const dim_t end = row.dst + row.valid;
    const auto next = [&] {
        const std::byte byte = from[src >> 1] >> static_cast<int>((src & 1) << 2) & std::byte{15};
        src += row.src_step;
        return byte;
    };
    const auto put = [&](std::byte half) {
        detail::store_bits(to, 4 * dst, 4, std::to_integer<std::uint8_t>(half));
        ++dst;
    };
    if (dst % 2 != 0 && dst < end) put(next());
    for (; dst + 2 <= end; dst += 2) {
        const std::byte low = next();
        to[dst >> 1] = low | next() << 4;
    }
    if (dst < end) put(next());
}

/// Moves a row of elements of `bits` bits.
constexpr void move_row(const std::byte* from, std::byte* to, const element_row& row, int bits) {
    if (row.dst_step == 1) {
        if (row.src_step == 1) copy_bits(from, row.src * bits, to, {row.dst * bits, row.valid * bits});
        else if (bits == 4) gather_halves(from, to, row);
    }
    if (row.dst_step != 1 || (row.src_step != 1 && bits != 4)) {
        dim_t src = row.src * bits, dst = row.dst * bits;
        for (dim_t k = 0; k < row.valid; ++k, src += row.src_step * bits, dst += row.dst_step * bits)
            detail::store_bits(to, dst, bits, detail::load_bits(from, src, bits));
    }
    const dim_t padding = row.dst + row.valid * row.dst_step, count = row.stored - row.valid;
    if (row.dst_step == 1) return zero_bits(to, {padding * bits, count * bits});
    for (dim_t k = 0; k < count; ++k) detail::store_bits(to, (padding + k * row.dst_step) * bits, bits, 0);
}

}  // namespace plait::engine
