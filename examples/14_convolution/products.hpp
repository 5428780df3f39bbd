#pragma once
// The product of rows of 16 with a block of 16 by 16, for each instruction set: the inner kernel of a convolution and
// of a matrix product, after the views have located the blocks.
//
// No flags are needed: each function names its target, and with_products detects the CPU. Functions with target("...")
// call nothing with vector arguments, and are not lambdas, because GCC compiles lambdas for the unit's flags.

#include <plait/contract/isa.hpp>
#include <plait/core/axis.hpp>

#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kernels {

using plait::dim_t;

/// For any CPU: vectors of 16 bytes, which GCC and Clang support without intrinsics. GCC vectorises loops over floats
/// only at some optimisation levels.
///
/// Each of these types has:
///   rows            the number of rows processed together that keeps the registers busy
///   add<Rows, Step> sum[r * 16 + o] += x[r * Step + i] * w[i * 16 + o], for all r, i and o
class portable_products {
public:
    static constexpr const char* name = "portable";
    static constexpr int rows = 4;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float* sum) {
        for (dim_t r = 0; r < Rows; ++r) add_row(x + r * Step, w, sum + r * 16);
    }

private:
    typedef float four __attribute__((vector_size(16)));
    static four load(const float* from) {
        four value;
        std::memcpy(&value, from, sizeof(value));
        return value;
    }
    static void add_row(const float* x, const float* w, float* sum) {
        four a = load(sum), b = load(sum + 4), c = load(sum + 8), d = load(sum + 12);
        for (int i = 0; i < 16; ++i, w += 16) {
            a += x[i] * load(w);
            b += x[i] * load(w + 4);
            c += x[i] * load(w + 8);
            d += x[i] * load(w + 12);
        }
        const four all[] = {a, b, c, d};
        std::memcpy(sum, all, sizeof(all));
    }
};

#if defined(__x86_64__)
/// 6 rows use 12 registers for sums; weights and an element of x take the other 4 of 16.
class avx2_products {
public:
    static constexpr const char* name = "avx2";
    static constexpr int rows = 6;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float* sum) {
        add_rows<Step>(x, w, sum, std::make_integer_sequence<int, Rows>());
    }

private:
    // Uses folds instead of loops over r, because an array of registers indexed by a variable is stored in memory.
    template <dim_t Step, int... R>
    __attribute__((target("avx2,fma"))) static void add_rows(const float* x, const float* w, float* sum,
                                                             std::integer_sequence<int, R...>) {
        __m256 low[] = {_mm256_loadu_ps(sum + R * 16)...}, high[] = {_mm256_loadu_ps(sum + R * 16 + 8)...};
        for (int i = 0; i < 16; ++i) {
            const __m256 w_low = _mm256_loadu_ps(w + i * 16), w_high = _mm256_loadu_ps(w + i * 16 + 8);
            ((low[R] = _mm256_fmadd_ps(_mm256_broadcast_ss(x + R * Step + i), w_low, low[R]),
              high[R] = _mm256_fmadd_ps(_mm256_broadcast_ss(x + R * Step + i), w_high, high[R])),
             ...);
        }
        (_mm256_storeu_ps(sum + R * 16, low[R]), ...);
        (_mm256_storeu_ps(sum + R * 16 + 8, high[R]), ...);
    }
};

/// A block of results is one register.
class avx512_products {
public:
    static constexpr const char* name = "avx512";
    static constexpr int rows = 14;

    template <int Rows, dim_t Step>
    static void add(const float* x, const float* w, float* sum) {
        add_rows<Step>(x, w, sum, std::make_integer_sequence<int, Rows>());
    }

private:
    template <dim_t Step, int... R>
    __attribute__((target("avx512f"))) static void add_rows(const float* x, const float* w, float* sum,
                                                            std::integer_sequence<int, R...>) {
        __m512 sums[] = {_mm512_loadu_ps(sum + R * 16)...};
        for (int i = 0; i < 16; ++i) {
            const __m512 row = _mm512_loadu_ps(w + i * 16);
            ((sums[R] = _mm512_fmadd_ps(_mm512_set1_ps(x[R * Step + i]), row, sums[R])), ...);
        }
        (_mm512_storeu_ps(sum + R * 16, sums[R]), ...);
    }
};
#endif

/// Calls action(products) for each class that this CPU supports, the widest first.
template <class Action>
void with_all_products(Action action) {
#if defined(__x86_64__)
    if (plait::cpu_has(plait::isa::avx512)) action(avx512_products());
    if (plait::cpu_has(plait::isa::avx2) && __builtin_cpu_supports("fma")) action(avx2_products());
#endif
    action(portable_products());
}

/// Calls action(products) with the widest class that this CPU supports.
///
/// Example: with_products([&](auto products) { convolve_tiles<decltype(products)>(x, w, bias, y, relu()); })
template <class Action>
void with_products(Action action) {
    bool done = false;
    with_all_products([&](auto products) {
        if (!done) action(products);
        done = true;
    });
}

}  // namespace kernels
