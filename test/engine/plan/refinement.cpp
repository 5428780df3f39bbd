#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <plait/engine/plan/coalesce.hpp>
#include <plait/engine/plan/refinement.hpp>

using namespace plait;
using namespace plait::engine;

namespace {

/// Whether the nodes, index by index, visit exactly the pairs of offsets that the layouts give.
constexpr bool visits_every_element_once(const layout& src, const layout& dst, const refinement& r) {
    dim_t elements = 0, sum_src = 0, sum_dst = 0, mixed = 0;  // sums over all visits tell a wrong or a double visit
    dim_t total = 1;
    for (const reorder_node& node : r.nodes) total *= node.extent;
    for (dim_t number = 0; number < total; ++number) {
        dim_t rest = number, from = r.src_offset, to = r.dst_offset;
        dim_t index[max_nodes]{};
        for (const reorder_node& node : r.nodes) {
            const dim_t step = rest % node.extent;
            rest /= node.extent;
            index[node.axis] += step * node.index_step;
            from += step * node.src;
            to += step * node.dst;
            if (node.is_uneven)
                for (const uneven_step& carry : r.uneven_steps) {
                    if (carry.axis != node.axis) continue;
                    from += step / carry.period * carry.src;
                    to += step / carry.period * carry.dst;
                }
        }
        bool valid = true;
        for (const reorder_node& node : r.nodes) valid = valid && index[node.axis] < r.bounds[node.axis].valid;
        if (!valid) continue;
        ++elements;
        sum_src += from;
        sum_dst += to;
        mixed += from * to;
    }
    for (dim_t number = 0; number < src.volume(); ++number) {
        const dim_t from = src.linear_offset(number), to = dst.linear_offset(number);
        sum_src -= from;
        sum_dst -= to;
        mixed -= from * to;
    }
    return elements == src.volume() && sum_src == 0 && sum_dst == 0 && mixed == 0;
}

constexpr bool refines(const layout& src, const layout& dst) {
    const auto r = refine(src, dst);
    return r && visits_every_element_once(src, dst, *r) && visits_every_element_once(src, dst, coalesce(*r));
}
constexpr bool refines_with_axes(const layout& src, const layout& dst, int kept) {
    return visits_every_element_once(src, dst, coalesce(*refine(src, dst), kept));
}

}  // namespace

TEST_CASE("refinement: the nodes visit every element once, coalesced or not") {
    STATIC_CHECK(refines(layout({2, 5, 3}, "abc"), layout({2, 5, 3}, "acb")));
    STATIC_CHECK(refines(layout({2, 17, 3}, "abc"), layout({2, 17, 3}, "aBc16b")));
    STATIC_CHECK(refines(layout({2, 17, 3}, "aBc8b"), layout({2, 17, 3}, "aBc16b")));
    STATIC_CHECK(refines(layout({6, 7}, "AB4a4b2a"), layout({6, 7}, "BA2b4a2b")));
    STATIC_CHECK(refines(layout({9, 10}, "AB2b4a2b"), layout({9, 10}, "ba")));
    STATIC_CHECK(refines(layout({4, 3}, strides{0, 1}), layout({4, 3}, "ba")));
    STATIC_CHECK(refines(layout({1, 5, 1}, "abc"), layout({1, 5, 1}, "aBc4b")));
}

TEST_CASE("coalesce: an axis that becomes whole while nodes merge keeps its limit for all of them") {
    STATIC_CHECK(refines(layout({8, 20}, "AB4b8a4b"), layout({8, 20}, "AB8a4b")));
    STATIC_CHECK(refines(layout({2, 20}, "AB4b2a4b"), layout({2, 20}, "AB2a4b")));
}

TEST_CASE("coalesce: blocks that no bound cuts are an axis of their own, and the others are counted by the end") {
    const auto coalesced = [](const layout& src, const layout& dst, int kept = 0) {
        return coalesce(*refine(src, dst), kept);
    };
    // 40 channels in blocks of 8 and of 16: five blocks of 8 are valid, and six are stored.
    constexpr layout eights({40, 6}, "Ab8a"), sixteens({40, 6}, "Ab16a");
    const refinement r = coalesced(eights, sixteens);
    CHECK(visits_every_element_once(eights, sixteens, r));
    for (const reorder_node& n : r.nodes) {
        if (n.src == 1) CHECK((n.extent == 8 && r.is_only_node(n)));
        else if (n.axis == 0) CHECK(r.bounds[n.axis] == axis_bound{5, 6});
    }
    CHECK(uncut_block(*refine(eights, sixteens), 0) == 8);
    // Of 36 channels half a block is valid; and what attributes are of stays an axis.
    CHECK(uncut_block(*refine(layout({36, 6}, "Ab8a"), layout({36, 6}, "Ab16a")), 0) == 1);
    CHECK(coalesced(eights, sixteens, 1).bounds[0] == axis_bound{40, 48});
    // 32 are valid and 36 stored: two blocks of 16 end where elements do, and the padding is one of 4.
    const layout fours = plait_test::of_digits({32, 6}, {36, 6}, {{0, 9, 24}, {1, 6, 4}, {0, 4, 1}});
    CHECK(uncut_block(*refine(layout({32, 6}, "Ab16a"), fours), 0) == 4);
    CHECK(visits_every_element_once(layout({32, 6}, "Ab16a"), fours, coalesced(layout({32, 6}, "Ab16a"), fours)));
    // The inner block goes on with another axis: 4 of one and 8 of the other are one run.
    constexpr layout twice({40, 16}, "AB8a4b"), again({40, 16}, "BA16a4b");
    CHECK(visits_every_element_once(twice, again, coalesced(twice, again)));
    STATIC_CHECK(refines(layout({12, 20}, "AB4b4a"), layout({12, 20}, "AB8a8b")));
    STATIC_CHECK(refines(layout({12, 8, 3}, "aBc4b"), layout({12, 8, 3}, "ABc2b8a2b")));
}

TEST_CASE("refinement: a stride of an axis with one element may be any number") {
    STATIC_CHECK(refines(layout({1, 8}, strides{INT64_MAX, 1}), layout({1, 8}, "Ab16a")));
    STATIC_CHECK(refines(layout({1, 8}, strides{-5, 1}), layout({1, 8}, "Ab16a")));
}

TEST_CASE("continue_source: steps without elements get the destination's stride, where segments of 32 bytes begin") {
    const auto continued = [](const layout& src, const layout& dst, int bytes) {
        refinement r = *refine(src, dst);
        continue_source(r, bytes);
        return r;
    };
    const auto has_network_free_node = [=](const layout& src, const layout& dst, int bytes) {
        const refinement r = continued(src, dst, bytes);
        bool found = false;
        for (const reorder_node& n : r.nodes) found = found || (n.src == 1 && n.dst == 1 && n.extent > 1);
        return found && visits_every_element_once(src, dst, r) && visits_every_element_once(src, dst, coalesce(r));
    };
    STATIC_CHECK(has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc16b"), 4));
    STATIC_CHECK(has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc8b"), 4));
    STATIC_CHECK(!has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc8b"), 2));
    STATIC_CHECK(!has_network_free_node(layout({2, 2, 3}, "abc"), layout({2, 2, 3}, "aBc16b"), 4));
    // Of blocks 16c4c of one index the inner ones are 16 bytes, and the outer ones no segment.
    STATIC_CHECK(!has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc16b4b"), 2));
    // Elements that there are keep their strides.
    for (const reorder_node& n : continued(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc16b"), 4).nodes)
        if (n.axis != 1) CHECK(n.src == (n.axis == 0 ? 3 : 1));
}

TEST_CASE("refinement: blocks that do not divide each other carry, unless the axis is shorter") {
    const auto carries = [](int extent, const layout& src, const layout& dst) {
        const refinement r = *refine(src, dst);
        return r.uneven_steps.size() == 2 && r.nodes.back().is_uneven && r.nodes.back().index_step == extent;
    };
    STATIC_CHECK(carries(8, layout({48}, "A16a"), layout({48}, "A24a")));
    STATIC_CHECK(refines(layout({48}, "A16a"), layout({48}, "A24a")));
    STATIC_CHECK(refines(layout({25}, "A16a"), layout({25}, "A24a")));
    STATIC_CHECK(refines(layout({100, 2}, "bA32a"), layout({100, 2}, "Ab48a")));
    STATIC_CHECK(refines(layout({50, 2}, "bA4a6a"), layout({50, 2}, "Ab2a5a3a")));
    STATIC_CHECK(refines(layout({36}, "A5a"), layout({36}, "A7a")));
    STATIC_CHECK(refines(layout({17}, "A16a"), layout({17}, "A24a")));
    STATIC_CHECK(refines(layout({13}, "A24a"), layout({13}, "A16a")));
    STATIC_CHECK(refines(layout({48}, "A8a"), layout({48}, "A24a")));
    STATIC_CHECK(refines(layout({12, 10}, "AB4a4b"), layout({12, 10}, "BA6a6b")));
}

TEST_CASE("refinement: padding in front of a tensor has none") {
    constexpr layout shifted = [] {
        layout l({4}, "A8a");
        l.padded_offsets[0] = 2;
        return l;
    }();
    STATIC_CHECK(check_layout(shifted).ok());
    STATIC_CHECK(!refine(shifted, layout({4}, "a")));
}

TEST_CASE("coalesce: neighbours on both sides become one node") {
    // All of a dense copy, whatever the rank. A refinement is no constant itself: most of it is never written.
    const auto coalesced = [](const layout& src, const layout& dst, int kept = 0) {
        return coalesce(*refine(src, dst), kept).nodes;
    };
    constexpr layout plain({2, 3, 4, 5}, "abcd");
    STATIC_CHECK(coalesced(plain, plain).size() == 1 && coalesced(plain, plain)[0].extent == 120 &&
                 coalesced(plain, plain)[0].src == 1);
    // h and w of nchw and nChw16c.
    STATIC_CHECK(coalesced(plain, plain, 2).size() == 3 && coalesced(plain, plain, 2)[1].axis == 1 &&
                 coalesced(plain, plain, 2)[2].extent == 20);
    STATIC_CHECK(refines_with_axes(layout({2, 17, 3}, "abc"), layout({2, 17, 3}, "aBc16b"), 3));
    STATIC_CHECK(refines_with_axes(layout({6, 7}, "AB4a4b2a"), layout({6, 7}, "BA2b4a2b"), 2));
    STATIC_CHECK(coalesced(layout({2, 32, 7, 7}, "nchw"), layout({2, 32, 7, 7}, "nChw16c")).size() == 3);
    // The batch of equal layouts with gaps stays apart: holes are not visited.
    constexpr layout gaps({4, 4}, strides{8, 1});
    STATIC_CHECK(coalesce(*refine(gaps, gaps)).nodes.size() == 2);
}

TEST_CASE("refinement: a digit that others surround may only be split where a power of two divides it") {
    STATIC_CHECK([] {
        const refinement r = coalesce(*refine(layout({39, 5}, "ab"), layout({39, 5}, "Ab24a")));
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].extent == 24 && r.splittable_bits(i) != 3) return false;
        return r.nodes.size() == 3;
    }());
}

TEST_CASE("refinement: what no index of a side reaches adds nothing, whatever its stride") {
    using plait_test::of_digits;
    // A second block of 4 would begin 2^62 behind the first: the source has none, but the destination is padded to 12.
    constexpr layout src = of_digits({3}, {4}, {{0, 1, dim_t{1} << 62}, {0, 4, 1}}), dst({3}, "A4a3a");
    STATIC_CHECK(refines(src, dst));
    STATIC_CHECK(refines(dst, src));
    for (const refinement& r : {*refine(src, dst), *refine(dst, src)})
        for (const uneven_step& carry : r.uneven_steps) {
            CHECK(carry.src <= 12);
            CHECK(carry.dst <= 12);
        }
}

TEST_CASE("refinement: none where steps beyond the end of one side leave 63 bits") {
    using plait_test::of_digits;
    // The second element of the source lies 2^40 behind the first; steps into the padding would reach 2^70.
    constexpr dim_t far = dim_t{1} << 40, much = dim_t{1} << 30;
    constexpr layout src = of_digits({2}, {2}, {{0, 2, far}}), little = of_digits({2}, {16}, {{0, 16, 1}}),
                     padded = of_digits({2}, {much}, {{0, much, 1}});
    STATIC_CHECK(refine(src, little).has_value());
    STATIC_CHECK(!refine(src, padded).has_value());
    STATIC_CHECK(check_reorder(src, padded).ok());  // element by element it is one
}
