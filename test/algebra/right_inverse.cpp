#include <plait/algebra/right_inverse.hpp>

#include <plait/algebra/inverse.hpp>

#include "laws/function_laws.hpp"
#include "laws/random_layouts.hpp"
#include "support/hand_filled_layout.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_right_inverse { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr bool refused(const layout& l, const verdict& why) {
    return check_right_inverse(l) == why && !try_right_inverse(l).has_value();
}

/// Checks that each offset from offset0 has the element that the result gives, within the extent of the result.
constexpr bool says_elements(const layout& l) {
    const expected<layout> out = try_right_inverse(l);
    if (!out) return linear_digits(l).why == check_right_inverse(l);
    if (!check_layout(*out).ok() || out->ndims() != 1 || out->volume() < 1) return false;
    for (dim_t x = 0; x < out->volume(); ++x) {
        const dim_t number = out->offset(x);
        if (number < 0 || number >= l.volume() || l.linear_offset(number) != l.offset0 + x) return false;
    }
    // The inverse begins at the lowest place, which differs from offset0 if an axis runs backwards.
    if (const expected<layout> both = try_inverse(l)) return runs_backwards(l) || same_function(*out, *both);
    return true;
}

TEST_CASE("right_inverse: from the first offsets to numbers, as CuTe's") {
    STATIC_CHECK(right_inverse(layout({2, 4}, strides{16, 1})) == layout({4}, "a"));
    STATIC_CHECK(right_inverse(layout({4, 2}, strides{2, 0})).dims == dims{1});
    STATIC_CHECK(right_inverse(layout({21}, strides{0})).dims == dims{1});
    STATIC_CHECK(is_cute(right_inverse(layout({128, 128}, strides{1, 65536})), {{128, 128}}));
    STATIC_CHECK(is_cute(right_inverse(layout({160, 3, 128}, strides{1, 512, 65536})), {{160, 384}}));
    STATIC_CHECK(is_cute(right_inverse(layout({4, 4, 4, 32}, strides{1, 8388608, 4, 262144})), {{4, 512}, {4, 32}}));
    STATIC_CHECK(is_cute(right_inverse(layout({8, 4}, strides{5, 1})), {{4, 1}}));
    STATIC_CHECK(right_inverse(layout({3, 4}, "ba")) == inverse(layout({3, 4}, "ba")));
    STATIC_CHECK(says_elements(layout({3, 4}, strides{2, 1})) && says_elements(layout({2, 3}, strides{5, 2})));
}

TEST_CASE("right_inverse: exists for every layout whose elements have numbers") {
    for (const layout& l : tiny_functions) CHECK(says_elements(l));
    random_source random(32);
    int longer = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l =
            i % 2 == 0 ? random.small_layout() : hand_filled_layout(random, {random.between(1, 9), 6}, 4000);
        if (!says_elements(l)) FAIL_CHECK(i);
        if (const auto out = try_right_inverse(l)) longer += out->volume() > 1;
    }
    CHECK(longer > 1000);
}

TEST_CASE("right_inverse: each refusal") {
    STATIC_CHECK(refused(layout({3, 17}, "Ba16b"), {reason::axis_is_padded, 1, 32, 17}));
    STATIC_CHECK(refused(layout({0, 3}, "ab"), {reason::index_is_outside_domain, 0, 0, 0}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
}

}}  // namespace test_algebra_right_inverse
