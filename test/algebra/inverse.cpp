#include <plait/algebra/inverse.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_inverse { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr bool refused(const layout& l, const verdict& why) {
    return check_inverse(l) == why && !try_inverse(l).has_value();
}

/// True if each place from 0 has exactly one element, by visiting all of them. Up to 600 elements.
constexpr bool fills_every_place(const layout& l) {
    bool taken[600]{};
    for (dim_t i = 0; i < l.volume(); ++i) {
        const dim_t place = l.linear_offset(i);
        if (place < 0 || place >= l.volume() || taken[place]) return false;
        taken[place] = true;
    }
    return l.volume() > 0;
}

/// Checks both round trips, and that an inverse exists exactly if each place has an element.
constexpr bool inverts(const layout& l) {
    const expected<layout> out = try_inverse(l);
    if (!out) return !fills_every_place(l) || linear_digits(l).why.reason == reason::axis_is_padded;
    if (!fills_every_place(l) || !check_layout(*out).ok() || out->dims != dims{l.volume()}) return false;
    for (dim_t i = 0; i < l.volume(); ++i)
        if (out->offset(l.linear_offset(i)) != i || l.linear_offset(out->offset(i)) != i) return false;
    if (l.is_padded()) return true;
    const layout forth = compose(*out, l), back = compose(l, *out);
    for (dim_t i = 0; i < l.volume(); ++i)
        if (forth.linear_offset(i) != i || back.offset(i) != i) return false;
    return true;
}

TEST_CASE("inverse: from an offset back to the number") {
    // Transposed: the inverse of a column-major matrix counts its rows.
    STATIC_CHECK(is_cute(inverse(layout({2, 3}, "ba")), {{2, 3}, {3, 1}}));
    STATIC_CHECK(inverse(layout({2, 3, 4}, "abc")) == layout({24}, "a"));
    STATIC_CHECK(inverse(layout({1}, strides{9})) == layout({1}, "a"));
    constexpr layout blocked({4, 6}, "BA2b2a");
    STATIC_CHECK(inverse(blocked).offset(blocked.offset(3, 4)) == 3 * 6 + 4);
    layout same({2, 3}, "ba");
    same = inverse(same);
    CHECK(same.offset(1) == 3);
    // CuTe's documentation: the inverse of (4,8):(8,1), which is 4 rows of 8, is (8,4):(4,1).
    STATIC_CHECK(is_cute(inverse(layout({8, 4}, strides{1, 8})), {{8, 4}, {4, 1}}));
}

TEST_CASE("inverse: exists exactly if each place has one element") {
    STATIC_CHECK(inverts(layout({4, 4}, "AB2a2b")));
    STATIC_CHECK(inverts(layout({2, 3, 2}, "cab")));
    STATIC_CHECK(inverts(layout({2, 3}, strides{5, 1})));
    for (const layout& l : tiny_functions) CHECK(inverts(l));
    for (const layout& l : varied_layouts) CHECK(inverts(l));
    for (const layout& l : broadcast_layouts) CHECK(inverts(l));
    random_source random(11);
    int inverted = 0;
    for (int i = 0; i < 6000; ++i) {
        layout l = random_function(random, 3, 8);
        if (random.once_in(10)) l = part_of_a_block(random, l);
        if (!inverts(l)) FAIL_CHECK(explain(l));
        inverted += check_inverse(l).ok();
        // The inverse of the inverse is the layout itself, over one axis.
        if (check_inverse(l).ok() && !l.is_padded())
            CHECK(same_function(inverse(inverse(l)), compose(l, layout({l.volume()}, "a"))));
    }
    CHECK(inverted > 1500);
}

TEST_CASE("inverse: each refusal") {
    STATIC_CHECK(refused(layout({4, 3}, strides{0, 1}), {reason::layout_is_not_injective, 0, 4, 0}));
    STATIC_CHECK(refused(layout({2, 3}, strides{5, 1}), {reason::layout_is_not_dense, 0, 3, 5}));
    STATIC_CHECK(refused(layout({3}, strides{2}), {reason::layout_is_not_dense, 0, 1, 2}));
    STATIC_CHECK(refused(layout({3, 17}, "Ba16b"), {reason::axis_is_padded, 1, 32, 17}));
    STATIC_CHECK(refused(layout({17, 3}, "Ab16a"), {reason::axis_is_padded, 0, 96, 51}));
    STATIC_CHECK(refused(layout({0, 3}, "ab"), {reason::index_is_outside_domain, 0, 0, 0}));
    layout later({3}, "a");
    later.offset0 = 2;
    CHECK(refused(later, {reason::layout_is_not_dense, -1, 0, 2}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({2, 3}, strides{2, 1}), {reason::layout_is_not_injective, 0, 2, 2}));
    STATIC_CHECK(refused(layout({3, 2}, strides{2, 3}), {reason::layout_is_not_dense, 0, 1, 5}));
    STATIC_CHECK(refused(by_hand({3}, {3}, {INT64_MIN + 77}), {reason::size_overflows, 0, INT64_MIN + 77, 3}));
    STATIC_CHECK(refused(by_hand({3}, {3}, {INT64_MAX}), {reason::size_overflows, 0, INT64_MAX, 3}));
}

TEST_CASE("inverse: twelve axes and extents near 2^40, at random places") {
    random_source random(12);
    for (int i = 0; i < 1000; ++i) {
        dims extents;
        const format_tag tag = random.tag(max_ndims, 6, 4);
        for (int a = 0; a < max_ndims; ++a) extents.push_back(tag.block_size(a) * random.between(1, 2));
        extents[static_cast<int>(random.between(0, 11))] *= (dim_t{1} << 36) + random.between(-1000, 1000);
        const expected<layout> l = try_layout(extents, tag);
        if (!l) continue;
        const layout out = inverse(*l);
        for (int k = 0; k < 5; ++k) {
            const dim_t number = random.between(0, l->volume() - 1);
            CHECK(out.offset(l->linear_offset(number)) == number);
            CHECK(l->linear_offset(out.offset(number)) == number);
        }
    }
}

}}  // namespace test_algebra_inverse
