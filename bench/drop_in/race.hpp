#pragma once
// Two functions timed in turn, so that both have the same neighbours, clock and caches.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace drop_in_bench {

template <class F>
double seconds_of(int calls, const F& f) {
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
}

/// Times both functions in turn, and sets the least time of a call of each.
template <class F, class G>
void race(const F& first, const G& second, double& first_time, double& second_time) {
    constexpr double round = 4e-4;
    for (int call = 0; call < 24; ++call) first(), second();  // plans, trials, pages
    const double once = seconds_of(1, first);
    const int calls = std::max(1, static_cast<int>(round / std::max(once, 1e-8)));
    first_time = second_time = 1e9;
    for (int k = 0; k < 25; ++k) {
        first_time = std::min(first_time, seconds_of(calls, first));
        second_time = std::min(second_time, seconds_of(calls, second));
    }
}

/// Geometric mean, least, and how many are below a bound.
struct ratios {
    std::vector<std::pair<double, std::string>> all;

    void add(double ratio, const std::string& name) { all.emplace_back(ratio, name); }
    void print(const char* title) {
        if (all.empty()) return;
        double sum = 0;
        for (const auto& [ratio, name] : all) sum += std::log(ratio);
        std::sort(all.begin(), all.end());
        const auto below = std::count_if(all.begin(), all.end(), [](const auto& row) { return row.first < 0.95; });
        std::printf("%-22s %4zu rows, mean %.2f, least %.2f, below 0.95: %td\n", title, all.size(),
                    std::exp(sum / static_cast<double>(all.size())), all[0].first, below);
        for (std::size_t k = 0; k < std::min<std::size_t>(all.size(), 5); ++k)
            std::printf("    %.2f  %s\n", all[k].first, all[k].second.c_str());
    }
};

}  // namespace drop_in_bench
