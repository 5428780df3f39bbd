#pragma once
// What is chosen for random graphs beside exhaustive search.

#include "graph/exhaustive.hpp"
#include "support/number_from_environment.hpp"

#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace plait_test {

/// How many graphs were compared, and how many of those have reorders, layouts that views make, zeros in padding.
struct compared_graphs {
    int solved = 0, with_reorders = 0, with_layouts = 0, with_zeros = 0;
};

/// Checks that a choice costs the least of all, says so, and is the first that does; `what` is said where it is not.
inline void check_choice(const plait::large_graph& g, const plait::basic_choice<plait::heap_storage>& found,
                         const every_choice& judge, std::uint64_t what) {
    CHECK(found.cost == judge.least);
    CHECK(found.lower_bound == judge.least);
    CHECK(found.is_optimal);
    for (int o = 0; o < g.operations.size(); ++o)
        if (found.alternatives[o] != judge.best[static_cast<std::size_t>(o)]) {
            FAIL_CHECK("operation " << o << " of graph " << what);
            break;
        }
}

/// As many graphs as PLAIT_GRAPHS says, or 400; every other one with padding. Those that are refused have to be so for
/// one of the reasons, and those with more combinations than that are left out.
///
/// `graphs` has below(n), a random number, and with_padding; `make` makes the next graph of it.
template <class Graphs, class Make>
compared_graphs compare_with_every_choice(Graphs& graphs, std::uint64_t seed, Make make,
                                          std::initializer_list<plait::reason> refusals, double most_combinations) {
    compared_graphs out;
    for (std::uint64_t i = 0, count = number_from_environment("PLAIT_GRAPHS", 400); i < count; ++i) {
        graphs.with_padding = i % 2 != 0;
        const plait::large_graph g = make(graphs);
        plait::cost_options options;
        if (graphs.below(3) == 0) options.runs = 1 + graphs.below(5);
        if (graphs.below(3) == 0) options.percent[0] = 90, options.percent[1] = 133, options.percent[2] = 250;
        CAPTURE(seed);
        CAPTURE(i);
        const auto found = try_choose_formats(g, options);
        if (!found) {
            CHECK(std::find(refusals.begin(), refusals.end(), found.error().reason) != refusals.end());
            continue;
        }
        every_choice judge(g, {options.percent[0], options.percent[1], options.percent[2]}, options.runs);
        judge.prepare();
        if (judge.combinations() > most_combinations) continue;
        judge.search();
        check_choice(g, *found, judge, i);
        ++out.solved;
        out.with_reorders += found->reorders.size() > 0;
        out.with_layouts += found->layouts.size() > g.layouts.size();
        out.with_zeros += found->zeroings.size() > 0;
    }
    return out;
}

}  // namespace plait_test
