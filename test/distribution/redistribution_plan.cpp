#include "distribution/random_distributions.hpp"
#include "support/number_from_environment.hpp"
#include "support/static_check.hpp"

namespace test_distribution_redistribution_plan {

using namespace plait;
using namespace plait_test;

TEST_CASE("redistribution: random pairs, all ranks played in one process") {
    random_source random(20261126);
    dim_t wrong = 0, unnecessary = 0, pairs = 0;
    const auto count = static_cast<dim_t>(number_from_environment("PLAIT_PAIRS", 2000));
    for (; pairs < count; ++pairs) {
        const int n = static_cast<int>(random.number(1, 5));
        dims extents;
        for (int a = 0; a < n; ++a)
            extents.push_back(random.number(random.one_in(50) ? 0 : 1, n == 1 ? 700 : n == 2 ? 40 : n == 3 ? 12 : 6));
        const dim_t most = random.number(1, 64);
        const distribution from = random_distribution(random, extents, most),
                           to = random_distribution(random, extents, most);
        const dim_t ranks = detail::larger_of(from.mesh.volume(), to.mesh.volume());
        rank_memory before(from, ranks), after(to, ranks), wanted(to, ranks);
        fill(before, from);
        fill(wanted, to);
        const dim_t sent = play(from, before, to, after, ranks);
        wrong += after.of != wanted.of;
        unnecessary += sent != least_sent(from, to);
    }
    CHECK(pairs == count);
    CHECK(wrong == 0);
    CHECK(unnecessary == 0);
}

}  // namespace test_distribution_redistribution_plan
