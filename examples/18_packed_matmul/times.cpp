// Measures the product on rows as they come and on panels, alternating; the best time counts. Also the repack.

#include "kernels.hpp"
#include "model.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

using namespace packed_matmul;

namespace {

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point begin) { return std::chrono::duration<double>(clock_type::now() - begin).count(); }

void print_times(dim_t n, dim_t k) {
    const model m(n, k);
    const q4_rows rows(plait::dims{n, k});
    const q4_8x8 packed(plait::dims{n, k});
    const std::vector<std::byte> file = m.rows();
    std::vector<std::byte> bytes(packed.size_in_bytes());
    const plait::planned_repack repack = plait::make_repack(rows, packed).value();
    const activations x(m.x);
    std::vector<float> y(static_cast<std::size_t>(n));

    double packing = 1e9;
    std::map<std::string, std::pair<double, double>> times;  // by kernel: on rows, on panels; 0: not yet
    const auto begin = clock_type::now();
    for (int round = 0; round < 20 || since(begin) < 2; ++round) {
        auto start = clock_type::now();
        repack(file, bytes);
        packing = std::min(packing, since(start));
        const auto measure = [&](auto w, double std::pair<double, double>::*which) {
            start = clock_type::now();
            for_each_kernel(w, x, y, [&](const char* name) {
                const double seconds = since(start);
                double& best = times[name].*which;
                best = best == 0 ? seconds : std::min(best, seconds);
                start = clock_type::now();
            });
        };
        measure(weights<q4_rows>(file, rows), &std::pair<double, double>::first);
        measure(weights<q4_8x8>(bytes, packed), &std::pair<double, double>::second);
    }
    std::printf("%d x %d, %.1f MB, packed in %.0f us\n", static_cast<int>(n), static_cast<int>(k),
                1e-6 * static_cast<double>(bytes.size()), 1e6 * packing);
    for (const auto& [name, best] : times)
        std::printf("    %-10s rows %8.0f us, panels of 8x8 %8.0f us: %.2f times as fast\n", name.c_str(),
                    1e6 * best.first, 1e6 * best.second, best.first / best.second);
}

}  // namespace

int main() {
    print_times(512, 1024);
    print_times(4096, 4096);
    print_times(14336, 4096);
}
