#include <plait/algebra/left_inverse.hpp>

#include <plait/algebra/element_places.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/is_injective.hpp>

#include "laws/function_laws.hpp"
#include "laws/random_layouts.hpp"
#include "support/hand_filled_layout.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_left_inverse { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& l, const verdict& why) {
    return check_left_inverse(l) == why && !try_left_inverse(l).has_value();
}

/// Checks that the offset of each element gives an element there, and that element if its place is not shared.
constexpr bool leads_back(const layout& l) {
    const expected<layout> out = try_left_inverse(l);
    if (!out) return false;
    if (!check_layout(*out).ok() || out->ndims() != 1) return false;
    const bool own = is_injective(l);
    for (dim_t i = 0; i < l.volume(); ++i) {
        const dim_t offset = l.linear_offset(i) - element_offsets(l).first;
        if (offset >= out->dims[0]) return false;
        const dim_t number = out->offset(offset);
        if (own ? number != i : number < 0 || number >= l.volume() || l.linear_offset(number) != l.linear_offset(i))
            return false;
    }
    if (const expected<layout> both = try_inverse(l)) return same_function(*out, *both);
    return true;
}

TEST_CASE("left_inverse: from an offset back to the number, across gaps, as CuTe's") {
    // 4:2 has (2,4):(0,1): the two offsets of a step give one number.
    STATIC_CHECK(is_cute(left_inverse(layout({4}, strides{2})), {{2, 0}, {4, 1}}));
    STATIC_CHECK(left_inverse(layout({4}, strides{2})).offset(6) == 3);
    // With the modes in CuTe's order, the first the fastest.
    STATIC_CHECK(is_cute(left_inverse(layout({6, 4, 4, 2}, strides{8, 0, 1, 4})), {{4, 2}, {2, 1}, {6, 32}}));
    STATIC_CHECK(is_cute(left_inverse(layout({2, 2, 2}, strides{1, 0, 4})), {{4, 4}, {2, 1}}));
    STATIC_CHECK(left_inverse(layout({160, 128}, strides{1, 65536})).dims == dims{128 * 65536});
    CHECK(leads_back(layout({64, 128}, strides{2, 131072})));
    STATIC_CHECK(left_inverse(layout({3, 4}, "ba")) == inverse(layout({3, 4}, "ba")));
    // A digit that continues up to the next one, with elements in between: (2,4):(16,1).
    STATIC_CHECK(is_cute(left_inverse(layout({2, 4}, strides{16, 1})), {{16, 1}, {2, 4}}));
    STATIC_CHECK(is_cute(left_inverse(layout({2, 4}, strides{5, 1})), {{5, 1}, {2, 4}}));
    STATIC_CHECK(leads_back(layout({4}, strides{0})) && leads_back(layout({3, 4}, strides{0, 0})));
}

TEST_CASE("left_inverse: inverts every layout with strides that divide each other") {
    for (const layout& l : tiny_functions) CHECK(leads_back(l));
    // Padding and offset0 do not matter.
    CHECK(leads_back(layout({17, 3}, "bA16a")) == try_left_inverse(layout({17, 3}, "bA16a")).has_value());
    layout later({3, 4}, strides{16, 2});
    later.offset0 = 100;
    CHECK(leads_back(later));
    random_source random(31);
    int made = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l =
            i % 2 == 0 ? random.small_layout() : hand_filled_layout(random, {random.between(1, 9), 6}, 4000);
        if (!try_left_inverse(l)) continue;
        ++made;
        if (!leads_back(l)) FAIL_CHECK(i);
    }
    CHECK(made > 1000);
}

TEST_CASE("left_inverse: each refusal") {
    // Every other column of 2 x 5: 5 is no multiple of 2.
    STATIC_CHECK(refused(layout({2, 3}, strides{5, 2}), {reason::extents_do_not_divide, 0, 5, 2}));
    STATIC_CHECK(refused(layout({3, 4}, strides{2, 1}), {reason::layout_is_not_injective, 0, 3, 2}));
    STATIC_CHECK(refused(layout({3, 17}, "Ba16b"), {reason::axis_is_padded, 1, 32, 17}));
    STATIC_CHECK(refused(layout({0, 3}, "ab"), {reason::index_is_outside_domain, 0, 0, 0}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(by_hand({3}, {3}, {-1}), {reason::stride_is_negative, 0, -1, 0, 2}));
    constexpr dim_t far = dim_t{1} << 40;
    STATIC_CHECK(check_left_inverse(layout({2, far, 2}, strides{1, 0, far})).reason == reason::size_overflows);
}

}}  // namespace test_algebra_left_inverse
