#include <plait/algebra/count_copies.hpp>

#include "support/small_layouts.hpp"

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/recast.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/typed/constants.hpp>

namespace test_algebra_count_copies {

using namespace plait;

TEST_CASE("count_copies: of formats") {
    constexpr layout rows({4, 6}, "ab");
    STATIC_CHECK(count_copies(rows, rows) == 1);
    STATIC_CHECK(count_copies(rows, layout({4, 6}, strides{8, 1})) == 4);
    STATIC_CHECK(count_copies(rows, layout({4, 6}, "ba")) == 24);
    STATIC_CHECK(count_copies(layout_c<rows>, layout_c<rows>) == 1);
    // 17 channels in blocks of 16.
    STATIC_CHECK(count_copies(layout({2, 17, 5, 4}, "acdb"), layout({2, 17, 5, 4}, "aBcd16b")) == 2 * 5 * 4 * 2);
    STATIC_CHECK(count_copies(layout({2, 17, 5, 4}, "aBcd16b"), layout({2, 17, 5, 4}, "acdb")) == 2 * 5 * 4 * 2);
    // Elements of the last block, which is not full, do not go on into the padding, but into each other.
    STATIC_CHECK(count_copies(layout({17, 1}, "Ab16a"), layout({17, 1}, "bA16a")) == 1);
    STATIC_CHECK(count_copies(layout({20, 3}, "Ab16a"), layout({20, 3}, "Ab16a")) == 1 + 2);
    // Blocks that do not divide each other: cut at each multiple of either, but in memory order a common multiple of
    // one column goes on to the next block of the other.
    STATIC_CHECK(count_copies(layout({96, 2}, "Ab16a"), layout({96, 2}, "Ab24a")) == 2 * 8 - 1);
    STATIC_CHECK(count_copies(layout({960, 2}, "Ab16a"), layout({960, 2}, "Ab24a")) == 2 * 80 - 19);
    // Billions of elements.
    STATIC_CHECK(count_copies(layout({1 << 20, 17, 1 << 10}, "acb"), layout({1 << 20, 17, 1 << 10}, "aBc16b")) ==
                 dim_t{1} << 31);
}

TEST_CASE("count_copies: parts, axes backwards, axes of one element, repeated elements") {
    constexpr layout whole({8, 8}, "ab");
    STATIC_CHECK(count_copies(submemory(whole, {8, 4}, {0, 2}), layout({8, 4}, "ab")) == 8);
    STATIC_CHECK(count_copies(submemory(whole, {4, 8}, {2, 0}), layout({4, 8}, "ab")) == 1);
    STATIC_CHECK(count_copies(layout({6}, strides{-1}), layout({6}, strides{1})) == 6);
    STATIC_CHECK(count_copies(layout({6}, strides{-1}), layout({6}, strides{-1})) == 1);
    STATIC_CHECK(count_copies(layout({1, 6, 1}, strides{99, 1, 7}), layout({1, 6, 1}, "cba")) == 1);
    STATIC_CHECK(count_copies(layout({3, 5}, strides{0, 1}), layout({3, 5}, "ab")) == 3);
    STATIC_CHECK(count_copies(layout({0, 5}, "ab"), layout({0, 5}, "ba")) == 0);
}

TEST_CASE("count_copies: elements of 4 bits, and the bytes that hold them") {
    constexpr layout a({4, 6}, "ab"), b({4, 6}, "ba");
    STATIC_CHECK(count_copies(a, layout({4, 6}, strides{8, 1})) == 4);
    STATIC_CHECK(count_copies(recast(a, data_type::u4, data_type::u8),
                              recast(layout({4, 6}, strides{8, 1}), data_type::u4, data_type::u8)) == 4);
    // Pairs along other axes share a byte: no copy of bytes moves them.
    STATIC_CHECK(recast(a, data_type::u4, data_type::u8).dims != recast(b, data_type::u4, data_type::u8).dims);
}

TEST_CASE("count_copies: what is refused") {
    constexpr layout a({4, 6}, "ab");
    STATIC_CHECK(try_count_copies(a, layout({4, 7}, "ab")).error() == verdict{reason::dims_differ, 1, 6, 7});
    STATIC_CHECK(try_count_copies(a, layout({4}, "a")).error().reason == reason::rank_differs);
    STATIC_CHECK(try_count_copies(a, layout({4, 6}, strides{0, 1})).error() ==
                 verdict{reason::destination_is_not_injective, 0, 4, 0});
    STATIC_CHECK(try_count_copies(a, layout({4, dynamic}, "ab")).error().reason == reason::dim_is_dynamic);
    STATIC_CHECK(try_count_copies(layout(), layout()).error().reason == reason::layout_is_undefined);
    STATIC_CHECK(check_copies(a, layout({4, 6}, "any")).reason == reason::layout_is_any);
    // Too far apart to search, and too many to visit.
    STATIC_CHECK(try_count_copies(layout({dim_t{1} << 61, 2}, "ab"), layout({dim_t{1} << 61, 2}, "ba")).error() ==
                 verdict{reason::size_overflows, -1, dim_t{1} << 62, dim_t{1} << 62});
    STATIC_CHECK(count_copies(layout({2, 3}, "ab"), layout({2, 3}, strides{(dim_t{1} << 61) - 9, 1})) == 2);
    CHECK_THROWS_AS(static_cast<void>(count_copies(a, layout({4, 7}, "ab"))), rejection);
}

}  // namespace test_algebra_count_copies
