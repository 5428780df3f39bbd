#include "report.hpp"
#include "demands.hpp"

#include <cmath>
#include <cstdio>

namespace bench {
namespace {

using all = std::vector<result>;

/// How far a row is by the measure of a demand; 0 if it cannot be said.
double reached(const demand& line, const result& r, contestant who, const all& results) {
    if (r.what->demand != line.id || !r.has(who)) return 0;
    switch (line.kind) {
        case demand::of_memcpy: return r.ratio(who, memory_copy);
        case demand::of_30_ns: return 30e-9 / r.seconds[who];
        case demand::of_libdnnl: return r.has(libdnnl) ? r.ratio(who, libdnnl) : 0;
        case demand::of_like: break;
    }
    for (const result& other : results)
        if (other.what->name == r.what->like && other.has(who)) return r.gigabytes(who) / other.gigabytes(who);
    return 0;
}

void print_demands(const all& results, contestant who, double share) {
    std::printf("\n%s: what it must reach\n", contestant_names[who]);
    for (const demand& line : demands) {
        const result* worst = nullptr;
        double least = 0;
        for (const result& r : results)
            if (const double x = reached(line, r, who, results); x > 0 && (worst == nullptr || x < least))
                least = x, worst = &r;
        if (worst == nullptr) continue;
        const double wanted = line.least * share;
        std::printf("%-5s %-52s at least %5.2f, measured %5.2f  %s\n", least >= wanted ? "pass" : "SHORT", line.what,
                    wanted, least, worst->what->name.c_str());
    }
}

template <class Counts>
double geometric_mean(const all& results, contestant who, contestant other, Counts counts) {
    double sum = 0;
    int count = 0;
    for (const result& r : results)
        if (r.has(who) && r.has(other) && counts(r)) sum += std::log(r.ratio(who, other)), ++count;
    return count == 0 ? 0 : std::exp(sum / count);
}

void print_means(const all& results, contestant who) {
    const auto every = [](const result&) { return true; };
    const auto where_it_pays = [](const result& r) { return r.libdnnl_beats_the_loop(); };
    std::printf("geometric means, %-8s: %.2f of memcpy, %.2f of libdnnl (at least 3), %.2f where that beats the loop\n",
                contestant_names[who], geometric_mean(results, who, memory_copy, every),
                geometric_mean(results, who, libdnnl, every), geometric_mean(results, who, libdnnl, where_it_pays));
}

void print_ratio(const result& r, contestant other) {
    const contestant who = r.has(kernel) ? kernel : run_time;
    if (r.has(other)) std::printf(" %7.2f", r.ratio(who, other));
    else std::printf(" %7s", "-");
}

}  // namespace

void print_header() {
    std::printf("GB/s read and written, one thread, best of many; latency rows, and planning: ns a call\n%-62s", "");
    for (const char* name : contestant_names) std::printf(" %9s", name);
    std::printf("  /memcpy /libdnnl\n");
}

void print_row(const result& r) {
    std::printf("%-62s", r.what->name.c_str());
    for (int c = 0; c < contestants; ++c) {
        const auto who = static_cast<contestant>(c);
        if (!r.has(who)) std::printf(" %9s", "-");
        else if (r.what->section == "latency" || who == planning) std::printf(" %9.1f", r.seconds[who] * 1e9);
        else std::printf(" %9.1f", r.gigabytes(who));
    }
    std::printf(" ");
    print_ratio(r, memory_copy);
    print_ratio(r, libdnnl);
    if (r.has(libdnnl) && r.has(plain_loop_nest) && !r.libdnnl_beats_the_loop())
        std::printf("  libdnnl: below the loop");
    if (r.libdnnl_is_wrong) std::printf("  libdnnl: other bytes");
    std::printf("\n");
    std::fflush(stdout);
}

void print_summary(const all& results) {
    std::printf("\n");
    for (const contestant who : {kernel, avx2, run_time}) print_means(results, who);
    print_demands(results, kernel, 1);
    print_demands(results, avx2, 0.75);
    std::printf("\nrows below 1.0 of libdnnl:\n");
    bool none = true;
    for (const result& r : results)
        if (r.has(libdnnl) && r.ratio(kernel, libdnnl) < 1)
            std::printf("  %5.2f  %s\n", r.ratio(kernel, libdnnl), r.what->name.c_str()), none = false;
    if (none) std::printf("  none\n");
    print_run_time(results);
}

}  // namespace bench
