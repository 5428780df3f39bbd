#pragma once
// A direct convolution of tensors in blocks of 16 channels, without padding around the image: y(n, o, h, v) is the bias
// of o plus the sum of x(n, i, h * Stride + r, v * Stride + s) * w(o, i, r, s) over i, r and s.

#include "accepted.hpp"
#include "products.hpp"

namespace kernels {

/// Checks that the extents belong to one convolution.
constexpr bool fit_a_convolution(const plait::dims& x, const plait::dims& w, const plait::dims& b, const plait::dims& y,
                                 dim_t stride) {
    return stride > 0 && x[1] == w[1] && y[0] == x[0] && y[1] == w[0] && b[0] == w[0] && w[2] <= x[2] && w[3] <= x[3] &&
           y[2] == (x[2] - w[2]) / stride + 1 && y[3] == (x[3] - w[3]) / stride + 1;
}

template <class X, class W, class B, class Y, dim_t Stride = 1>
concept blocked_convolution = in_blocks<X, "nChw16c"> && in_blocks<W, "OIhw16i16o"> && in_blocks<B, "A16a"> &&
    in_blocks<Y, "nChw16c"> && fit_a_convolution(X::value.dims, W::value.dims, B::value.dims, Y::value.dims, Stride);

/// Computes the convolution block by block, without intrinsics: the compiler vectorises the loop over o.
///
/// Pre:     padding of x, w and b is zero; y does not overlap them
/// Post:    y as above, activated; its padding is zero
template <dim_t Stride = 1, class X, class W, class B, class Y, class Activation>
    requires blocked_convolution<X, W, B, Y, Stride>
void convolve(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
              tensor_view<float, Y> y, Activation activation) {
    for (dim_t n = 0; n < y.extent(0); ++n)
        for (dim_t ob = 0; ob < y.blocks(1); ++ob)
            for (dim_t h = 0; h < y.extent(2); ++h)
                for (dim_t v = 0; v < y.extent(3); ++v) {
                    float sum[16];
                    std::copy_n(bias.block(ob).data(), 16, sum);
                    for (dim_t ib = 0; ib < x.blocks(1); ++ib)
                        for (dim_t r = 0; r < w.extent(2); ++r)
                            for (dim_t s = 0; s < w.extent(3); ++s) {
                                const auto in = x.block(n, ib, h * Stride + r, v * Stride + s);
                                const auto k = w.block(ob, ib, r, s);
                                for (std::size_t i = 0; i < 16; ++i)
                                    for (std::size_t o = 0; o < 16; ++o) sum[o] += in[i] * k[i * 16 + o];
                            }
                    for (float& each : sum) each = activation(each);
                    store_block(sum, y.block(n, ob, h, v), y.valid(1, ob));
                }
}

/// Computes `Pixels` neighbouring results of a row together, so that each block of weights is loaded once for all.
template <class Products, int Pixels, dim_t Stride, class X, class W, class B, class Y, class Activation>
void convolve_pixels(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
                     tensor_view<float, Y> y, Activation activation, dim_t n, dim_t ob, dim_t h, dim_t v) {
    constexpr dim_t next_pixel = Stride * X::value.strides()[3];
    alignas(64) float sum[Pixels * 16];
    for (int p = 0; p < Pixels; ++p) std::copy_n(bias.block(ob).data(), 16, sum + p * 16);
    for (dim_t ib = 0; ib < x.blocks(1); ++ib)
        for (dim_t r = 0; r < w.extent(2); ++r)
            for (dim_t s = 0; s < w.extent(3); ++s)
                Products::template add<Pixels, next_pixel>(x.block(n, ib, h * Stride + r, v * Stride + s).data(),
                                                           w.block(ob, ib, r, s).data(), sum);
    for (float& each : sum) each = activation(each);
    for (int p = 0; p < Pixels; ++p) store_block(sum + p * 16, y.block(n, ob, h, v + p), y.valid(1, ob));
}

/// Computes the convolution by tiles of pixels, with the CPU's instructions: Products is a class of products.hpp.
template <class Products, dim_t Stride = 1, class X, class W, class B, class Y, class Activation>
    requires blocked_convolution<X, W, B, Y, Stride>
void convolve_tiles(tensor_view<const float, X> x, tensor_view<const float, W> w, tensor_view<const float, B> bias,
                    tensor_view<float, Y> y, Activation activation) {
    constexpr int pixels = Products::rows, width = static_cast<int>(Y::value.dims[3]);
    for (dim_t n = 0; n < y.extent(0); ++n)
        for (dim_t ob = 0; ob < y.blocks(1); ++ob)
            for (dim_t h = 0; h < y.extent(2); ++h) {
                for (dim_t v = 0; v + pixels <= width; v += pixels)
                    convolve_pixels<Products, pixels, Stride>(x, w, bias, y, activation, n, ob, h, v);
                if constexpr (width % pixels != 0)
                    convolve_pixels<Products, width % pixels, Stride>(x, w, bias, y, activation, n, ob, h,
                                                                      width / pixels * pixels);
            }
}

}  // namespace kernels
