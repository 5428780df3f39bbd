#include <plait/algebra/index_map.hpp>

#include <plait/algebra/operations.hpp>

#include "laws/operation_samples.hpp"

namespace test_algebra_index_map {

using namespace plait;
using namespace plait::detail;

// The law that lets records and distributions have an operation: it is what it makes of the identity.
TEST_CASE("index maps: an operation that moves indices is what it makes of the identity, of each layout") {
    int checked = 0;
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        if constexpr (moves_indices<Rule> && makes_layout<Rule>) {
            const layout operand = plait_test::sample_operand<Rule>;
            const layout numbers = *apply.attempt(*identity_of(operand.dims), constants.value...);
            for (const char* tag : {"a", "A4a", "ab", "ba", "aB2b", "abc", "bca", "aBc2b", "acB3b"}) {
                const auto read = parse_format_tag(tag);
                if (read->ndims() != operand.ndims()) continue;
                const layout l(operand.dims, *read);
                const auto made = apply.attempt(l, constants.value...);
                if (!made) continue;
                ++checked;
                REQUIRE(made->dims == numbers.dims);
                bool same = true;
                for (dim_t n = 0; n < volume(made->dims); ++n)
                    same = same && made->linear_offset(n) == l.linear_offset(numbers.linear_offset(n));
                CHECK(same);
            }
        }
    });
    CHECK(checked > 30);
}

TEST_CASE("index maps: factors, their order, and what is joined") {
    constexpr auto map_of = [](const dims& from, const layout& made) { return *index_map_finder(from, made).find(); };
    constexpr index_map exchanged = map_of({2, 3}, layout({3, 2}, "ba"));
    STATIC_CHECK(exchanged.factors == dims{2, 3} && exchanged.order == permutation{1, 0} && !exchanged.is_plain);
    STATIC_CHECK(map_of({2, 6}, layout({2, 3, 2}, "abc")).is_plain);
    STATIC_CHECK(map_of({2, 6}, layout({12}, "a")).is_plain);
    constexpr index_map tiles = map_of({6, 4}, layout({3, 2, 2, 2}, strides{8, 2, 4, 1}));
    STATIC_CHECK(tiles.factors == dims{3, 2, 2, 2} && tiles.order == permutation{0, 2, 1, 3});
    constexpr index_map part = map_of({6, 4}, [] {
        layout l({2, 4}, strides{4, 1});
        l.offset0 = 8;
        return l;
    }());
    STATIC_CHECK(part.part == dims{2, 4} && part.begin == position{2, 0} && part.is_part_of({6, 4}));
    // One element of an axis keeps its axis.
    STATIC_CHECK(map_of({1, 5}, layout({5, 1}, "ba")).order == permutation{1, 0});
}

TEST_CASE("index maps: what is none is refused by number") {
    constexpr auto why = [](const dims& from, const layout& made) {
        return index_map_finder(from, made).find().error();
    };
    STATIC_CHECK(why({4}, layout({4, 3}, strides{1, 0})) == verdict{reason::layout_is_not_injective, 1, 3, 0});
    STATIC_CHECK(why({8}, layout({4}, strides{2})).reason == reason::extents_do_not_divide);
    STATIC_CHECK(why({8}, layout({8}, strides{-1})).reason == reason::extents_do_not_divide);
    STATIC_CHECK(why({0, 3}, layout({3, 0}, "ba")).reason == reason::zero_extent_is_not_matched);
    STATIC_CHECK(why({5}, layout({5}, "A4a")).reason == reason::axis_is_padded);
}

}  // namespace test_algebra_index_map
