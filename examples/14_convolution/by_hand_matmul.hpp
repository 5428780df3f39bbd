#pragma once
// Matrix products with index arithmetic written by hand.

#include "by_hand.hpp"

namespace by_hand {

/// Multiplies row-major matrices, element by element.
template <product_sizes S, class Activation>
void multiply(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    for (dim_t m = 0; m < S.m; ++m)
        for (dim_t n = 0; n < S.n; ++n) {
            float sum = bias[n];
            for (dim_t k = 0; k < S.k; ++k) sum += x[m * S.k + k] * w[k * S.n + n];
            y[m * S.n + n] = activation(sum);
        }
}

/// Multiplies row-major matrices, with the loop over a row of results innermost.
template <product_sizes S, class Activation>
void multiply_along_rows(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    for (dim_t m = 0; m < S.m; ++m) {
        float* const row = y + m * S.n;
        for (dim_t n = 0; n < S.n; ++n) row[n] = bias[n];
        for (dim_t k = 0; k < S.k; ++k) {
            const float factor = x[m * S.k + k];
            for (dim_t n = 0; n < S.n; ++n) row[n] += factor * w[k * S.n + n];
        }
        for (dim_t n = 0; n < S.n; ++n) row[n] = activation(row[n]);
    }
}

/// Multiplies matrices in aB16b and BA16a16b, block by block.
template <product_sizes S, class Activation>
void multiply_blocks(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    constexpr dim_t in_blocks = blocks_of(S.k), out_blocks = blocks_of(S.n);
    for (dim_t nb = 0; nb < out_blocks; ++nb)
        for (dim_t m = 0; m < S.m; ++m) {
            float sum[16];
            std::copy_n(bias + nb * 16, 16, sum);
            for (dim_t kb = 0; kb < in_blocks; ++kb) {
                const float* const in = x + (m * in_blocks + kb) * 16;
                const float* const block = w + (nb * in_blocks + kb) * 256;
                for (dim_t k = 0; k < 16; ++k)
                    for (dim_t n = 0; n < 16; ++n) sum[n] += in[k] * block[k * 16 + n];
            }
            for (float& each : sum) each = activation(each);
            store_block(sum, y + (m * out_blocks + nb) * 16, valid_of(S.n, nb));
        }
}

template <class Products, int Rows, product_sizes S, class Activation>
void multiply_rows(const float* x, const float* w, const float* bias, float* y, Activation activation, dim_t valid) {
    constexpr dim_t in_blocks = blocks_of(S.k), out_blocks = blocks_of(S.n);
    alignas(64) float sum[Rows * 16];
    for (int r = 0; r < Rows; ++r) std::copy_n(bias, 16, sum + r * 16);
    for (dim_t kb = 0; kb < in_blocks; ++kb)
        Products::template add<Rows, in_blocks * 16>(x + kb * 16, w + kb * 256, sum);
    for (float& each : sum) each = activation(each);
    for (int r = 0; r < Rows; ++r) store_block(sum + r * 16, y + r * out_blocks * 16, valid);
}

/// Multiplies matrices in aB16b and BA16a16b by tiles of rows.
template <class Products, product_sizes S, class Activation>
void multiply_tiles(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    constexpr dim_t in_blocks = blocks_of(S.k), out_blocks = blocks_of(S.n);
    constexpr int rows = Products::rows;
    for (dim_t nb = 0; nb < out_blocks; ++nb) {
        const float* const panel = w + nb * in_blocks * 256;
        dim_t m = 0;
        for (; m + rows <= S.m; m += rows)
            multiply_rows<Products, rows, S>(x + m * in_blocks * 16, panel, bias + nb * 16,
                                             y + (m * out_blocks + nb) * 16, activation, valid_of(S.n, nb));
        if constexpr (S.m % rows != 0)
            multiply_rows<Products, S.m % rows, S>(x + m * in_blocks * 16, panel, bias + nb * 16,
                                                   y + (m * out_blocks + nb) * 16, activation, valid_of(S.n, nb));
    }
}

}  // namespace by_hand
