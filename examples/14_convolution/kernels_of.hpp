#pragma once
// Every kernel for the tensors of a case, by name, on views and by hand: what is checked, and what is timed.

#include "by_hand_matmul.hpp"
#include "convolution.hpp"
#include "matmul.hpp"
#include "naive.hpp"

#include <string>

using kernels::activation;

/// Calls visit(name, where the results lie, on views, by hand); the last two are called with an activation.
template <convolution_sizes S, class Visit>
void visit_kernels(convolution_case<S>& c, Visit visit) {
    const auto x = std::as_const(c.x).view();
    const auto w = std::as_const(c.w).view();
    const auto bias = std::as_const(c.bias).view();
    const auto plain = [&](auto kernel) {
        return [&c, kernel](activation what) { kernel(c.x.data(), c.w.data(), c.bias.data(), c.y.data(), what); };
    };
    visit(
        "plain, element by element", c.y,
        [=, y = c.y.view()](activation what) { naive::convolve<S.stride>(x, w, bias, y, what); },
        plain(&by_hand::convolve<S>));
    visit(
        "plain, along rows", c.y,
        [=, y = c.y.view()](activation what) { naive::convolve_along_rows<S.stride>(x, w, bias, y, what); },
        plain(&by_hand::convolve_along_rows<S>));

    const auto blocked = [&](auto kernel) {
        return [&c, kernel](activation what) {
            kernel(c.blocked_x.data(), c.blocked_w.data(), c.blocked_bias.data(), c.blocked_y.data(), what);
        };
    };
    const auto bx = std::as_const(c.blocked_x).view();
    const auto bw = std::as_const(c.blocked_w).view();
    const auto bb = std::as_const(c.blocked_bias).view();
    const auto by = c.blocked_y.view();
    visit(
        "blocks", c.blocked_y, [=](activation what) { kernels::convolve<S.stride>(bx, bw, bb, by, what); },
        blocked(&by_hand::convolve_blocks<S>));
    kernels::with_all_products([&](auto products) {
        using with = decltype(products);
        visit(
            std::string("blocks, tiles, ") + with::name, c.blocked_y,
            [=](activation what) { kernels::convolve_tiles<with, S.stride>(bx, bw, bb, by, what); },
            blocked(&by_hand::convolve_tiles<with, S>));
    });
}

template <product_sizes S, class Visit>
void visit_kernels(product_case<S>& c, Visit visit) {
    const auto x = std::as_const(c.x).view();
    const auto w = std::as_const(c.w).view();
    const auto bias = std::as_const(c.bias).view();
    const auto plain = [&](auto kernel) {
        return [&c, kernel](activation what) { kernel(c.x.data(), c.w.data(), c.bias.data(), c.y.data(), what); };
    };
    visit(
        "plain, element by element", c.y,
        [=, y = c.y.view()](activation what) { naive::multiply(x, w, bias, y, what); }, plain(&by_hand::multiply<S>));
    visit(
        "plain, along rows", c.y,
        [=, y = c.y.view()](activation what) { naive::multiply_along_rows(x, w, bias, y, what); },
        plain(&by_hand::multiply_along_rows<S>));

    const auto blocked = [&](auto kernel) {
        return [&c, kernel](activation what) {
            kernel(c.blocked_x.data(), c.blocked_w.data(), c.blocked_bias.data(), c.blocked_y.data(), what);
        };
    };
    const auto bx = std::as_const(c.blocked_x).view();
    const auto bw = std::as_const(c.blocked_w).view();
    const auto bb = std::as_const(c.blocked_bias).view();
    const auto by = c.blocked_y.view();
    visit(
        "blocks", c.blocked_y, [=](activation what) { kernels::multiply(bx, bw, bb, by, what); },
        blocked(&by_hand::multiply_blocks<S>));
    kernels::with_all_products([&](auto products) {
        using with = decltype(products);
        visit(
            std::string("blocks, tiles, ") + with::name, c.blocked_y,
            [=](activation what) { kernels::multiply_tiles<with>(bx, bw, bb, by, what); },
            blocked(&by_hand::multiply_tiles<with, S>));
    });
}
