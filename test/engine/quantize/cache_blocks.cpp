#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/planned_values.hpp"
#include "support/small_layouts.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

namespace test_engine_quantize_cache_blocks { namespace {

using namespace plait;
using namespace plait::engine;

/// BlockCopies that claim tiles for elements of these bytes only, 0 for none; nothing runs them.
template <int Bytes>
struct some_tiles {
    static constexpr bool has_tiles = true;

    static bool find(planned_block_copy& out, const refinement& cache_block, int bytes) {
        const bool is_found = element_block_copies::find(out, cache_block, bytes);
        out.plan.pattern.lane_bits = bytes == Bytes ? 4 : 0;
        return is_found;
    }
};

struct no_kernels {
    static constexpr bool has_tiles = false;

    static bool find(planned_block_copy&, const refinement&, int) { return false; }
};

template <class BlockCopies = element_block_copies>
converting_reorder plan(data_type from, const layout& src, data_type to, const layout& dst, float beta = 0) {
    return values::planned_values<least_isa(), BlockCopies>(descriptor(from, src), descriptor(to, dst), {.beta = beta});
}
template <class BlockCopies = element_block_copies>
cache_block_side side_of(data_type from, const layout& src, data_type to, const layout& dst, float beta = 0) {
    const converting_reorder planned = plan<BlockCopies>(from, src, to, dst, beta);
    REQUIRE(planned.has_cache_blocks);
    return planned.blocks.shape.side;
}

const layout nchw({2, 64, 8, 8}, "nchw"), nhwc({2, 64, 8, 8}, "nhwc");
constexpr data_type f32 = data_type::f32, u8 = data_type::u8;

TEST_CASE("choose_side: the side with the larger elements, or the destination if it is read") {
    CHECK(side_of(f32, nchw, u8, nhwc) == cache_block_side::source);
    CHECK(side_of(u8, nchw, f32, nhwc) == cache_block_side::destination);
    CHECK(side_of(f32, nchw, u8, nhwc, 0.5f) == cache_block_side::destination);
}

TEST_CASE("choose_side: neither, if both have runs of eight elements") {
    CHECK(side_of(f32, nhwc, u8, layout({2, 64, 8, 8}, "nChw16c")) == cache_block_side::both);
    CHECK(side_of(f32, layout({2, 64, 8, 8}, "nChw8c"), u8, nhwc) == cache_block_side::both);
    CHECK(side_of(f32, nhwc, u8, layout({2, 64, 8, 8}, "nChw4c")) != cache_block_side::both);
    CHECK(side_of(f32, layout({5}, "a"), u8, layout({5}, "a")) == cache_block_side::both);  // all that there is
}

TEST_CASE("choose_side: not a side without rows if the other has rows") {
    const layout apart = plait_test::by_hand({64, 8}, {64, 8}, {2, 128}, {}, {});
    CHECK(side_of(f32, apart, u8, layout({64, 8}, "ab")) == cache_block_side::destination);
    CHECK(side_of(u8, layout({64, 8}, "ab"), f32, apart) == cache_block_side::source);
}

TEST_CASE("choose_side: the side whose values are in the order of their array") {
    const std::vector<float> scales(525 * 32, 0.5f);
    const layout ab({525, 32}, "ab"), ba({525, 32}, "ba");
    const auto side_with = [&](const layout& src, const layout& dst, reorder_attributes::scale by,
                               data_type to = data_type::u8) {
        converting_plan of;
        of.conversion = make_conversion(data_type::s8, to, {.src_scale = by}, 1);
        cache_block_plan blocks;
        REQUIRE(plan_cache_blocks(of, blocks, src, dst, static_cast<dim_t>(src.element_span())));
        return blocks.shape.side;
    };
    CHECK(side_with(ba, ab, {scales, 3}) == cache_block_side::destination);
    CHECK(side_with(ab, ba, {scales, 3}) == cache_block_side::source);
    // One value for a row is as good.
    const std::span<const float> some(scales);
    CHECK(side_with(ba, ab, {some.first(525), 1}) == cache_block_side::source);
    CHECK(side_with(ba, ab, {some.first(32), 2}) == cache_block_side::source);
    // Larger elements are moved only if values are gathered one by one.
    CHECK(side_with(ba, layout({525, 32}, "Ab16a"), {some.first(32), 2}, f32) == cache_block_side::both);
    CHECK(side_with(ab, ba, {scales, 3}, f32) == cache_block_side::source);
    CHECK(side_with(layout({512, 32}, "ba"), layout({512, 32}, "aB16b"), {some.first(512), 1}, f32) ==
          cache_block_side::destination);
    CHECK(side_with(layout({64, 64}, "ab"), layout({64, 64}, "Ab4a"), {some.first(64), 1}, f32) ==
          cache_block_side::source);
}

TEST_CASE("run_of_ready_values: adjacent elements with adjacent values, or with one") {
    cache_block_shape shape;
    for (const cache_block_node& n : {plait_test::node_of(0, 8, 1, 1, 4), plait_test::node_of(1, 4, 1, 8, 1)})
        shape.nodes.push_back(n);
    const auto run = [&](cache_block_side side) { return run_of_ready_values(shape, side, 64); };
    CHECK((run(cache_block_side::source) == 32 && run(cache_block_side::destination) == 32));
    shape.nodes[1].value_steps[dst_scales] = 1;
    CHECK((run(cache_block_side::source) == 8 && run(cache_block_side::destination) == 4));
    shape.nodes[0].value_steps[dst_scales] = 4;
    CHECK((run(cache_block_side::source) == 1 && run(cache_block_side::destination) == 32));
    CHECK(run_of_ready_values(shape, cache_block_side::destination, 16) == 16);
}

TEST_CASE("plan_block_copy: the other side, if only that has tiles and the destination is not read") {
    CHECK(side_of<some_tiles<1>>(f32, nchw, u8, nhwc) == cache_block_side::source);
    CHECK(side_of<some_tiles<4>>(f32, nchw, u8, nhwc) == cache_block_side::destination);
    CHECK(side_of<some_tiles<4>>(u8, nchw, f32, nhwc) == cache_block_side::source);
    CHECK(side_of<some_tiles<4>>(u8, nchw, f32, nhwc, 0.5f) == cache_block_side::destination);
}

TEST_CASE("plan_block_copy: without tiles the chosen side, whether cache blocks pass an end or not") {
    const layout odd({2, 17, 5, 7}, "nchw"), blocked({2, 17, 5, 7}, "nChw8c");
    CHECK(side_of<some_tiles<0>>(f32, odd, u8, blocked) == cache_block_side::source);
    CHECK(side_of<some_tiles<1>>(f32, odd, u8, blocked) == cache_block_side::source);
    CHECK(side_of<some_tiles<0>>(f32, nchw, u8, nhwc) == cache_block_side::source);
    CHECK(side_of<some_tiles<0>>(u8, nchw, f32, nhwc) == cache_block_side::destination);
    CHECK_FALSE(plan<no_kernels>(f32, nchw, u8, nhwc).has_cache_blocks);
}

TEST_CASE("fix_block_copy: a tensor of one cache block gets its place once") {
    const layout small({1, 16, 4, 4}, "nchw"), other({1, 16, 4, 4}, "nhwc");
    const converting_reorder one = plan(u8, small, f32, other),
                             many = plan(u8, layout({2, 64, 56, 56}, "nchw"), f32, layout({2, 64, 56, 56}, "nhwc"));
    REQUIRE(one.has_cache_blocks);
    REQUIRE(many.has_cache_blocks);
    CHECK(one.blocks.order.empty());
    CHECK_FALSE(one.blocks.moves_differ);
    CHECK_FALSE(many.blocks.order.empty());
    CHECK(many.blocks.moves_differ);
}

// 728 channels are 45 blocks of 16 and half of one.
TEST_CASE("steps_before_end: the last step of an axis has a separate cache block if there is no buffer") {
    const auto steps_of_channels = [](const layout& src, const layout& dst, data_type to) {
        const converting_reorder planned = plan(f32, src, to, dst);
        for (const cache_block_node& n : planned.blocks.shape.nodes)
            if (n.index_step == 16 && n.extent > 40) return n.block_steps;
        return dim_t{0};
    };
    CHECK(steps_of_channels(layout({16, 728}, "ab"), layout({16, 728}, "AB16a16b"), u8) == 45);
    cache_block_shape shape;
    shape.side = cache_block_side::both;
    shape.bounds.push_back({728, 736});
    cache_block_node blocks_of_channels;
    blocks_of_channels.index_step = 16, blocks_of_channels.extent = 46;
    CHECK(steps_before_end(shape, blocks_of_channels) == 45);
    shape.bounds[0].valid = 500;  // a third is padding: not a cache block for each of its steps
    CHECK(steps_before_end(shape, blocks_of_channels) == 46);
    shape.bounds[0].valid = 736;
    CHECK(steps_before_end(shape, blocks_of_channels) == 46);
    shape.bounds[0].valid = 728;
    shape.side = cache_block_side::source;
    CHECK(steps_before_end(shape, blocks_of_channels) == 46);
}

// 40 channels in blocks of 8: the number of blocks is bounded, five of six, and rows of 8a2b have their full length.
TEST_CASE("number_axes: blocks that no end cuts have no bound, also with attributes along them") {
    const layout src({40, 40, 3, 3}, "ABcd8b16a2b"), dst({40, 40, 3, 3}, "AcdB8a2b");
    for (const int mask : {0, 1}) {
        const std::vector<float> scales(40, 0.5f);
        const auto planned = values::planned_values(
            descriptor(data_type::bf16, src), descriptor(f32, dst),
            {.src_scale = mask == 0 ? reorder_attributes::scale(0.5f) : reorder_attributes::scale{scales, mask}});
        REQUIRE(planned.has_cache_blocks);
        CHECK(planned.blocks.shape.side == cache_block_side::both);
        CHECK(planned.blocks.part.length == 16);
        for (const cache_block_node& n : planned.blocks.shape.nodes)
            if (n.src == 1 || n.src == 2) CHECK_FALSE(planned.blocks.bounded[n.axis]);
    }
}

}}  // namespace test_engine_quantize_cache_blocks
