#include <plait/engine/plan/padding_boxes.hpp>

#include "support/small_layouts.hpp"

#include <initializer_list>

namespace test_engine_plan_padding_boxes { namespace {

using namespace plait;
using namespace plait::engine;
using plait_test::by_hand;

constexpr place_box box_of(dim_t begin, std::initializer_list<place_loop> loops) {
    place_box box;
    box.begin = begin;
    for (const place_loop& loop : loops) box.loops.push_back(loop);
    return box;
}
constexpr bool same(const place_box& a, const place_box& b) { return a.begin == b.begin && a.loops == b.loops; }

/// How often places were visited, of the 64 from place 0.
struct visits_of_places {
    int counts[64]{};
    int others = 0;
    constexpr void add(dim_t place) {
        if (place >= 0 && place < 64) ++counts[place];
        else ++others;
    }
    /// Checks that these places were visited once, and no others.
    constexpr bool are(std::initializer_list<int> places) const {
        visits_of_places expected;
        for (const int place : places) expected.add(place);
        for (int i = 0; i < 64; ++i)
            if (counts[i] != expected.counts[i]) return false;
        return others == 0;
    }
};
constexpr visits_of_places places_of(const place_box& box) {
    visits_of_places out;
    visit_places(box, [&out](dim_t place) { out.add(place); });
    return out;
}
constexpr visits_of_places padding_of(const layout& l) {
    visits_of_places out;
    const bool all = visit_padding(l, [&out](const place_box& box) {
        visit_places(box, [&out](dim_t place) { out.add(place); });
        return true;
    });
    out.others += !all;
    return out;
}
/// Returns the only box of a layout's padding; a box at place -1 if there is another number of boxes.
constexpr place_box only_box(const layout& l) {
    place_box out;
    int count = 0;
    visit_padding(l, [&](const place_box& box) { return out = box, ++count > 0; });
    return count == 1 ? out : box_of(-1, {});
}

TEST_CASE("with_fewest_loops: sorts by stride, joins loops that continue each other, and leaves out the others") {
    STATIC_CHECK(same(with_fewest_loops(box_of(7, {})), box_of(7, {})));
    STATIC_CHECK(same(with_fewest_loops(box_of(7, {{1, 5}, {9, 0}})), box_of(7, {})));
    STATIC_CHECK(same(with_fewest_loops(box_of(0, {{3, 32}, {4, 2}, {2, 1}})), box_of(0, {{8, 1}, {3, 32}})));
    STATIC_CHECK(same(with_fewest_loops(box_of(0, {{3, 8}, {8, 1}})), box_of(0, {{24, 1}})));
    STATIC_CHECK(same(with_fewest_loops(box_of(0, {{3, 9}, {8, 1}})), box_of(0, {{8, 1}, {3, 9}})));
}

TEST_CASE("with_fewest_loops: a loop that runs backwards begins at its other end") {
    // Places 20, 15, 10, and those one after them.
    STATIC_CHECK(same(with_fewest_loops(box_of(20, {{3, -5}, {2, 1}})), box_of(10, {{2, 1}, {3, 5}})));
    STATIC_CHECK(places_of(box_of(20, {{3, -5}, {2, 1}})).are({10, 11, 15, 16, 20, 21}));
    STATIC_CHECK(places_of(box_of(10, {{2, 1}, {3, 5}})).are({10, 11, 15, 16, 20, 21}));
}

TEST_CASE("visit_places: every sum of one step of each loop, once") {
    STATIC_CHECK(places_of(box_of(5, {})).are({5}));
    STATIC_CHECK(places_of(box_of(5, {{3, 1}})).are({5, 6, 7}));
    STATIC_CHECK(places_of(box_of(1, {{2, 3}, {1, 7}, {2, 10}})).are({1, 4, 11, 14}));
}

TEST_CASE("visit_padding: each place of padding once, and no other") {
    STATIC_CHECK(padding_of(layout({8}, "A4a")).are({}));
    STATIC_CHECK(padding_of(layout({5}, "A4a")).are({5, 6, 7}));
    STATIC_CHECK(padding_of(layout({1}, "A4a")).are({1, 2, 3}));
    STATIC_CHECK(padding_of(layout({0, 3}, "aB4b")).are({}));
    // Rows of a: 0, 1 and 2 with three columns each; b = 3 is at 5, 7 and 13, and a = 3 at 10, 11, 14 and 15.
    STATIC_CHECK(padding_of(layout({3, 3}, "AB2a2b")).are({5, 7, 10, 11, 13, 14, 15}));
    // 13 of 16 indices of a, as 2 blocks of 2 of 4; the block of b is between its digits.
    STATIC_CHECK(padding_of(layout({13, 2}, "AB2a2b4a")).are({25, 26, 27, 29, 30, 31}));
    // Rows of 4, of which places 5, 6, 9 and 10 are the tensor.
    STATIC_CHECK(
        padding_of(by_hand({2, 2}, {4, 4}, {4, 1}, {}, {1, 1})).are({0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15}));
    // Two elements in the middle of a block, and the block at 40.
    STATIC_CHECK(padding_of(by_hand({2}, {4}, {4}, {{0, 4}}, {1}, 40)).are({40, 43}));
}

TEST_CASE("visit_padding: the boxes are as large as possible") {
    STATIC_CHECK(same(only_box(layout({17, 56, 56}, "Abc16a")), box_of(50177, {{15, 1}, {3136, 16}})));
    // Rows 3 to 7 of 8, each of 4 elements, in two images: runs of 20.
    STATIC_CHECK(same(only_box(by_hand({2, 3, 4}, {2, 8, 4}, {32, 4, 1})), box_of(12, {{20, 1}, {2, 32}})));
    STATIC_CHECK(same(only_box(layout({5, 2}, "AB2a2b4a")), box_of(9, {{3, 1}, {2, 4}})));
}

TEST_CASE("visit_padding: ends with the first visit that returns false, and returns whether all were true") {
    constexpr auto boxes_until = [](int last) {
        int count = 0;
        const bool all = visit_padding(layout({3, 3}, "AB2a2b"), [&](const place_box&) { return ++count < last; });
        return all ? 100 + count : count;
    };
    STATIC_CHECK(boxes_until(1) == 1);
    STATIC_CHECK(boxes_until(2) == 2);
    STATIC_CHECK(boxes_until(99) > 102);
    STATIC_CHECK(visit_padding(layout({8}, "A4a"), [](const place_box&) { return false; }));
}

TEST_CASE("visit_runs: rows of runs in bytes, from the innermost loop to the outermost") {
    struct row {
        dim_t at, count, step;
        std::size_t length;
        bool operator==(const row&) const = default;
    };
    unsigned char bytes[512];
    const auto rows_of = [&bytes](const place_box& box, dim_t element_size, int most = 9) {
        inline_list<row, 9> rows;
        const bool all =
            visit_runs(box, bytes, element_size, [&](unsigned char* run, dim_t count, dim_t step, std::size_t length) {
                rows.push_back({run - bytes, count, step, length});
                return rows.size() < most;
            });
        CHECK(all == (rows.size() < most));
        return rows;
    };
    const auto one = rows_of(box_of(5, {}), 4);
    REQUIRE(one.size() == 1);
    CHECK(one[0] == row{20, 1, 0, 4});
    const auto run = rows_of(box_of(5, {{3, 1}}), 2);
    REQUIRE(run.size() == 1);
    CHECK(run[0] == row{10, 1, 0, 6});
    // Runs of 3 elements: two in a row, then two rows in two planes.
    const auto rows = rows_of(box_of(5, {{3, 1}, {2, 8}, {2, 50}, {2, 100}}), 2);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0] == row{10, 2, 16, 6});
    CHECK(rows[1] == row{110, 2, 16, 6});
    CHECK(rows[2] == row{210, 2, 16, 6});
    CHECK(rows[3] == row{310, 2, 16, 6});
    // No loop has stride 1: each element is a run.
    const auto apart = rows_of(box_of(1, {{2, 8}, {3, 20}}), 4);
    REQUIRE(apart.size() == 3);
    CHECK(apart[0] == row{4, 2, 32, 4});
    CHECK(apart[2] == row{164, 2, 32, 4});
    CHECK(rows_of(box_of(1, {{2, 8}, {3, 20}}), 4, 2).size() == 2);
}

}}  // namespace test_engine_plan_padding_boxes
