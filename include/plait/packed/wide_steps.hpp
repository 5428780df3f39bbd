#pragma once
// The inner loops of tables of bits, for each instruction set.

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

/// Bytes that are picked from the source and shifted together: a byte of the destination has at most one source in a
/// group.
struct shuffle_group {
    std::int32_t terms = 0;
    std::uint8_t left = 0, right = 0;  // bits, one of which is 0
};
/// Bytes of the destination that lie side by side and are computed together.
struct shuffle_target {
    std::uint32_t dst = 0;
    std::int32_t groups = 0, length = 0;
};
/// A table of bits that are moved in vectors. Of each target, `bytes` has the inverted bits; then, for each group,
/// which bytes each term picks, and the mask.
struct shuffle_table {
    std::vector<shuffle_target> targets;
    std::vector<shuffle_group> groups;
    std::vector<std::uint32_t> terms;  // where the sixteen bytes begin in the source
    std::vector<std::byte> bytes;
};

/// The functions of one instruction set.
struct step_code {
    int vector_bytes = 16;
    bool has_shuffles = false;
    void (*run_shuffles)(const shuffle_table& table, const std::byte* src, std::byte* dst) = nullptr;
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
    static __m128i load(const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
    static __m128i pick(const std::byte* from, const std::byte* which) {
        return _mm_shuffle_epi8(load(from), load(which));
    }
    static __m128i both(__m128i a, __m128i b) { return _mm_or_si128(a, b); }
    static __m128i shift(__m128i value, int left, int right) {
        return _mm_srl_epi16(_mm_sll_epi16(value, _mm_cvtsi32_si128(left)), _mm_cvtsi32_si128(right));
    }
    static __m128i add(__m128i out, __m128i value, const std::byte* mask) {
        return _mm_xor_si128(out, _mm_and_si128(value, load(mask)));
    }
    static void store(std::byte* to, __m128i value, int length) {
        if (length == 16) return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
        std::memcpy(to, &value, static_cast<std::size_t>(length));
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
    static __m256i load(const std::byte* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
    static __m256i pick(const std::byte* from, const std::byte* which) {
        const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(part), load(which));
    }
    static __m256i both(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
    static __m256i shift(__m256i value, int left, int right) {
        return _mm256_srl_epi16(_mm256_sll_epi16(value, _mm_cvtsi32_si128(left)), _mm_cvtsi32_si128(right));
    }
    static __m256i add(__m256i out, __m256i value, const std::byte* mask) {
        return _mm256_xor_si256(out, _mm256_and_si256(value, load(mask)));
    }
    static void store(std::byte* to, __m256i value, int length) {
        if (length == 32) return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
        std::memcpy(to, &value, static_cast<std::size_t>(length));
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
    static constexpr std::uint64_t all = ~std::uint64_t{0};
    static __m512i load(const std::byte* from) { return _mm512_loadu_si512(from); }
    static __m512i pick(const std::byte* from, const std::byte* which) {
        const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        return _mm512_maskz_shuffle_epi8(all, _mm512_maskz_broadcast_i32x4(0xffff, part), load(which));
    }
    static __m512i both(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
    static __m512i shift(__m512i value, int left, int right) {
        constexpr __mmask32 every = 0xffffffff;
        const __m512i up = _mm512_maskz_sll_epi16(every, value, _mm_cvtsi32_si128(left));
        return _mm512_maskz_srl_epi16(every, up, _mm_cvtsi32_si128(right));
    }
    static __m512i add(__m512i out, __m512i value, const std::byte* mask) {
        return _mm512_xor_si512(out, _mm512_and_si512(value, load(mask)));
    }
    static void store(std::byte* to, __m512i value, int length) {
        if (length == 64) return _mm512_storeu_si512(to, value);
        _mm512_mask_storeu_epi8(to, all >> (64 - length), value);
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
