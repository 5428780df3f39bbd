#include <plait/core/layout_rules.hpp>

#include "support/small_layouts.hpp"

#include <cstdint>
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
    STATIC_CHECK(refused({INT64_MAX}, "A16a", {reason::size_overflows, 0, dim_t{1} << 59, 16}));
    STATIC_CHECK(refused({0, INT64_MAX}, "aB16b", {reason::size_overflows, 1, dim_t{1} << 59, 16}));
    STATIC_CHECK(check_layout({INT64_MAX}, "a").ok());
    STATIC_CHECK(refused({huge, huge}, "ab", {reason::size_overflows, 1, huge, huge}));
    STATIC_CHECK(check_layout({huge, huge, 0}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({0, huge, huge}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({dynamic, huge, huge}, "abc").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({0, huge, huge}, "any").reason == reason::size_overflows);
    STATIC_CHECK(check_layout({1, 1}, "AB2147483648a2147483648b").ok());
    STATIC_CHECK(check_layout({1, 2147483649}, "AB2147483648a2147483648b").reason == reason::size_overflows);
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
