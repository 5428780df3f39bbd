// Measures the kernels: every kernel on views and by hand, alternating on the same memory; the best time counts.

#include "kernels_of.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

template <class Run>
double seconds(const Run& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Case>
void print_times(const char* name) {
    std::printf("\n%-44s  GFLOP/s on views  by hand  time, views / hand\n", name);
    Case c;
    visit_kernels(c, kernels::relu(), [](const std::string& kernel, auto&, const auto& on_views, const auto& by_hand) {
        double views = 1e9, hand = 1e9, spent = 0;
        for (int round = 0; round < 40 || spent < 0.5; ++round) {
            const double v = seconds(on_views), h = seconds(by_hand);
            views = std::min(views, v);
            hand = std::min(hand, h);
            spent += v + h;
        }
        const double operations = 2e-9 * Case::sizes.products();
        std::printf("%-44s  %16.1f  %7.1f  %18.2f\n", kernel.c_str(), operations / views, operations / hand,
                    views / hand);
    });
}

}  // namespace

int main() {
    print_times<convolution_case<convolution_sizes{1, 64, 30, 30, 64, 3, 3}>>("convolution 3x3, 64x30x30 to 64x28x28");
    print_times<convolution_case<convolution_sizes{1, 35, 16, 16, 17, 3, 3}>>("convolution 3x3, 35x16x16 to 17x14x14");
    print_times<product_case<product_sizes{256, 256, 256}>>("product 256 x 256 x 256");
    print_times<product_case<product_sizes{100, 70, 50}>>("product 100 x 70 x 50");
}
