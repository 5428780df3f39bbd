#include <plait/typed/concepts.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

namespace test_typed_concepts { namespace {

using namespace plait;
using plait::formats::ab;

constexpr auto source = layout_c<layout({2, 17, 5, 4}, "nChw8c")>;
using source_type = layout_constant<layout({2, 17, 5, 4}, "nChw8c")>;
using any_type = layout_constant<layout({2, 3}, "any")>;
using undefined_type = layout_constant<layout{}>;
using opaque_type = layout_constant<plait_test::opaque_layout({2, 3})>;
using open_type = nchw<dynamic, 16, 7, 7>;
using repeated_type = layout_constant<layout({4, 3}, strides{0, 1})>;
using spaced_type = layout_constant<layout({4, 3}, strides{5, 1})>;
using overlapping_type = layout_constant<plait_test::by_hand({4, 4}, {4, 4}, {1, 1})>;
using huge_type = layout_constant<plait_test::by_hand({4, 4}, {4, 4}, {INT64_MAX, 1})>;

template <class L>
    requires matches<L, "nChw16c">
constexpr int kernel(L) { return 16; }
template <class L>
constexpr int kernel(L) {
    return 1;
}

TEST_CASE("matches: agrees with matches_tag, and is false for types that are not layouts") {
    STATIC_CHECK(matches<source_type, "nChw8c">);
    STATIC_CHECK(matches<source_type, "aBcd8b">);
    STATIC_CHECK(matches<nChw8c<2, 17, 5, 4>, "nChw8c">);
    STATIC_CHECK(!matches<source_type, "nChw16c">);
    STATIC_CHECK(!matches<source_type, "nCw8c">);
    STATIC_CHECK(matches<any_type, "any">);
    STATIC_CHECK(!matches<any_type, "ab">);
    STATIC_CHECK(!matches<undefined_type, "ab">);
    STATIC_CHECK(!matches<opaque_type, "ab">);
    STATIC_CHECK(!matches<int, "ab">);
    STATIC_CHECK(!matches<void, "ab">);
    STATIC_CHECK(!matches<layout, "ab">);
    STATIC_CHECK(!matches<dims_constant<dims{2}>, "a">);
}

TEST_CASE("matches: selects an overload") {
    STATIC_CHECK(kernel(nChw16c<2, 17, 5, 4>{}) == 16);
    STATIC_CHECK(kernel(layout_c<layout({2, 17, 5, 4}, "aBcd16b")>) == 16);
    STATIC_CHECK(kernel(source) == 1);
    STATIC_CHECK(kernel(3) == 1);
}

TEST_CASE("matches: is true for a bound layout if it is true for all values of its extents") {
    using batches = decltype(bind(nChw16c<dynamic, 32, 5, 4>(), 2));
    STATIC_CHECK(matches<batches, "nChw16c">);
    STATIC_CHECK(matches<decltype(bind(nChw16c<1, dynamic, dynamic, 4>(), 17, 5)), "aBcd16b">);
    STATIC_CHECK(!matches<batches, "nChw8c">);
    STATIC_CHECK(!matches<batches, "nchw">);
    STATIC_CHECK(kernel(bind(nChw16c<dynamic, 32, 5, 4>(), 2)) == 16);

    // If the type matches a tag, every layout that is bound from it matches the tag.
    for (const char* text : {"abcd", "acdb", "dcba", "aBcd8b", "ABcd4b2a", "Acdb16a", "aBdc4b"})
        for (unsigned which = 1; which < 16; ++which) {
            const format_tag tag = *parse_format_tag(text);
            dims extents{2, 16, 3, 5};
            for (int a = 0; a < 4; ++a)
                if ((which >> a & 1u) != 0) extents[a] = dynamic;
            const layout open(extents, tag);
            for (const char* other : {"abcd", "acdb", "dcba", "aBcd8b", "ABcd4b2a", "Acdb16a", "aBdc4b"}) {
                if (!matches_tag(open, *parse_format_tag(other))) continue;
                for (const dim_t value : {0, 1, 2, 16, 17}) {
                    dims values;
                    for (int a = 0; a < 4; ++a)
                        if ((which >> a & 1u) != 0) values.push_back(value);
                    CAPTURE(text);
                    CAPTURE(other);
                    CAPTURE(value);
                    CHECK(matches_tag(bind(open, values), *parse_format_tag(other)));
                }
            }
        }
}

TEST_CASE("permutable_by: false, not an error, if permute_axes refuses") {
    STATIC_CHECK(permutable_by<source_type, permutation{3, 2, 1, 0}>);
    STATIC_CHECK(permutable_by<any_type, permutation{1, 0}>);
    STATIC_CHECK(!permutable_by<source_type, permutation{1, 0}>);
    STATIC_CHECK(!permutable_by<source_type, permutation{0, 1, 2, 2}>);
    STATIC_CHECK(!permutable_by<source_type, permutation{0, 1, 2, 77}>);
    STATIC_CHECK(!permutable_by<undefined_type, permutation{}>);
    STATIC_CHECK(!permutable_by<opaque_type, permutation{1, 0}>);
    STATIC_CHECK(!permutable_by<int, permutation{0}>);
    STATIC_CHECK(!permutable_by<layout, permutation{0}>);
    STATIC_CHECK(!permutable_by<void, permutation{}>);
    // The permutation may be a constant.
    STATIC_CHECK(permutable_by<source_type, permutation_c<3, 2, 1, 0>>);
}

TEST_CASE("reshapable_to, viewable_as: false, not an error, if the operation refuses") {
    STATIC_CHECK(reshapable_to<nchw<2, 17, 5, 4>, dims{2, 17, 20}>);
    STATIC_CHECK(reshapable_to<nchw<2, 17, 5, 4>, dims_c<2, 17, 20>>);
    STATIC_CHECK(reshapable_to<const nchw<2, 17, 5, 4>, dims_c<680>>);
    STATIC_CHECK(!reshapable_to<nchw<2, 17, 5, 4>, dims_c<2, 17, 21>>);
    STATIC_CHECK(!reshapable_to<nhwc<2, 17, 5, 4>, dims_c<680>>);
    STATIC_CHECK(reshapable_to<open_type, dims_c<dynamic, 16, 49>>);
    STATIC_CHECK(!reshapable_to<open_type, dims_c<2, 16, 49>>);
    STATIC_CHECK(!reshapable_to<undefined_type, dims{}>);
    STATIC_CHECK(!reshapable_to<opaque_type, dims_c<6>>);
    STATIC_CHECK(reshapable_to<any_type, dims_c<6>>);
    STATIC_CHECK(!reshapable_to<layout, dims_c<6>>);
    STATIC_CHECK(!reshapable_to<void, dims_c<6>>);
    STATIC_CHECK(!reshapable_to<huge_type, dims_c<16>>);
    STATIC_CHECK(viewable_as<nhwc<2, 17, 5, 4>, dims_c<680>>);
    STATIC_CHECK(!viewable_as<source_type, dims_c<680>>);
    STATIC_CHECK(!viewable_as<int, dims_c<680>>);
}

TEST_CASE("dense, injective: requirements of kernels for a destination") {
    STATIC_CHECK(dense<source_type> && injective<source_type>);
    STATIC_CHECK(!dense<spaced_type> && injective<spaced_type>);
    STATIC_CHECK(!dense<repeated_type> && !injective<repeated_type>);
    STATIC_CHECK(!dense<open_type> && !injective<open_type>);
    STATIC_CHECK(!dense<any_type> && !injective<any_type>);
    STATIC_CHECK(!dense<opaque_type> && !injective<opaque_type>);
    STATIC_CHECK(!dense<overlapping_type> && !injective<overlapping_type> && layout_type<overlapping_type>);
    STATIC_CHECK(!dense<huge_type> && !injective<huge_type>);
    STATIC_CHECK(!dense<layout> && !injective<int>);
}

TEST_CASE("same_memory_as: true for equal offsets in different descriptions") {
    STATIC_CHECK(same_memory_as<layout_constant<layout({2, 1, 3}, "abc")>, layout_constant<layout({2, 1, 3}, "bac")>>);
    STATIC_CHECK(same_memory_as<layout_constant<layout({2, 16}, "aB16b")>, ab<2, 16>>);
    STATIC_CHECK(!same_memory_as<layout_constant<layout({2, 17}, "aB16b")>, ab<2, 17>>);
    STATIC_CHECK(!same_memory_as<ab<2, 16>, layout>);
    STATIC_CHECK(!same_memory_as<opaque_type, opaque_type>);
    STATIC_CHECK(same_memory_as<overlapping_type, overlapping_type>);
}

}}  // namespace test_typed_concepts
