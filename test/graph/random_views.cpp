#include "graph/random_views.hpp"

#include "graph/compare_with_every_choice.hpp"

namespace test_graph_random_views {

using namespace plait;
using namespace plait_test;

TEST_CASE("views: on random graphs, the choice is the first with the least cost, as an exhaustive search finds") {
    const std::uint64_t seed = number_from_environment("PLAIT_GRAPH_SEED", 3);
    random_views graphs(seed);
    const compared_graphs compared = compare_with_every_choice(
        graphs, seed, [](random_views& source) { return source.make(1 + source.below(6)); },
        {reason::operation_has_no_alternative},  // no format is given
        20'000);
    CHECK(compared.solved > 300);
    CHECK(compared.with_reorders > 150);
    CHECK(compared.with_layouts > 50);
    CHECK(compared.with_zeros > 30);
}

}  // namespace test_graph_random_views
