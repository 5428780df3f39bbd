#pragma once
// Every kernel for the tensors of a case, by name, on views and by hand; used by the checks and by the timing.

#include "by_hand_matmul.hpp"
#include "convolution.hpp"
#include "matmul.hpp"
#include "naive.hpp"

#include <string>

/// Calls a kernel without inlining it, as in a library: inlined into the measuring loop it would be different code.
template <class Kernel, class... Arguments>
[[gnu::noinline]] void as_function(Kernel kernel, Arguments... arguments) {
    kernel(arguments...);
}

/// Calls visit(name, true if its tensors are in blocks, kernel on views, kernel by hand) for each kernel.
template <convolution_sizes S, class Visit>
void visit_pairs(const convolution_case<S>&, Visit visit) {
    visit(
        "plain, element by element", std::false_type(), [](auto... all) { naive::convolve<S.stride>(all...); },
        [](auto... all) { by_hand::convolve<S>(all...); });
    visit(
        "plain, along rows", std::false_type(), [](auto... all) { naive::convolve_along_rows<S.stride>(all...); },
        [](auto... all) { by_hand::convolve_along_rows<S>(all...); });
    visit(
        "blocks", std::true_type(), [](auto... all) { kernels::convolve<S.stride>(all...); },
        [](auto... all) { by_hand::convolve_blocks<S>(all...); });
    kernels::with_all_products([&](auto products) {
        using with = decltype(products);
        visit(
            std::string("blocks, tiles, ") + with::name, std::true_type(),
            [](auto... all) { kernels::convolve_tiles<with, S.stride>(all...); },
            [](auto... all) { by_hand::convolve_tiles<with, S>(all...); });
    });
}
template <product_sizes S, class Visit>
void visit_pairs(const product_case<S>&, Visit visit) {
    visit(
        "plain, element by element", std::false_type(), [](auto... all) { naive::multiply(all...); },
        [](auto... all) { by_hand::multiply<S>(all...); });
    visit(
        "plain, along rows", std::false_type(), [](auto... all) { naive::multiply_along_rows(all...); },
        [](auto... all) { by_hand::multiply_along_rows<S>(all...); });
    visit(
        "blocks", std::true_type(), [](auto... all) { kernels::multiply(all...); },
        [](auto... all) { by_hand::multiply_blocks<S>(all...); });
    kernels::with_all_products([&](auto products) {
        using with = decltype(products);
        visit(
            std::string("blocks, tiles, ") + with::name, std::true_type(),
            [](auto... all) { kernels::multiply_tiles<with>(all...); },
            [](auto... all) { by_hand::multiply_tiles<with, S>(all...); });
    });
}

/// Calls visit(name, the tensor of results, run on views, run by hand); the last two take no arguments.
template <class Case, class Activation, class Visit>
void visit_kernels(Case& c, Activation activation, Visit visit) {
    visit_pairs(c, [&](const std::string& name, auto in_blocks, auto on_views, auto by_hand) {
        const auto with = [&](const auto& x, const auto& w, const auto& bias, auto& y) {
            visit(
                name, y, [&] { as_function(on_views, x.view(), w.view(), bias.view(), y.view(), activation); },
                [&] { as_function(by_hand, x.data(), w.data(), bias.data(), y.data(), activation); });
        };
        if constexpr (in_blocks) with(c.blocked_x, c.blocked_w, c.blocked_bias, c.blocked_y);
        else with(c.x, c.w, c.bias, c.y);
    });
}
