#pragma once
// Zeroing of runs at equal distances by the fewest stores, without writing between them.

#include <plait/contract/isa.hpp>
#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/engine/simd/intrinsics.hpp>

#include <bit>
#include <cstring>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Zeros runs of one length, from Least to less than 2 * Least bytes, each with two overlapping stores of constant
/// size.
template <std::size_t Least>
inline void zero_short_runs(unsigned char* run, dim_t count, dim_t step, std::size_t length) {
    const std::size_t second = length - Least;
    // The last step is not taken, because it may lead out of the buffer.
    for (; count > 1; --count, run += step) {
        std::memset(run, 0, Least);
        if (second != 0) std::memset(run + second, 0, Least);
    }
    std::memset(run, 0, Least);
    std::memset(run + second, 0, Least);
}

/// Zeros `count` runs of `length` bytes, `step` bytes apart.
///
/// Pre:     count > 0, length > 0; step >= length, unless count is 1
inline void zero_runs(unsigned char* run, dim_t count, dim_t step, std::size_t length) {
    if (length >= 128) {
        for (; count > 1; --count, run += step) std::memset(run, 0, length);
        std::memset(run, 0, length);
    } else if (length >= 64) zero_short_runs<64>(run, count, step, length);
    else if (length >= 32) zero_short_runs<32>(run, count, step, length);
    else if (length >= 16) zero_short_runs<16>(run, count, step, length);
    else if (length >= 8) zero_short_runs<8>(run, count, step, length);
    else if (length >= 4) zero_short_runs<4>(run, count, step, length);
    else if (length >= 2) zero_short_runs<2>(run, count, step, length);
    else zero_short_runs<1>(run, count, step, length);
}

/// Returns true if each cache line has the same bytes of several runs. Then one masked store for each line is faster
/// than one or two stores for each run.
constexpr bool repeats_by_line(dim_t count, dim_t step, std::size_t length) {
    return count >= 4 && (step == 2 || step == 4 || step == 8 || step == 16) &&
           length <= static_cast<std::size_t>(step);
}

#if defined(__x86_64__)
/// Zeros runs with one masked store for each cache line. Bytes between the runs are not written, because another thread
/// may be writing them.
///
/// Pre:     repeats_by_line(count, step, length); cpu_has(isa::avx512)
[[gnu::target("avx512f,avx512bw")]] inline void zero_runs_by_line(unsigned char* run, dim_t count, dim_t step,
                                                                  std::size_t length) {
    constexpr std::uintptr_t line = 64, far_ahead = 16 * line;
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const std::uint64_t firsts = step == 2   ? 0x5555555555555555
                                 : step == 4 ? 0x1111111111111111
                                 : step == 8 ? 0x0101010101010101
                                             : 0x0001000100010001;
    const auto begin = reinterpret_cast<std::uintptr_t>(run);
    const std::uintptr_t end = begin + static_cast<std::uintptr_t>((count - 1) * step) + length;
    // The runs of a whole line, rotated to the alignment of cache lines.
    const std::uint64_t bytes = std::rotl(firsts * (all >> (64 - length)), static_cast<int>(begin % line));
    const __m512i zeros = _mm512_setzero_si512();
    std::uint64_t mask = bytes & all << begin % line;
    std::uintptr_t to = begin - begin % line;
    for (; to + line < end; to += line) {
        // The CPU does not prefetch for masked stores as it does for whole ones.
        if (to + far_ahead < end) __builtin_prefetch(reinterpret_cast<const void*>(to + far_ahead), 1);
        _mm512_mask_storeu_epi8(reinterpret_cast<void*>(to), mask, zeros);
        mask = bytes;
    }
    _mm512_mask_storeu_epi8(reinterpret_cast<void*>(to), mask & all >> (to + line - end), zeros);
}
#endif

/// Zeros runs as zero_runs does, with the widest stores that the CPU has.
inline void zero_runs_widely(unsigned char* run, dim_t count, dim_t step, std::size_t length) {
#if defined(__x86_64__)
    if (repeats_by_line(count, step, length) && cpu_has(isa::avx512))
        return zero_runs_by_line(run, count, step, length);
#endif
    zero_runs(run, count, step, length);
}

}  // namespace plait::engine
