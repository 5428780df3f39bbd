#pragma once
// The formulas, on views of any layout, element by element; and along rows, for plain layouts.

#include "accepted.hpp"

namespace naive {

using plait::dim_t;

template <dim_t Stride = 1, class X, class W, class B, class Y, class Activation>
void convolve(X x, W w, B bias, Y y, Activation activation) {
    for (dim_t n = 0; n < y.extent(0); ++n)
        for (dim_t o = 0; o < y.extent(1); ++o)
            for (dim_t h = 0; h < y.extent(2); ++h)
                for (dim_t v = 0; v < y.extent(3); ++v) {
                    float sum = bias(o);
                    for (dim_t i = 0; i < x.extent(1); ++i)
                        for (dim_t r = 0; r < w.extent(2); ++r)
                            for (dim_t s = 0; s < w.extent(3); ++s)
                                sum += x(n, i, h * Stride + r, v * Stride + s) * w(o, i, r, s);
                    y(n, o, h, v) = activation(sum);
                }
}

/// Convolves with the loop over a row of pixels innermost: for nchw the compiler vectorises it.
template <dim_t Stride = 1, class X, class W, class B, class Y, class Activation>
void convolve_along_rows(X x, W w, B bias, Y y, Activation activation) {
    for (dim_t n = 0; n < y.extent(0); ++n)
        for (dim_t o = 0; o < y.extent(1); ++o)
            for (dim_t h = 0; h < y.extent(2); ++h) {
                for (dim_t v = 0; v < y.extent(3); ++v) y(n, o, h, v) = bias(o);
                for (dim_t i = 0; i < x.extent(1); ++i)
                    for (dim_t r = 0; r < w.extent(2); ++r)
                        for (dim_t s = 0; s < w.extent(3); ++s) {
                            const float k = w(o, i, r, s);
                            for (dim_t v = 0; v < y.extent(3); ++v)
                                y(n, o, h, v) += x(n, i, h * Stride + r, v * Stride + s) * k;
                        }
                for (dim_t v = 0; v < y.extent(3); ++v) y(n, o, h, v) = activation(y(n, o, h, v));
            }
}

template <class X, class W, class B, class Y, class Activation>
void multiply(X x, W w, B bias, Y y, Activation activation) {
    for (dim_t m = 0; m < y.extent(0); ++m)
        for (dim_t n = 0; n < y.extent(1); ++n) {
            float sum = bias(n);
            for (dim_t k = 0; k < x.extent(1); ++k) sum += x(m, k) * w(k, n);
            y(m, n) = activation(sum);
        }
}

template <class X, class W, class B, class Y, class Activation>
void multiply_along_rows(X x, W w, B bias, Y y, Activation activation) {
    for (dim_t m = 0; m < y.extent(0); ++m) {
        for (dim_t n = 0; n < y.extent(1); ++n) y(m, n) = bias(n);
        for (dim_t k = 0; k < x.extent(1); ++k) {
            const float factor = x(m, k);
            for (dim_t n = 0; n < y.extent(1); ++n) y(m, n) += factor * w(k, n);
        }
        for (dim_t n = 0; n < y.extent(1); ++n) y(m, n) = activation(y(m, n));
    }
}

}  // namespace naive
