// What indexing costs beside the same loop with arithmetic written by hand. Each row is one benchmark of Google
// Benchmark, and each of its iterations one round: both, in turn, on the same memory. The best of each counts, and
// their ratio is what is told.

#include "../results.hpp"
#include "suite.hpp"

#include <benchmark/benchmark.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using bench::row;

/// Rows print themselves.
class quiet : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

double seconds(const std::function<double()>& work, int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) benchmark::DoNotOptimize(work());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

struct best_times {
    double view = 1e9, hand = 1e9;
};

struct result {
    const row* what;
    best_times best;
};

bool write_json(const std::vector<result>& results, const std::string& file, const std::string& filter) {
    bench::results_file out(file, filter);
    for (const auto& [what, best] : results)
        out.add_row({{"name", what->name},
                     {"limit", what->limit},
                     {"elements", what->elements},
                     {"seconds", {{"view", bench::four_digits(best.view)}, {"hand", bench::four_digits(best.hand)}}}});
    return out.write();
}

/// The sums are the same, or something is wrong; in another order they round in another way.
void must_agree(const row& r) {
    const double view = r.view(), hand = r.hand();
    if (std::abs(view - hand) <= 1e-4 * std::abs(hand)) return;
    std::fprintf(stderr, "%s: %g through the view, %g by hand\n", r.name.c_str(), view, hand);
    std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    std::string filter = bench::every_row, json;
    int repetitions = 100;
    CLI::App app{"Views beside arithmetic written by hand"};
    app.add_option("--filter", filter, "rows to run: a regular expression that their names contain");
    app.add_option("--repetitions", repetitions, "rounds of both; the best counts");
    app.add_option("--json", json, "file to write the results to");
    CLI11_PARSE(app, argc, argv);

#ifdef __OPTIMIZE__
    const bool optimized = true;
#else
    const bool optimized = false;
#endif
    std::vector<row> rows;
    for (const auto& some :
         {bench::static_rows(), bench::convolution_rows(), bench::bound_rows(), bench::run_time_rows()})
        rows.insert(rows.end(), some.begin(), some.end());
    std::vector<result> results;
    int above = 0, count = 0;
    for (const row& r : rows)
        benchmark::RegisterBenchmark(r.name.c_str(), [&](benchmark::State& state) {
            must_agree(r);
            const int calls = static_cast<int>(2e-4 / seconds(r.hand, 1)) + 1;
            best_times best;
            for (auto _ : state) {
                best.view = std::min(best.view, seconds(r.view, calls));
                best.hand = std::min(best.hand, seconds(r.hand, calls));
            }
            results.push_back({&r, best});
            const double ratio = best.view / best.hand,
                         limit = optimized ? r.limit : std::max(r.limit, bench::limit_unoptimized);
            above += ratio > limit;
            ++count;
            std::printf("%-40s %8.2f %8.2f %8.2f ", r.name.c_str(), best.view / r.elements * 1e9,
                        best.hand / r.elements * 1e9, ratio);
            if (r.limit < bench::limit_none) std::printf("%8.2f%s\n", limit, ratio > limit ? "  above" : "");
            else std::printf("%8s\n", "none");
            std::fflush(stdout);
        })->Iterations(repetitions);

    int none = 1;
    benchmark::Initialize(&none, argv);
    std::printf("%-40s %8s %8s %8s %8s\n", "ns an element", "view", "by hand", "ratio", "limit");
    quiet reporter;
    if (benchmark::RunSpecifiedBenchmarks(&reporter, filter) == 0) return 2;
    std::printf("%d of %d rows are above their limit\n", above, count);
    return json.empty() || write_json(results, json, filter) ? 0 : 1;
}
