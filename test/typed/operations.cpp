#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

#include <type_traits>

using namespace plait;

namespace {

constexpr auto source = layout_c<layout({2, 17, 5, 4}, "nChw8c")>;
using source_type = layout_constant<layout({2, 17, 5, 4}, "nChw8c")>;
using any_type = layout_constant<layout({2, 3}, "any")>;
using undefined_type = layout_constant<layout{}>;
using opaque_type = layout_constant<plait_test::opaque_layout({2, 3})>;

template <class L>
    requires matches<L, "nChw16c">
constexpr int kernel(L) { return 16; }
template <class L>
constexpr int kernel(L) {
    return 1;
}

}  // namespace

TEST_CASE("operations on constants: return the constant of the operation on the values") {
    constexpr auto permuted = permute_axes(source, permutation_c<2, 0, 3, 1>);
    STATIC_CHECK(std::is_same_v<decltype(permuted), const layout_constant<layout({17, 4, 2, 5}, "cAdb8a")>>);
    constexpr auto renamed = rename_axes(source, permutation_c<1, 3, 0, 2>);
    STATIC_CHECK(std::is_same_v<decltype(renamed), const layout_constant<layout({17, 4, 2, 5}, "cAdb8a")>>);
    STATIC_CHECK(std::is_same_v<decltype(permute_axes(permuted, permutation_c<1, 3, 0, 2>)), source_type>);
    STATIC_CHECK(std::is_empty_v<decltype(permuted)>);
}

TEST_CASE("operations on constants: take named formats, and partly static layouts") {
    constexpr auto permuted = permute_axes(nChw8c<2, 17, 5, 4>{}, permutation_c<2, 0, 3, 1>);
    STATIC_CHECK(permuted.value == layout({17, 4, 2, 5}, "cAdb8a"));
    constexpr auto partly = permute_axes(nhwc<dynamic, 3, 5, 4>{}, permutation_c<3, 2, 1, 0>);
    STATIC_CHECK(partly.value.dims == dims{4, 5, 3, dynamic});
    // A value beside a constant is a value.
    STATIC_CHECK(permute_axes(source.value, {2, 0, 3, 1}) == permute_axes(source, permutation_c<2, 0, 3, 1>).value);
}

TEST_CASE("matches: asks matches_tag, and is false for what is no layout") {
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

TEST_CASE("matches: chooses an overload") {
    STATIC_CHECK(kernel(nChw16c<2, 17, 5, 4>{}) == 16);
    STATIC_CHECK(kernel(layout_c<layout({2, 17, 5, 4}, "aBcd16b")>) == 16);
    STATIC_CHECK(kernel(source) == 1);
    STATIC_CHECK(kernel(3) == 1);
}

TEST_CASE("permutable_by: false, not an error, for what permute_axes refuses") {
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
    // A constant may be given for the permutation.
    STATIC_CHECK(permutable_by<source_type, permutation_c<3, 2, 1, 0>>);
}
