// Uneven steps of a loop: the extra offset of one step, and of many.
#include <plait/engine/plan/uneven_steps.hpp>

#include <doctest/doctest.h>

namespace test_engine_plan_uneven_steps {

using namespace plait;
using namespace plait::engine;

TEST_CASE("uneven_within: the sum of uneven_behind over the steps") {
    uneven_step_list all;
    all.push_back({.axis = 0, .period = 2, .src = 32, .dst = 0});
    all.push_back({.axis = 0, .period = 3, .src = 0, .dst = -48});
    all.push_back({.axis = 1, .period = 2, .src = 7, .dst = 7});
    dim_t src = 0, dst = 0;
    for (dim_t i = 0; i < 13; ++i) {
        CAPTURE(i);
        CHECK(uneven_within(all, 0, i).src == src);
        CHECK(uneven_within(all, 0, i).dst == dst);
        src += uneven_behind(all, 0, i).src;
        dst += uneven_behind(all, 0, i).dst;
    }
    // Of blocks of 32 and 48 in steps of 16: after every second step, and after every third.
    CHECK(uneven_behind(all, 0, 0).src == 0);
    CHECK(uneven_behind(all, 0, 1).src == 32);
    CHECK(uneven_behind(all, 0, 1).dst == 0);
    CHECK(uneven_behind(all, 0, 5).src == 32);
    CHECK(uneven_behind(all, 0, 5).dst == -48);
    CHECK(uneven_within(all, 0, 5).src == 64);
    CHECK(uneven_within(all, 2, 5).src == 0);
}

}  // namespace test_engine_plan_uneven_steps
