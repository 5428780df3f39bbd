// The side and the order of cache blocks, the plans of their copies, and prefetches. What copies write is tested by
// converting_reorder.cpp.
#include <plait/engine/quantize/cache_blocks.hpp>

#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/planned_values.hpp"
#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace test_engine_quantize_cache_blocks {

using namespace plait;
using namespace plait::engine;

namespace {

/// BlockCopies that claim tiles for elements of these bytes only, 0 for none; nothing runs them.
template <int Bytes>
struct some_tiles {
    static constexpr bool has_tiles = true;
    static constexpr isa instructions = isa::portable;

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
    shape.bounds.push_back({8, 8});
    shape.bounds.push_back({4, 4});
    const auto run = [&](cache_block_side side) { return run_of_ready_values(shape, side, 64); };
    CHECK((run(cache_block_side::source) == 32 && run(cache_block_side::destination) == 32));
    shape.nodes[1].value_steps[dst_scales] = 1;
    CHECK((run(cache_block_side::source) == 8 && run(cache_block_side::destination) == 4));
    shape.nodes[0].value_steps[dst_scales] = 4;
    CHECK((run(cache_block_side::source) == 1 && run(cache_block_side::destination) == 32));
    CHECK(run_of_ready_values(shape, cache_block_side::destination, 16) == 16);
    // Of an axis with one element, the other steps are padding, which has no values.
    shape.bounds[0].valid = 1;
    CHECK(run(cache_block_side::source) == 8);
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

TEST_CASE("aim_block_copy: between lanes, zeros are stored to the buffer, unless masks can leave bytes out") {
    run_time_kernel kernel;
    cache_block_plan blocks;
    blocks.shape.side = cache_block_side::destination;
    blocks.axes.push_back(0);
    blocks.reach[0] = 7;
    blocks.block_copy.kernel = &kernel;
    reorder_plan& moving = blocks.block_copy.plan;
    moving.bounds.push_back({6, 6, 4});
    moving.pattern.lane_bits = 3;
    for (int lane = 0; lane < 3; ++lane) {
        moving.pattern.dst_lanes.push_back(lane);
        moving.pattern.bounds.push_back(lane < 2 ? 0 : -1);
        moving.bits.push_back({.index_step = dim_t{1} << lane});
    }
    CHECK(indices_between_lanes(moving, 0) == 4);
    CHECK(indices_between_lanes(moving, 1) == 1);
    const auto aimed = [&](dim_t valid) {
        const dim_t stored = 7;
        aim_block_copy(blocks, moving, 0, &valid, &stored);
        CHECK(moving.bounds[0].valid == std::clamp<dim_t>(valid, 0, 7));
        return moving.bounds[0].stored;
    };
    for (const isa set : {isa::portable, isa::sse41, isa::avx2}) {
        kernel.network_of = set;
        CHECK(aimed(-1) == 0);
        CHECK(aimed(0) == 0);
        CHECK(aimed(1) == 4);
        CHECK(aimed(4) == 4);
        CHECK(aimed(5) == 7);  // as far as the buffer reaches
        CHECK(aimed(8) == 7);
    }
    kernel.network_of = isa::avx512;
    CHECK(aimed(1) == 1);
    kernel.network_of = isa::avx2;
    blocks.block_copy.kernel = nullptr;  // a constant plan
    CHECK(aimed(1) == 1);
    blocks.block_copy.kernel = &kernel;
    moving.pattern.bounds[2] = 0;  // all lanes: they end once
    CHECK(indices_between_lanes(moving, 0) == 1);
    CHECK(aimed(5) == 5);
    moving.pattern.bounds[2] = -1;
    blocks.shape.side = cache_block_side::source;  // out of the buffer: what is stored is the tensor's
    const dim_t valid = 3, stored = 5;
    aim_block_copy(blocks, moving, 0, &valid, &stored);
    CHECK(moving.bounds[0].stored == 5);
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

constexpr dim_t channels = 16, places = 5, plane = 40, first = 7;

/// Returns a cache block of 16 channels of 5 places. The source has planes of 40 places, and begins at element 7; the
/// destination is dense, channels first. Channels end at 15, so that the plan has a bound for them.
constexpr refinement channels_of_planes() {
    refinement r;
    r.bounds.push_back({channels - 1, channels - 1});
    r.bounds.push_back({places, places});
    r.nodes.push_back({0, channels, 1, plane, 1, false});
    r.nodes.push_back({1, places, 1, 1, channels, false});
    r.src_offset = first;
    r.src_end = first + (channels - 1) * plane + places;
    return r;
}

}  // namespace

TEST_CASE("constant_block_copies: a constant expression finds the plan that run-time code has, without a kernel") {
    constexpr planned_block_copy copy = [] {
        planned_block_copy out;
        static_cast<void>(constant_block_copies{isa::avx2}.find(out, channels_of_planes(), 4));
        return out;
    }();
    static_assert(copy.kernel == nullptr);
    const auto wanted = make_plan(channels_of_planes(), element_sizes(4), isa::avx2);
    REQUIRE(wanted.has_value());
    CHECK(copy.plan == *wanted);
    CHECK(copy.plan.sizes.src == 4);
    CHECK(copy.plan.elements == (channels - 1) * places);
}

TEST_CASE("block copies: find returns false if the refinement has more bounds than a plan has room for") {
    refinement r;
    dim_t step = 1;
    for (int axis = 0; axis <= max_bounds; ++axis) {
        r.bounds.push_back({1, 1});
        r.nodes.push_back({axis, 2, 1, step, step * step, false});
        step *= 2;
    }
    r.src_end = step;
    planned_block_copy copy;
    CHECK_FALSE(element_block_copies::find(copy, r, 1));
    CHECK_FALSE(tile_block_copies().find(copy, r, 1));
    CHECK_FALSE(constant_block_copies{isa::portable}.find(copy, r, 1));
}

namespace {

int whole_calls = 0, stream_calls = 0;

void count_whole(const reorder_plan&, const run_time_offsets&, const kernel_walk&, const std::byte*,
                 std::byte*) noexcept {
    ++whole_calls;
}
void count_stream(const reorder_plan&, const run_time_offsets&, const kernel_walk&, const std::byte*,
                  std::byte*) noexcept {
    ++stream_calls;
}

}  // namespace

TEST_CASE("planned_block_copy: uses non-temporal stores if it streams and the cache block begins at a cache line") {
    refinement r;
    r.bounds.push_back({64, 64});
    r.nodes.push_back({0, 64, 1, 1, 1, false});
    r.src_end = 64;
    planned_block_copy copy;
    REQUIRE(element_block_copies::find(copy, r, 1));
    run_time_kernel counting = *copy.kernel;
    counting.whole = count_whole;
    counting.stream = count_stream;
    counting.finish_streams = [] {};
    copy.kernel = &counting;
    alignas(cache_line_bytes) std::byte in[128]{}, out[128]{};
    const auto streams_to = [&](bool streams, std::byte* to) {
        whole_calls = stream_calls = 0;
        copy.streams = streams;
        found_edges found;
        copy(in, to, found);
        CHECK((whole_calls > 0) != (stream_calls > 0));
        return stream_calls > 0;
    };
    CHECK(streams_to(true, out));
    CHECK(streams_to(true, out + cache_line_bytes));
    CHECK_FALSE(streams_to(true, out + 1));
    CHECK_FALSE(streams_to(false, out));
}

namespace {

/// Steps of a node in a cache block, and its strides.
struct steps {
    dim_t count, src, dst;
};
constexpr cache_block_shape shape_of(std::initializer_list<steps> nodes) {
    cache_block_shape shape;
    for (const auto& [count, src, dst] : nodes) {
        cache_block_node n;
        n.extent = n.block_steps = count;
        n.src = src;
        n.dst = dst;
        shape.nodes.push_back(n);
        ++shape.inner;
    }
    return shape;
}
constexpr lines_ahead source_of(std::initializer_list<steps> nodes, dim_t bytes) {
    return {shape_of(nodes), true, bytes};
}

/// Returns the prefetches of a reorder of values with one scale for each index along the first axis.
prefetched_lines ahead_of(data_type from, const layout& src, data_type to, const layout& dst) {
    const std::vector<float> scales(static_cast<std::size_t>(src.dims[0]), 0.5f);
    reorder_attributes attributes;
    attributes.src_scale = {scales, 1};
    return values::planned_values({from, src}, {to, dst}, attributes).blocks.ahead;
}

TEST_CASE("lines_ahead: runs at the steps of up to three loops; gaps below a cache line belong to a run") {
    // s8 abcd -> acbd: 128 adjacent bytes, 4 of them side by side, 50 times 2048 bytes apart.
    constexpr cache_block_shape rows = shape_of({{128, 1, 1}, {50, 2048, 128}, {4, 128, 6400}});
    STATIC_CHECK(lines_ahead(rows, true, 1).bytes() == 50 * 512);
    STATIC_CHECK(lines_ahead(rows, false, 1).is_empty());  // 50 rows are one run of 6400 bytes
    STATIC_CHECK(source_of({{8, 16, 1}, {3, 4096, 8}}, 4).bytes() == 3 * (7 * 64 + 4));
    STATIC_CHECK(source_of({{8, 17, 1}, {3, 4096, 8}}, 4).bytes() == 8 * 3 * 4);
    STATIC_CHECK(source_of({{2, 1000, 1}, {2, 2000, 2}, {2, 4000, 4}}, 4).bytes() == 8 * 4);
    STATIC_CHECK(source_of({{2, 1000, 1}, {2, 2000, 2}, {2, 4000, 4}, {2, 8000, 8}}, 4).is_empty());
}

TEST_CASE("lines_ahead: nothing if a cache block is one run, or if its runs are long") {
    STATIC_CHECK(source_of({{128, 1, 1}, {4, 128, 1000}}, 1).is_empty());
    STATIC_CHECK(source_of({{128, 1, 1}, {4, 0, 1000}}, 1).is_empty());
    STATIC_CHECK(source_of({{2048, 1, 1}, {4, 5000, 1000}}, 1).bytes() == 8192);
    STATIC_CHECK(source_of({{2049, 1, 1}, {4, 5000, 1000}}, 1).is_empty());
}

TEST_CASE("choose_prefetches: the source from 8 MB on, the destination from 24 MB on unless it was zeroed before") {
    const auto copy_of = [](const dims& extents) {
        return ahead_of(data_type::s8, layout(extents, "abcd"), data_type::s8, layout(extents, "acbd"));
    };
    CHECK(copy_of({64, 50, 8, 128}).src.is_empty());  // 6.5 MB
    CHECK(!copy_of({64, 50, 16, 128}).src.is_empty());
    CHECK(copy_of({64, 50, 16, 128}).dst.is_empty());
    const dims large{262, 143, 9, 19};
    CHECK(
        !ahead_of(data_type::bf16, layout(large, "ABcd32a16b"), data_type::f32, layout(large, "acdb")).dst.is_empty());
    const dims padded{1, 64, 112, 112};
    CHECK(
        ahead_of(data_type::s8, layout(padded, "abcd"), data_type::u8, layout(padded, "AcdB16b32a2b")).dst.is_empty());
}

}  // namespace

}  // namespace test_engine_quantize_cache_blocks
