#pragma once
// How long a call takes.

#include <algorithm>
#include <chrono>

namespace bench {

/// Returns the least of some times, in seconds.
template <class Run>
double least_seconds(Run run, int times) {
    double least = 1e9;
    for (int i = 0; i < times; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

}  // namespace bench
