#include <plait/algebra/count_copies.hpp>

#include "laws/random_layouts.hpp"
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

TEST_CASE("count_copies: check_copies foresees each refusal, of huge extents too") {
    plait_test::random_source random(51);
    int refused = 0, counted = 0;
    for (int pair = 0; pair < 20000; ++pair) {
        const int ndims = static_cast<int>(random.between(1, 5));
        dims extents;
        for (int a = 0; a < ndims; ++a)
            extents.push_back((dim_t{1} << random.between(1, 62 / ndims)) - (random.once_in(2) ? 0 : 1));
        layout sides[2];
        for (layout& l : sides) {
            // Strides of a dense order, some of them with gaps, some of them too short to nest.
            strides by;
            for (int a = 0; a < ndims; ++a) by.push_back(0);
            dim_t step = 1;
            for (int a = 0, first = static_cast<int>(random.between(0, ndims - 1)); a < ndims; ++a) {
                const int axis = (first + a) % ndims;
                by[axis] = random.once_in(4) ? step + random.between(0, 2) : random.once_in(8) ? step / 2 + 1 : step;
                if (detail::multiply_overflows(step, extents[axis] + (random.once_in(8) ? 1 : 0), step)) step = 3;
            }
            if (const auto made = try_layout(extents, by)) l = *made;
        }
        if (sides[0].kind == format_kind::undef || sides[1].kind == format_kind::undef) continue;
        const layout &src = sides[0], &dst = sides[1];
        // Copies that cannot be counted are visited, and these would take seconds.
        if (dst.volume() > dim_t{1} << 16 && dst.volume() <= detail::most_visited_elements) continue;
        const verdict foreseen = check_copies(src, dst);
        const auto count = try_count_copies(src, dst);
        (foreseen.ok() ? counted : refused) += foreseen.ok() || foreseen.reason == reason::size_overflows;
        if (count.error() != foreseen) FAIL_CHECK(explain(src) << explain(dst) << describe(foreseen).c_str());
        // Copies to strides that do not nest are sorted before the first is visited.
        if (foreseen.ok() && !detail::steps_over_the_inside(dst)) continue;
        dim_t visited = 0;
        const auto visit = try_for_each_copy(src, dst, [&visited](const contiguous_copy& c) {
            visited = c.count;
            return false;
        });
        if (visit.error() != foreseen || (visited > 0) != foreseen.ok()) FAIL_CHECK(explain(src) << explain(dst));
    }
    CHECK(counted > 1000);
    CHECK(refused > 100);
}

}  // namespace test_algebra_count_copies
