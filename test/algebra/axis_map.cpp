#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>

#include "laws/layout_laws.hpp"

#include <type_traits>

namespace test_algebra_axis_map { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::advance, plait_test::origin;

// The article's maps: a framework's activations are NHWC and its weights HWIO; the library's are nchw and oihw.
constexpr axis_map activations{0, 3, 1, 2};
constexpr axis_map weights{3, 2, 0, 1};

constexpr axis_map map_of(const permutation& p) { return axis_map(p.values, static_cast<std::size_t>(p.size())); }

constexpr bool refused(const layout& l, const axis_map& have, const axis_map& need, const verdict& why) {
    return check_adapt(l, have, need) == why && !try_adapt(l, have, need).has_value();
}

/// Returns the position in the framework's shape for a position in the library's.
constexpr position in_framework(const position& at, const axis_map& m) {
    position out = at;
    for (int i = 0; i < at.size(); ++i) out[static_cast<int>(m[i])] = at[i];
    return out;
}
constexpr position in_library(const position& at, const axis_map& m) {
    position out = at;
    for (int i = 0; i < at.size(); ++i) out[i] = at[static_cast<int>(m[i])];
    return out;
}

/// Checks that the element at a position in the framework's shape keeps its offset.
constexpr bool elements_keep_their_place(const layout& l, const axis_map& have, const axis_map& need) {
    const layout out = adapt(l, have, need);
    position at = origin(l.ndims());
    do
        if (out.offset(in_library(in_framework(at, have), need)) != l.offset(at)) return false;
    while (advance(at, l.dims));
    return check_layout(out).ok();
}

/// Calls visit for every axis map of a rank.
template <class Visit>
bool for_each_map(int ndims, const Visit& visit) {
    permutation p = identity_permutation(ndims);
    for (int i = 0; i < plait_test::factorial(ndims); ++i, p = plait_test::next(p))
        if (!visit(map_of(p))) return false;
    return true;
}

TEST_CASE("axis_map: the article's permutation") {
    STATIC_CHECK(axis_permutation(activations, weights) == permutation{2, 0, 3, 1});
    STATIC_CHECK(!std::is_convertible_v<axis_map, permutation> && !std::is_convertible_v<permutation, axis_map>);
    STATIC_CHECK(!std::is_constructible_v<axis_map, permutation> && !std::is_constructible_v<permutation, axis_map>);
}

TEST_CASE("axis_map: the output of conv1 is the weights of conv2") {
    // The framework's buffer has the shape (2, 3, 4, 5): batch, height, width, channels. In the library: n, c, h, w.
    constexpr layout output({2, 5, 3, 4}, "nChw8c");
    // conv2 reads height 2, width 3, 4 input channels, 5 output channels. In the library: o, i, h, w.
    constexpr layout passed = adapt(output, activations, weights);
    STATIC_CHECK(passed.dims == dims{5, 4, 2, 3});
    STATIC_CHECK(passed == layout({5, 4, 2, 3}, "cAdb8a"));
    STATIC_CHECK(passed.offset(1, 2, 0, 1) == output.offset(0, 1, 1, 2));
    STATIC_CHECK(adapt(layout({2, 5, 3, 4}, "nhwc"), activations, weights) == layout({5, 4, 2, 3}, "hwio"));
    // If the operation needs the present order, nothing changes.
    STATIC_CHECK(adapt(output, activations, activations) == output);
    // Element (b, h, w, c) of the buffer, as conv1 and as conv2 see it.
    constexpr position at{1, 2, 3, 4};
    STATIC_CHECK(in_library(at, activations) == position{1, 4, 2, 3});
    STATIC_CHECK(in_library(at, weights) == position{4, 3, 1, 2});
    STATIC_CHECK(passed.offset(in_library(at, weights)) == output.offset(in_library(at, activations)));
}

TEST_CASE("axis_map: composing and inverting") {
    STATIC_CHECK(inverse(weights) == axis_map{2, 3, 1, 0});
    STATIC_CHECK(compose(weights, activations) == axis_map{3, 1, 2, 0});
    CHECK(for_each_map(4, [](const axis_map& m) {
        return compose(m, inverse(m)) == axis_map{0, 1, 2, 3} && compose(inverse(m), m) == axis_map{0, 1, 2, 3};
    }));
}

TEST_CASE("axis_map: adapting keeps every element of the framework's tensor, and composes") {
    STATIC_CHECK(elements_keep_their_place(layout({2, 5, 3, 4}, "nChw8c"), activations, weights));
    for (const layout& l : plait_test::varied_layouts)
        CHECK(for_each_map(l.ndims(), [&](const axis_map& a) {
            if (adapt(l, a, a) != l) return false;
            return for_each_map(l.ndims(), [&](const axis_map& b) {
                if (!elements_keep_their_place(l, a, b)) return false;
                return for_each_map(l.ndims(),
                                    [&](const axis_map& c) { return adapt(adapt(l, a, b), b, c) == adapt(l, a, c); });
            });
        }));
    layout same({2, dynamic, 3, 4}, "nchw");
    same = adapt(same, activations, weights);
    CHECK(same == permute_axes(layout({2, dynamic, 3, 4}, "nchw"), {2, 0, 3, 1}));
    STATIC_CHECK(adapt(layout({2, 5, 3, 4}, "any"), activations, weights) == layout({5, 4, 2, 3}, "any"));
}

TEST_CASE("axis_map: each refusal") {
    static constexpr layout l({2, 3}, "ab");
    STATIC_CHECK(refused(l, {0, 1, 2}, {0, 1}, {reason::rank_differs, -1, 3, 2}));
    STATIC_CHECK(refused(l, {0, 1}, {0}, {reason::rank_differs, -1, 1, 2}));
    STATIC_CHECK(refused(l, {0, 0}, {0, 1}, {reason::not_a_permutation, 1, 0, 2}));
    STATIC_CHECK(refused(l, {0, 1}, {2, 1}, {reason::not_a_permutation, 0, 2, 2}));
    STATIC_CHECK(refused(l, {0, 1}, {-1, 1}, {reason::not_a_permutation, 0, -1, 2}));
    STATIC_CHECK(refused(layout(), {}, {}, {reason::layout_is_undefined}));
    STATIC_CHECK(refused(plait_test::opaque_layout({2}), {0}, {0}, {reason::layout_is_opaque}));
    using plait_test::refusal_of;
    CHECK((refusal_of([] { return adapt(l, {0}, {0, 1}); }) == verdict{reason::rank_differs, -1, 1, 2}));
    CHECK((refusal_of([] { return inverse(axis_map{1}); }) == verdict{reason::not_a_permutation, 0, 1, 1}));
    CHECK((refusal_of([] { return compose(axis_map{0}, axis_map{0, 1}); }) == verdict{reason::rank_differs, -1, 1, 2}));
    CHECK((refusal_of([] { return compose(axis_map{0, 1}, axis_map{1, 1}); }).reason == reason::not_a_permutation));
    CHECK((refusal_of([] { return axis_permutation({0, 1}, {0}); }).reason == reason::rank_differs));
}

}}  // namespace test_algebra_axis_map
