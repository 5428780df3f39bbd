#pragma once
// Compares choices for random graphs with an exhaustive search.

#include "graph/exhaustive.hpp"
#include "support/number_from_environment.hpp"

#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace plait_test {

/// The number of graphs compared, and of those with reorders, with layouts made by views, and with zeros in padding.
struct compared_graphs {
    int solved = 0, with_reorders = 0, with_layouts = 0, with_zeros = 0;
};

/// Checks that a choice has the least cost, reports it as optimal, and is the first with that cost. `what` is the
/// number of the graph in the message of a failure.
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

/// Compares PLAIT_GRAPHS graphs, 400 by default; every second graph has padding. A graph may be refused only for one of
/// the reasons `refusals`. Graphs with more than `most_combinations` combinations are skipped.
///
/// `graphs` has a member `with_padding` and a function below(n), which returns a random number; `make(graphs)` returns
/// the next graph.
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
