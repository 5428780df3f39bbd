// The ends of tiles whose elements alternate in memory.
#include <plait/engine/simd/table_kernels.hpp>

#include "support/static_check.hpp"

namespace test_engine_simd_table_kernels { namespace {

using namespace plait;
using namespace plait::engine;

/// True if a register has the lanes whose indices, one every `index_step`, are below what remains, for every remainder.
constexpr bool has_lanes_below_the_end(int lane_bits, dim_t index_step) {
    reorder_plan plan;
    plan.pattern.lane_bits = lane_bits;
    plan.pattern.bounds.push_back(0);
    plan.bits.push_back({});
    plan.bits[0].index_step = index_step;
    plan.bounds.push_back({});
    const int lanes = plan.pattern.lanes();
    for (dim_t valid = -1; valid <= (lanes + 1) * index_step; ++valid)
        for (dim_t stored = valid; stored <= valid + index_step; ++stored) {
            remaining_extents<1> remaining;
            remaining.valid[0] = valid, remaining.stored[0] = stored;
            int valid_lanes = 0, stored_lanes = 0;
            for (int lane = 0; lane < lanes; ++lane) {
                valid_lanes += lane * index_step < valid;
                stored_lanes += lane * index_step < stored;
            }
            const simd::interleave_lanes found(plan, remaining);
            if (found.valid != valid_lanes || found.stored != stored_lanes) return false;
        }
    return true;
}

TEST_CASE("interleave_lanes: the lanes whose index is below what remains of the axis") {
    STATIC_CHECK(has_lanes_below_the_end(2, 1));
    STATIC_CHECK(has_lanes_below_the_end(3, 1));
    STATIC_CHECK(has_lanes_below_the_end(3, 3));
    STATIC_CHECK(has_lanes_below_the_end(4, 2));
}

}}  // namespace test_engine_simd_table_kernels
