#pragma once
// Runs of elements of 2 or 4 bytes that lie apart in the source.

#include <plait/packed/permute_table.hpp>

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif
namespace plait::inline PLAIT_UNIT_FLAGS::detail::element_runs {

/// Loads elements of 2 or 4 bytes to some lanes.
template <int Bytes, int Lane, int... Lanes>
[[gnu::always_inline]] inline __m128i load_elements(const std::byte* src, const std::uint32_t* at) {
    __m128i out = _mm_setzero_si128();
    if constexpr (sizeof...(Lanes) > 0) out = load_elements<Bytes, Lanes...>(src, at);
    if constexpr (Bytes == 2) {
        std::uint16_t element;
        std::memcpy(&element, src + at[Lane], Bytes);
        return _mm_insert_epi16(out, element, Lane);
    } else {
        std::int32_t element;
        std::memcpy(&element, src + at[Lane], Bytes);
        return _mm_insert_epi32(out, element, Lane);
    }
}
template <int Bytes>
[[gnu::always_inline]] inline __m128i load_eight_bytes(const std::byte* src, const std::uint32_t* at) {
    if constexpr (Bytes == 2) return load_elements<2, 3, 2, 1, 0>(src, at);
    else return load_elements<4, 1, 0>(src, at);
}
/// Makes runs of elements: 16 bytes, 8, or one by one.
template <int Bytes>
inline void run(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                std::byte* dst) {
    const permute_output *const outputs = table.outputs.data(), *const end = outputs + table.outputs.size();
    const std::uint32_t* const elements = table.windows.data();
    for (; count > 0; --count, src += src_step, dst += dst_step) {
        const std::uint32_t* at = elements;
        for (const permute_output* to = outputs; to < end; ++to) {
            std::byte* const run = dst + to->dst;
            if (to->length == 16) {
                const __m128i low = load_eight_bytes<Bytes>(src, at),
                              high = load_eight_bytes<Bytes>(src, at + 8 / Bytes);
                _mm_storeu_si128(reinterpret_cast<__m128i*>(run), _mm_unpacklo_epi64(low, high));
            } else if (to->length == 8) {
                _mm_storeu_si64(run, load_eight_bytes<Bytes>(src, at));
            } else {
                for (int i = 0; i < to->length; i += Bytes) std::memcpy(run + i, src + at[i / Bytes], Bytes);
            }
            at += to->length / Bytes;
        }
    }
}

}  // namespace plait::detail::element_runs
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
