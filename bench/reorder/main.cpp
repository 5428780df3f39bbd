// The reorder suite. Each row is one benchmark of Google Benchmark and each of its iterations is one round of all
// contestants. Its own interleaving would not do: it shuffles the repetitions of all benchmarks among each other, so
// that what is compared would not run side by side, and the buffers of all rows would live at once.

#include "../results.hpp"
#include "libdnnl.hpp"
#include "report.hpp"

#include <benchmark/benchmark.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

/// Rows print themselves, one line each.
class quiet : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

int main(int argc, char** argv) {
    std::string filter = bench::every_row, json;
    int repetitions = 25;
    CLI::App app{"The reorder kernels beside libdnnl, memcpy, a non-temporal copy and the plain loop"};
    app.add_option("--filter", filter, "rows to run: a regular expression that their names contain");
    app.add_option("--repetitions", repetitions, "rounds of all contestants; the best counts");
    app.add_option("--json", json, "file to write the results to");
    CLI11_PARSE(app, argc, argv);

    bench::use_one_thread();
    bench::forget_primitives();
    const std::vector<bench::row> rows = bench::all_rows();
    std::vector<bench::result> results;
    for (const bench::row& row : rows)
        benchmark::RegisterBenchmark(row.name.c_str(), [&](benchmark::State& state) {
            bench::race race(row, bench::suite_rules);
            for (auto _ : state) race.round();
            results.push_back(race.best());
            for (const std::string& problem : results.back().problems) {
                std::fprintf(stderr, "\n%s: %s\n", row.name.c_str(), problem.c_str());
                std::exit(1);
            }
            bench::print_row(results.back());
        })->Iterations(repetitions);

    int none = 1;
    benchmark::Initialize(&none, argv);
    bench::print_header();
    quiet reporter;
    if (benchmark::RunSpecifiedBenchmarks(&reporter, filter) == 0) return 2;
    bench::print_summary(results);
    return json.empty() || bench::write_json(results, json, filter) ? 0 : 1;
}
