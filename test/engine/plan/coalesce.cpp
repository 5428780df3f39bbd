// Coalescing gives fewer nodes and fewer bounds with the same pairs of offsets.

#include "engine/plan/visited_elements.hpp"
#include "support/static_check.hpp"

namespace test_engine_plan_coalesce {

using namespace plait_test;

TEST_CASE("coalesce: an axis that becomes whole when nodes merge keeps its limit") {
    STATIC_CHECK(refines(layout({8, 20}, "AB4b8a4b"), layout({8, 20}, "AB8a4b")));
    STATIC_CHECK(refines(layout({2, 20}, "AB4b2a4b"), layout({2, 20}, "AB2a4b")));
}

TEST_CASE("coalesce: blocks that no bound cuts become a separate axis, and the bound counts the others") {
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
    // 36 channels end in half a block; an axis with attributes stays an axis.
    CHECK(uncut_block(*refine(layout({36, 6}, "Ab8a"), layout({36, 6}, "Ab16a")), 0) == 1);
    CHECK(coalesced(eights, sixteens, 1).bounds[0] == axis_bound{40, 48});
    // 32 are valid and 36 stored: two blocks of 16 end where elements do, and the padding is one of 4.
    const layout fours = plait_test::of_digits({32, 6}, {36, 6}, {{0, 9, 24}, {1, 6, 4}, {0, 4, 1}});
    CHECK(uncut_block(*refine(layout({32, 6}, "Ab16a"), fours), 0) == 4);
    CHECK(visits_every_element_once(layout({32, 6}, "Ab16a"), fours, coalesced(layout({32, 6}, "Ab16a"), fours)));
    // The inner block continues with another axis: 4 of one and 8 of the other are one run.
    constexpr layout twice({40, 16}, "AB8a4b"), again({40, 16}, "BA16a4b");
    CHECK(visits_every_element_once(twice, again, coalesced(twice, again)));
    STATIC_CHECK(refines(layout({12, 20}, "AB4b4a"), layout({12, 20}, "AB8a8b")));
    STATIC_CHECK(refines(layout({12, 8, 3}, "aBc4b"), layout({12, 8, 3}, "ABc2b8a2b")));
}

TEST_CASE("coalesce: neighbours on both sides become one node") {
    // A dense copy of any rank is one node. A refinement cannot be constexpr, because most of it is never written.
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
    // The batch of equal layouts with gaps stays apart: gaps are not visited.
    constexpr layout gaps({4, 4}, strides{8, 1});
    STATIC_CHECK(coalesce(*refine(gaps, gaps)).nodes.size() == 2);
}

}  // namespace test_engine_plan_coalesce
