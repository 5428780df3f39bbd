#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/permute_with_reorder.hpp>

#include "engine/kernel/kernels.hpp"
#include "support/small_layouts.hpp"

#include <plait/typed/bound_layout.hpp>

namespace test_reorder_permute_with_reorder { namespace {

using namespace kernels;

/// Returns the result of a plain loop over the elements of src.
template <class T, class U = T>
std::vector<U> by_loop(const layout& src, const std::vector<T>& in, const permutation& p, const layout& to) {
    std::vector<U> out(to.element_span());
    for (dim_t number = 0; number < src.volume(); ++number) {
        const position at = unravel(src.dims, number);
        out[static_cast<std::size_t>(to.offset(plait::permute_axes(at, p)))] =
            convert<U>(in[static_cast<std::size_t>(src.offset(at))]);
    }
    return out;
}

/// Checks that the function for layouts known at run time writes what the loop writes, including zeros in the padding.
template <class T, class U = T>
bool permutes(const layout& src, const permutation& p, const format_tag& wanted) {
    const layout to = permuted_layout(src, p, wanted);
    if (to != layout(plait::permute_axes(src, p).dims, wanted)) return false;
    const std::vector<T> in = numbered<T>(src.element_span());
    std::vector<U> out = numbered<U>(to.element_span());
    permute_with_reorder(src, in.data(), p, wanted, out.data());
    return same_bytes(out, by_loop<T, U>(src, in, p, to));
}
/// Checks the function for constant layouts too.
template <layout Src, permutation P, format_tag Wanted, class T, class U = T>
bool permutes() {
    constexpr layout to = permuted_layout(Src, P, Wanted);
    const std::vector<T> in = numbered<T>(Src.element_span());
    std::vector<U> out = numbered<U>(to.element_span());
    permute_with_reorder<Src, P, Wanted>(in.data(), out.data());
    return same_bytes(out, by_loop<T, U>(Src, in, P, to)) && permutes<T, U>(Src, P, Wanted);
}

TEST_CASE("permute_with_reorder: the RFC's example") {
    const std::vector<float> in = {1, 2, 3, 4, 5, 6};
    std::vector<float> out(6);
    permute_with_reorder<layout({3, 2}, "ab"), permutation{1, 0}, "ab">(in.data(), out.data());
    CHECK(out == std::vector<float>{1, 3, 5, 2, 4, 6});
    STATIC_CHECK(permuted_layout(layout({3, 2}, "ab"), {1, 0}, "ab") == layout({2, 3}, "ab"));
}

TEST_CASE("permute_with_reorder: the result may have the blocked format of the source") {
    // {a, b, c} becomes {a, c, b}, so the result has blocks of c.
    STATIC_CHECK(permuted_layout(layout({2, 17, 9}, "aBc8b"), {0, 2, 1}, "aBc8b") == layout({2, 9, 17}, "aBc8b"));
    CHECK(permutes<layout({2, 17, 9}, "aBc8b"), permutation{0, 2, 1}, "aBc8b", float>());
    CHECK(permutes<float>(layout({2, 16, 24}, "aBc8b"), permutation{0, 2, 1}, "aBc8b"));
}

TEST_CASE("permute_with_reorder: equals a plain loop") {
    CHECK(permutes<float>(layout({2, 17, 5, 4}, "nchw"), permutation{0, 3, 1, 2}, "abcd"));
    CHECK(permutes<float>(layout({2, 17, 5, 4}, "nChw16c"), permutation{1, 2, 3, 0}, "nhwc"));
    CHECK(permutes<layout({33, 17, 3, 3}, "OIhw4i16o4i"), permutation{1, 0, 2, 3}, "OIhw16i16o", std::int8_t>());
    CHECK(permutes<layout({2, 0, 5}, "abc"), permutation{2, 0, 1}, "aBc8b", float>());
    CHECK(permutes<double>(layout({1, 1}, "ab"), permutation{1, 0}, "AB2a2b"));
    // A source may repeat elements.
    CHECK(permutes<float>(layout({3, 4}, strides{1, 0}), permutation{1, 0}, "ab"));
    // Elements are converted.
    CHECK(permutes<layout({5, 9}, "ab"), permutation{1, 0}, "aB8b", float, std::int32_t>());
}

TEST_CASE("permute_with_reorder: accepts a bound layout") {
    const auto src = plait::bind(layout_c<layout({dynamic, 17, dynamic}, "aBc8b")>, 2, 9);
    const std::vector<float> in = numbered<float>(static_cast<layout>(src).element_span());
    const layout to = permuted_layout(src, {2, 0, 1}, "acb");
    std::vector<float> out(to.element_span());
    permute_with_reorder(src, in.data(), {2, 0, 1}, "acb", out.data());
    CHECK(same_bytes(out, by_loop(src, in, {2, 0, 1}, to)));
}

TEST_CASE("permute_with_reorder: returns each refusal, and writes nothing if it refuses") {
    constexpr layout src({3, 2}, "ab");
    constexpr format_tag ab = "ab";
    STATIC_CHECK(check_permute_with_reorder(src, {1, 0}, ab).ok());
    STATIC_CHECK(check_permute_with_reorder(src, {0, 0}, ab) == verdict{reason::not_a_permutation, 1, 0, 2});
    STATIC_CHECK(check_permute_with_reorder(src, {0}, ab) == verdict{reason::rank_differs, -1, 1, 2});
    STATIC_CHECK(check_permute_with_reorder(src, {1, 0}, "abc") == verdict{reason::rank_differs, -1, 3, 2});
    STATIC_CHECK(check_permute_with_reorder(src, {1, 0}, "any").reason == reason::layout_is_any);
    STATIC_CHECK(check_permute_with_reorder(layout(), {}, ab).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_permute_with_reorder(layout({3, 2}, "any"), {1, 0}, ab).reason == reason::layout_is_any);
    STATIC_CHECK(check_permute_with_reorder(plait_test::opaque_layout({3, 2}), {1, 0}, ab).reason ==
                 reason::layout_is_opaque);
    STATIC_CHECK(check_permute_with_reorder(layout({dynamic, 2}, "ab"), {1, 0}, ab) ==
                 verdict{reason::dim_is_dynamic, 1, 0, 0});
    const std::vector<float> in(6, 1.0f);
    std::vector<float> out(6, 7.0f), same = {1, 2, 3, 4, 5, 6};
    CHECK((plait_test::refusal_of([&] {
               return permute_with_reorder(src, in.data(), {0, 0}, ab, out.data()), 0;
           }).reason == reason::not_a_permutation));
    CHECK(out == std::vector<float>(6, 7.0f));
    CHECK((plait_test::refusal_of([&] {
               return permute_with_reorder(src, same.data(), {1, 0}, ab, same.data()), 0;
           }).reason == reason::spans_overlap));
    CHECK(try_permute_with_reorder(src, in.data(), {0, 0}, ab, out.data()).error().reason == reason::not_a_permutation);
    CHECK(try_permute_with_reorder<src, permutation{1, 0}, ab>(same.data(), same.data()).error().reason ==
          reason::spans_overlap);
    CHECK(same == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(out == std::vector<float>(6, 7.0f));
    CHECK(try_permute_with_reorder(src, in.data(), {1, 0}, ab, out.data()));
    CHECK(out == in);
}

}}  // namespace test_reorder_permute_with_reorder
