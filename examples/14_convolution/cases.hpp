#pragma once
// The tensors of one convolution or one matrix product: plain ones with numbers, and copies in blocks, which plait
// packs once.

#include "accepted.hpp"

#include <plait/contents/reorder_views.hpp>
#include <plait/view/tensor.hpp>

using plait::dim_t;

template <class L>
using tensor = plait::tensor<float, L>;

/// All places of a tensor, including the padding.
template <class L>
std::span<float> places_of(tensor<L>& t) {
    return {t.data(), t.bytes().size() / sizeof(float)};
}

/// Fills a tensor with numbers so small that every sum is exact in any order: results are either equal or wrong.
template <class L>
void fill_with_numbers(tensor<L>& t, dim_t seed) {
    dim_t number = seed;
    for (float& place : places_of(t)) place = static_cast<float>((number = (number * 73 + 41) % 1009) % 7 - 3);
}

template <class Plain, class Packed>
void pack(const tensor<Plain>& from, tensor<Packed>& to) {
    plait::reorder(from.view(), to.view());
}

/// The sizes of y[n, o, height(), width()], computed from x[n, i, h, w] and filters of r times s.
struct convolution_sizes {
    dim_t n, i, h, w, o, r, s, stride = 1;
    constexpr dim_t height() const { return (h - r) / stride + 1; }
    constexpr dim_t width() const { return (w - s) / stride + 1; }
    constexpr double products() const { return static_cast<double>(n * o * height() * width() * i * r * s); }
};

template <convolution_sizes S>
struct convolution_case {
    static constexpr convolution_sizes sizes = S;
    tensor<plait::nchw<S.n, S.i, S.h, S.w>> x;
    tensor<plait::oihw<S.o, S.i, S.r, S.s>> w;
    tensor<plait::formats::a<S.o>> bias;
    tensor<plait::nchw<S.n, S.o, S.height(), S.width()>> y;

    tensor<plait::nChw16c<S.n, S.i, S.h, S.w>> blocked_x;
    tensor<plait::OIhw16i16o<S.o, S.i, S.r, S.s>> blocked_w;
    tensor<plait::format<"A16a", S.o>> blocked_bias;
    using blocked_result = plait::nChw16c<S.n, S.o, S.height(), S.width()>;
    tensor<blocked_result> blocked_y;

    convolution_case() {
        fill_with_numbers(x, 1);
        fill_with_numbers(w, 2);
        fill_with_numbers(bias, 3);
        pack(x, blocked_x);
        pack(w, blocked_w);
        pack(bias, blocked_bias);
    }
};

/// The sizes of y[m, n], computed from x[m, k] and w[k, n].
struct product_sizes {
    dim_t m, k, n;
    constexpr double products() const { return static_cast<double>(m * k * n); }
};

template <product_sizes S>
struct product_case {
    static constexpr product_sizes sizes = S;
    tensor<plait::formats::ab<S.m, S.k>> x;
    tensor<plait::formats::ab<S.k, S.n>> w;
    tensor<plait::formats::a<S.n>> bias;
    tensor<plait::formats::ab<S.m, S.n>> y;

    tensor<plait::format<"aB16b", S.m, S.k>> blocked_x;
    tensor<plait::BA16a16b<S.k, S.n>> blocked_w;
    tensor<plait::format<"A16a", S.n>> blocked_bias;
    using blocked_result = plait::format<"aB16b", S.m, S.n>;
    tensor<blocked_result> blocked_y;

    product_case() {
        fill_with_numbers(x, 4);
        fill_with_numbers(w, 5);
        fill_with_numbers(bias, 6);
        pack(x, blocked_x);
        pack(w, blocked_w);
        pack(bias, blocked_bias);
    }
};
