#pragma once
// Zeros at even distances, and nothing between them, by the fewest stores.

#include <plait/contract/isa.hpp>
#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plait::engine {

/// Zeros of one length, from Least to less than twice as many bytes: two stores that overlap, of a size that is known.
template <std::size_t Least>
inline void zero_short_runs(unsigned char* run, dim_t count, dim_t step, std::size_t length) {
    const std::size_t second = length - Least;
    // The last step is not taken: it might lead out of the buffer.
    for (; count > 1; --count, run += step) {
        std::memset(run, 0, Least);
        if (second != 0) std::memset(run + second, 0, Least);
    }
    std::memset(run, 0, Least);
    std::memset(run + second, 0, Least);
}

/// Zeros: `count` times `length` bytes, `step` bytes apart.
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

/// Whether each cache line has the same bytes of runs, and several of them: then one store with a mask takes less than
/// one or two for each run.
constexpr bool repeats_by_line(dim_t count, dim_t step, std::size_t length) {
    return count >= 4 && (step == 2 || step == 4 || step == 8 || step == 16) &&
           length <= static_cast<std::size_t>(step);
}

#if defined(__x86_64__)
/// The same by one store a cache line, which writes the bytes of a mask and leaves the others alone: between the runs
/// may be what another thread is writing.
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
    // The runs of a whole line, as they lie in lines that begin where the CPU's do.
    const std::uint64_t bytes = std::rotl(firsts * (all >> (64 - length)), static_cast<int>(begin % line));
    const __m512i zeros = _mm512_setzero_si512();
    std::uint64_t mask = bytes & all << begin % line;
    std::uintptr_t to = begin - begin % line;
    for (; to + line < end; to += line) {
        // Masked stores are not foreseen by the CPU as whole ones are.
        if (to + far_ahead < end) __builtin_prefetch(reinterpret_cast<const void*>(to + far_ahead), 1);
        _mm512_mask_storeu_epi8(reinterpret_cast<void*>(to), mask, zeros);
        mask = bytes;
    }
    _mm512_mask_storeu_epi8(reinterpret_cast<void*>(to), mask & all >> (to + line - end), zeros);
}
#endif

/// Zeros as zero_runs, by the widest stores that the CPU has.
inline void zero_runs_widely(unsigned char* run, dim_t count, dim_t step, std::size_t length) {
#if defined(__x86_64__)
    if (repeats_by_line(count, step, length) && cpu_has(isa::avx512))
        return zero_runs_by_line(run, count, step, length);
#endif
    zero_runs(run, count, step, length);
}

}  // namespace plait::engine
