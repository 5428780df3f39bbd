#include <plait/algebra/inverse.hpp>
#include <plait/bridge/shaped_layout.hpp>

#include "bridge/shaped_cases.hpp"

namespace test_bridge_shaped_layout { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// True if the shape and the offsets are as defined, and equal those of the framework's layout.
bool says_what_it_is(const shaped_layout& s) {
    const dims shape = s.shape();
    const layout in_order = framework_layout(s);
    if (in_order.dims != shape) return false;
    for (int i = 0; i < s.ndims(); ++i)
        if (shape[static_cast<int>(s.map[i])] != s.layout.dims[i]) return false;
    position p = origin(s.ndims());
    do {
        const dim_t offset = s.layout.offset(in_library(p, s.map));
        if (s.offset(p) != offset || in_order.offset(p) != offset) return false;
    } while (advance(p, shape));
    return same_memory(s, shaped_layout(in_order, identity_axis_map(s.ndims())));
}

/// True if the operand has each element at the offset that it has in the shaped layout.
bool operand_keeps_elements(const shaped_layout& s, const axis_map& need) {
    const layout operand = as_operand(s, need);
    if (operand != permute_axes(s.layout, axis_permutation(s.map, need))) return false;
    position p = origin(s.ndims());
    do
        if (operand.offset(in_library(p, need)) != s.offset(p)) return false;
    while (advance(p, s.shape()));
    return same_memory(shaped_layout(operand, need), s);
}

/// True if transpose makes axis names[i] axis i, and changes only the map.
bool transposes(const shaped_layout& s, const permutation& names) {
    const shaped_layout out = transpose(s, names);
    if (out.layout != s.layout || framework_layout(out) != rename_axes(framework_layout(s), names)) return false;
    position p = origin(s.ndims());
    do {
        position to = p;
        for (int i = 0; i < s.ndims(); ++i) to[i] = p[static_cast<int>(names[i])];
        if (out.offset(to) != s.offset(p)) return false;
    } while (advance(p, s.shape()));
    return transpose(out, inverse(names)) == s;
}

TEST_CASE("shaped_layout: the shape, the offsets and the framework's layout are as defined, for every map") {
    constexpr shaped_layout s(layout({2, 5, 3, 4}, "nChw8c"), {0, 3, 1, 2});
    STATIC_CHECK(s.shape() == dims{2, 3, 4, 5} && s.ndims() == 4);
    STATIC_CHECK(s.offset({1, 2, 3, 4}) == s.layout.offset(1, 4, 2, 3));
    STATIC_CHECK(framework_layout(s) == layout({2, 3, 4, 5}, "aDbc8d"));
    CHECK(for_each_shaped(says_what_it_is));
}

TEST_CASE("shaped_layout: an operand is the same tensor, for every pair of maps") {
    CHECK(for_each_shaped([](const shaped_layout& s) {
        return for_each_map(s.ndims(), [&](const axis_map& need) { return operand_keeps_elements(s, need); });
    }));
    STATIC_CHECK(try_as_operand(shaped_layout(layout({2, 3}, "ab"), {0, 1}), {1, 0}) == layout({3, 2}, "ba"));
}

TEST_CASE("shaped_layout: transpose changes the map alone, for every order") {
    CHECK(for_each_shaped([](const shaped_layout& s) {
        return transpose(s) == transpose(s, reversed_axes(s.ndims())) &&
               for_each_map(s.ndims(), [&](const axis_map& m) { return transposes(s, permutation_of(m)); });
    }));
    // A rotation differs from its inverse: axis names[i] becomes axis i, as in NumPy.
    constexpr shaped_layout s(layout({2, 3, 4}, "abc"), {0, 1, 2});
    STATIC_CHECK(transpose(s, {1, 2, 0}).shape() == dims{3, 4, 2});
    STATIC_CHECK(transpose(s).shape() == dims{4, 3, 2} && transpose(s).map == axis_map{2, 1, 0});
    STATIC_CHECK(try_transpose(s, {1, 2, 0}) == transpose(s, {1, 2, 0}));
}

TEST_CASE("shaped_layout: same_memory is about the elements, not about the library's order") {
    constexpr shaped_layout s(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 1, 2});
    STATIC_CHECK(same_memory(s, shaped_layout(layout({2, 3, 4, 5}, "abcd"), {0, 1, 2, 3})));
    STATIC_CHECK(s != shaped_layout(layout({2, 3, 4, 5}, "abcd"), {0, 1, 2, 3}));
    STATIC_CHECK(!same_memory(s, shaped_layout(layout({2, 5, 3, 4}, "nchw"), {0, 3, 1, 2})));
    STATIC_CHECK(!same_memory(s, shaped_layout(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 2, 1})));
    STATIC_CHECK(!same_memory(shaped_layout(), s));
}

TEST_CASE("shaped_layout: dynamic extents and any layouts have maps too") {
    constexpr shaped_layout late(layout({dynamic, 5, 3, dynamic}, "nChw8c"), {0, 3, 1, 2});
    STATIC_CHECK(late.shape() == dims{dynamic, 3, dynamic, 5});
    STATIC_CHECK(as_operand(late, {3, 2, 0, 1}) == adapt(late.layout, late.map, {3, 2, 0, 1}));
    constexpr shaped_layout undecided(layout({2, 5, 3, 4}, "any"), {0, 3, 1, 2});
    STATIC_CHECK(as_operand(undecided, {3, 2, 0, 1}) == layout({5, 4, 2, 3}, "any"));
    STATIC_CHECK(transpose(undecided).shape() == dims{5, 4, 3, 2});
}

TEST_CASE("shaped_layout: refuses maps and layouts that do not fit, with the reason") {
    static constexpr layout l({2, 3}, "ab");
    static constexpr shaped_layout s(l, {1, 0});
    const auto refused = [](const layout& x, const axis_map& m, const verdict& why) {
        return check_shaped_layout(x, m) == why && try_shaped_layout(x, m).error() == why &&
               refusal_of([&] { return shaped_layout(x, m); }) == why;
    };
    CHECK(refused(l, {0, 1, 2}, {reason::rank_differs, -1, 3, 2}));
    CHECK(refused(l, {1, 1}, {reason::not_a_permutation, 1, 1, 2}));
    CHECK(refused(layout(), {}, {reason::layout_is_undefined}));
    CHECK(refused(opaque_layout({2, 3}), {0, 1}, {reason::layout_is_opaque}));
    STATIC_CHECK(check_as_operand(s, {0}) == verdict{reason::rank_differs, -1, 1, 2});
    STATIC_CHECK(try_as_operand(s, {0, 2}).error() == verdict{reason::not_a_permutation, 1, 2, 2});
    STATIC_CHECK(check_transpose(s, {0, 0}) == verdict{reason::not_a_permutation, 1, 0, 2});
    STATIC_CHECK(try_transpose(s, {0}).error() == verdict{reason::rank_differs, -1, 1, 2});
    CHECK((refusal_of([] { return as_operand(s, {0}); }) == check_as_operand(s, {0})));
    CHECK((refusal_of([] { return transpose(s, {0, 0}); }) == check_transpose(s, {0, 0})));
    CHECK((refusal_of([] { return s.offset({0, 2}); }) == verdict{reason::position_is_out_of_range, 1, 2, 2}));
    // A map with a number out of range is refused before it is used as an index.
    shaped_layout broken = s;
    broken.map[1] = 7;
    CHECK(check_as_operand(broken, {0, 1}).reason == reason::not_a_permutation);
    CHECK(check_transpose(broken, {0, 1}).reason == reason::not_a_permutation);
    CHECK(!same_memory(broken, broken));
}

}}  // namespace test_bridge_shaped_layout
