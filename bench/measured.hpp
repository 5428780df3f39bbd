#pragma once
// How long a call takes, and the file that a suite writes. bench/merge.py completes it with the CPU, the commit and the
// date, and keeps it in docs/bench.

#include <plait/contract/isa.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

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

/// Matches every row: the filter of a suite that measures all of its rows.
inline constexpr const char* every_row = ".";

/// Opens the file of results, and writes what the program knows of the run.
/// Pre:     `more` is empty, or further fields of the run, each preceded by a comma
/// Returns: null, with the reason printed, if the file cannot be written
inline std::FILE* begin_results(const std::string& file, const std::string& filter, const std::string& more = "") {
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr) return std::perror(file.c_str()), nullptr;
    const char* widest = "";
    for (const plait::isa which : plait::every_isa)
        if (plait::cpu_has(which)) widest = plait::to_string(which);
    std::fprintf(out, "{\n  \"run\": {\"isa\": \"%s\", \"compiler\": \"%s\", \"flags\": \"%s\"%s},\n", widest,
                 BENCH_COMPILER, BENCH_FLAGS, more.c_str());
    std::fprintf(out, "  \"is_part\": %s,\n", filter == every_row ? "false" : "true");
    return out;
}

}  // namespace bench
