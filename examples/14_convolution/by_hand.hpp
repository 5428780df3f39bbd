#pragma once
// Loops with pointers and index arithmetic written by hand, which the views are compared with, in results and in time.
// Sizes are constants here too, as in the types of the views.

#include "cases.hpp"
#include "products.hpp"

namespace by_hand {

/// Convolves nchw and oihw tensors, element by element.
template <convolution_sizes S, class Activation>
void convolve(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    for (dim_t n = 0; n < S.n; ++n)
        for (dim_t o = 0; o < S.o; ++o)
            for (dim_t h = 0; h < S.height(); ++h)
                for (dim_t v = 0; v < S.width(); ++v) {
                    float sum = bias[o];
                    for (dim_t i = 0; i < S.i; ++i)
                        for (dim_t r = 0; r < S.r; ++r)
                            for (dim_t s = 0; s < S.s; ++s)
                                sum += x[((n * S.i + i) * S.h + h * S.stride + r) * S.w + v * S.stride + s] *
                                       w[((o * S.i + i) * S.r + r) * S.s + s];
                    y[((n * S.o + o) * S.height() + h) * S.width() + v] = activation(sum);
                }
}

/// Convolves nchw and oihw tensors, with the loop over a row of pixels innermost.
template <convolution_sizes S, class Activation>
void convolve_along_rows(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    for (dim_t n = 0; n < S.n; ++n)
        for (dim_t o = 0; o < S.o; ++o)
            for (dim_t h = 0; h < S.height(); ++h) {
                float* const row = y + ((n * S.o + o) * S.height() + h) * S.width();
                for (dim_t v = 0; v < S.width(); ++v) row[v] = bias[o];
                for (dim_t i = 0; i < S.i; ++i)
                    for (dim_t r = 0; r < S.r; ++r)
                        for (dim_t s = 0; s < S.s; ++s) {
                            const float k = w[((o * S.i + i) * S.r + r) * S.s + s];
                            const float* const in = x + ((n * S.i + i) * S.h + h * S.stride + r) * S.w + s;
                            for (dim_t v = 0; v < S.width(); ++v) row[v] += in[v * S.stride] * k;
                        }
                for (dim_t v = 0; v < S.width(); ++v) row[v] = activation(row[v]);
            }
}

constexpr dim_t blocks_of(dim_t extent) { return (extent + 15) / 16; }

inline void store_block(const float* results, float* out, dim_t valid) {
    std::copy_n(results, 16, out);
    std::fill(out + valid, out + 16, 0.0f);
}
constexpr dim_t valid_of(dim_t extent, dim_t block) { return extent - block * 16 < 16 ? extent - block * 16 : 16; }

/// Convolves nChw16c and OIhw16i16o tensors, block by block.
template <convolution_sizes S, class Activation>
void convolve_blocks(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    constexpr dim_t in_blocks = blocks_of(S.i), out_blocks = blocks_of(S.o);
    for (dim_t n = 0; n < S.n; ++n)
        for (dim_t ob = 0; ob < out_blocks; ++ob)
            for (dim_t h = 0; h < S.height(); ++h)
                for (dim_t v = 0; v < S.width(); ++v) {
                    float sum[16];
                    std::copy_n(bias + ob * 16, 16, sum);
                    for (dim_t ib = 0; ib < in_blocks; ++ib)
                        for (dim_t r = 0; r < S.r; ++r)
                            for (dim_t s = 0; s < S.s; ++s) {
                                const float* const in =
                                    x + (((n * in_blocks + ib) * S.h + h * S.stride + r) * S.w + v * S.stride + s) * 16;
                                const float* const k = w + (((ob * in_blocks + ib) * S.r + r) * S.s + s) * 256;
                                for (dim_t i = 0; i < 16; ++i)
                                    for (dim_t o = 0; o < 16; ++o) sum[o] += in[i] * k[i * 16 + o];
                            }
                    for (float& each : sum) each = activation(each);
                    store_block(sum, y + (((n * out_blocks + ob) * S.height() + h) * S.width() + v) * 16,
                                valid_of(S.o, ob));
                }
}

template <class Products, int Pixels, convolution_sizes S, class Activation>
void convolve_pixels(const float* x, const float* w, const float* bias, float* y, Activation activation, dim_t valid) {
    constexpr dim_t in_blocks = blocks_of(S.i);
    alignas(64) float sum[Pixels * 16];
    for (int p = 0; p < Pixels; ++p) std::copy_n(bias, 16, sum + p * 16);
    for (dim_t ib = 0; ib < in_blocks; ++ib)
        for (dim_t r = 0; r < S.r; ++r)
            for (dim_t s = 0; s < S.s; ++s)
                Products::template add<Pixels, S.stride * 16>(x + ((ib * S.h + r) * S.w + s) * 16,
                                                              w + ((ib * S.r + r) * S.s + s) * 256, sum);
    for (float& each : sum) each = activation(each);
    for (int p = 0; p < Pixels; ++p) store_block(sum + p * 16, y + p * 16, valid);
}

/// Convolves nChw16c and OIhw16i16o tensors by tiles of pixels.
template <class Products, convolution_sizes S, class Activation>
void convolve_tiles(const float* x, const float* w, const float* bias, float* y, Activation activation) {
    constexpr dim_t in_blocks = blocks_of(S.i), out_blocks = blocks_of(S.o), width = S.width();
    constexpr int pixels = Products::rows;
    for (dim_t n = 0; n < S.n; ++n)
        for (dim_t ob = 0; ob < out_blocks; ++ob)
            for (dim_t h = 0; h < S.height(); ++h) {
                const float* const in = x + ((n * in_blocks * S.h) + h * S.stride) * S.w * 16;
                const float* const k = w + ob * in_blocks * S.r * S.s * 256;
                float* const out = y + ((n * out_blocks + ob) * S.height() + h) * width * 16;
                dim_t v = 0;
                for (; v + pixels <= width; v += pixels)
                    convolve_pixels<Products, pixels, S>(in + v * S.stride * 16, k, bias + ob * 16, out + v * 16,
                                                         activation, valid_of(S.o, ob));
                if constexpr (width % pixels != 0)
                    convolve_pixels<Products, width % pixels, S>(in + v * S.stride * 16, k, bias + ob * 16,
                                                                 out + v * 16, activation, valid_of(S.o, ob));
            }
}

}  // namespace by_hand
