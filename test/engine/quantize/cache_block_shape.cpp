#include "laws/random_pairs.hpp"
#include "support/static_check.hpp"

#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/quantize/converting_plan.hpp>

#include <doctest/doctest.h>

namespace test_engine_quantize_cache_block_shape { namespace {

using namespace plait;
using namespace plait::engine;

/// Returns a plan of cache blocks for two layouts and their element types.
constexpr cache_block_plan cache_blocks_of(const layout& src, const layout& dst, data_type from, data_type to,
                                           const reorder_attributes& attributes = {}) {
    converting_plan plan;
    plan.conversion.attributes = attributes;
    plan.conversion.src_bytes = size_in_bytes(from);
    plan.conversion.dst_bytes = size_in_bytes(to);
    cache_block_plan blocks;
    require({plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span()))
                 ? reason::none
                 : reason::layout_is_not_dense});
    return blocks;
}

TEST_CASE("choose_cache_block: whole cache lines on both sides, and at most as many elements as fit") {
    constexpr layout nchw({1, 64, 56, 56}, "nchw"), nhwc({1, 64, 56, 56}, "nhwc");
    const cache_block_plan blocks = cache_blocks_of(nchw, nhwc, data_type::f32, data_type::u8);
    CHECK(blocks.shape.side == cache_block_side::source);  // the smaller elements are moved
    CHECK(blocks.shape.volume() <= most_in_cache_block);
    REQUIRE(blocks.shape.inner == 2);
    CHECK(blocks.shape.nodes[0].src == 1);
    CHECK(blocks.shape.nodes[0].block_steps * 4 >= 128);
    CHECK(blocks.shape.nodes[1].dst == 1);
    CHECK(blocks.shape.nodes[1].block_steps == 64);
    CHECK(blocks.whole.length == blocks.shape.nodes[0].block_steps);
    CHECK(cache_blocks_of(nchw, nhwc, data_type::u8, data_type::f32).shape.side == cache_block_side::destination);
    CHECK(cache_blocks_of(nchw, nhwc, data_type::f32, data_type::u8, {.beta = 1}).shape.side ==
          cache_block_side::destination);
}

TEST_CASE("choose_cache_block: the same layout needs no buffer") {
    constexpr layout nchw({1, 64, 56, 56}, "nchw");
    const cache_block_plan blocks = cache_blocks_of(nchw, nchw, data_type::f32, data_type::bf16);
    CHECK(blocks.shape.side == cache_block_side::both);
    CHECK(blocks.shape.nodes.size() == 1);
}

TEST_CASE("steps_in_cache_block: a divisor if others are outside, else about equal parts") {
    cache_block_shape shape;
    cache_block_node inner, outer;
    inner.extent = 24;
    inner.index_step = 1;
    outer.extent = 100;
    outer.index_step = 24;
    shape.nodes.push_back(inner);
    shape.nodes.push_back(outer);
    CHECK(steps_in_cache_block(shape, 0, 100) == 24);
    CHECK(steps_in_cache_block(shape, 0, 23) == 12);
    CHECK(steps_in_cache_block(shape, 0, 11) == 8);
    CHECK(steps_in_cache_block(shape, 1, 7) == 4);
    CHECK(steps_in_cache_block(shape, 1, 60) == 48);  // not 48 and 52, nor 60 and 40
    shape.nodes[1].is_uneven = true;
    CHECK(steps_in_cache_block(shape, 1, 60) == 1);
}

TEST_CASE("is_bounded: true if the blocks of an axis go beyond it, or end before its padding") {
    const cache_block_plan even =
        cache_blocks_of(layout({64, 32}, "ab"), layout({64, 32}, "ba"), data_type::f32, data_type::f16);
    for (int a = 0; a < even.shape.bounds.size(); ++a) CHECK_FALSE(even.shape.is_bounded(a));
    const cache_block_plan padded =
        cache_blocks_of(layout({64, 30}, "ab"), layout({64, 30}, "aB16b"), data_type::f32, data_type::f16);
    bool any = false;
    for (int a = 0; a < padded.shape.bounds.size(); ++a) any = any || padded.shape.is_bounded(a);
    CHECK(any);
}

// Otherwise a block copy would not get the remaining extent of the axis, and write after its end.
TEST_CASE(
    "refine_cache_block: every plan for the moves of a cache block has a bound for each axis on which blocks end") {
    plait_test::random_source random(11);
    int watched = 0;
    for (int i = 0; i < 20000; ++i) {
        const dims extents = plait_test::random_extents(random);
        const layout src = plait_test::random_layout(random, extents, true),
                     dst = plait_test::random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || dst.padded_volume() < 2 || dst.volume() == 0) continue;
        converting_plan plan;
        plan.conversion.src_bytes = static_cast<int>(dim_t{1} << random.between(0, 3));
        plan.conversion.dst_bytes = static_cast<int>(dim_t{1} << random.between(0, 3));
        cache_block_plan blocks;
        if (!plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span()))) continue;
        for (const cache_block_side side : {cache_block_side::source, cache_block_side::destination}) {
            cut_cache_blocks_again(plan.conversion, blocks, side);
            const cache_block_shape& shape = blocks.shape;
            const int bytes = side == cache_block_side::source ? plan.conversion.dst_bytes : plan.conversion.src_bytes;
            const isa which = i % 3 == 0 ? isa::sse41 : i % 3 == 1 ? isa::avx2 : isa::avx512;
            const auto moves = make_plan(refine_cache_block(shape, bytes), element_sizes(bytes), which,
                                         [](const reorder_plan&) { return true; });
            if (!moves) continue;  // more axes than a kernel has bounds
            const block_copy_axes axes = find_block_copy_axes(*moves, shape.bounds.size());
            for (int k = 0; k < shape.inner; ++k) {
                const int axis = shape.nodes[k].axis;
                if (!shape.is_bounded(axis)) continue;
                bool found = false;
                for (const int a : axes) found = found || a == axis;
                INFO("pair ", i, ", axis ", axis);
                CHECK(found);
                ++watched;
            }
        }
    }
    CHECK(watched > 10000);
}

}}  // namespace test_engine_quantize_cache_block_shape
