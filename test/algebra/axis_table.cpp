#include <plait/algebra/axis_table.hpp>

#include "support/static_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace test_algebra_axis_table { namespace {

using namespace plait;
using namespace plait::detail;

axis_table one_table(dim_t block, const table_numbers& table, dim_t extent, dim_t first = 0) {
    return axis_table::pages(block, page_sequence{table, extent, first});
}

/// The index in memory of each index from `first` to `last` - 1, by steps of up to `step` indices.
std::vector<dim_t> indices_of(const axis_table& table, dim_t first, dim_t last, dim_t step) {
    std::vector<dim_t> out;
    if (first >= last) return out;
    run_cursor cursor(table, first);
    for (;;) {
        const dim_t count = std::min({step, cursor.run().count, last - first});
        for (dim_t i = 0; i < count; ++i) out.push_back(cursor.run().at + i);
        if ((first += count) == last) return out;
        cursor.advance(count);
    }
}

TEST_CASE("axis_table: the runs of pages, sequences and groups are the indices one by one") {
    const std::vector<int> table{5, 2, 7, 0};
    const std::vector<std::uint32_t> other{1, 3};
    const std::vector<dim_t> offsets{0, 3, 3, 8, 8, 9};
    const std::vector<page_sequence> sequences{{table, 7, 2}, {other, 0, 4}, {other, 3, 3}, {table, 0, 0}};
    std::vector<dim_t> pages, parts, groups;
    for (dim_t i = 0; i < 14; ++i) pages.push_back(table[static_cast<std::size_t>(i / 4)] * 4 + i % 4);
    for (dim_t i = 2; i < 9; ++i) parts.push_back(table[static_cast<std::size_t>(i / 4)] * 4 + i % 4);
    for (dim_t i = 3; i < 6; ++i) parts.push_back(other[static_cast<std::size_t>(i / 4)] * 4 + i % 4);
    for (const dim_t i : {0, 1, 2, 4, 5, 6, 7, 8, 12}) groups.push_back(i);
    const struct {
        axis_table table;
        std::vector<dim_t> indices;
    } all[] = {{one_table(4, table, 14), pages},
               {axis_table::pages(4, sequences), parts},
               {axis_table::groups(4, offsets), groups},
               {axis_table::none(5), {0, 1, 2, 3, 4}}};
    for (const auto& each : all) {
        const auto n = static_cast<dim_t>(each.indices.size());
        CHECK(each.table.extent() == n);
        CHECK(each.table.check(0, 32, true) == verdict{});
        for (dim_t first = 0; first <= n; ++first)
            for (dim_t last = first; last <= n; ++last)
                for (dim_t step = 1; step <= 5; ++step)
                    CHECK(indices_of(each.table, first, last, step) ==
                          std::vector<dim_t>(each.indices.begin() + first, each.indices.begin() + last));
    }
    std::vector<dim_t> gaps;
    axis_table::groups(4, offsets).for_each_gap([&](const index_run& gap) {
        for (dim_t i = 0; i < gap.count; ++i) gaps.push_back(gap.at + i);
    });
    CHECK(gaps == std::vector<dim_t>{3, 9, 10, 11, 13, 14, 15});
}

TEST_CASE("axis_table: refuses tables that do not fit, with the entry and the numbers") {
    const std::vector<std::int32_t> table{5, 2, 7, -1};
    CHECK(one_table(16, table, 48).check(1, 128, true) == verdict{});
    CHECK(one_table(16, table, 49).check(1, 128, true) == verdict{reason::table_entry_is_out_of_range, 1, 3, -1, 8});
    CHECK(one_table(16, table, 65).check(1, 128, true) == verdict{reason::table_is_too_short, 1, 4, 5});
    CHECK(one_table(16, table, 48).check(1, 127, true) == verdict{reason::table_entry_is_out_of_range, 1, 2, 7, 7});
    CHECK(one_table(16, table, 0).check(1, 0, true) == verdict{});
    CHECK(one_table(16, table, 1).check(1, 0, true) == verdict{reason::table_entry_is_out_of_range, 1, 0, 5, 0});
    CHECK(one_table(16, table, -1).check(1, 128, true) == verdict{reason::dim_is_negative, 1, -1, 0});
    CHECK(one_table(16, table, 2, -1).check(1, 128, true).reason == reason::position_is_out_of_range);
    CHECK(one_table(16, table, 2, INT64_MAX).check(1, 128, true).reason == reason::size_overflows);
    const std::vector<std::uint64_t> beyond{0, ~std::uint64_t{0}};
    CHECK(one_table(4, beyond, 8).check(0, 128, false) == verdict{reason::table_entry_is_out_of_range, 0, 1, -1, 32});
    const std::vector<std::uint32_t> large{3000000000u};
    CHECK(one_table(1, large, 1).check(0, 3000000001, true) == verdict{});
    CHECK(one_table(1, large, 1).check(0, 3000000000, true).reason == reason::table_entry_is_out_of_range);
    const std::vector<int> twice{5, 2, 7, 2};
    CHECK(one_table(16, twice, 64).check(0, 128, true) == verdict{reason::table_entries_repeat, 0, 1, 3, 2});
    CHECK(one_table(16, twice, 64).check(0, 128, false) == verdict{});
    CHECK(one_table(16, twice, 48).check(0, 128, true) == verdict{});
    const std::vector<page_sequence> sequences{{twice, 16, 0}, {table, 16, 16}, {twice, 16, 16}};
    CHECK(axis_table::pages(16, sequences).check(0, 128, true) == verdict{reason::table_entries_repeat, 0, 5, 9, 2});
    const std::vector<page_sequence> short_one{{twice, 16, 0}, {table, 16, 64}};
    CHECK(axis_table::pages(16, short_one).check(0, 128, true) == verdict{reason::table_is_too_short, 0, 4, 5, 1});
    // Groups.
    const std::vector<int> none, falls{0, 3, 2}, late{1, 3}, good{0, 5, 5, 23};
    CHECK(axis_table::groups(16, none).check(0, 48, true) == verdict{reason::table_is_too_short, 0, 0, 1});
    CHECK(axis_table::groups(16, falls).check(0, 48, true) == verdict{reason::offsets_do_not_rise, 0, 2, 2, 3});
    CHECK(axis_table::groups(16, late).check(0, 48, true) == verdict{reason::offsets_do_not_rise, 0, 0, 1, 0});
    CHECK(axis_table::groups(16, good).check(0, 48, true) == verdict{});
    CHECK(axis_table::groups(16, good).check(0, 47, true) == verdict{reason::part_is_outside_parent, 0, 48, 47});
}

TEST_CASE("axis_table: finds an entry that repeats, in pools of any size") {
    std::mt19937 random(1);
    for (const dim_t blocks : {dim_t{20000}, dim_t{32768}, dim_t{32769}, dim_t{300000}, dim_t{1000000}, dim_t{1} << 40})
        for (const std::size_t count :
             {std::size_t{2}, std::size_t{3}, std::size_t{1000}, std::size_t{1025}, std::size_t{5000}}) {
            if (blocks > dim_t{1} << 30 && count > 1024) continue;  // as many passes as pools of this size need
            std::vector<dim_t> table(count);
            const dim_t step = blocks / static_cast<dim_t>(count);
            for (std::size_t k = 0; k < count; ++k) table[k] = static_cast<dim_t>(k) * step;
            std::shuffle(table.begin(), table.end(), random);
            const auto n = static_cast<dim_t>(count);
            CHECK(one_table(1, table, n).check(0, blocks, true) == verdict{});
            for (int t = 0; t < 4; ++t) {
                std::vector<dim_t> wrong = table;
                const std::size_t first = random() % (count - 1), second = first + 1 + random() % (count - 1 - first);
                wrong[second] = wrong[first];
                CHECK(one_table(1, wrong, n).check(0, blocks, true) ==
                      verdict{reason::table_entries_repeat, 0, static_cast<dim_t>(first), static_cast<dim_t>(second),
                              wrong[first]});
                wrong[second] = random() % 2 != 0 ? blocks : -1;
                CHECK(one_table(1, wrong, n).check(0, blocks, true) == verdict{reason::table_entry_is_out_of_range, 0,
                                                                               static_cast<dim_t>(second),
                                                                               wrong[second], blocks});
            }
        }
}

TEST_CASE("axis_table: finds a page that two tables share") {
    const std::vector<dim_t> one{5, 2, 700000, 2}, other{4, 299999, 700001}, shared{4, 700000};
    const axis_table a = one_table(4, one, 16), b = one_table(4, other, 12), c = one_table(4, shared, 8);
    CHECK(a.shares_no_page(b, 4000000));
    CHECK(b.shares_no_page(a, 4000000));
    CHECK(!a.shares_no_page(c, 4000000));
    CHECK(!c.shares_no_page(a, 4000000));
    CHECK(a.shares_no_page(one_table(4, shared, 4), 4000000));  // the second entry is not used
    CHECK(!a.shares_no_page(one_table(2, other, 4), 4000000));  // blocks of other sizes
    CHECK(!a.shares_no_page(axis_table::none(4), 4000000));
}

TEST_CASE("axis_table: blocks begin at a digit of the axis") {
    // Pages of 16 tokens, in which the tokens of each head lie side by side.
    constexpr layout pool = [] {
        layout l({128, 2, 4}, "Abc16a");
        return l;
    }();
    STATIC_CHECK(check_table_axis(pool, 0, 16) == verdict{});
    STATIC_CHECK(check_table_axis(pool, 0, 1) == verdict{});
    STATIC_CHECK(check_table_axis(pool, 0, 128) == verdict{});
    STATIC_CHECK(check_table_axis(pool, 0, 8) == verdict{reason::blocks_do_not_align, 0, 8, 1});
    STATIC_CHECK(check_table_axis(pool, 0, 32) == verdict{reason::blocks_do_not_align, 0, 32, 16});
    STATIC_CHECK(check_table_axis(pool, 0, 0).reason == reason::blocks_do_not_align);
    STATIC_CHECK(check_table_axis(pool, 1, 2) == verdict{});
    STATIC_CHECK(check_table_axis(pool, 3, 2) == verdict{reason::axis_is_out_of_range, -1, 3, 3});
    STATIC_CHECK(check_table_axis(layout({8, 4}, strides{0, 1}), 0, 2) ==
                 verdict{reason::layout_is_not_injective, 0, 8, 0});
    STATIC_CHECK(check_table_axis(layout({8, 4}, "ab"), 0, 3) == verdict{});
    STATIC_CHECK(check_table_axis(layout({dynamic, 4}, "ab"), 0, 2).reason == reason::dim_is_dynamic);
    STATIC_CHECK(check_group_axis(layout({5, 4}, "Ab8a"), 0, 2) == verdict{reason::axis_is_padded, 0, 8, 5});
}

TEST_CASE("axis_table: a unit is the beginning of the axis") {
    constexpr layout l({24, 3}, "Ab2a4a");
    STATIC_CHECK(unit_layout(l, 0, 8).offset(7, 2) == l.offset(7, 2));
    STATIC_CHECK(unit_layout(l, 0, 4).offset(3, 2) == l.offset(3, 2));
    STATIC_CHECK(unit_layout(l, 0, 1).offset(0, 2) == l.offset(0, 2));
    STATIC_CHECK(unit_layout(l, 0, 4).dims == dims{4, 3});
    const axis_places places = places_of(l, 0, 24), plain = places_of(layout({24, 3}, "ab"), 0, 24);
    // 2a4a is a block of 8, and 8 divides 24.
    const table_units whole = units_of(places, plain, 24), odd = units_of(places, plain, 20);
    CHECK(std::vector<dim_t>(whole.begin(), whole.end()) == std::vector<dim_t>{24, 8, 1});
    CHECK(std::vector<dim_t>(odd.begin(), odd.end()) == std::vector<dim_t>{16, 4, 1});
    CHECK(fits(places, 8, 8));
    CHECK(!fits(places, 4, 8));
    CHECK(fits(places, 3, 5));
    CHECK(fits(plain, 3, 5));
}

}}  // namespace test_algebra_axis_table
