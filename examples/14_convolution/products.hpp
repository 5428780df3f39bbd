#pragma once
// The product of rows of 16 with a block of 16 by 16, for each instruction set: what is left of a convolution and of a
// matrix product when the views have said where the blocks lie.
//
// No flags are needed: the functions say themselves what they are compiled for, and with_products asks the CPU. What
// has target("...") calls nothing with vectors as arguments, and is no lambda: GCC compiles those for the unit's flags.

#include <plait/reorder/isa.hpp>

#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kernels {

using plait::dim_t;

/// For any CPU; compilers make vectors of it.
///
/// Each of these types has:
///   rows            how many rows at once keep the registers busy
///   add<Rows, Step> sum[r][o] += x[r * Step + i] * w[i * 16 + o], for all r, i and o
struct portable_products {
    static constexpr const char* name = "portable";
    static constexpr int rows = 4;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float (*sum)[16]) {
        for (dim_t r = 0; r < Rows; ++r) {
            float row[16];  // no pointer leads to it, so it stays in registers
            for (int o = 0; o < 16; ++o) row[o] = sum[r][o];
            for (int i = 0; i < 16; ++i)
                for (int o = 0; o < 16; ++o) row[o] += x[r * Step + i] * w[i * 16 + o];
            for (int o = 0; o < 16; ++o) sum[r][o] = row[o];
        }
    }
};

#if defined(__x86_64__)
/// 6 rows are 12 registers of sums; weights and an element of x take the others of 16.
struct avx2_products {
    static constexpr const char* name = "avx2";
    static constexpr int rows = 6;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float (*sum)[16]) {
        add_rows<Step>(x, w, sum, std::make_integer_sequence<int, Rows>());
    }

private:
    // Folds and not loops over r: an array of registers that is indexed by a variable is memory.
    template <dim_t Step, int... R>
    __attribute__((target("avx2,fma"))) static void add_rows(const float* x, const float* w, float (*sum)[16],
                                                             std::integer_sequence<int, R...>) {
        __m256 low[] = {_mm256_loadu_ps(sum[R])...}, high[] = {_mm256_loadu_ps(sum[R] + 8)...};
        for (int i = 0; i < 16; ++i) {
            const __m256 w_low = _mm256_loadu_ps(w + i * 16), w_high = _mm256_loadu_ps(w + i * 16 + 8);
            ((low[R] = _mm256_fmadd_ps(_mm256_broadcast_ss(x + R * Step + i), w_low, low[R]),
              high[R] = _mm256_fmadd_ps(_mm256_broadcast_ss(x + R * Step + i), w_high, high[R])),
             ...);
        }
        (_mm256_storeu_ps(sum[R], low[R]), ...);
        (_mm256_storeu_ps(sum[R] + 8, high[R]), ...);
    }
};

/// A block of results is one register.
struct avx512_products {
    static constexpr const char* name = "avx512";
    static constexpr int rows = 14;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float (*sum)[16]) {
        add_rows<Step>(x, w, sum, std::make_integer_sequence<int, Rows>());
    }

private:
    template <dim_t Step, int... R>
    __attribute__((target("avx512f"))) static void add_rows(const float* x, const float* w, float (*sum)[16],
                                                            std::integer_sequence<int, R...>) {
        __m512 sums[] = {_mm512_loadu_ps(sum[R])...};
        for (int i = 0; i < 16; ++i) {
            const __m512 row = _mm512_loadu_ps(w + i * 16);
            ((sums[R] = _mm512_fmadd_ps(_mm512_set1_ps(x[R * Step + i]), row, sums[R])), ...);
        }
        (_mm512_storeu_ps(sum[R], sums[R]), ...);
    }
};
#endif

/// Calls action(products) with all that this CPU runs, the widest first.
template <class Action>
void with_all_products(Action action) {
#if defined(__x86_64__)
    if (plait::cpu_has(plait::isa::avx512)) action(avx512_products());
    if (plait::cpu_has(plait::isa::avx2) && __builtin_cpu_supports("fma")) action(avx2_products());
#endif
    action(portable_products());
}

/// Calls action(products) with the widest that this CPU runs.
template <class Action>
void with_products(Action action) {
    bool done = false;
    with_all_products([&](auto products) {
        if (!done) action(products);
        done = true;
    });
}

}  // namespace kernels
