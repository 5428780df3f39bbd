#include <plait/algebra/bind.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/permute_axes.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_concatenate { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& a, const layout& b, const verdict& why) {
    return check_concatenate(a, b) == why && !try_concatenate(a, b).has_value();
}

/// Checks that offsets add up, padding included.
constexpr bool adds_up(const layout& a, const layout& b) {
    const expected<layout> out = try_concatenate(a, b);
    if (!out) return !check_concatenate(a, b).ok();
    if (!check_layout(*out).ok() || out->ndims() != a.ndims() + b.ndims()) return false;
    for (dim_t i = 0; i < a.padded_volume(); ++i)
        for (dim_t k = 0; k < b.padded_volume(); ++k)
            if (out->padded_linear_offset(i * b.padded_volume() + k) !=
                a.padded_linear_offset(i) + b.padded_linear_offset(k))
                return false;
    for (dim_t i = 0; i < a.volume(); ++i)
        for (dim_t k = 0; k < b.volume(); ++k)
            if (out->linear_offset(i * b.volume() + k) != a.linear_offset(i) + b.linear_offset(k)) return false;
    return true;
}

/// Returns l with every stride multiplied by `factor`, so that it fits around another layout.
layout widened(layout l, dim_t factor) {
    for (digit& d : l.digits) d.stride *= factor;
    return l;
}

/// The number of places up to the largest offset of l, including whole blocks if l is a part of a block.
dim_t room_of(const layout& l) {
    dim_t out = 1;
    for (const digit& d : l.digits) out += d.extent > 1 ? (d.extent - 1) * d.stride : 0;
    return out;
}

TEST_CASE("concatenate: has the axes of both, and offsets add up") {
    constexpr layout rows({2}, strides{12}), columns({3, 4}, "ba");
    STATIC_CHECK(concatenate(rows, columns) == layout({2, 3, 4}, "acb"));
    STATIC_CHECK(concatenate(layout({4}, strides{32}), layout({4, 8}, "Ba4b")) == layout({4, 4, 8}, "aCb4c"));
    STATIC_CHECK(concatenate(layout({4}, strides{0}), columns) == layout({4, 3, 4}, strides{0, 1, 3}));
    STATIC_CHECK(adds_up(rows, columns));
    layout moved = columns;
    moved.offset0 = 5;
    moved = concatenate(rows, moved);
    CHECK(moved.offset0 == 5);
    CHECK(adds_up(rows, layout({0, 3}, "ab")));
}

TEST_CASE("concatenate: small layouts inside others") {
    for (const layout& b : varied_layouts) {
        const layout around({2, 3}, strides{3000, 1000});
        CHECK(adds_up(around, b));
        CHECK(check_concatenate(around, b).ok());
        CHECK(adds_up(b, around));
        for (const layout& a : varied_layouts) {
            CHECK(adds_up(a, b));
            const layout far = widened(a, room_of(b));
            CHECK(check_concatenate(far, b).ok() == check_layout(far).ok());
            CHECK(adds_up(far, b));
        }
    }
    for (const layout& a : broadcast_layouts)
        for (const layout& b : broadcast_layouts) CHECK(adds_up(a, b));
}

TEST_CASE("concatenate: is associative; swapping the operands permutes the axes") {
    random_source random(16);
    int done = 0;
    for (int i = 0; i < 3000; ++i) {
        const layout c = random_function(random, 2, 6),
                     b = widened(random_function(random, 2, 6), random.between(1, 30));
        const layout a = widened(random_function(random, 2, 6), random.between(1, 900));
        const expected<layout> ab = try_concatenate(a, b), bc = try_concatenate(b, c);
        if (!ab || !bc) continue;
        const expected<layout> left = try_concatenate(*ab, c), right = try_concatenate(a, *bc);
        CHECK(left == right);
        done += left.has_value();
        permutation swap;
        for (int axis = 0; axis < a.ndims(); ++axis) swap.push_back(b.ndims() + axis);
        for (int axis = 0; axis < b.ndims(); ++axis) swap.push_back(axis);
        CHECK(same_function(concatenate(b, a), permute_axes(*ab, swap)));
    }
    CHECK(done > 100);
}

TEST_CASE("concatenate: strides that depend on dynamic extents still do") {
    constexpr layout inner({dynamic, 4}, "ab");
    constexpr layout out = concatenate(layout({2, dynamic}, strides{dynamic, dynamic}), inner);
    STATIC_CHECK(out.dims == dims{2, dynamic, dynamic, 4});
    constexpr layout linked = concatenate(layout({3}, strides{dynamic}), layout({2, dynamic, 3}, "acb"));
    STATIC_CHECK(linked.digits[1].stride == layout({7, 2, dynamic, 3}, "abdc").digits[1].stride);
    STATIC_CHECK(bind(linked, {5}).digits[1].stride == 15);
}

TEST_CASE("concatenate: each refusal") {
    constexpr layout l({4}, "a");
    // A layout whose elements share places can be read: windows of 4, one apart.
    STATIC_CHECK(concatenate(l, l) == layout({4, 4}, strides{1, 1}));
    STATIC_CHECK(concatenate(layout({2}, strides{3}), l) == layout({2, 4}, strides{3, 1}));
    STATIC_CHECK(refused(layout({1, 1, 1, 1, 1, 1, 1}, "abcdefg"), layout({1, 1, 1, 1, 1, 1}, "abcdef"),
                         {reason::too_many_axes, -1, 13, 12}));
    constexpr layout twelve({1, 1, 1, 1, 1, 1}, blocked_by(plain_order({0, 1, 2, 3, 4, 5}),
                                                           {{0, 2}, {1, 2}, {0, 2}, {1, 2}, {0, 2}, {1, 2}, {0, 2}}));
    STATIC_CHECK(refused(twelve, twelve, {reason::too_many_digits, -1, 26, 24}));
    constexpr dim_t far = dim_t{1} << 62;
    STATIC_CHECK(refused(by_hand({2}, {2}, {far}), l, {reason::size_overflows, 0, far, 2}));
    layout late({1}, "a");
    late.offset0 = INT64_MAX - 1;
    CHECK(check_concatenate(layout({2}, "a"), late).ok());
    CHECK(refused(late, late, {reason::size_overflows, -1, INT64_MAX - 1, 1}));
    CHECK(refused(late, layout({3}, "a"), {reason::size_overflows, -1, INT64_MAX - 1, 1}));
    late.offset0 = -1;
    CHECK(refused(l, late, {reason::layout_is_malformed, -1, -1, 0}));
    layout wild({4, 4}, "AB2a2b");
    wild.digits[2].axis = 9;
    CHECK(check_concatenate(l, wild).reason == reason::layout_is_malformed);
    wild.digits.count = -3;
    CHECK(check_concatenate(wild, l).reason == reason::layout_is_malformed);
}

TEST_CASE("concatenate: twelve axes, extents near 2^40") {
    random_source random(17);
    for (int i = 0; i < 500; ++i) {
        dims extents;
        for (int a = 0; a < 6; ++a) extents.push_back(random.between(1, 4));
        const layout b(extents, random.tag(6, 3, 4));
        extents[static_cast<int>(random.between(0, 5))] = (dim_t{1} << 40) + random.between(-1000, 1000);
        const layout a = widened(layout(extents, random.tag(6, 0, 2)), b.padded_volume());
        if (!check_layout(a).ok()) continue;
        const layout out = concatenate(a, b);
        position p = random.inside(a.dims), q = random.inside(b.dims), both = p;
        for (const dim_t index : q) both.push_back(index);
        CHECK(out.offset(both) == a.offset(p) + b.offset(q));
    }
}

}}  // namespace test_algebra_concatenate
