#pragma once
// Checks every kernel of a case, with each activation, against the formula; its padding must be zero.

#include "kernels_of.hpp"

#include <plait/contents/zero_pad.hpp>
#include <plait/view/for_each_position.hpp>

#include <cstdio>
#include <limits>

/// Returns the value of the formula, with checked access to plain tensors.
template <convolution_sizes S>
float expected(const convolution_case<S>& c, const plait::position& at) {
    float sum = c.bias.view().at(at[1]);
    for (dim_t i = 0; i < S.i; ++i)
        for (dim_t r = 0; r < S.r; ++r)
            for (dim_t s = 0; s < S.s; ++s)
                sum +=
                    c.x.view().at(at[0], i, at[2] * S.stride + r, at[3] * S.stride + s) * c.w.view().at(at[1], i, r, s);
    return sum;
}
template <product_sizes S>
float expected(const product_case<S>& c, const plait::position& at) {
    float sum = c.bias.view().at(at[1]);
    for (dim_t k = 0; k < S.k; ++k) sum += c.x.view().at(at[0], k) * c.w.view().at(k, at[1]);
    return sum;
}

/// An activation that is one at zero, a value that the padding must not get.
struct plus_one {
    constexpr float operator()(float x) const { return x + 1; }
};

/// Returns the number of kernels of the case with wrong results; prints each.
template <class Case, class Expected, class Activation>
int wrong_kernels(const char* name, Case& c, const Expected& sums, Activation activation) {
    int wrong = 0;
    const auto check = [&](const std::string& kernel, const char* written, auto& y, const auto& run) {
        for (float& place : places_of(y)) place = 7.5f;  // old contents, in the padding too
        run();
        dim_t differ = 0;
        plait::for_each_position(y.view(), [&](const plait::position& at, float result) {
            differ += result != activation(sums.view().at(at));
        });
        const bool padding = plait::is_padding_zero(y.view());
        if (differ == 0 && padding) return;
        ++wrong;
        std::printf("%s: %s %s: %lld results differ, padding is %szero\n", name, kernel.c_str(), written,
                    static_cast<long long>(differ), padding ? "" : "not ");
    };
    visit_kernels(c, activation, [&](const std::string& kernel, auto& y, const auto& on_views, const auto& by_hand) {
        check(kernel, "on views", y, on_views);
        check(kernel, "by hand", y, by_hand);
    });
    return wrong;
}

/// Creates a case and checks it.
template <class Case, class Activation = kernels::relu>
int wrong_kernels(const char* name, Activation activation = {}) {
    Case c;
    tensor<decltype(c.y.view().layout())> sums;
    plait::for_each_position(sums.view(), [&](const plait::position& at, float& y) { y = expected(c, at); });
    int wrong = wrong_kernels(name, c, sums, activation);

    // Infinity times the zeros in the padding of the weights is NaN, which must not reach y's padding.
    c.blocked_x.data()[0] = std::numeric_limits<float>::infinity();
    visit_kernels(c, activation, [&](const std::string& kernel, auto& y, const auto& on_views, const auto&) {
        on_views();
        if (plait::is_padding_zero(y.view())) return;
        ++wrong;
        std::printf("%s: %s: infinity reaches the padding\n", name, kernel.c_str());
    });
    return wrong;
}
