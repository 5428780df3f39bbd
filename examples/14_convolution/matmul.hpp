#pragma once
// A matrix product: y(m, n) is the bias of n plus the sum of x(m, k) * w(k, n) over k. Rows of x and y are in blocks of
// 16 (aB16b: like row-major, with rows padded to 16), and the weights are packed in blocks of 16 by 16.

#include "accepted.hpp"
#include "products.hpp"

namespace kernels {

constexpr bool fit_a_product(const plait::dims& x, const plait::dims& w, const plait::dims& b, const plait::dims& y) {
    return x[1] == w[0] && y[0] == x[0] && y[1] == w[1] && b[0] == w[1];
}

template <class X, class W, class B, class Y>
concept blocked_product = in_blocks<X, "aB16b"> && in_blocks<W, "BA16a16b"> && in_blocks<B, "A16a"> &&
    in_blocks<Y, "aB16b"> && fit_a_product(X::value.dims, W::value.dims, B::value.dims, Y::value.dims);

/// Computes the product block by block, without intrinsics.
///
/// Pre:     padding of x, w and b is zero; y does not overlap them
/// Post:    y as above, activated; its padding is zero
template <class X, class W, class B, class Y, class Activation>
    requires blocked_product<X, W, B, Y>
void multiply(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
              tensor_view<float, Y> y, Activation activation) {
    for (dim_t nb = 0; nb < y.blocks(1); ++nb)
        for (dim_t m = 0; m < y.extent(0); ++m) {
            float sum[16];
            std::copy_n(bias.block(nb).data(), 16, sum);
            for (dim_t kb = 0; kb < x.blocks(1); ++kb) {
                const auto in = x.block(m, kb);
                const auto block = w.block(kb, nb);
                for (std::size_t k = 0; k < 16; ++k)
                    for (std::size_t n = 0; n < 16; ++n) sum[n] += in[k] * block[k * 16 + n];
            }
            for (float& each : sum) each = activation(each);
            store_block(sum, y.block(m, nb), y.valid(1, nb));
        }
}

/// Computes `Rows` rows together, so that each block of weights is loaded once for all.
template <class Products, int Rows, class X, class W, class B, class Y, class Activation>
void multiply_rows(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
                   tensor_view<float, Y> y, Activation activation, dim_t m, dim_t nb) {
    constexpr dim_t next_row = X::value.strides()[0];
    alignas(64) float sum[Rows * 16];
    for (int r = 0; r < Rows; ++r) std::copy_n(bias.block(nb).data(), 16, sum + r * 16);
    for (dim_t kb = 0; kb < x.blocks(1); ++kb)
        Products::template add<Rows, next_row>(x.block(m, kb).data(), w.block(kb, nb).data(), sum);
    for (float& each : sum) each = activation(each);
    for (int r = 0; r < Rows; ++r) store_block(sum + r * 16, y.block(m + r, nb), y.valid(1, nb));
}

/// Computes the product by tiles of rows, with the CPU's instructions: Products is a class of products.hpp.
template <class Products, class X, class W, class B, class Y, class Activation>
    requires blocked_product<X, W, B, Y>
void multiply_tiles(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
                    tensor_view<float, Y> y, Activation activation) {
    constexpr int rows = Products::rows, height = static_cast<int>(Y::value.dims[0]);
    for (dim_t nb = 0; nb < y.blocks(1); ++nb) {
        for (dim_t m = 0; m + rows <= height; m += rows)
            multiply_rows<Products, rows>(x, w, bias, y, activation, m, nb);
        if constexpr (height % rows != 0)
            multiply_rows<Products, height % rows>(x, w, bias, y, activation, height / rows * rows, nb);
    }
}

}  // namespace kernels
