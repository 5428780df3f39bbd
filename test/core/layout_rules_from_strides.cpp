// Layouts from strides, and from a tag with strides: the ones that are allowed, and the refusals.

#include <plait/core/layout_rules.hpp>

#include "support/static_check.hpp"

#include <plait/algebra/is_injective.hpp>

#include <cstdint>

namespace test_core_layout_rules_from_strides { namespace {

using namespace plait;
using namespace plait::detail;

constexpr dim_t huge = dim_t{1} << 40;

constexpr bool refused(const dims& extents, const strides& steps, const verdict& why) {
    return check_layout(extents, steps) == why && !try_layout(extents, steps).has_value();
}
constexpr bool is_allowed(const dims& extents, const strides& steps) {
    const expected<layout> made = try_layout(extents, steps);
    return check_layout(extents, steps).ok() && made.has_value() && made->dims == extents &&
           made->padded_dims == extents && made->strides() == steps && made->inner_blocks().empty();
}

TEST_CASE("layout from strides: nested ones in any order, with gaps") {
    STATIC_CHECK(is_allowed({2, 3}, strides{3, 1}));
    STATIC_CHECK(is_allowed({2, 3}, strides{1, 2}));
    STATIC_CHECK(is_allowed({2, 3}, strides{10, 1}));
    STATIC_CHECK(is_allowed({2, 3}, strides{10, 2}));
    STATIC_CHECK(is_allowed({2, 3, 4}, strides{4, 8, 1}));
    STATIC_CHECK(layout({2, 16, 5, 4}, strides{320, 20, 4, 1}) == layout({2, 16, 5, 4}, "nchw"));
    // A broadcast axis repeats its element; several may.
    STATIC_CHECK(is_allowed({4, 3}, strides{0, 1}));
    STATIC_CHECK(is_allowed({4, 3}, strides{0, 0}));
    STATIC_CHECK(is_allowed({4, 3, 2}, strides{2, 0, 1}));
}

TEST_CASE("layout from strides: an axis of one element may have any stride") {
    STATIC_CHECK(is_allowed({1, 3}, strides{-5, 1}));
    STATIC_CHECK(is_allowed({1, 3}, strides{2, 1}));
    STATIC_CHECK(is_allowed({1, 3}, strides{INT64_MAX, 1}));
    STATIC_CHECK(is_allowed({1, 3}, strides{outside(max_ndims - 1) + 1, 1}));
    STATIC_CHECK(is_allowed({1, 1}, strides{0, -1}));
    // The values that stand for "not known" are not strides, even there.
    STATIC_CHECK(check_layout({1, 3}, strides{outside(0), 1}).reason == reason::stride_is_negative);
    STATIC_CHECK(check_layout({1, 3}, strides{outside(max_ndims - 1), 1}).reason == reason::stride_is_negative);
}

TEST_CASE("layout from strides: every other column of 2 x 5, as NumPy's x[:, ::2], is a layout in each form") {
    constexpr layout l({2, 3}, strides{5, 2});
    STATIC_CHECK(l.offset(0, 2) == 4 && l.offset(1, 0) == 5 && l.offset(1, 2) == 9 && l.element_span() == 10);
    STATIC_CHECK(check_layout({2, 3}, "ba", strides{5, 2}).ok() && layout({2, 3}, "ba", strides{5, 2}) == l);
    STATIC_CHECK(is_allowed({3, 4, 4}, strides{13, 4, 1}) && is_allowed({2, 2}, strides{3, 2}));
    // One more than the last offset inside, around inner blocks too: the last of them need not be whole.
    STATIC_CHECK(check_layout({2, 8}, "aB4b", strides{8, 4}).ok());
}

TEST_CASE("layout from strides: elements may share places or interleave; a destination must not share") {
    STATIC_CHECK(is_allowed({3, 2}, strides{2, 3}) && is_injective(layout({3, 2}, strides{2, 3})));
    for (const strides& overlapping : {strides{2, 1}, strides{1, 1}, strides{3, 2}})
        CHECK(!is_injective(layout({4, 5}, overlapping)));
    // Windows of 5 of 12, one apart.
    STATIC_CHECK(layout({8, 5}, strides{1, 1}).element_span() == 12);
    STATIC_CHECK(is_allowed({2, 4, 4, 5}, strides{0, 12, 12, 1}));
}

TEST_CASE("layout from strides: axes that run backwards, as NumPy's x[::-1], begin so that no offset is negative") {
    constexpr layout rows({2, 3}, strides{-3, 1}), columns({2, 3}, strides{3, -1}), both({2, 3}, strides{-3, -1});
    STATIC_CHECK(rows.offset0 == 3 && rows.offset(0, 0) == 3 && rows.offset(1, 0) == 0 && rows.offset(0, 2) == 5);
    STATIC_CHECK(columns.offset0 == 2 && columns.offset(0, 2) == 0 && columns.offset(1, 0) == 5);
    STATIC_CHECK(both.offset0 == 5 && both.offset(1, 2) == 0);
    for (const layout& l : {rows, columns, both})
        CHECK(
            (l.is_dense() && is_injective(l) && l.element_span() == 6 && l.span_begin() == 0 && check_layout(l).ok()));
    // Blocks run backwards, their elements forwards.
    constexpr layout blocks({32}, "A16a", strides{-16});
    STATIC_CHECK(blocks.offset0 == 16 && blocks.offset(0) == 16 && blocks.offset(15) == 31 && blocks.offset(16) == 0);
    // A negative stride of an axis of one element has no effect.
    STATIC_CHECK(layout({1, 3}, strides{-5, 1}).offset0 == 0);
    STATIC_CHECK(layout({2, 0}, strides{-7, -3}).offset0 == 7);
    STATIC_CHECK(layout({2, 2}, strides{dynamic, -1}).offset0 == 1);
    // The given offset0 must be large enough.
    constexpr auto from = [](dim_t offset0) {
        layout l({2, 3}, strides{-4, 1});
        l.offset0 = offset0;
        return check_layout(l);
    };
    STATIC_CHECK(from(4).ok() && from(9).ok());
    STATIC_CHECK(from(3) == verdict{reason::stride_is_negative, 0, -4, 3, 4});
    STATIC_CHECK(from(0) == verdict{reason::stride_is_negative, 0, -4, 0, 4});
}

TEST_CASE("layout from strides: offsets beyond 63 bits are refused") {
    STATIC_CHECK(refused({2, 2}, strides{-INT64_MAX / 2 - 1, INT64_MAX / 2},
                         {reason::size_overflows, 0, -INT64_MAX / 2 - 1, 2}));
    STATIC_CHECK(check_layout({2, 2}, strides{-INT64_MAX / 2 + 1, INT64_MAX / 2 - 2}).ok());
    STATIC_CHECK(refused({3}, strides{INT64_MIN + 77}, {reason::size_overflows, 0, INT64_MIN + 77, 3}));

    STATIC_CHECK(check_layout({2, 2}, strides{INT64_MAX, 1}).reason == reason::size_overflows);
    STATIC_CHECK(check_layout({3, 2}, strides{INT64_MAX / 2, 1}).reason == reason::size_overflows);
    STATIC_CHECK(check_layout({huge, huge}, strides{0, 0}).reason == reason::size_overflows);
}

TEST_CASE("layout from strides: the rule also holds with zero and dynamic extents") {
    STATIC_CHECK(check_layout({0, 4}, strides{1, INT64_MAX / 2}).reason == reason::size_overflows);
    STATIC_CHECK(is_allowed({0, 4, 3}, strides{100, 2, 1}));
    STATIC_CHECK(is_allowed({0, 4}, strides{2, 1}) && is_injective(layout({0, 4}, strides{2, 1})));
    STATIC_CHECK(is_allowed({0, 4}, strides{4, 1}));
    STATIC_CHECK(is_allowed({4, 0}, strides{1, 1}));
    STATIC_CHECK(is_allowed({2, 0, 3}, strides{3, 3, 1}));
    STATIC_CHECK(is_allowed({dynamic, 4, 3}, strides{100, 2, 1}));
    STATIC_CHECK(is_allowed({5, 2, 2}, strides{dynamic, 1, 1}));
    STATIC_CHECK(is_allowed({2, 2}, strides{dynamic, 1}));
    STATIC_CHECK(is_allowed({2, dynamic}, strides{dynamic, 1}));
    STATIC_CHECK(is_allowed({dynamic, 4, 3}, strides{100, 3, 1}));
    STATIC_CHECK(is_allowed({dynamic, 4}, strides{2, 1}));
}

TEST_CASE("layout from strides: there must be one stride for each extent") {
    STATIC_CHECK(refused({2, 3}, strides{1}, {reason::rank_differs, -1, 1, 2}));
    STATIC_CHECK(refused({2}, strides{3, 1}, {reason::rank_differs, -1, 2, 1}));
    STATIC_CHECK(refused({}, strides{1}, {reason::rank_differs, -1, 1, 0}));
    STATIC_CHECK(refused({-2, 3}, strides{3, 1}, {reason::dim_is_negative, 0, -2, 0}));
}

TEST_CASE("layout from a tag and strides: the blocks of the tag, the strides of the caller") {
    constexpr dims extents{2, 32, 4, 4};
    STATIC_CHECK(layout(extents, "nChw16c", strides{512, 256, 64, 16}) == layout(extents, "nChw16c"));
    constexpr layout wide(extents, "nChw16c", strides{1024, 256, 64, 16});
    STATIC_CHECK(wide.strides() == strides{1024, 256, 64, 16});
    STATIC_CHECK(wide.inner_blocks() == layout(extents, "nChw16c").inner_blocks());
    // If strides are given, the order of the tag does not matter.
    STATIC_CHECK(layout(extents, "Cnhw16c", strides{512, 256, 64, 16}) == layout(extents, "nChw16c"));
    // Blocks may share places, as elements may.
    STATIC_CHECK(!is_injective(layout(extents, "nChw16c", strides{512, 256, 63, 16})));
    STATIC_CHECK(!is_injective(layout(extents, "nChw16c", strides{512, 256, 64, 15})));
    STATIC_CHECK(layout(extents, "nChw16c", strides{512, 256, -64, 16}).offset0 == 192);
    STATIC_CHECK(check_layout(extents, "nChw16c", strides{0, 256, 64, 16}).ok());
    STATIC_CHECK(check_layout({1, 32, 4, 4}, "nChw16c", strides{-9, 256, 64, 16}).ok());
    // One block of c: its outer stride has one value only.
    STATIC_CHECK(is_injective(layout({2, 1, 4, 4}, "nChw16c", strides{512, 8, 64, 16})));
    STATIC_CHECK(check_layout(extents, "any", strides{512, 256, 64, 16}) == verdict{reason::layout_is_any});
    STATIC_CHECK(check_layout(extents, "undef", strides{512, 256, 64, 16}).reason != reason::none);
    STATIC_CHECK(check_layout(extents, "nChw16c", strides{512, 256, 64}) == verdict{reason::rank_differs, -1, 3, 4});
    STATIC_CHECK(!try_layout(extents, "nChw16c", strides{512, 256, 64}).has_value());
}

TEST_CASE("layout from a tag and strides: a dense layout's own strides are accepted") {
    constexpr format_tag tags[] = {"abcd",        "acdb",    "dcba",        "aBcd16b", "ABcd16b16a",
                                   "BAcd8a16b2a", "Acdb32a", "ABcd4b16a4b", "aBdc3b"};
    constexpr dims sizes[] = {{2, 17, 5, 4}, {1, 1, 1, 1}, {16, 32, 3, 1}, {2, 0, 3, 3}, {33, 5, 0, 0}};
    STATIC_CHECK([&] {
        for (const format_tag& tag : tags)
            for (const dims& size : sizes) {
                const layout dense(size, tag);
                if (layout(size, tag, dense.strides()) != dense) return false;
            }
        return true;
    }());
}

}}  // namespace test_core_layout_rules_from_strides
