// The drawn suite: rows that draw.py drew by a seed, each compared with the reference and then timed as the suite does.
// What is printed here is the progress; the distribution is printed from the results by distribution.py.

#include "../results.hpp"
#include "libdnnl.hpp"
#include "read_rows.hpp"
#include "report.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <regex>

namespace {

/// Says what is wrong with a row; whether anything is.
bool is_wrong(const bench::result& r) {
    for (const std::string& problem : r.problems)
        std::fprintf(stderr, "%s: %s\n", r.what->name.c_str(), problem.c_str());
    return !r.problems.empty();
}

bench::result run(const bench::row& row, int repetitions) {
    bench::race race(row, bench::drawn_rules);
    for (int i = 0; i < repetitions; ++i) race.round();
    return race.best();
}

}  // namespace

int main(int argc, char** argv) {
    std::string file, filter = bench::every_row, json;
    int repetitions = 15;
    bool quiet = false;
    CLI::App app{"Drawn reorders: plait beside libdnnl and memcpy"};
    app.add_option("rows", file, "what draw.py wrote: drawn.csv, as this program was compiled for it")->required();
    app.add_option("--filter", filter, "rows to run: a regular expression that their names contain");
    app.add_option("--repetitions", repetitions, "rounds of all contestants; the best counts");
    app.add_option("--json", json, "file to write the results to");
    app.add_flag("--quiet", quiet, "no line for each row");
    CLI11_PARSE(app, argc, argv);

    if (!plait::cpu_has(bench::drawn_least)) {
        std::fprintf(stderr, "the drawn rows' kernels need %s\n", plait::to_string(bench::drawn_least));
        return 2;
    }
    bench::use_one_thread();
    bench::forget_primitives();
    bench::drawn_rows drawn = bench::read_rows(file);
    bench::add_static_kernels(drawn.rows, bench::static_rows());
    std::printf("%zu rows, seed %s\n", drawn.rows.size(), drawn.seed.c_str());
    if (!quiet) bench::print_header();

    const std::regex wanted(filter);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<bench::result> results;
    int wrong = 0;
    for (const bench::row& row : drawn.rows) {
        if (!std::regex_search(row.name, wanted)) continue;
        bench::result done = run(row, repetitions);
        if (is_wrong(done)) ++wrong;
        else if (!quiet) bench::print_row(done);
        results.push_back(std::move(done));
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%zu rows, seed %s: %d with other bytes than the reference or refused; %.0f s\n", results.size(),
                drawn.seed.c_str(), wrong, seconds.count());
    const bool kept = json.empty() || bench::write_drawn_json(results, drawn.seed, json, filter);
    return kept && wrong == 0 ? 0 : 1;
}
