#include <plait/engine/plan/zeroed_padding.hpp>

#include <plait/algebra/submemory.hpp>
#include <plait/engine/plan/make_plan.hpp>

#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <vector>

namespace test_engine_plan_zeroed_padding { namespace {

using namespace plait;
using namespace plait::engine;

/// The remainder of a destination without its padding. `has_every_element`: each element of the
/// tensor is exactly one index of the nodes below `stored`, and no place occurs twice.
struct rest {
    dim_t stored = 0;
    bool has_every_element = false;
};
constexpr rest rest_of(const layout& src, const layout& dst, int bytes) {
    refinement r = *refine(src, dst);
    rest out{leave_out_padding(r, bytes), false};
    dim_t indices = 1, stored = 0, valid = 0, sum = 0;
    for (const reorder_node& n : r.nodes) indices *= n.extent;
    for (dim_t number = 0; number < indices; ++number) {
        dim_t left = number, to = r.dst_offset, along[max_nodes]{};
        for (const reorder_node& n : r.nodes) {
            const dim_t step = left % n.extent;
            left /= n.extent;
            along[n.axis] += step * n.index_step;
            to += step * n.dst;
        }
        bool is_stored = true, is_valid = true;
        for (int axis = 0; axis < r.bounds.size(); ++axis) {
            is_stored = is_stored && along[axis] < r.bounds[axis].stored;
            is_valid = is_valid && along[axis] < r.bounds[axis].valid;
        }
        stored += is_stored;
        valid += is_stored && is_valid;
        sum += is_valid ? to * to : 0;  // distinguishes one place twice from two
    }
    for (dim_t number = 0; number < dst.volume(); ++number) {
        const dim_t to = dst.linear_offset(number);
        sum -= to * to;
    }
    out.has_every_element = stored == out.stored && valid == dst.volume() && sum == 0;
    return out;
}
constexpr bool leaves(const layout& src, const layout& dst, int bytes, dim_t stored) {
    const rest found = rest_of(src, dst, bytes);
    return found.stored == stored && found.has_every_element;
}

TEST_CASE("is_mostly_padding: few elements, and another layout than the source's") {
    STATIC_CHECK(is_mostly_padding(layout({4, 1, 9}, "abc"), layout({4, 1, 9}, "aBc16b"), 16));
    STATIC_CHECK(!is_mostly_padding(layout({4, 2, 9}, "abc"), layout({4, 2, 9}, "aBc16b"), 16));
    STATIC_CHECK(!is_mostly_padding(layout({4, 1, 9}, "aBc16b"), layout({4, 1, 9}, "aBc16b"), 16));
    STATIC_CHECK(is_mostly_padding(layout({4, 8, 9}, "abc"), layout({4, 8, 9}, "aBc16b"), 2));
    STATIC_CHECK(!is_mostly_padding(layout({4, 9, 9}, "abc"), layout({4, 9, 9}, "aBc16b"), 2));
}

TEST_CASE("leave_out_padding: padding within four bytes stays, the rest is left out") {
    STATIC_CHECK(leaves(layout({1, 2, 6}, "abc"), layout({1, 2, 6}, "aBc32b"), 2, 12));
    STATIC_CHECK(leaves(layout({1, 1, 6}, "abc"), layout({1, 1, 6}, "aBc32b"), 2, 12));
    STATIC_CHECK(leaves(layout({1, 1, 6}, "abc"), layout({1, 1, 6}, "aBc32b"), 1, 24));
    STATIC_CHECK(leaves(layout({1, 1, 6}, "abc"), layout({1, 1, 6}, "aBc32b"), 4, 6));
    STATIC_CHECK(leaves(layout({1, 5}, "ab"), layout({1, 5}, "BA4b8a2b"), 2, 6));
    STATIC_CHECK(leaves(layout({3, 5}, "ab"), layout({3, 5}, "AB16b16a"), 4, 15));
    STATIC_CHECK(leaves(layout({17, 1}, "ab"), layout({17, 1}, "AB16a16b"), 4, 17));
}

TEST_CASE("leave_out_padding_of_values: if half is padding and runs of 8 bytes remain") {
    const auto leaves_out = [](const layout& src, const layout& dst, int bytes) {
        refinement r = *refine(src, dst);
        const bool gain = leave_out_padding_of_values(r, src, dst, bytes);
        refinement left = *refine(src, dst);
        leave_out_padding(left, bytes);
        for (int axis = 0; axis < left.bounds.size(); ++axis)
            if (gain && r.bounds[axis].stored != left.bounds[axis].stored) return -1;
        return gain ? static_cast<int>(stored_run(left)) : 0;
    };
    const auto of_channels = [&](dim_t channels, dim_t places, int bytes) {
        return leaves_out(layout({channels, places}, "ab"), layout({channels, places}, "Ab16a"), bytes);
    };
    CHECK(of_channels(8, 5, 1) == 8);
    CHECK(of_channels(7, 5, 1) == 8);  // padding within four bytes stays
    CHECK(of_channels(9, 5, 1) == 0);  // seven of 16 are padding
    CHECK(of_channels(4, 5, 1) == 4);  // a quarter: runs of any length
    CHECK(of_channels(4, 70000, 1) == 0);
    CHECK(of_channels(4, 5, 2) == 4);
    CHECK(of_channels(1, 5, 2) == 2);
    // Above 1 MB a half is not enough.
    CHECK(of_channels(8, 70000, 1) == 0);
    CHECK(of_channels(5, 70000, 1) == 8);
    CHECK(of_channels(1, 70000, 1) == 4);  // a sixteenth: for runs of any length
    // Nor are runs of few bytes if the elements are large, because each reads a line again that has left the cache.
    CHECK(of_channels(1, 10000, 4) == 1);
    CHECK(of_channels(1, 20000, 4) == 0);
    CHECK(of_channels(1, 70000, 2) == 2);
}

TEST_CASE("elements_alone: the cache lines that have elements, at most") {
    const auto alone = [](const layout& src, const layout& dst, int bytes) {
        return elements_alone(*refine(src, dst), bytes);
    };
    const layout few({1, 96}, "ab"), blocks({1, 96}, "Ab32a");  // f32: one element in two lines
    const elements_alone found = alone(few, blocks, 4);
    CHECK(found.stored == 96);
    CHECK(found.run_bytes == 4);
    CHECK(found.lines == 96);
    CHECK(found.are_in_few_lines(blocks, 4, 2));
    CHECK_FALSE(found.are_in_few_lines(blocks, 4, 3));
    const elements_alone none = alone(layout({0, 3}, "ab"), plait_test::by_hand({0, 3}, {2, 3}, {3, 1}), 4);
    CHECK(none.stored == 0);
    CHECK(none.lines == 0);
}

/// The places of a layout are exactly those that runs_of zeroes; false also if it zeroes none.
bool zeroes_all_places(const layout& l, int bytes) {
    const zeroed_runs found = runs_of(l, bytes);
    std::vector<std::byte> memory(static_cast<std::size_t>(l.element_span()) * static_cast<std::size_t>(bytes) + 64,
                                  std::byte{7}),
        expected = memory;
    found.write(memory.data());
    dim_t places = 1;
    for (const digit& d : l.digits) places *= d.extent;
    for (dim_t number = 0; number < places; ++number) {
        dim_t left = number, place = l.offset0;
        for (const digit& d : l.digits) {
            place += left % d.extent * d.stride;
            left /= d.extent;
        }
        for (int byte = 0; byte < bytes; ++byte)
            expected[static_cast<std::size_t>(place * bytes + byte)] = std::byte{0};
    }
    return found.first.bytes > 0 && memory == expected;
}

TEST_CASE("runs_of: the places of a part of a tensor, and no gaps") {
    const auto part = [](const layout& whole, const dims& extents) {
        position first;
        for (int a = 0; a < extents.size(); ++a) first.push_back(0);
        return *try_submemory(whole, extents, first);
    };
    CHECK(zeroes_all_places(layout({100, 3}, "Ab64a"), 2));
    CHECK(zeroes_all_places(part(layout({100, 5}, "Ab64a"), {100, 3}), 1));
    CHECK(runs_of(part(layout({100, 5}, "Ab64a"), {100, 3}), 1).first.bytes == 192);
    CHECK(zeroes_all_places(part(layout({70, 1, 5, 7}, "ABcd16b32a"), {70, 1, 3, 3}), 1));
    CHECK(zeroes_all_places(part(layout({70, 20, 5, 7}, "ABcd16b32a"), {70, 20, 3, 3}), 2));
    // Runs of one element, of fewer than 16, in four loops; a part that ends inside a block.
    CHECK(runs_of(layout({4, 1}, strides{32, 16}), 1).first.bytes == 0);
    CHECK(runs_of(part(layout({8, 5, 5}, "Abc8a"), {8, 3, 1}), 4).first.bytes == 0);
    CHECK(runs_of(part(layout({32, 3, 3, 3, 3}, "Abcde16a"), {32, 2, 2, 2, 2}), 4).first.bytes == 0);
    CHECK(runs_of(part(layout({64, 5}, "Ab64a"), {24, 3}), 4).first.bytes == 0);
}

TEST_CASE("all_of: every byte from the first place to the last") {
    layout later({1, 2}, "aB32b");
    later.offset0 = 33;
    CHECK(all_of(later, 2).from == 66);
    CHECK(all_of(later, 2).bytes == 64);
    unsigned char bytes[140];
    for (unsigned char& byte : bytes) byte = 7;
    all_of(later, 2).write(bytes);
    for (int i = 0; i < 140; ++i) CHECK(bytes[i] == (i < 66 || i >= 130 ? 7 : 0));
    zeroed_run{}.write(nullptr);
    zeroed_runs{}.write(nullptr);
    // Rows that run backwards: the first place is eight before the first element.
    constexpr zeroed_run backwards = all_of(layout({3, 4}, strides{-4, 1}), 2);
    STATIC_CHECK(backwards.from == 0 && backwards.bytes == 24);
}

TEST_CASE("zeroed_ahead: zeros each place once, and what is written then stays") {
    unsigned char bytes[100];
    for (unsigned char& byte : bytes) byte = 7;
    zeroed_ahead zeros({10, 50}, bytes);
    zeros.up_to(5);
    CHECK(bytes[10] == 7);
    zeros.up_to(20);
    CHECK((bytes[9] == 7 && bytes[10] == 0 && bytes[19] == 0 && bytes[20] == 7));
    bytes[15] = 1;
    zeros.up_to(15);
    zeros.up_to(90);  // not beyond the end
    bytes[59] = 1;
    zeros.finish();
    for (int i = 0; i < 100; ++i) CHECK(bytes[i] == (i == 15 || i == 59 ? 1 : i < 10 || i >= 60 ? 7 : 0));
}

/// Returns the furthest place in the destination of a tile, and of the steps of loops from number `first`, counted from
/// the first.
dim_t furthest_place(const reorder_plan& plan, int first) {
    const dim_t alternating = plan.pattern.interleave == 0 ? 1 : plan.pattern.interleave;
    dim_t number = alternating << plan.bits.size(), furthest = 0;
    for (int k = first; k < plan.loops.size(); ++k) number *= plan.loops[k].extent;
    for (dim_t i = 0; i < number; ++i) {
        dim_t left = i / alternating, at = i % alternating * plan.interleaved.dst;
        for (const tile_bit& bit : plan.bits) at += (left & 1) * bit.dst, left /= 2;
        for (int k = first; k < plan.loops.size(); ++k) {
            at += left % plan.loops[k].extent * plan.loops[k].dst;
            left /= plan.loops[k].extent;
        }
        if (at > furthest) furthest = at;
    }
    return furthest;
}

TEST_CASE("order_for_strips: loops around strips are in the order of the destination, and can be cut") {
    const auto plan_for = [](const layout& src, const layout& dst) {
        refinement r = *refine(src, dst);
        leave_out_padding(r, 4);
        return *make_plan(coalesce(r), element_sizes(4), isa::avx512);
    };
    int in_strips = 0, interleaved = 0;
    for (const char* const written : {"aCdb32c", "ABcd16b16a", "dcBA16b16a", "aBcd16b", "BcdA16b4a", "aCBd4c8b8c4b"})
        for (const dims& extents :
             {dims{1, 70, 20, 1}, dims{40, 1, 9, 20}, dims{100, 33, 1, 1}, dims{1, 1, 60, 70}, dims{20, 33, 1, 6}}) {
            const layout src(extents, "abcd"), dst(extents, *parse_format_tag(written));
            reorder_plan plan = plan_for(src, dst);
            const reorder_plan before = plan;
            const int around = order_for_strips(plan, all_of(dst, 4).bytes);
            for (int k = 0; k <= plan.loops.size(); ++k)
                CHECK(destination_reach(plan, k) == furthest_place(plan, k) + 1);
            if (around < 0) {
                CHECK(plan.loops == before.loops);
                continue;
            }
            ++in_strips;
            interleaved += plan.pattern.interleave != 0;
            for (int k = 0; k <= around; ++k) {
                const plan_loop& loop = plan.loops[k];
                CHECK((loop.bound < 0 && loop.overlap == 0 && loop.dst > 0));
                CHECK((k + 1 == plan.loops.size() || loop.dst >= plan.loops[k + 1].dst));
            }
            CHECK(plan.bytes_moved() == before.bytes_moved());
        }
    CHECK(in_strips >= 5);
    CHECK(interleaved > 0);
    // Three strips at least.
    reorder_plan plan = plan_for(layout({100, 33, 1, 1}, "abcd"), layout({100, 33, 1, 1}, "aCdb32c"));
    CHECK(order_for_strips(plan, 3 * strip_bytes - 1) == -1);
    CHECK(order_for_strips(plan, 3 * strip_bytes) >= 0);
}

}}  // namespace test_engine_plan_zeroed_padding
