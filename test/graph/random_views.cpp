#include <plait/graph/choose_formats.hpp>

#include "graph/exhaustive.hpp"
#include "graph/random_views.hpp"

#include <doctest/doctest.h>

using namespace plait;

using plait_test::number_from;

TEST_CASE("views: on random graphs the least cost and the first choice that has it, as found by trying all") {
    const std::uint64_t seed = number_from("PLAIT_GRAPH_SEED", 3);
    plait_test::random_views graphs(seed);
    int solved = 0, with_reorders = 0, with_layouts = 0, with_zeros = 0;
    for (std::uint64_t i = 0, count = number_from("PLAIT_GRAPHS", 400); i < count; ++i) {
        graphs.with_padding = i % 2 != 0;
        const large_graph g = graphs.make(1 + graphs.below(6));
        cost_options options;
        if (graphs.below(3) == 0) options.runs = 1 + graphs.below(5);
        if (graphs.below(3) == 0) options.percent[0] = 90, options.percent[1] = 133, options.percent[2] = 250;
        CAPTURE(seed);
        CAPTURE(i);
        const auto found = try_choose_formats(g, options);
        if (!found) {
            CHECK(found.error().reason == reason::operation_has_no_alternative);  // nobody says a format
            continue;
        }
        plait_test::every_choice judge(g, {options.percent[0], options.percent[1], options.percent[2]}, options.runs);
        judge.prepare();
        if (judge.combinations() > 20'000) continue;
        judge.search();
        CHECK(found->cost == judge.least);
        CHECK(found->lower_bound == judge.least);
        CHECK(found->is_optimal);
        for (int o = 0; o < g.operations.size(); ++o)
            if (found->alternatives[o] != judge.best[static_cast<std::size_t>(o)]) {
                FAIL_CHECK("operation " << o << " of graph " << i);
                break;
            }
        ++solved;
        with_reorders += found->reorders.size() > 0;
        with_layouts += found->layouts.size() > g.layouts.size();
        with_zeros += found->zeroings.size() > 0;
    }
    CHECK(solved > 300);
    CHECK(with_reorders > 150);
    CHECK(with_layouts > 50);
    CHECK(with_zeros > 30);
}
