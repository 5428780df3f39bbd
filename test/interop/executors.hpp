#pragma once
// The requirements of each executor.

#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/parallel_reorder.hpp>

#include <atomic>
#include <cstdio>
#include <vector>

namespace interop {

inline constexpr plait::layout src({2, 100, 57, 57}, "nchw");
inline constexpr plait::layout dst({2, 100, 57, 57}, "nChw16c");

/// Checks that each chunk runs once, that all are done when run() returns, and that reorders give the result of a
/// single thread. Returns the exit code.
template <plait::executor E>
int check(const E& threads) {
    for (const int chunks : {1, 2, 3, 17}) {
        std::vector<std::atomic<int>> runs(static_cast<std::size_t>(chunks));
        threads.run(chunks, [&](int chunk) noexcept { ++runs[static_cast<std::size_t>(chunk)]; });
        for (const std::atomic<int>& times : runs)
            if (times != 1) return std::puts("a chunk did not run once"), 1;
    }
    if (threads.concurrency() < 1) return std::puts("no threads"), 2;

    std::vector<float> in(src.element_span()), wanted(dst.element_span()), out(wanted.size(), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    plait::reorder<src, dst>(in.data(), wanted.data());
    plait::reorder<src, dst>(threads, in.data(), out.data());
    if (out != wanted) return std::puts("the static reorder differs"), 3;
    out.assign(out.size(), -1.0f);
    plait::reorder(threads, src, in.data(), dst, out.data());
    if (out != wanted) return std::puts("the run-time reorder differs"), 4;
    return 0;
}

}  // namespace interop
