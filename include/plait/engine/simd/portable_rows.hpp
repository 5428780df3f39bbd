#pragma once
// Conversions of rows, and functions for bytes, with registers that are arrays.

#include <plait/engine/simd/portable.hpp>

#if !defined(__clang__)
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::portable {

// Look-ups of 32 elements of 4 bits in a table of 16, one at a time, by definition.

/// A table of 16 numbers of `Bytes` bytes.
template <int Bytes>
struct nibble_table {
    std::byte numbers[16 * Bytes];

    explicit nibble_table(const std::byte* table) { std::memcpy(numbers, table, sizeof(numbers)); }
    void look_up(const std::byte* from, std::byte* to) const {
        for (int i = 0; i < 32; ++i)
            std::memcpy(to + i * Bytes, numbers + read_bits(from, dim_t{4} * i, 4) * Bytes, Bytes);
    }
};

#include <plait/engine/simd/row_functions.inl>

}  // namespace plait::engine::simd::portable

template <>
struct plait::engine::simd::row_code_of<plait::isa::portable> : plait::engine::simd::portable::row_code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
