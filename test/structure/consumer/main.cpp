// Kernels of several kinds in a user's build without special flags: vectors, tails, padding, bytes, run-time layouts.
#include <plait/plait.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

template <plait::layout Src, plait::layout Dst, class T>
bool moves() {
    std::vector<T> in(Src.element_span()), out(Dst.element_span()), expected(Dst.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i % 100 + 1);
    plait::reorder<Src, Dst>(in.data(), out.data());
    plait::reference_reorder(Src, in.data(), Dst, expected.data());
    std::vector<T> planned(Dst.element_span());
    plait::reorder(Src, in.data(), Dst, planned.data());
    return out == expected && planned == expected;
}

constexpr plait::layout nchw({1, 19, 7, 9}, "nchw");
constexpr plait::layout nhwc({1, 19, 7, 9}, "nhwc");
constexpr plait::layout blocked({1, 19, 7, 9}, "nChw16c");
constexpr plait::layout rows({40, 36}, "ab");
constexpr plait::layout columns({40, 36}, "ba");
constexpr plait::layout oihw({24, 20, 3, 3}, "oihw");
constexpr plait::layout quads({24, 20, 3, 3}, "OIhw4i16o4i");
constexpr plait::layout large({4, 64, 128, 128}, "nchw");
constexpr plait::layout large_blocked({4, 64, 128, 128}, "nChw16c");

int main() {
    const bool all = moves<nchw, blocked, float>() && moves<blocked, nchw, float>() && moves<nchw, nhwc, double>() &&
                     moves<nhwc, nchw, std::int8_t>() && moves<rows, columns, float>() &&
                     moves<oihw, quads, std::uint8_t>() && moves<large, large_blocked, float>();
    std::puts(all ? "moved" : "differs from the reference");
    return all ? 0 : 1;
}
