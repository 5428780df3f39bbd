#include <plait/view/table_views.hpp>

#include "support/static_check.hpp"

#include <plait/algebra/rearrange.hpp>
#include <plait/typed/constants.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <span>
#include <vector>

namespace test_view_table_views { namespace {

using namespace plait;

constexpr layout pool = rearrange<"p h t d -> (p t) h d">(layout({8, 2, 4, 3}, "abcd"));

TEST_CASE("paged: an index lies in the page that the table names") {
    std::vector<int> memory(pool.element_span());
    std::iota(memory.begin(), memory.end(), 0);
    const std::vector<int> table{5, 2, 7, 0};
    const std::vector<std::uint64_t> wide{5, 2, 7, 0};
    const tensor_view whole(memory.data(), layout_c<pool>);
    const auto keys = paged<0, 4>(whole, table, 14);
    const auto by_value = paged<0, 4>(tensor_view(memory.data(), pool), std::span(wide), 14);
    CHECK(keys.extent(0) == 14);
    CHECK(keys.extent(1) == 2);
    for (int i = 0; i < 14; ++i)
        for (int h = 0; h < 2; ++h)
            for (int d = 0; d < 3; ++d) {
                const int index = table[static_cast<std::size_t>(i / 4)] * 4 + i % 4;
                CHECK(&keys(i, h, d) == &whole(index, h, d));
                CHECK(&keys.at(i, h, d) == &whole(index, h, d));
                CHECK(&by_value(i, h, d) == &whole(index, h, d));
            }
    const auto refused = [](const auto& call) {
        try {
            call();
        } catch (const rejection& r) {
            return r.verdict();
        }
        return verdict{};
    };
    CHECK(refused([&] { keys.at(14, 0, 0); }) == verdict{reason::position_is_out_of_range, 0, 14, 14});
    CHECK(refused([&] { keys.at(0, 2, 0); }) == verdict{reason::position_is_out_of_range, 1, 2, 2});
    CHECK(refused([&] { paged<0, 4>(whole, table, 17).at(0, 0, 0); }).reason == reason::table_is_too_short);
    CHECK(refused([&] { paged<0, 3>(tensor_view(memory.data(), pool), table, 4); }) ==
          verdict{reason::blocks_do_not_align, 0, 3, 1});
}

TEST_CASE("paged: sequences follow each other along the axis") {
    std::vector<int> memory(pool.element_span());
    const std::vector<int> first{5, 2}, second{1, 0, 6};
    const std::vector<page_sequence> sequences{{first, 6, 1}, {second, 0, 0}, {second, 2, 9}};
    const tensor_view whole(memory.data(), layout_c<pool>);
    const auto keys = paged<0, 4>(whole, sequences);
    CHECK(keys.extent(0) == 8);
    CHECK(&keys(0, 1, 2) == &whole(5 * 4 + 1, 1, 2));
    CHECK(&keys(5, 1, 2) == &whole(2 * 4 + 2, 1, 2));
    CHECK(&keys(6, 1, 2) == &whole(6 * 4 + 1, 1, 2));
    CHECK(&keys(7, 0, 0) == &whole(6 * 4 + 2, 0, 0));
}

// A table that is a temporary would be destroyed before it is read.
template <class Table>
concept pages_by = requires(const tensor_view<int, layout_constant<pool>>& v, Table&& table) {
    paged<0, 4>(v, static_cast<Table&&>(table), 4);
};
static_assert(pages_by<const std::vector<int>&> && pages_by<std::span<const std::int64_t>>);
static_assert(!pages_by<std::vector<int>> && !pages_by<const std::vector<short>&> &&
              !pages_by<const std::vector<float>&>);

}}  // namespace test_view_table_views
