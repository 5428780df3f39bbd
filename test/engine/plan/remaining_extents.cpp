#include <plait/engine/plan/tile_ends.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace test_engine_plan_remaining_extents { namespace {

using namespace plait;
using namespace plait::engine;

/// Returns a plan of f32 with two bounds: 17 of 32 channels in tiles of 16, and 6 places in tiles of 2.
reorder_plan channels_and_places() {
    reorder_plan plan;
    plan.sizes = element_sizes(4);
    plan.src_end = 102;
    plan.bounds.push_back({17, 32, 16});
    plan.bounds.push_back({6, 6, 2});
    return plan;
}

constexpr bool none[max_bounds]{};  // no bound is passed in the same way by every tile

/// Returns the remaining extents of the plan with other ones along the channels.
remaining_extents<2> with_channels(dim_t valid, dim_t stored) {
    remaining_extents<2> out(channels_and_places());
    out.valid[0] = valid;
    out.stored[0] = stored;
    return out;
}

TEST_CASE("remaining_extents: a kernel for more bounds than the plan has never reaches the others") {
    const reorder_plan plan = channels_and_places();
    remaining_extents<> remaining(plan);
    for (int bound = 2; bound < max_bounds; ++bound) {
        CHECK(remaining.valid[bound] == INT64_MAX);
        CHECK(remaining.stored[bound] == INT64_MAX);
    }
    CHECK(remaining.whole(plan, none));
    CHECK(remaining.any());
    remaining.move_on(1, 5);
    CHECK_FALSE(remaining.whole(plan, none));
}

TEST_CASE("whole: a tile of 16 needs 16 valid and 16 stored indices, unless every tile passes the bound") {
    const reorder_plan plan = channels_and_places();
    const bool channels[max_bounds] = {true}, places[max_bounds] = {false, true};
    CHECK(with_channels(16, 16).whole(plan, none));
    CHECK_FALSE(with_channels(15, 16).whole(plan, none));
    CHECK_FALSE(with_channels(16, 15).whole(plan, none));
    CHECK(with_channels(15, 16).whole(plan, channels));
    CHECK(with_channels(16, 15).whole(plan, channels));
    CHECK_FALSE(with_channels(15, 16).whole(plan, places));
    remaining_extents<2> last(plan);
    last.move_on(1, 5);
    CHECK_FALSE(last.whole(plan, none));
    CHECK_FALSE(last.whole(plan, channels));
    CHECK(last.whole(plan, places));
}

TEST_CASE("leave_padding_out: stores valid elements, and returns true if there is more to store") {
    const auto left = [](dim_t valid, dim_t stored, bool leaves, dim_t wanted) {
        remaining_extents<2> remaining = with_channels(valid, stored);
        CHECK(remaining.leave_padding_out() == leaves);
        CHECK(remaining.valid[0] == valid);
        CHECK(remaining.stored[0] == wanted);
        CHECK(remaining.stored[1] == 6);
    };
    left(1, 16, true, 1);
    left(15, 16, true, 15);
    left(16, 16, false, 16);
    left(17, 16, false, 16);
    left(-15, 1, true, -15);
}

}}  // namespace test_engine_plan_remaining_extents
