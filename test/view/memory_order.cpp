#include <plait/view/memory_order.hpp>

#include "laws/layout_laws.hpp"

namespace test_view_memory_order {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

TEST_CASE("memory_loops_of: joins axes that are contiguous in memory into one loop") {
    const layout whole({2, 32, 5, 6}, "nChw16c");
    STATIC_CHECK(memory_loops_of(layout({2, 32, 5, 6}, "nChw16c"), padding::left_out).loops.size() == 1);
    CHECK(memory_loops_of(whole, padding::left_out).loops[0] == memory_loop{-1, 1920, 1});
    const layout tail({2, 17, 5, 6}, "nChw16c");
    CHECK(memory_loops_of(tail, padding::included).loops[0] == memory_loop{-1, 1920, 1});
    const memory_loops loops = memory_loops_of(tail, padding::left_out);
    REQUIRE(loops.loops.size() == 4);
    CHECK(loops.loops[0] == memory_loop{-1, 2, 960});
    CHECK(loops.loops[1] == memory_loop{1, 2, 480, 16, 15});
    CHECK(loops.loops[2] == memory_loop{-1, 30, 16});
    CHECK(loops.loops[3] == memory_loop{1, 16, 1, 1});
    CHECK((loops.begin[1] == 0 && loops.end[1] == 17));
}

TEST_CASE("memory_loops_of: the loop of an axis without blocks leaves out the padding") {
    const memory_loops loops = memory_loops_of(by_hand({2, 3}, {4, 5}, {5, 1}, {}, {1, 2}, 7), padding::left_out);
    CHECK(loops.offset0 == 7 + 5 + 2);
    REQUIRE(loops.loops.size() == 2);
    CHECK(loops.loops[0] == memory_loop{-1, 2, 5});
    CHECK(loops.loops[1] == memory_loop{-1, 3, 1});
}

TEST_CASE("memory_loops_of: a layout with one element, and layouts without elements") {
    CHECK(memory_loops_of(layout({1, 1}, "ab"), padding::left_out).loops[0].count == 1);
    CHECK(memory_loops_of(layout({3, 0}, "ab"), padding::left_out).loops[0].count == 0);
    CHECK(memory_loops_of(layout({0, 3}, "Ab8a"), padding::included).loops[0].count == 0);
}

TEST_CASE("values_to_visit: the values of a digit that lead to an index inside the tensor") {
    const auto is = [](const loop_range& range, dim_t first, dim_t last) {
        return range.first == first && range.last == last;
    };
    // 17 elements in blocks of 16: both blocks are visited, and one element of the second.
    const memory_loop blocks{1, 2, 480, 16, 15}, inside{1, 16, 1, 1, 0};
    STATIC_CHECK(is(values_to_visit({1, 2, 480, 16, 15}, 0, 0, 17), 0, 2));
    CHECK(is(values_to_visit(inside, 0, 0, 17), 0, 16));
    CHECK(is(values_to_visit(inside, 16, 0, 17), 0, 1));
    // The indices from 20 up to 25 are in block 1 only.
    CHECK(is(values_to_visit(blocks, 0, 20, 25), 1, 2));
    CHECK(is(values_to_visit(inside, 16, 20, 25), 4, 9));
    CHECK(is(values_to_visit(inside, 0, 20, 25), 16 + 4, 16));  // none
}

}  // namespace test_view_memory_order
