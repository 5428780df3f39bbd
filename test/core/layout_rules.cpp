#include <plait/core/layout_rules.hpp>

#include "support/small_layouts.hpp"

#include <string>
#include <string_view>
#include <type_traits>

namespace test_core_layout_rules {

using namespace plait;
using namespace plait::detail;

namespace {

constexpr dim_t huge = dim_t{1} << 40;

constexpr bool refused(const dims& extents, const format_tag& tag, const verdict& why) {
    return check_layout(extents, tag) == why && !try_layout(extents, tag).has_value();
}
constexpr bool refused(const dims& extents, const strides& steps, const verdict& why) {
    return check_layout(extents, steps) == why && !try_layout(extents, steps).has_value();
}
constexpr bool is_allowed(const dims& extents, const strides& steps) {
    const expected<layout> made = try_layout(extents, steps);
    return check_layout(extents, steps).ok() && made.has_value() && made->dims == extents &&
           made->padded_dims == extents && made->strides() == steps && made->inner_blocks().empty();
}

}  // namespace

TEST_CASE("layout from a tag: strides grow from the inside out") {
    STATIC_CHECK(layout({2, 16, 5, 4}, "nchw").strides() == strides{320, 20, 4, 1});
    STATIC_CHECK(layout({2, 16, 5, 4}, "nhwc").strides() == strides{320, 1, 64, 16});
    STATIC_CHECK(layout({2, 16, 5, 4}, "chwn").strides() == strides{1, 40, 8, 2});
    STATIC_CHECK(layout({4, 3, 2, 5}, "hwio").strides() == strides{1, 4, 60, 12});
    STATIC_CHECK(layout({7}, "x").strides() == strides{1});
}

TEST_CASE("layout from a tag: extents are padded to whole blocks") {
    constexpr layout article({2, 17, 5, 4}, "nChw8c");
    STATIC_CHECK(article.padded_dims == dims{2, 24, 5, 4});
    STATIC_CHECK(article.strides() == strides{480, 160, 32, 8});
    STATIC_CHECK(article.padded_offsets == position{0, 0, 0, 0});
    STATIC_CHECK(article.offset0 == 0);
    constexpr layout both({5, 33}, "BA8a16b2a");
    STATIC_CHECK(both.padded_dims == dims{16, 48});
    STATIC_CHECK(both.strides() == strides{256, 256});
    STATIC_CHECK(layout({1, 1}, "AB16b16a").padded_dims == dims{16, 16});
}

TEST_CASE("layout from a tag: a zero extent counts as one when it multiplies") {
    STATIC_CHECK(layout({7, 11, 0, 17}, "abcd").strides() == strides{187, 17, 17, 1});
    STATIC_CHECK(layout({2, 0, 3, 3}, "nChw8c").strides() == strides{72, 72, 24, 8});
    STATIC_CHECK(layout({2, 0, 3, 3}, "nChw8c").padded_dims == dims{2, 0, 3, 3});
    STATIC_CHECK(layout({0, 0}, "ab").strides() == strides{1, 1});
}

TEST_CASE("layout from a tag: a dynamic extent makes the strides outside it dynamic, and no others") {
    STATIC_CHECK(layout({dynamic, 16, 3, 3}, "abcd").strides() == strides{144, 9, 3, 1});
    STATIC_CHECK(layout({2, dynamic, 3, 3}, "abcd").strides() == strides{dynamic, 9, 3, 1});
    STATIC_CHECK(layout({2, dynamic, 3, 3}, "acdb").strides() == strides{dynamic, 1, dynamic, dynamic});
    STATIC_CHECK(layout({2, dynamic, 3, 3}, "nChw8c").strides() == strides{dynamic, 72, 24, 8});
    STATIC_CHECK(layout({2, dynamic, 3, 3}, "nChw8c").padded_dims == dims{2, dynamic, 3, 3});
    // Each stride records which axis it is outside of.
    constexpr layout l({2, dynamic, 3, 3}, "acdb");
    STATIC_CHECK(l.digits[3].stride == outside(1));
    STATIC_CHECK(l.digits[2].stride == outside(3));
    STATIC_CHECK(l.digits[0].stride == outside(2));
}

TEST_CASE("layout from any: the extents only") {
    constexpr layout l({2, 3}, "any");
    STATIC_CHECK(l.kind == format_kind::any);
    STATIC_CHECK(l.dims == dims{2, 3});
    STATIC_CHECK(l.padded_dims == dims{2, 3});
    STATIC_CHECK(l.digits.empty());
    STATIC_CHECK(refused({2, dynamic}, "any", {reason::layout_is_any, 1, 0, 0}));
    STATIC_CHECK(refused({2, -1}, "any", {reason::dim_is_negative, 1, -1, 0}));
    STATIC_CHECK(check_layout({huge, huge}, "any").reason == reason::size_overflows);
}

TEST_CASE("layout from undef: the empty layout") {
    STATIC_CHECK(layout({}, "undef") == layout());
    STATIC_CHECK(layout({2, 3}, "undef") == layout());
    STATIC_CHECK(layout({}, strides{}) == layout());
}

TEST_CASE("layout from a tag: a wrong rank, negative extents and overflow are refused") {
    STATIC_CHECK(refused({2, 3}, "abc", {reason::rank_differs, -1, 3, 2}));
    STATIC_CHECK(refused({2, 3, 4}, "ab", {reason::rank_differs, -1, 2, 3}));
    STATIC_CHECK(refused({}, "a", {reason::rank_differs, -1, 1, 0}));
    STATIC_CHECK(refused({2, -3}, "ab", {reason::dim_is_negative, 1, -3, 0}));
    STATIC_CHECK(refused({dynamic + 1}, "a", {reason::dim_is_negative, 0, dynamic + 1, 0}));
    // Rounding up, the volume, and the strides of a layout without elements.
    STATIC_CHECK(check_layout({INT64_MAX}, "A16a").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({INT64_MAX}, "a").ok());
    STATIC_CHECK(refused({huge, huge}, "ab", {reason::size_overflows, 1, huge, huge}));
    STATIC_CHECK(check_layout({huge, huge, 0}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({0, huge, huge}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({dynamic, huge, huge}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({0, huge, huge}, "any").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({1, 1}, "AB2147483648a2147483648b").ok());
    STATIC_CHECK(check_layout({1, 2147483649}, "AB2147483648a2147483648b").reason == reason::size_overflows);
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

TEST_CASE("layout: at run time the constructors refuse what check_layout refuses") {
    using plait_test::refusal_of;
    CHECK((refusal_of([] { return layout({2, 3}, "abc"); }) == check_layout({2, 3}, "abc")));
    CHECK((refusal_of([] { return layout({2, 3}, strides{2, 1}); }) == check_layout({2, 3}, strides{2, 1})));
    CHECK((refusal_of([] {
               return layout({2, 3}, "aB4b", strides{2, 1});
           }) == check_layout({2, 3}, "aB4b", strides{2, 1})));
    CHECK((refusal_of([] { return layout({2, dynamic}, "any"); }).reason == reason::layout_is_any));
}

namespace {

// Compares operations on a run-time text with those on the format_tag of the same literal.
template <class Text>
bool is_read(const Text& text, const dims& extents) {
    const verdict read = check_format_tag(text);
    const expected<format_tag> tag = parse_format_tag(text);
    const verdict why = read.ok() ? check_layout(extents, *tag) : read;
    if (check_layout(extents, text) != why || try_layout(extents, text).error() != why) return false;
    if (plait_test::refusal_of([&] { return layout(extents, text); }) != why) return false;
    return !why.ok() ||
           (layout(extents, text) == layout(extents, *tag) && try_layout(extents, text) == layout(extents, *tag));
}
template <class Text>
bool is_read(const Text& text, const dims& extents, const strides& steps) {
    const verdict read = check_format_tag(text);
    const expected<format_tag> tag = parse_format_tag(text);
    const verdict why = read.ok() ? check_layout(extents, *tag, steps) : read;
    if (check_layout(extents, text, steps) != why || try_layout(extents, text, steps).error() != why) return false;
    if (plait_test::refusal_of([&] { return layout(extents, text, steps); }) != why) return false;
    return !why.ok() || layout(extents, text, steps) == layout(extents, *tag, steps);
}

}  // namespace

TEST_CASE(
    "layout from a text of the run time: equals the layout from its tag; refused as the tag, or as the text, is") {
    for (const char* text : {"nchw", "nChw16c", "acdb", "nChw16", "nChw16x", "", "any", "undef", "ab", "aa"})
        for (const dims& extents : {dims{2, 17, 5, 4}, dims{2, 17}, dims{2, -1, 5, 4}}) {
            INFO(text);
            CHECK(is_read(text, extents));
            CHECK(is_read(std::string(text), extents));
            CHECK(is_read(std::string_view(text), extents));
            const strides steps{2000, 400, 80, 16};
            CHECK(is_read(text, extents, steps));
            CHECK(is_read(std::string(text), extents, steps));
        }
    STATIC_CHECK(layout({2, 17, 5, 4}, std::string_view("nChw16c")) == layout({2, 17, 5, 4}, "nChw16c"));
    STATIC_CHECK(try_layout({2, 17, 5, 4}, std::string_view("nChw16")).error() ==
                 verdict{reason::tag_block_is_malformed, -1, 5, 0});
    const char* const none = nullptr;
    CHECK(try_layout({2, 3}, none).error() == verdict{reason::tag_is_empty, -1, 0, 0});
    // Literals stay tags and are checked when compiled; so do arguments that are no text.
    STATIC_CHECK(!tag_text<char[5]> && !tag_text<std::nullptr_t> && !tag_text<format_tag> && !tag_text<int>);
    STATIC_CHECK(!std::is_constructible_v<layout, dims, int>);
}

}  // namespace test_core_layout_rules
