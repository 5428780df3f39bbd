#include "engine/quantize/converting_cases.hpp"
#include "engine/quantize/planned_values.hpp"
#include "support/small_layouts.hpp"

namespace test_engine_quantize_converting_reorder { namespace {

using namespace plait;
using namespace plait::engine;

// With registers as arrays: the blocks and rows are those of every instruction set, and are cheap to compile.

/// Cuts a tensor into cache blocks of any number of steps of each node, dense on a side that a planner may not choose.
/// So small tensors have several cache blocks, which end anywhere along each axis. Returns false if nothing can move
/// such cache blocks.
bool cut_by_chance(converting_reorder& planned, cache_block_side side, values::random_source& random) {
    cache_block_plan& blocks = planned.blocks;
    cache_block_shape& shape = blocks.shape;
    const value_conversion& conversion = planned.plan.conversion;
    for (cache_block_node& n : shape.nodes) n.block_steps = 1;
    blocks.order = {};
    blocks.block_copy = {};
    shape.side = side;
    for (int k = 0; k < shape.nodes.size(); ++k)
        if (!random.once_in(4)) grow_node(shape, k, std::min(random.between(1, 64), dim_t{1024} / shape.volume()));
    order_nodes(shape);
    for (int a = 0; a < shape.bounds.size(); ++a) {
        blocks.reach[a] = shape.reach(a);
        blocks.bounded[a] = shape.is_bounded(a);
    }
    blocks.whole = find_row(shape, false);
    blocks.part = find_row(shape, true);
    order_cache_blocks(blocks, conversion.src_bytes, conversion.dst_bytes);
    blocks.streams = side != cache_block_side::source && conversion.attributes.beta == 0 && random.once_in(2);
    if (side != cache_block_side::both) {
        if (!find_block_copy(conversion, blocks, element_block_copies())) return false;
        fix_block_copy(blocks);
    }
    planned.keeps_steps = may_keep_steps(blocks, planned.bytes_moved());
    return true;
}

TEST_CASE("converting_reorder: any cut into cache blocks, on any side, whole or in parts, writes the same") {
    values::random_source random(20221127);
    int cut[3]{}, in_several = 0, in_steps[3]{}, in_no_steps = 0;
    for (int i = 0; i < 1000; ++i) {
        const values::question question(random, 1 + i % 5, i % 4 == 0 ? 20000 : 2500);
        const auto side = static_cast<cache_block_side>(i % 3);
        INFO(question.text(), ", number ", i);
        converting_reorder planned = values::planned_values(question.src, question.dst, question.attributes);
        if (!planned.has_cache_blocks) continue;
        // The old elements are read where the destination is.
        if (side == cache_block_side::source && question.attributes.beta != 0) continue;
        if (!cut_by_chance(planned, side, random)) continue;
        ++cut[i % 3];
        in_several += planned.blocks.order.empty() ? 0 : 1;
        const kernels::fence where = i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front;
        CHECK(question.is_answered_by(planned, where));
        const auto in_parts = [&planned](const void* in, void* out) {
            planned.begin(out);
            for (int part = 2; part >= 0; --part) planned.run_chunk(in, out, part, 3);
            planned.finish(out);
        };
        CHECK(question.is_answered_by(in_parts, where));
        const order_trials trials;
        const auto with_trials = [&](const void* in, void* out) { planned(in, out, trials); };
        CHECK(question.is_answered_by(with_trials, where));  // finds the steps, and does them
        CHECK(question.is_answered_by(with_trials, where));  // does them
        const auto* const steps = trials.kept<kept_conversion>();
        CHECK((steps != nullptr) == planned.keeps_steps);
        if (steps != nullptr) ++(steps->exists ? in_steps[i % 3] : in_no_steps);
    }
    for (const int count : cut) CHECK(count > 100);
    CHECK(in_several > 400);
    for (const int count : in_steps) CHECK(count > 20);
    CHECK(in_no_steps > 20);
}

TEST_CASE("converting_reorder: agrees with the reference for random types, layouts, attributes and compensation") {
    values::random_source random(20220401);
    long blocks[3]{};
    for (int i = 0; i < 500; ++i) {
        const values::question question(random, 1 + i % 5, i % 10 == 0 ? 12000 : 2500);
        INFO(question.text(), ", number ", i);
        const converting_reorder planned = values::planned_values(question.src, question.dst, question.attributes);
        if (planned.has_cache_blocks) ++blocks[static_cast<int>(planned.blocks.shape.side)];
        const kernels::fence where = i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front;
        CHECK(question.is_answered_by(planned, where));
        const order_trials trials;
        for (int call = 0; call < 2; ++call)
            CHECK(question.is_answered_by([&](const void* in, void* out) { planned(in, out, trials); }, where));
    }
    for (const long count : blocks) CHECK(count > 50);
}

// A step of 8 along a of Ab24a is three steps to the next block in the sums as well as in the data, with b in between.
TEST_CASE(
    "converting_reorder: sums along several axes are ordered like the destination, also if blocks do not divide each "
    "other") {
    struct pair {
        const char *from, *to;
        int mask;
    };
    const pair pairs[] = {{"abcd", "Abcd16a", 3},        {"dcab", "Abcd16a", 3},     {"Abcd16a", "Abcd24a", 3},
                          {"ABcd6b16a", "ABcd4b24a", 3}, {"abcd", "BaCd4c16b4c", 6}, {"ABcd16b16a", "ABcd24a24b", 3},
                          {"abcd", "cdba", 7},           {"Abcd24a", "bAcd16a", 11}, {"aBCd16b8c", "aBCd12b6c", 14}};
    values::random_source random(29);
    int uneven = 0, apart = 0;
    for (int i = 0; i < 300; ++i) {
        const pair& each = pairs[static_cast<std::size_t>(i) % std::size(pairs)];
        const dims extents{random.between(1, 60), random.between(1, 50), random.between(1, 3), random.between(1, 3)};
        extra besides{.s8s8_compensation = true, .s8s8_mask = each.mask};
        if (random.once_in(2)) {
            besides.asymmetric_source_compensation = true;
            besides.asymmetric_source_mask = random.once_in(2) ? each.mask : 2;
        }
        const descriptor src(data_type::f32, layout(extents, *parse_format_tag(each.from))),
            dst(data_type::s8, layout(extents, *parse_format_tag(each.to)), besides);
        const values::question question(random, src, dst, {});
        INFO(each.from, " -> ", each.to, ", number ", i);
        const converting_reorder planned = values::planned_values(src, dst, {});
        if (planned.has_cache_blocks && !planned.blocks.shape.uneven_sums.empty()) ++uneven;
        if (!planned.has_cache_blocks) ++apart;
        CHECK(question.is_answered_by(planned, i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
        const auto in_parts = [&planned](const void* in, void* out) {
            planned.begin(out);
            for (int part = 2; part >= 0; --part) planned.run_chunk(in, out, part, 3);
            planned.finish(out);
        };
        CHECK(question.is_answered_by(in_parts, kernels::fence::behind));
    }
    CHECK(uneven > 50);
    CHECK(apart < 10);
}

// Small tensors are not stored past the cache, so the plan is changed to do it.
TEST_CASE("converting_reorder: rows stored past the cache give the same result") {
    values::random_source random(20221123);
    int streamed = 0;
    for (int i = 0; i < 300; ++i) {
        const values::question question(random, 1 + i % 5, i % 2 == 0 ? 40000 : 2500);
        INFO(question.text(), ", number ", i);
        converting_reorder planned = values::planned_values(question.src, question.dst, question.attributes);
        if (!planned.has_cache_blocks || planned.blocks.shape.side == cache_block_side::source) continue;
        if (question.attributes.beta != 0) continue;
        planned.blocks.streams = true;
        planned.keeps_steps = false;
        ++streamed;
        const kernels::fence where = i % 4 < 2 ? kernels::fence::behind : kernels::fence::in_front;
        CHECK(question.is_answered_by(planned, where));
        REQUIRE(planned.number_of_orders() == 2);
        for (const int order : {0, 1}) {
            order_trials trials;
            trials.decide(order);
            CHECK(question.is_answered_by([&](const void* in, void* out) { planned(in, out, trials); }, where));
        }
    }
    CHECK(streamed > 100);
}

TEST_CASE("converting_reorder: a large tensor tries stores past the cache, also if rows need no buffer") {
    const layout rows({64, 1024, 128}, "abc"), turned({64, 1024, 128}, "acb"), few({64, 64, 128}, "abc");
    const auto planned = [](const layout& src, const layout& dst, const reorder_attributes& attributes) {
        return values::planned_values({data_type::bf16, src}, {data_type::f32, dst}, attributes);
    };
    const converting_reorder along = planned(rows, rows, {}), across = planned(rows, turned, {});
    CHECK(along.blocks.shape.side == cache_block_side::both);
    CHECK(along.number_of_orders() == 2);
    CHECK_FALSE(along.blocks.streams_first());
    CHECK(across.blocks.shape.side != cache_block_side::both);
    CHECK(across.blocks.streams_first());
    CHECK(planned(rows, rows, {.beta = 1}).number_of_orders() == 1);  // reads what it overwrites
    CHECK(planned(few, few, {}).number_of_orders() == 1);
}

TEST_CASE("converting_reorder: two rows of four-bit numbers, the second of which begins inside a byte") {
    values::random_source random(4);
    const layout adjacent({2, 25}, "ab"), apart({2, 25}, strides{32, 1});
    for (const data_type small : {data_type::s4, data_type::u4})
        for (const bool reads : {true, false}) {
            CAPTURE(reads);
            const descriptor packed(small, adjacent), wide(data_type::f32, apart);
            const descriptor &src = reads ? packed : wide, &dst = reads ? wide : packed;
            const values::question question(random, src, dst, {});
            const converting_reorder planned = values::planned_values(src, dst, {});
            CHECK(planned.has_cache_blocks);
            REQUIRE(question.is_answered_by(planned, kernels::fence::behind));
        }
}

TEST_CASE("converting_reorder: a tensor with padding in front is moved element by element") {
    const descriptor src(data_type::f32, layout({3, 5}, "ba"));
    const descriptor dst(data_type::s8, plait_test::by_hand({3, 5}, {8, 8}, {8, 1}, {}, {1, 2}));
    const float scales[] = {1, 2, 3};
    const reorder_attributes attributes{.src_scale = {scales, 1}};
    const converting_reorder planned = values::planned_values(src, dst, attributes);
    CHECK_FALSE(planned.has_cache_blocks);
    float in[15];
    for (int i = 0; i < 15; ++i) in[i] = static_cast<float>(i);
    std::vector<std::byte> expected(dst.size_in_bytes(), std::byte{9}), found = expected;
    reference_reorder(src, in, dst, expected.data(), attributes);
    planned(in, found.data());
    CHECK(expected == found);
}

TEST_CASE("converting_reorder: a copy of a plan works, and needs only the arrays by index of the attributes") {
    const descriptor src(data_type::s8, layout({4, 40}, "ab")), dst(data_type::f16, layout({4, 40}, "ba"));
    converting_reorder planned;
    {
        const float factor = 0.25f;
        const converting_reorder made = values::planned_values(src, dst, {.src_scale = {{&factor, 1}, 0}});
        planned = made;
    }
    std::vector<std::byte> in(160, std::byte{8}), out(320);
    planned(in.data(), out.data());
    float16 first;
    std::memcpy(&first, out.data() + 318, sizeof(first));
    CHECK(convert<float>(first) == 2);
}

}}  // namespace test_engine_quantize_converting_reorder
