#include <plait/algebra/common_run.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

#include <algorithm>

namespace test_algebra_common_run {

using namespace plait;

namespace {

/// The longest run of elements whose offsets rise by one in both layouts, by trying.
dim_t longest_by_trying(const layout& a, const layout& b) {
    const std::vector<dim_t> first = plait_test::logical_offsets(a), second = plait_test::logical_offsets(b);
    std::vector<std::pair<dim_t, dim_t>> places;
    for (std::size_t i = 0; i < first.size(); ++i) places.emplace_back(first[i], second[i]);
    std::sort(places.begin(), places.end());
    dim_t longest = places.empty() ? 0 : 1, run = 1;
    for (std::size_t i = 1; i < places.size(); ++i) {
        const bool goes_on = places[i].first == places[i - 1].first + 1 && places[i].second == places[i - 1].second + 1;
        run = goes_on ? run + 1 : 1;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

TEST_CASE("common_run: a run that there is, and the longest of nearly all pairs") {
    int pairs = 0, longest = 0;
    const std::vector<layout> all = plait_test::many_layouts({5, 6});
    for (std::size_t i = 0; i < all.size(); i += 3)
        for (std::size_t j = 0; j < all.size(); j += 7) {
            const layout &a = all[i], &b = all[j];
            if (!is_injective(a) || !is_injective(b)) continue;
            const dim_t run = common_run(a, b), most = longest_by_trying(a, b);
            CHECK((run >= 1 && run <= most));
            CHECK(run == common_run(b, a));
            // Padding in front may begin inside of a block.
            if (a.padded_offsets != position{0, 0} || b.padded_offsets != position{0, 0}) continue;
            ++pairs;
            longest += run == most;
        }
    MESSAGE(pairs << " pairs, of " << longest << " the longest run");
    CHECK(longest * 10 > pairs * 9);
}

TEST_CASE("common_run: of formats") {
    constexpr dims extents{1, 32, 5, 4};
    STATIC_CHECK(common_run(layout(extents, "acdb"), layout(extents, "aBcd16b")) == 16);
    STATIC_CHECK(common_run(layout(extents, "abcd"), layout(extents, "abcd")) == 640);
    STATIC_CHECK(common_run(layout(extents, "abcd"), layout(extents, "acdb")) == 1);
    STATIC_CHECK(common_run(layout(extents, "aBcd16b")) == 640);
    STATIC_CHECK(common_run(layout(extents, "aBcd8b"), layout(extents, "aBcd16b"), layout(extents, "acdb")) == 8);
    // Blocks that do not divide each other, and a last block that is not full.
    STATIC_CHECK(common_run(layout({2, 96}, "Ba16b"), layout({2, 96}, "Ba24b")) == 16);
    STATIC_CHECK(common_run(layout({33, 2}, "Ab16a"), layout({33, 2}, "Ab16a")) == 64);
    STATIC_CHECK(common_run(layout({3, 5}, "aB4b"), layout({3, 5}, "ab")) == 5);
    STATIC_CHECK(common_run(layout({3, 5}, strides{-5, 1}), layout({3, 5}, strides{-5, 1})) == 5);
    STATIC_CHECK(common_run(layout({3, 5}, strides{0, 1}), layout({3, 5}, "ab")) == 5);
}

TEST_CASE("common_run: 0 where nothing is known") {
    STATIC_CHECK(common_run(layout({2, 3}, "ab"), layout({3, 2}, "ab")) == 0);
    STATIC_CHECK(common_run(layout({0, 3}, "ab")) == 0);
    STATIC_CHECK(common_run(layout({dynamic, 3}, "ab")) == 0);
    STATIC_CHECK(common_run(layout()) == 0);
}

TEST_CASE("is_contiguous_along: as numbers of neighbours say") {
    for (const layout& l : plait_test::many_layouts({3, 4}))
        for (int a = 0; a < l.ndims(); ++a) {
            bool is = true;
            for (dim_t i = 0; i + 1 < l.dims[a]; ++i) {
                position at{0, 0}, next{0, 0};
                at[a] = i, next[a] = i + 1;
                is = is && l.offset(next) == l.offset(at) + 1;
            }
            // An axis with padding in front may begin inside of a block.
            if (l.padded_offsets[a] == 0) CHECK(is_contiguous_along(l, a) == is);
            else CHECK((is || !is_contiguous_along(l, a)));
        }
    STATIC_CHECK(is_contiguous_along(layout({2, 32}, "ab"), 1) && !is_contiguous_along(layout({2, 32}, "ab"), 0));
    STATIC_CHECK(!is_contiguous_along(layout({2, 32}, "ab"), 2) && !is_contiguous_along(layout({2, 32}, "ab"), -1));
    STATIC_CHECK(is_contiguous_along(layout({1, 32}, strides{7, 7}), 0));
}

}  // namespace test_algebra_common_run
