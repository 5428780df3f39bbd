#include <plait/algebra/operations.hpp>
#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>
#include <plait/view/view_slice.hpp>

#include <vector>

namespace test_typed_named_operations { namespace {

using namespace plait;
using namespace plait::detail;

template <int N>
using number = std::integral_constant<int, N>;

// All extents differ, so that the extent of an axis determines its expected name.
constexpr letter_list letters = "nchw";
using source = nchw<2, 3, 5, 7>;
constexpr auto open = bind(nchw<2, dynamic, 5, 7>(), 3);

constexpr dim_t extent_named(char letter) { return source::value.dims[letters.find(letter)]; }

/// True if each axis of a result has the extent of its name.
template <class L>
constexpr bool names_are_with_their_axes(const L& result) {
    const layout l = result;
    constexpr letter_list have = axis_letters_of<L>::list();
    if (have.size() != l.ndims()) return false;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] != extent_named(have[a])) return false;
    return true;
}

template <class L, class P>
constexpr bool goes_with_permutations(const L& l, P p) {
    return names_are_with_their_axes(permute_axes(l, p)) && names_are_with_their_axes(rename_axes(l, p));
}
template <class L>
bool goes_with_all_permutations(const L& l) {
    return goes_with_permutations(l, permutation_c<0, 1, 2, 3>) &&
           goes_with_permutations(l, permutation_c<0, 3, 1, 2>) &&
           goes_with_permutations(l, permutation_c<0, 2, 3, 1>) &&
           goes_with_permutations(l, permutation_c<3, 0, 2, 1>) &&
           goes_with_permutations(l, permutation_c<3, 2, 1, 0>) && goes_with_permutations(l, permutation_c<1, 0, 3, 2>);
}
template <class L>
bool goes_with_all_slices(const L& l) {
    return names_are_with_their_axes(slice(l, number<0>(), number<1>())) &&
           names_are_with_their_axes(slice(l, number<1>(), number<2>())) &&
           names_are_with_their_axes(slice(l, number<2>(), number<0>())) &&
           names_are_with_their_axes(slice(l, number<3>(), number<6>()));
}

TEST_CASE("named: permuted and sliced axes keep their names, static or bound") {
    CHECK(goes_with_all_permutations(source()));
    CHECK(goes_with_all_permutations(open));
    CHECK(goes_with_all_slices(source()));
    CHECK(goes_with_all_slices(
        slice(name_axes<"anchw">(layout_c<layout({1, 2, 3, 5, 7}, "abcde")>), number<0>(), number<0>())));
}

TEST_CASE("named: submemory, broadcast_axis, repeat, with_strides and bind keep the names") {
    STATIC_CHECK(with_axes<decltype(submemory(source(), dims_c<1, 3, 2, 2>, position_c<0, 0, 1, 1>)), "nchw">);
    STATIC_CHECK(with_axes<decltype(broadcast_axis(nchw<1, 3, 5, 7>(), number<0>(), number<4>())), "nchw">);
    STATIC_CHECK(with_axes<decltype(repeat(source(), number<0>(), number<4>())), "nchw">);
    STATIC_CHECK(with_axes<decltype(with_strides(source(), strides_c<200, 50, 10, 1>)), "nchw">);
    STATIC_CHECK(with_axes<decltype(open), "nchw">);
}

TEST_CASE("named: operations whose results have other axes drop the names") {
    STATIC_CHECK(with_axes<decltype(reshape(source(), dims_c<2, 3, 35>)), "">);
    STATIC_CHECK(with_axes<decltype(view(source(), dims_c<2, 3, 35>)), "">);
    STATIC_CHECK(with_axes<decltype(flatten(source())), "">);
    STATIC_CHECK(with_axes<decltype(join_axes(source(), number<2>(), number<3>())), "">);
    STATIC_CHECK(with_axes<decltype(split_axis(source(), number<2>(), dims_c<1, 5>)), "">);
    STATIC_CHECK(with_axes<decltype(canonical_form(source())), "">);
}

TEST_CASE("named: views have the names of their layouts") {
    std::vector<float> data(source::value.element_span());
    const tensor_view v(data.data(), source());
    STATIC_CHECK(with_axes<decltype(permute_axes(v, permutation_c<0, 3, 1, 2>))::layout_in_type, "nhwc">);
    STATIC_CHECK(with_axes<decltype(rename_axes(v, permutation_c<0, 2, 3, 1>))::layout_in_type, "nhwc">);
    STATIC_CHECK(with_axes<decltype(slice(v, number<1>(), 2))::layout_in_type, "nhw">);
    STATIC_CHECK(with_axes<decltype(slice(v, number<1>(), number<2>()))::layout_in_type, "nhw">);
    STATIC_CHECK(with_axes<decltype(submemory(v, dims_c<1, 3, 2, 2>, position_c<0, 0, 1, 1>))::layout_in_type, "nchw">);
    STATIC_CHECK(with_axes<decltype(reshape(v, dims_c<6, 35>))::layout_in_type, "">);
    const auto weights = name_axes<"oihw">(v);
    STATIC_CHECK(with_axes<decltype(weights)::layout_in_type, "oihw">);
    CHECK(&weights(1, 2, 3, 4) == &v(1, 2, 3, 4));
    const tensor_view bound(data.data(), open);
    STATIC_CHECK(with_axes<decltype(permute_axes(bound, permutation_c<0, 3, 1, 2>))::layout_in_type, "nhwc">);
    require_axes<"nchw">(bound);
    // A view with names converts to one without. The opposite conversion needs name_axes.
    const tensor_view<const float, layout_constant<source::value>> nameless = v;
    CHECK(&nameless(1, 2, 3, 4) == &v(1, 2, 3, 4));
}

TEST_CASE("without_names: returns the same object, with a type without names") {
    constexpr nchw<1, 2, 3, 4> named;
    STATIC_CHECK(without_names(named).value == layout({1, 2, 3, 4}, "nchw"));
    using nameless = std::remove_cvref_t<decltype(without_names(named))>;
    STATIC_CHECK(std::is_same_v<axis_letters_of<nameless>, axis_letters<>>);
    const auto bound = name_axes<"ab">(bind(layout_c<layout({dynamic, 3}, "ab")>, 2));
    CHECK(static_cast<const void*>(&without_names(bound)) == static_cast<const void*>(&bound));
}

}}  // namespace test_typed_named_operations
