#include <plait/algebra/permute_axes.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_permute_axes { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr bool refused(const layout& l, const permutation& p, const verdict& why) {
    return check_permute_axes(l, p) == why && !try_permute_axes(l, p).has_value();
}

/// Checks for all permutations that permuting layout(extents, tag) gives the layout of the permuted arguments.
constexpr bool permutes_its_tag(const dims& extents, const format_tag& tag) {
    permutation p = identity_permutation(extents.size());
    for (int i = 0; i < plait_test::factorial(extents.size()); ++i, p = plait_test::next(p))
        if (permute_axes(layout(extents, tag), p) !=
            layout(plait_test::permuted(extents, p), plait_test::permuted(tag, p)))
            return false;
    return true;
}

TEST_CASE("permute_axes: the RFC's examples") {
    STATIC_CHECK(permute_axes(layout({2, 3, 4}, "abc"), {1, 0, 2}) == layout({3, 2, 4}, "bac"));
    // a -> c, b -> a, c -> d, d -> b: activations passed as weights.
    STATIC_CHECK(permute_axes(layout({2, 17, 5, 4}, "aBcd8b"), {2, 0, 3, 1}) == layout({17, 4, 2, 5}, "cAdb8a"));
}

TEST_CASE("permute_axes: RFC 3.2.1, a framework's buffer becomes activations or weights once it is known which") {
    // TensorFlow's (2, 3, 4, 5), in the framework's order of axes until an operation assigns them a meaning.
    constexpr layout buffer({2, 3, 4, 5}, "abcd");
    STATIC_CHECK(permute_axes(buffer, {0, 2, 3, 1}) == layout({2, 5, 3, 4}, "nhwc"));
    STATIC_CHECK(permute_axes(buffer, {2, 3, 1, 0}) == layout({5, 4, 2, 3}, "hwio"));
}

TEST_CASE("permute_axes: RFC 3.2.1, weights of a deconvolution have O and I the other way round") {
    STATIC_CHECK(permute_axes(layout({8, 16, 3, 3}, "oihw"), {1, 0, 2, 3}) == layout({16, 8, 3, 3}, "iohw"));
    STATIC_CHECK(permute_axes(layout({32, 64, 3, 3}, "OIhw16i16o"), {1, 0, 2, 3}) ==
                 layout({64, 32, 3, 3}, "BAcd16a16b"));
}

TEST_CASE("permute_axes: RFC 3.2.2, in place") {
    layout l({2, 17, 5, 4}, "aBcd8b");
    l = permute_axes(l, {2, 0, 3, 1});
    CHECK(l == layout({17, 4, 2, 5}, "cAdb8a"));
}

TEST_CASE("permute_axes: axis i becomes axis p[i], with its digits and its padding") {
    constexpr layout l = by_hand({2, 3, 1}, {4, 8, 1}, {8, 8, -7}, {{1, 4}, {0, 2}, {1, 2}}, {1, 2, 0}, 5);
    constexpr layout out = permute_axes(l, {1, 2, 0});
    STATIC_CHECK(out.dims == dims{1, 2, 3});
    STATIC_CHECK(out.padded_dims == dims{1, 4, 8});
    STATIC_CHECK(out.padded_offsets == position{0, 1, 2});
    STATIC_CHECK(out.strides() == strides{-7, 8, 8});
    STATIC_CHECK(out.offset0 == 5);
    STATIC_CHECK(out.inner_blocks()[0] == inner_block{2, 4});
    STATIC_CHECK(out.inner_blocks()[1] == inner_block{1, 2});
    STATIC_CHECK(out.inner_blocks()[2] == inner_block{2, 2});
    STATIC_CHECK(permute_axes(position{7, 8, 9}, {1, 2, 0}) == position{9, 7, 8});
}

TEST_CASE("permute_axes: of a tag's layout it is the layout of the permuted tag, dynamic extents included") {
    STATIC_CHECK(permutes_its_tag({2, 17, 5}, "aBc8b"));
    STATIC_CHECK(permutes_its_tag({17, 33, 3, 1}, "BAcd4b16a4b"));
    STATIC_CHECK(permutes_its_tag({2, 0, 3, 4}, "acdb"));
    // A stride that depends on a dynamic extent depends on the same axis after the permutation.
    STATIC_CHECK(permutes_its_tag({2, dynamic, 3, 4}, "acdb"));
    STATIC_CHECK(permutes_its_tag({dynamic, dynamic, 3, dynamic}, "dBac8b"));
    STATIC_CHECK(permutes_its_tag({2, 3, 4}, "any"));
}

TEST_CASE("permute_axes: binding after the permutation gives the permutation of the bound layout") {
    constexpr layout l({2, dynamic, 3, 4}, "acdb");
    constexpr layout out = permute_axes(l, {3, 1, 0, 2});
    STATIC_CHECK(out.dims == dims{3, dynamic, 4, 2});
    // d is outside b, c outside d, a outside c; they are now 2 outside 1, 0 outside 2, 3 outside 0.
    STATIC_CHECK(out.digits[2].stride == outside(1));
    STATIC_CHECK(out.digits[0].stride == outside(2));
    STATIC_CHECK(out.digits[3].stride == outside(0));
    STATIC_CHECK(permute_axes(layout({2, dynamic}, strides{dynamic, 1}), {1, 0}).strides() == strides{1, dynamic});
}

TEST_CASE("permute_axes: refuses undefined and opaque layouts, and numbers that are no permutation of the axes") {
    STATIC_CHECK(refused(layout(), {}, {reason::layout_is_undefined}));
    STATIC_CHECK(check_permute_axes(plait_test::opaque_layout({2, 3}), {1, 0}).status() == status::unimplemented);
    constexpr layout l({2, 3, 4}, "abc");
    STATIC_CHECK(refused(l, {0, 1}, {reason::rank_differs, -1, 2, 3}));
    STATIC_CHECK(refused(l, {0, 1, 2, 3}, {reason::rank_differs, -1, 4, 3}));
    STATIC_CHECK(refused(l, {0, 1, 1}, {reason::not_a_permutation, 2, 1, 3}));
    STATIC_CHECK(refused(l, {0, 1, 3}, {reason::not_a_permutation, 2, 3, 3}));
    STATIC_CHECK(refused(l, {-1, 1, 0}, {reason::not_a_permutation, 0, -1, 3}));
    STATIC_CHECK(refused(layout({2, 3}, "any"), {0}, {reason::rank_differs, -1, 1, 2}));
    STATIC_CHECK(refused(layout({2, 3}, "any"), {0, 0}, {reason::not_a_permutation, 1, 0, 2}));
    STATIC_CHECK(permute_axes(layout({}, "any"), {}) == layout({}, "any"));
}

}}  // namespace test_algebra_permute_axes
