#include "engine/plan/visited_elements.hpp"
#include "support/static_check.hpp"

namespace test_engine_plan_refinement {

using namespace plait_test;

TEST_CASE("refinement: the nodes visit every element once, coalesced or not") {
    STATIC_CHECK(refines(layout({2, 5, 3}, "abc"), layout({2, 5, 3}, "acb")));
    STATIC_CHECK(refines(layout({2, 17, 3}, "abc"), layout({2, 17, 3}, "aBc16b")));
    STATIC_CHECK(refines(layout({2, 17, 3}, "aBc8b"), layout({2, 17, 3}, "aBc16b")));
    STATIC_CHECK(refines(layout({6, 7}, "AB4a4b2a"), layout({6, 7}, "BA2b4a2b")));
    STATIC_CHECK(refines(layout({9, 10}, "AB2b4a2b"), layout({9, 10}, "ba")));
    STATIC_CHECK(refines(layout({4, 3}, strides{0, 1}), layout({4, 3}, "ba")));
    STATIC_CHECK(refines(layout({1, 5, 1}, "abc"), layout({1, 5, 1}, "aBc4b")));
}

TEST_CASE("refinement: a stride of an axis with one element may be any number") {
    STATIC_CHECK(refines(layout({1, 8}, strides{INT64_MAX, 1}), layout({1, 8}, "Ab16a")));
    STATIC_CHECK(refines(layout({1, 8}, strides{-5, 1}), layout({1, 8}, "Ab16a")));
}

TEST_CASE(
    "continue_source: steps without elements get the destination's stride, for segments of 32 bytes or no others") {
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
    // Blocks 16c4c are one segment of 64 places. If another axis is between them, the inner ones have 8 bytes.
    STATIC_CHECK(has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc16b4b"), 2));
    STATIC_CHECK(!has_network_free_node(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBC16b2c4b"), 2));
    // Nothing else is dense in the source: elements are 8 apart on both sides, or 8 and 16.
    STATIC_CHECK(has_network_free_node(layout({5, 9, 1}, "aCB8b8c"), layout({5, 9, 1}, "aCb8c"), 1));
    STATIC_CHECK(has_network_free_node(layout({5, 9, 1}, "aCB8b8c"), layout({5, 9, 1}, "aCb16c"), 1));
    // Existing elements keep their strides.
    for (const reorder_node& n : continued(layout({2, 1, 3}, "abc"), layout({2, 1, 3}, "aBc16b"), 4).nodes)
        if (n.axis != 1) CHECK(n.src == (n.axis == 0 ? 3 : 1));
}

TEST_CASE("add_source_gap: one element in 2 or 4 places, and two bytes in 4 or 8, if registers have eight of them") {
    // Returns the distance of the gaps that are made a node, or the places that a run of two is given; else 0.
    const auto gap_of = [](const layout& src, const layout& dst, int bytes, isa instructions) {
        refinement r = coalesce(*refine(src, dst));
        const int nodes = r.nodes.size();
        const refinement before = r;
        add_source_gap(r, bytes, instructions);
        if (r.nodes.size() > nodes) {
            const reorder_node& gap = r.nodes.back();
            const axis_bound& bound = r.bounds[gap.axis];
            return gap.src == 1 && gap.dst == 0 && bound == axis_bound{1, 1} ? gap.extent : dim_t{-1};
        }
        for (int k = 0; k < nodes; ++k)
            if (r.nodes[k] != before.nodes[k]) return r.nodes[k].src == 1 ? r.nodes[k].extent : dim_t{-1};
        return dim_t{0};
    };
    const auto apart = [](dim_t distance) { return layout({30, 40}, strides{80 * distance, distance}); };
    constexpr layout rows({30, 40}, "ab"), columns({30, 40}, "ba");
    STATIC_CHECK(gap_of(rows, columns, 1, isa::avx512) == 0);
    for (const dim_t distance : {2, 4})
        for (const int bytes : {1, 2, 4, 8})
            for (const isa instructions : {isa::portable, isa::neon, isa::sse41, isa::avx2, isa::avx512}) {
                const bool pays = distance * bytes * 8 <= vector_bytes(instructions);
                CHECK(gap_of(apart(distance), columns, bytes, instructions) == (pays ? distance : 0));
                CHECK(gap_of(apart(distance), rows, bytes, instructions) == (pays ? distance : 0));
            }
    for (const dim_t distance : {3, 5, 8}) CHECK(gap_of(apart(distance), columns, 1, isa::avx512) == 0);
    // A block along an axis of one index, a part of an axis, and an axis that runs backwards.
    STATIC_CHECK(gap_of(layout({6, 40, 1}, "aBC16b2c"), layout({6, 40, 1}, "acb"), 2, isa::avx512) == 2);
    STATIC_CHECK(gap_of(layout({6, 40, 1}, strides{160, 4, 1}), layout({6, 40, 1}, "bac"), 2, isa::avx512) == 4);
    CHECK(gap_of(layout({40}, strides{-2}), layout({40}, "a"), 1, isa::avx2) == 2);
    // Runs of two.
    const auto runs = [](dim_t distance) { return layout({6, 40, 2}, strides{40 * distance, distance, 1}); };
    constexpr layout apart_again({6, 40, 2}, "cab"), together({6, 40, 2}, "abc");
    for (const layout& dst : {apart_again, together}) {
        CHECK(gap_of(runs(4), dst, 1, isa::sse41) == 4);
        CHECK(gap_of(runs(8), dst, 1, isa::avx2) == 8);
        CHECK(gap_of(runs(8), dst, 1, isa::sse41) == 0);
        CHECK(gap_of(runs(4), dst, 2, isa::avx512) == 0);
        CHECK(gap_of(runs(6), dst, 1, isa::avx512) == 0);
        CHECK(gap_of(runs(3), dst, 1, isa::avx512) == 0);
    }
    // The last of the two has no element, or its axis has other nodes.
    CHECK(gap_of(layout({6, 40, 1}, strides{160, 4, 1}), layout({6, 40, 1}, "abC2c"), 1, isa::avx2) == 4);
    CHECK(gap_of(layout({6, 40, 4}, "abC2c"), layout({6, 40, 4}, "Cab2c"), 1, isa::avx512) == 0);
}

TEST_CASE("refinement: blocks that do not divide each other carry, unless the axis is shorter") {
    const auto carries = [](int extent, const layout& src, const layout& dst) {
        const refinement r = *refine(src, dst);
        return r.uneven_steps.size() == 2 && r.nodes.back().is_uneven && r.nodes.back().index_step == extent;
    };
    STATIC_CHECK(carries(8, layout({2, 48}, "Ba16b"), layout({2, 48}, "Ba24b")));
    // Dense blocks of a single axis do not interrupt it.
    STATIC_CHECK(refine(layout({48}, "A16a"), layout({48}, "A24a"))->nodes.size() == 1);
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

TEST_CASE("refinement: a tensor with padding in front has none") {
    constexpr layout shifted = [] {
        layout l({4}, "A8a");
        l.padded_offsets[0] = 2;
        return l;
    }();
    STATIC_CHECK(check_layout(shifted).ok());
    STATIC_CHECK(!refine(shifted, layout({4}, "a")));
}

TEST_CASE("refinement: a digit between others may only be split by powers of two that divide it") {
    STATIC_CHECK([] {
        const refinement r = coalesce(*refine(layout({39, 5}, "ab"), layout({39, 5}, "Ab24a")));
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].extent == 24 && r.splittable_bits(i) != 3) return false;
        return r.nodes.size() == 3;
    }());
}

TEST_CASE("refinement: steps that no index of a side reaches add nothing, with any stride") {
    using plait_test::of_digits;
    // A second block of 4 would begin 2^62 after the first: the source has none, but the destination is padded to 12.
    constexpr layout src = of_digits({3}, {4}, {{0, 1, dim_t{1} << 62}, {0, 4, 1}}), dst({3}, "A4a3a");
    STATIC_CHECK(refines(src, dst));
    STATIC_CHECK(refines(dst, src));
    for (const refinement& r : {*refine(src, dst), *refine(dst, src)})
        for (const uneven_step& carry : r.uneven_steps) {
            CHECK(carry.src <= 12);
            CHECK(carry.dst <= 12);
        }
}

TEST_CASE("refinement: none if steps beyond the end of one side exceed 63 bits") {
    using plait_test::of_digits;
    // The second element of the source is 2^40 after the first; steps into the padding would reach 2^70.
    constexpr dim_t far = dim_t{1} << 40, much = dim_t{1} << 30;
    constexpr layout src = of_digits({2}, {2}, {{0, 2, far}}), little = of_digits({2}, {16}, {{0, 16, 1}}),
                     padded = of_digits({2}, {much}, {{0, much, 1}});
    STATIC_CHECK(refine(src, little).has_value());
    STATIC_CHECK(!refine(src, padded).has_value());
    STATIC_CHECK(check_reorder(src, padded).ok());  // it can be moved element by element
}

}  // namespace test_engine_plan_refinement
