#pragma once
// Tables of bits that are moved in registers of 64 bytes, by instructions that pick any bytes: those of VBMI, which
// some CPUs with AVX-512 have.
//
// Example: 8 rows of 16 bytes become 2 runs of 8 rows of 8 bytes: 8 windows of 16 bytes fill two registers, and each run
// is 64 bytes that are picked from both.

#include <plait/contract/isa.hpp>
#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/engine/simd/intrinsics.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Bytes of a register.
struct alignas(64) permute_vector {
    std::uint8_t at[64]{};
    bool operator==(const permute_vector&) const = default;
};
/// A run of at most 64 bytes of the destination.
struct permute_output {
    std::uint32_t dst = 0;
    std::int32_t length = 0;
};
/// Outputs that are made of the same bytes of the source: as they are, or, of each byte in a plane, the eight bits that
/// begin at some bit, those that a mask selects.
struct permute_group {
    std::int32_t planes = 0, outputs = 0;
};
/// Windows of the source, which fill 1, 2, 4 or 8 registers, and what is made of them.
struct permute_table {
    static constexpr int most_registers = 8;
    int registers = 0, window = 0;       // bytes of a window: 16, 32 or 64; without registers, of an element: 2 or 4
    bool shifts = false;                 // else each byte of the destination is one of the source, in one plane
    std::vector<std::uint32_t> windows;  // where they begin in the source
    std::vector<permute_group> groups;
    std::vector<permute_output> outputs;
    /// Of each group: which bytes each plane picks; with 8 registers a second vector has 0x80 for each byte that comes
    /// from registers 4 to 7. Then, of each output: inverted bits; and, if there are shifts, for each plane the first
    /// bits in eight bytes, and the mask.
    std::vector<permute_vector> vectors;
};
/// Runs a table `count` times.
using permute_code = void(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                          std::byte* dst);

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi")
#endif
namespace simd::avx512_vbmi {

inline constexpr __mmask64 all_bytes = ~__mmask64{0};

[[gnu::always_inline]] inline __m512i load(const permute_vector& from) { return _mm512_load_si512(from.at); }
[[gnu::always_inline]] inline __m256i load_half(const std::byte* src, std::uint32_t at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + at));
}
[[gnu::always_inline]] inline __m256i load_quarters(const std::byte* src, const std::uint32_t* at) {
    const auto quarter = [&](int i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + at[i])); };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(quarter(0)), quarter(1), 1);
}
/// Fills a register from windows of the source.
template <int Window>
[[gnu::always_inline]] inline __m512i gather(const std::byte* src, const std::uint32_t* at) {
    if constexpr (Window == 64) return _mm512_loadu_si512(src + at[0]);
    const __m256i low = Window == 32 ? load_half(src, at[0]) : load_quarters(src, at);
    const __m256i high = Window == 32 ? load_half(src, at[1]) : load_quarters(src, at + 2);
    return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(low), high, 1);
}

template <int Window, int... R>
[[gnu::always_inline]] inline void gather_all(__m512i (&to)[sizeof...(R)], const std::byte* src,
                                              const std::uint32_t* windows, std::integer_sequence<int, R...>) {
    ((to[R] = gather<Window>(src, windows + R * (64 / Window))), ...);
}

/// Picks bytes of all registers.
template <int Registers>
[[gnu::always_inline]] inline __m512i pick(const __m512i (&of)[Registers], const __m512i* which) {
    const __m512i bytes = which[0];
    if constexpr (Registers == 1) {
        return _mm512_maskz_permutexvar_epi8(all_bytes, bytes, of[0]);
    } else {
        const __m512i two = _mm512_permutex2var_epi8(of[0], bytes, of[1]);
        if constexpr (Registers == 2) return two;
        else {
            const __mmask64 second = _mm512_movepi8_mask(bytes);
            const __m512i four = _mm512_mask_blend_epi8(second, two, _mm512_permutex2var_epi8(of[2], bytes, of[3]));
            if constexpr (Registers == 4) return four;
            else {
                const __m512i others = _mm512_permutex2var_epi8(of[4], bytes, of[5]),
                              last = _mm512_permutex2var_epi8(of[6], bytes, of[7]);
                return _mm512_mask_blend_epi8(_mm512_movepi8_mask(which[1]), four,
                                              _mm512_mask_blend_epi8(second, others, last));
            }
        }
    }
}
/// Adds the bits that a plane has of each byte.
[[gnu::always_inline]] inline __m512i add(__m512i out, __m512i bytes, const __m512i* how) {
    const __m512i bits = _mm512_maskz_multishift_epi64_epi8(all_bytes, how[0], bytes);
    return _mm512_ternarylogic_epi64(out, bits, how[1], 0x78);  // out ^ (bits & mask)
}
/// Stores a run. Stores of some bytes by a mask take longer than those of registers.
[[gnu::always_inline]] inline void store(std::byte* dst, std::int32_t length, __m512i value) {
    if (length == 64) return _mm512_storeu_si512(dst, value);
    const __m128i low = _mm512_maskz_extracti32x4_epi32(0xf, value, 0);
    if (length == 32)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), _mm512_maskz_extracti64x4_epi64(0xf, value, 0));
    else if (length == 16) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst), low);
    else if (length == 8) _mm_storeu_si64(dst, low);
    else _mm512_mask_storeu_epi8(dst, all_bytes >> (64 - length), value);
}

template <int Registers>
inline constexpr int vectors_of_pick = Registers == 8 ? 2 : 1;

/// Runs any table.
template <int Registers, int Window>
inline void run_any(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                    std::byte* dst) {
    constexpr int vectors = vectors_of_pick<Registers>;
    for (; count > 0; --count, src += src_step, dst += dst_step) {
        __m512i of[Registers];
        gather_all<Window>(of, src, table.windows.data(), std::make_integer_sequence<int, Registers>());
        auto next = reinterpret_cast<const __m512i*>(table.vectors.data());
        const permute_output* to = table.outputs.data();
        for (const permute_group& group : table.groups) {
            const __m512i* const picks = next;
            next += group.planes * vectors;
            const __m512i first = pick(of, picks);
            for (const permute_output* const end = to + group.outputs; to < end; ++to) {
                __m512i out = *next++;
                if (!table.shifts) out = _mm512_xor_si512(out, first);
                for (int plane = 0; table.shifts && plane < group.planes; ++plane, next += 2)
                    out = add(out, plane == 0 ? first : pick(of, picks + plane * vectors), next);
                store(dst + to->dst, to->length, out);
            }
        }
    }
}

/// Tables of one shape: all outputs are 64 bytes. Of some planes, or of none that shift, Groups groups have Each
/// outputs each. All vectors stay in registers, if these suffice.
template <int Planes, int Registers, int Window, int Groups, int Each>
struct shape {
    static constexpr int picks = Planes == 0 ? 1 : Planes, hows = 1 + 2 * Planes, outputs = Groups * Each,
                         vectors = Groups * (picks + Each * hows);
    template <int Count>
    using up_to = std::make_integer_sequence<int, Count>;

    static void run(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                    std::byte* dst) {
        run(table, count, src_step, dst_step, src, dst, up_to<vectors>(), up_to<outputs>());
    }

private:
    template <int... V, int... O>
    [[gnu::always_inline]] static inline void run(const permute_table& table, dim_t count, dim_t src_step,
                                                  dim_t dst_step, const std::byte* src, std::byte* dst,
                                                  std::integer_sequence<int, V...>, std::integer_sequence<int, O...>) {
        const __m512i vector[] = {load(table.vectors[V])...};
        const std::uint32_t to[] = {table.outputs[O].dst...};
        std::uint32_t windows[Registers * (64 / Window)];
        std::memcpy(windows, table.windows.data(), sizeof windows);
        for (; count > 0; --count, src += src_step, dst += dst_step) {
            __m512i of[Registers];
            gather_all<Window>(of, src, windows, up_to<Registers>());
            run_groups(vector, of, to, dst, up_to<Groups>());
        }
    }
    template <int... G>
    [[gnu::always_inline]] static inline void run_groups(const __m512i (&vector)[vectors],
                                                         const __m512i (&of)[Registers],
                                                         const std::uint32_t (&to)[outputs], std::byte* dst,
                                                         std::integer_sequence<int, G...>) {
        (run_group(vector + G * (picks + Each * hows), of, to + G * Each, dst, up_to<Each>()), ...);
    }
    template <int... E>
    [[gnu::always_inline]] static inline void run_group(const __m512i* vector, const __m512i (&of)[Registers],
                                                        const std::uint32_t* to, std::byte* dst,
                                                        std::integer_sequence<int, E...>) {
        const __m512i first = pick(of, vector), second = Planes == 2 ? pick(of, vector + 1) : first;
        (_mm512_storeu_si512(dst + to[E], output(vector + picks + E * hows, first, second)), ...);
    }
    [[gnu::always_inline]] static inline __m512i output(const __m512i* how, __m512i first, __m512i second) {
        if constexpr (Planes == 0) return _mm512_xor_si512(how[0], first);
        else return add(add(how[0], first, how + 1), second, how + 3);
    }
};
template <int Registers, int Window>
inline permute_code* code_of(const permute_table& table) {
    const std::size_t groups = table.groups.size(), outputs = table.outputs.size();
    bool is_whole = true;
    for (const permute_output& output : table.outputs) is_whole = is_whole && output.length == 64;
    for (const permute_group& group : table.groups)
        is_whole = is_whole && group.planes == (table.shifts ? 2 : 1) &&
                   static_cast<std::size_t>(group.outputs) * groups == outputs;
    if constexpr (Registers <= 4) {
        if (is_whole && !table.shifts) {
            if (outputs == 1) return shape<0, Registers, Window, 1, 1>::run;
            if (outputs == 2 && groups == 2) return shape<0, Registers, Window, 2, 1>::run;
            if (outputs == 4 && groups == 4) return shape<0, Registers, Window, 4, 1>::run;
        }
        if (is_whole && table.shifts) {
            if (outputs == 1) return shape<2, Registers, Window, 1, 1>::run;
            if (outputs == 2 && groups == 1) return shape<2, Registers, Window, 1, 2>::run;
            if (outputs == 2) return shape<2, Registers, Window, 2, 1>::run;
            if (outputs == 4 && groups == 2) return shape<2, Registers, Window, 2, 2>::run;
        }
    }
    return run_any<Registers, Window>;
}

/// Loads elements of 2 or 4 bytes to some lanes.
template <int Bytes, int Lane, int... Lanes>
[[gnu::always_inline]] inline __m128i load_elements(const std::byte* src, const std::uint32_t* at) {
    __m128i out = _mm_setzero_si128();
    if constexpr (sizeof...(Lanes) > 0) out = load_elements<Bytes, Lanes...>(src, at);
    if constexpr (Bytes == 2) {
        std::int16_t element;
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
/// Makes a run of 8 or 16 bytes.
template <int Bytes, int Length>
[[gnu::always_inline]] inline void make_run(const std::byte* src, const std::uint32_t* at, std::byte* run) {
    const __m128i low = load_eight_bytes<Bytes>(src, at);
    if constexpr (Length == 8) return _mm_storeu_si64(run, low);
    const __m128i high = load_eight_bytes<Bytes>(src, at + 8 / Bytes);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(run), _mm_unpacklo_epi64(low, high));
}
/// Makes runs of elements: 16 bytes, 8, or one by one.
template <int Bytes>
inline void run_elements(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                         std::byte* dst) {
    const permute_output *const outputs = table.outputs.data(), *const end = outputs + table.outputs.size();
    const std::uint32_t* const elements = table.windows.data();
    for (; count > 0; --count, src += src_step, dst += dst_step) {
        const std::uint32_t* at = elements;
        for (const permute_output* to = outputs; to < end; ++to) {
            std::byte* const run = dst + to->dst;
            if (to->length == 16) make_run<Bytes, 16>(src, at, run);
            else if (to->length == 8) make_run<Bytes, 8>(src, at, run);
            else
                for (int i = 0; i < to->length; i += Bytes) std::memcpy(run + i, src + at[i / Bytes], Bytes);
            at += to->length / Bytes;
        }
    }
}
/// Makes one run, as the scales of some rows are. The offsets stay in registers, if these suffice.
template <int Bytes, int Length>
inline void run_one_run(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                        std::byte* dst) {
    std::uint32_t at[Length / Bytes];
    std::memcpy(at, table.windows.data(), sizeof at);
    for (dst += table.outputs[0].dst; count > 0; --count, src += src_step, dst += dst_step)
        make_run<Bytes, Length>(src, at, dst);
}
template <int Bytes>
inline permute_code* code_of_elements(const permute_table& table) {
    if (table.outputs.size() == 1 && table.outputs[0].length == 16) return run_one_run<Bytes, 16>;
    if (table.outputs.size() == 1 && table.outputs[0].length == 8) return run_one_run<Bytes, 8>;
    return run_elements<Bytes>;
}

template <int Registers>
inline permute_code* code_of_window(const permute_table& table) {
    return table.window == 16   ? code_of<Registers, 16>(table)
           : table.window == 32 ? code_of<Registers, 32>(table)
                                : code_of<Registers, 64>(table);
}

}  // namespace simd::avx512_vbmi
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif

/// True if this CPU runs tables of permutes.
inline bool cpu_has_byte_permutes() {
#if defined(__x86_64__)
    return cpu_has(isa::avx512) && __builtin_cpu_supports("avx512vbmi");
#else
    return false;
#endif
}
/// Returns the function that runs a table.
///
/// Pre:     cpu_has_byte_permutes()
inline permute_code* permute_code_of([[maybe_unused]] const permute_table& table) {
#if defined(__x86_64__)
    using namespace simd::avx512_vbmi;
    switch (table.registers) {
        case 0: return table.window == 2 ? code_of_elements<2>(table) : code_of_elements<4>(table);
        case 1: return code_of_window<1>(table);
        case 2: return code_of_window<2>(table);
        case 4: return code_of_window<4>(table);
        default: return code_of_window<8>(table);
    }
#else
    return nullptr;
#endif
}

}  // namespace plait::engine
