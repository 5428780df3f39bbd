#pragma once
// The kernels of an order, for the instruction sets that this CPU has.

#include "x86.hpp"

namespace packed_matmul {

/// Multiplies with each kernel that there is for an order and that this CPU can run, and calls done(its name).
template <q4_weights R, class Done>
void for_each_kernel(weights<R> w, const activations& x, std::span<float> y, const Done& done) {
    multiply_portable(w, x, y);
    done("portable");
#if defined(__x86_64__)
    if constexpr (requires { multiply_avx2(w, x, y); }) {
        if (has_avx2()) multiply_avx2(w, x, y), done("AVX2");
        if (has_avx512()) multiply_avx512(w, x, y), done("AVX-512");
    }
#endif
}

/// Multiplies with the best kernel for an order that this CPU can run.
template <q4_weights R>
void multiply(weights<R> w, const activations& x, std::span<float> y) {
#if defined(__x86_64__)
    if constexpr (requires { multiply_avx2(w, x, y); }) {
        if (has_avx512()) return multiply_avx512(w, x, y);
        if (has_avx2()) return multiply_avx2(w, x, y);
    }
#endif
    multiply_portable(w, x, y);
}

}  // namespace packed_matmul
