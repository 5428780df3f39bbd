// Random pairs of layouts: every pair that has a common refinement has a plan for every instruction set and size, and
// each plan is right. PLAIT_RANDOM_PLANS=100000 runs more pairs, PLAIT_RANDOM_SEED chooses others.

#include "laws/random_pairs.hpp"
#include "run_plan.hpp"

namespace test_engine_plan_make_plan_random {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

TEST_CASE("plan: random pairs of layouts") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 4));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 300);
    // A plan depends only on sizes: moves of each, and conversions in the narrower type, on either side.
    const element_sizes sizes[] = {element_sizes(1), element_sizes(2), element_sizes(4), element_sizes(8), {4, 1, 1},
                                   {1, 4, 1},        {2, 4, 2},        {8, 2, 2},        {2, 8, 2},        {8, 4, 4}};
    std::uint64_t planned = 0, vectors = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = random_extents(random);
        const layout src = random_layout(random, extents, true),
                     dst = random.once_in(20) ? src : random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || !make_scalar_plan(src, dst, element_sizes(4))) continue;
        ++planned;
        const wanted_result wanted(src, dst);
        for (const isa which : {isa::sse41, isa::avx2, isa::avx512}) {
            // All sizes would take too long, so the size for a pair is random too.
            const element_sizes& size = sizes[random.between(0, std::size(sizes) - 1)];
            plan_moves_everything(wanted, src, dst, which, size, random.once_in(4));
            vectors += make_plan(src, dst, size, which)->pattern.lane_bits > 0;
        }
    }
    MESSAGE(planned, " of ", count, " pairs planned, ", vectors, " of their plans with vectors");
    CHECK(planned * 2 > count);
    CHECK(vectors > planned);
}

}  // namespace test_engine_plan_make_plan_random
