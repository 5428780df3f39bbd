#pragma once
// The inner loops of steps on bytes, for each instruction set.

#include <plait/contract/isa.hpp>
#include <plait/core/axis.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Where runs with the same factor begin.
struct row_group {
    dim_t of = 0, times = 0;
};
/// Sums of rows that lie side by side, eight bytes of halves each: integers of runs, times the factor of their group.
struct rows_of_runs {
    const row_group* groups = nullptr;
    std::size_t group_count = 0;
    const dim_t* runs = nullptr;  // where they begin in a group
    std::size_t run_count = 0;
    const float* factors = nullptr;  // of all rows, for the first group, then for the second ...
    std::uint64_t flips = 0;
    std::int32_t middle = 0;  // is subtracted from each integer
};

/// Sums of lanes of four bytes, or of their halves, each after `flips` is applied, over some vectors: less a number,
/// and times another one.
struct lane_sums {
    const dim_t* begin = nullptr;  // where the vectors begin
    std::size_t count = 0;
    std::uint8_t flips = 0;
    bool halves = false;
    std::uint32_t subtracted = 0, scale = 1;
};

/// The functions of one instruction set.
struct step_code {
    using turn = bool(std::byte* begin, dim_t count, dim_t step, dim_t slot, const std::byte* masks);
    int vector_bytes = 16;
    void (*flip_runs)(std::byte* begin, dim_t count, dim_t step, dim_t length, std::uint8_t flips) = nullptr;
    turn *turn_two = nullptr, *turn_four = nullptr;
    std::uint64_t (*sum_bytes)(const std::byte* from, dim_t count, std::uint8_t flips, bool halves) = nullptr;
    /// Sums the bytes of runs that lie `step` bytes apart, each after `flips` is applied, or both halves of each.
    /// count is a multiple of 4, bytes one of 16; null where registers have 16 bytes.
    void (*sum_runs)(const std::byte* from, dim_t count, dim_t step, dim_t bytes, std::uint8_t flips, bool halves,
                     std::int32_t* sums) = nullptr;
    /// Stores the sums of a vector of lanes.
    void (*sum_lanes)(const lane_sums& of, const std::byte* from, std::byte* sums) = nullptr;
    /// Adds to the totals of vector_bytes / 8 rows, rounded after each product and each sum.
    void (*sum_rows)(const rows_of_runs& of, const std::byte* rows, float* totals) = nullptr;
};

namespace wide_steps {

namespace portable {
inline constexpr int vector_bytes = 16;
struct shuffles {
    static constexpr bool exist = false;
};
#include <plait/packed/wide_steps.inl>
}  // namespace portable

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif
namespace sse41 {
inline constexpr int vector_bytes = 16;
struct shuffles {
    static constexpr bool exist = true;
    using reg = __m128i;
    static reg sum(__m128i total, __m128i bytes) {
        return _mm_add_epi64(total, _mm_sad_epu8(bytes, _mm_setzero_si128()));
    }
};
#include <plait/packed/wide_steps.inl>
}  // namespace sse41
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
inline constexpr int vector_bytes = 32;
struct shuffles {
    static constexpr bool exist = true;
    using reg = __m256i;
    using half_reg = __m256i;
    static half_reg sum_words(__m256i bytes) { return _mm256_sad_epu8(bytes, _mm256_setzero_si256()); }
    static reg sum(__m256i total, __m256i bytes) {
        return _mm256_add_epi64(total, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
};
#include <plait/packed/wide_steps.inl>
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl")
#endif
namespace avx512 {
inline constexpr int vector_bytes = 64;
struct shuffles {
    static constexpr bool exist = true;
    using reg = __m512i;
    using half_reg = __m256i;
    static half_reg sum_words(__m256i bytes) { return _mm256_sad_epu8(bytes, _mm256_setzero_si256()); }
    static reg sum(__m512i total, __m512i bytes) {
        return _mm512_add_epi64(total, _mm512_sad_epu8(bytes, _mm512_setzero_si512()));
    }
};
#include <plait/packed/wide_steps.inl>
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

}  // namespace wide_steps

/// Returns the functions of an instruction set.
///
/// Pre:     cpu_has(instructions)
inline const step_code& step_code_of(isa instructions) {
    switch (instructions) {
#if defined(__x86_64__)
        case isa::sse41: return wide_steps::sse41::code::functions;
        case isa::avx2: return wide_steps::avx2::code::functions;
        case isa::avx512: return wide_steps::avx512::code::functions;
#endif
        default: return wide_steps::portable::code::functions;
    }
}
}  // namespace plait::detail
