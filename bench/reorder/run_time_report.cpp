#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace bench {
namespace {

constexpr std::size_t small_bytes = 32 << 10;  // of the larger side: below it a call counts, above it the move

/// The demands on run-time reorders, each on every row that can measure it.
struct demand {
    const char *what, *unit;
    double limit;
    bool is_ratio;  ///< at least the limit; else nanoseconds, at most that
    std::optional<double> (*measure)(const result&);

    bool is_met(double x) const { return is_ratio ? x >= limit : x <= limit; }
};

std::optional<double> ratio_of(const result& r, contestant who, contestant other) {
    if (!r.has(who) || !r.has(other)) return std::nullopt;
    return r.ratio(who, other);
}

constexpr demand demands[] = {
    {"planned, of the static kernel, tensors above 32 KB", "times", 0.9, true,
     [](const result& r) {
         return r.what->tensor_bytes() > small_bytes ? ratio_of(r, run_time, kernel) : std::nullopt;
     }},
    {"planned, more than the static kernel, up to 32 KB", "ns", 100, false,
     [](const result& r) -> std::optional<double> {
         if (r.what->tensor_bytes() > small_bytes) return std::nullopt;
         return (r.seconds[run_time] - r.seconds[kernel]) * 1e9;
     }},
    {"planned, of libdnnl with its primitive created", "times", 1, true,
     [](const result& r) { return ratio_of(r, run_time, libdnnl); }},
    {"planned and run once, of libdnnl creating, running once", "times", 20, true,
     [](const result& r) { return ratio_of(r, run_once, libdnnl_once); }},
    {"planning", "ns", 2000, false, [](const result& r) -> std::optional<double> { return r.seconds[planning] * 1e9; }},
};

struct measured {
    double value = 0;
    const result* row = nullptr;
};

/// The rows that a demand can be measured on, the worst first.
std::vector<measured> measure(const demand& line, const std::vector<result>& results) {
    std::vector<measured> out;
    for (const result& r : results)
        if (const auto x = line.measure(r)) out.push_back({*x, &r});
    std::sort(out.begin(), out.end(), [&](const measured& a, const measured& b) {
        return line.is_ratio ? a.value < b.value : a.value > b.value;
    });
    return out;
}

/// Of ratios the geometric mean, of nanoseconds the arithmetic one.
double mean_of(const demand& line, const std::vector<measured>& rows) {
    double sum = 0;
    for (const measured& m : rows) sum += line.is_ratio ? std::log(m.value) : m.value;
    sum /= static_cast<double>(rows.size());
    return line.is_ratio ? std::exp(sum) : sum;
}

}  // namespace

void print_run_time(const std::vector<result>& results) {
    std::printf("\nrun time: what it must reach, on every row\n");
    for (const demand& line : demands) {
        const std::vector<measured> rows = measure(line, results);
        if (rows.empty()) continue;
        const int digits = line.is_ratio ? 2 : 0;
        const measured& worst = rows.front();
        std::printf("%-5s %-56s at %s %.*f %s, mean %.*f, worst %.*f  %s\n",
                    line.is_met(worst.value) ? "pass" : "SHORT", line.what, line.is_ratio ? "least" : "most", digits,
                    line.limit, line.unit, digits, mean_of(line, rows), digits, worst.value,
                    worst.row->what->name.c_str());
    }
    for (const demand& line : demands) {
        const std::vector<measured> rows = measure(line, results);
        const auto met = [&](const measured& m) { return line.is_met(m.value); };
        const auto end = std::find_if(rows.begin(), rows.end(), met);
        if (end == rows.begin()) continue;
        std::printf("\n%s: %d of %d rows fall short\n", line.what, static_cast<int>(end - rows.begin()),
                    static_cast<int>(rows.size()));
        for (auto m = rows.begin(); m != end; ++m)
            std::printf("  %8.*f %s  %s\n", line.is_ratio ? 2 : 0, m->value, line.unit, m->row->what->name.c_str());
    }
}

}  // namespace bench
