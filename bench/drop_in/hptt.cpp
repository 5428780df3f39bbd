// plait_hptt on the 57 tensors of HPTT's benchmark, beside memcpy of as many bytes: HPTT itself is not packaged.
//
// usage: plait_bench_hptt hptt_57.csv [THREADS]. The columns are GB/s, read and written: of a plan that is executed
// again, with alpha 1, with alpha 2, with beta 1, and of memcpy.

#include "race.hpp"

#include <hptt.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

namespace {

std::vector<int> numbers_of(const std::string& text) {
    std::istringstream words(text);
    std::vector<int> out;
    for (int number = 0; words >> number;) out.push_back(number);
    return out;
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return 2;
    const int threads = count > 2 ? std::atoi(words[2]) : 1;
    std::ifstream file(words[1]);
    double logs[4] = {};
    int rows = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'i') continue;
        std::istringstream fields(line);
        std::string id, ndims, perm, sizes;
        std::getline(fields, id, ',');
        std::getline(fields, ndims, ',');
        std::getline(fields, perm, ',');
        std::getline(fields, sizes, ',');
        const std::vector<int> permutation = numbers_of(perm), extents = numbers_of(sizes);
        const auto elements =
            std::accumulate(extents.begin(), extents.end(), std::size_t{1},
                            [](std::size_t n, int extent) { return n * static_cast<std::size_t>(extent); });
        std::vector<float> a(elements, 1.0f), b(elements, 0.0f);
        const auto time = [&](float alpha, float beta) {
            const auto plan =
                hptt::create_plan(permutation.data(), static_cast<int>(extents.size()), alpha, a.data(), extents.data(),
                                  nullptr, beta, b.data(), nullptr, hptt::ESTIMATE, threads);
            double best = 1e9;
            for (int call = 0; call < (alpha == 1 && beta == 0 ? 30 : 5); ++call)
                best = std::min(best, drop_in_bench::seconds_of(1, [&] { plan->execute(); }));
            return best;
        };
        double seconds[4] = {time(1, 0), time(2, 0), time(1, 1), 1e9};
        for (int call = 0; call < 5; ++call)
            seconds[3] = std::min(seconds[3],
                                  drop_in_bench::seconds_of(1, [&] { std::memcpy(b.data(), a.data(), elements * 4); }));
        std::printf("%-3s %-14s %-24s", id.c_str(), perm.c_str(), sizes.c_str());
        for (int k = 0; k < 4; ++k) {
            const double rate = 8e-9 * static_cast<double>(elements) / seconds[k];
            std::printf(" %6.2f", rate);
            logs[k] += std::log(rate);
        }
        std::puts("");
        ++rows;
    }
    std::printf("%d rows, geometric means: alpha 1 %.2f, alpha 2 %.2f, beta 1 %.2f, memcpy %.2f GB/s\n", rows,
                std::exp(logs[0] / rows), std::exp(logs[1] / rows), std::exp(logs[2] / rows), std::exp(logs[3] / rows));
    return rows == 57 ? 0 : 1;
}
