// Shows plait in ten seconds: a format, the data moved into it and back, and the speed compared with memcpy, a plain
// loop and libdnnl.

#include "kernels.hpp"
#include "libdnnl.hpp"

#include <plait/contract/isa.hpp>
#include <plait/io/print_layout.hpp>
#include <plait/view/tensor.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <vector>

namespace {

std::string name_of_cpu() {
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "a CPU without a name";
}

/// Moves a tensor with a straightforward loop: `blocked` is the index that the loop increments.
void plain_loop(const demo::tensor& t, const float* in, float* out, bool to_blocks) {
    const plait::dims& d = t.plain.dims;
    const plait::dim_t pixels = d[2] * d[3], blocks = d[1] / 16;
    for (plait::dim_t n = 0; n < d[0]; ++n)
        for (plait::dim_t b = 0; b < blocks; ++b)
            for (plait::dim_t p = 0; p < pixels; ++p)
                for (plait::dim_t c = 0; c < 16; ++c) {
                    const plait::dim_t plain = (n * d[1] + b * 16 + c) * pixels + p;
                    const plait::dim_t blocked = ((n * blocks + b) * pixels + p) * 16 + c;
                    if (to_blocks) out[blocked] = in[plain];
                    else out[plain] = in[blocked];
                }
}

struct contender {
    std::string name;
    std::function<void()> run;
    double seconds = std::numeric_limits<double>::infinity();
};

/// Times all contenders in turn, ten rounds, so that a busy moment affects all alike; keeps the best times.
void race(std::vector<contender>& all, int calls) {
    for (int round = 0; round < 10; ++round)
        for (contender& one : all) {
            const auto start = std::chrono::steady_clock::now();
            for (int call = 0; call < calls; ++call) one.run();
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            one.seconds = std::min(one.seconds, time.count() / calls);
        }
}

/// Moves a tensor to the blocks and back with each contender, and prints the speed; false if the result is wrong.
bool show(const demo::tensor& t) {
    // Aligned to 64 bytes, so that large moves can use non-temporal stores.
    plait::tensor<float> in(t.plain), blocked(t.blocked), by_loop(t.blocked), back(t.plain), copy(t.plain);
    const std::size_t bytes = in.bytes().size();
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < t.plain.element_span(); ++i)
        in.data()[i] = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8);

    std::vector<contender> all;
    all.push_back({"memcpy", [&] { std::memcpy(copy.data(), in.data(), bytes); }});
    for (const bool to_blocks : {true, false}) {
        float *const from = to_blocks ? in.data() : by_loop.data(), *const to =
                                                                        to_blocks ? blocked.data() : back.data();
        const plait::layout &src = to_blocks ? t.plain : t.blocked, &dst = to_blocks ? t.blocked : t.plain;
        const std::string move = to_blocks ? "nchw to nChw16c, " : "nChw16c to nchw, ";
        float* const other = to_blocks ? by_loop.data() : copy.data();
        all.push_back({move + "plain loop", [=, &t] { plain_loop(t, from, other, to_blocks); }});
        if (auto run = demo::libdnnl_reorder(src, from, dst, other)) all.push_back({move + "libdnnl", std::move(run)});
        all.push_back({move + "plait", [=, &t] { (to_blocks ? t.to_blocks : t.to_plain)(from, to); }});
    }
    race(all, t.calls);

    std::printf("\n%-29s %6s %11s\n", t.size, "GB/s", "of memcpy");
    for (const contender& one : all)
        std::printf("%-29s %6.1f %11.2f\n", one.name.c_str(), 2 * static_cast<double>(bytes) / one.seconds * 1e-9,
                    all[0].seconds / one.seconds);
    plain_loop(t, in.data(), by_loop.data(), true);  // libdnnl was the last to write there
    return std::memcmp(blocked.data(), by_loop.data(), bytes) == 0 && std::memcmp(back.data(), in.data(), bytes) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc == 2 && std::strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        std::fprintf(stderr, "usage: %s [--quick]: without the tensor of 103 MB\n", argv[0]);
        return 2;
    }
    const char* isa = "";
    plait::with_widest_isa([&]<plait::isa Here>() { isa = plait::to_string(Here); });
    std::cout << name_of_cpu() << "; the kernels that run are those for its instruction set " << isa << "\n\n"
              << "A format says where each element lies. 6 channels in blocks of 4, those of a block side by side:\n\n"
              << plait::print_layout(plait::layout({1, 6, 2, 3}, "nChw4c"),
                                     plait::drawing_options::of("nChw4c 1x6x2x3"), {.colours = isatty(1) != 0})
              << "\nA pair of formats is a kernel. Here f32, one thread, bytes read and written, the best of ten:\n"
              << std::flush;
    if (!show(demo::in_cache) || (!quick && !show(demo::in_memory))) {
        std::puts("WRONG: the data did not come back as it was");
        return 1;
    }
    std::puts("\nAll of it came back byte for byte, and the plain loop wrote the same.");
    std::puts(
        "More than 1.00 is possible: a store makes the CPU read the line that it overwrites, unless it goes past\n"
        "the cache. Moves of 24 MB and more store past it; memcpy does so from a size of its own, or never.");
    std::puts(
        "\nNext: docs/tutorial.md, ten pages, each a program of examples. Your own needs no build:\n"
        "    g++ -std=c++20 -O2 -Iinclude examples/01_layouts.cpp -o layouts && ./layouts");
}
