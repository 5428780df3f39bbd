// The offsets of the segments of a tile, in the form that run-time kernels read.

#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>

#include "support/static_check.hpp"

namespace test_engine_plan_run_time_kernel {

using namespace plait;
using namespace plait::engine;

namespace {

/// 16 places by 16 channels: a segment is loaded for each channel.
constexpr reorder_plan plan =
    *make_plan(layout({1, 32, 56, 56}, "nchw"), layout({1, 32, 56, 56}, "nChw16c"), element_sizes(4), isa::avx512);
constexpr segment_bits channels{{4, 5, 6, 7}, 4}, places{{0, 1, 2, 3}, 4};

}  // namespace

TEST_CASE("side_offsets: the offset of each segment follows from the bits of its number") {
    STATIC_CHECK([] {
        const side_offsets from(plan, channels, side::source), to(plan, places, side::destination);
        for (int segment = 0; segment < 16; ++segment)
            if (from.offset_of(segment) != segment * 3136 * 4 || to.offset_of(segment) != segment * 16 * 4)
                return false;
        return true;
    }());
}

TEST_CASE("side_offsets: a segment without lanes has no separate offset") {
    const side_offsets from(plan, channels, side::source);
    std::uint64_t lanes[16]{};
    lanes[0] = lanes[3] = lanes[9] = 0xffff;
    dim_t offsets[16];
    from.offsets_for(lanes, 16, offsets);
    for (int segment = 0; segment < 16; ++segment)
        CHECK(offsets[segment] == (lanes[segment] == 0 ? 0 : from.offset_of(segment)));
}

TEST_CASE("move_factors: change values if either is not one") {
    STATIC_CHECK(!move_factors{}.change_values() && move_factors{1, 2}.change_values());
}

}  // namespace test_engine_plan_run_time_kernel
