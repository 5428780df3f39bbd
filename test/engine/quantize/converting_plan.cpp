// From layouts and attributes to cache blocks: the axes, and the steps in the arrays of values.

#include <plait/engine/quantize/static_conversions.hpp>

#include "support/static_check.hpp"

#include <vector>

namespace test_engine_quantize_converting_plan {

using namespace plait;
using namespace plait::engine;

namespace {

constexpr layout plain({2, 32, 7, 7}, "nchw"), blocked({2, 32, 7, 7}, "nChw16c");
constexpr data_type f32 = data_type::f32;

/// A plan that expects values along n and c.
constexpr cache_block_plan planned() {
    return plan_expected_values<isa::avx512>(plain, blocked, f32, data_type::s8, {3, false});
}

}  // namespace

TEST_CASE("set_value_steps: a step along a node adds the array's stride of its axis") {
    constexpr auto steps = [](int mask, int axis, dim_t least) {
        cache_block_plan blocks = planned();
        reorder_attributes attributes;
        attributes.dst_scale.mask = mask;
        set_value_steps(blocks.shape, attributes, plain.dims);
        for (const cache_block_node& n : blocks.shape.nodes)
            if (n.tensor_axis == axis && n.tensor_step == least) return n.value_steps[dst_scales];
        return dim_t{-1};
    };
    STATIC_CHECK(steps(2, 1, 1) == 1 && steps(2, 1, 16) == 16 && steps(2, 0, 1) == 0);
    STATIC_CHECK(steps(3, 1, 16) == 16 && steps(3, 0, 1) == 32 && steps(1, 0, 1) == 1 && steps(1, 1, 16) == 0);
}

TEST_CASE("set_sum_steps: a step along a node adds the stride of compensation_layout") {
    constexpr auto steps = [](int mask, int axis, dim_t least) {
        cache_block_plan blocks = planned();
        if (!set_sum_steps(blocks.shape, {0, 64, mask}, s8s8_sums, blocked)) return dim_t{-2};
        for (const cache_block_node& n : blocks.shape.nodes)
            if (n.tensor_axis == axis && n.tensor_step == least) return n.value_steps[s8s8_sums];
        return dim_t{-1};
    };
    STATIC_CHECK(steps(2, 1, 1) == 1 && steps(2, 1, 16) == 16 && steps(2, 0, 1) == 0);
    STATIC_CHECK(steps(3, 1, 1) == 1 && steps(3, 1, 16) == 16 && steps(3, 0, 1) == 32 && steps(0, 1, 1) == 0);
    // h and w are between the 16 channels and the next ones; a plan of values along n and c has them as one node.
    STATIC_CHECK(compensation_layout(blocked, 6).padded_offset(0, 16, 0, 0) == 7 * 16);
}

// 40 channels in blocks of 8: the number of blocks is bounded, five of six, and rows of 8a2b have their full length.
TEST_CASE("number_axes: blocks that no end cuts have no bound, also with attributes along them") {
    const layout src({40, 40, 3, 3}, "ABcd8b16a2b"), dst({40, 40, 3, 3}, "AcdB8a2b");
    for (const int mask : {0, 1}) {
        const std::vector<float> scales(40, 0.5f);
        const auto planned = plan_values_with<isa::portable, element_block_copies>(
            descriptor(data_type::bf16, src), descriptor(f32, dst),
            {.src_scale = mask == 0 ? reorder_attributes::scale(0.5f) : reorder_attributes::scale{scales, mask}});
        REQUIRE(planned.has_cache_blocks);
        CHECK(planned.blocks.shape.side == cache_block_side::both);
        CHECK(planned.blocks.part.length == 16);
        for (const cache_block_node& n : planned.blocks.shape.nodes)
            if (n.src == 1 || n.src == 2) CHECK_FALSE(planned.blocks.bounded[n.axis]);
    }
}

TEST_CASE("axes_with_values: the axes of attributes by index and of existing sums") {
    converting_plan plan;
    plan.conversion.attributes.src_scale.mask = 2;
    plan.conversion.attributes.dst_zero_point.mask = 8;
    plan.s8s8 = {0, 0, 1};
    CHECK(axes_with_values(plan) == 10);
    plan.s8s8.count = 4;
    CHECK(axes_with_values(plan) == 11);
}

}  // namespace test_engine_quantize_converting_plan
