#include <plait/algebra/linear_digits.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_linear_digits { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr digit_list list(std::initializer_list<digit> digits) {
    digit_list out;
    for (const digit& d : digits) out.push_back(d);
    return out;
}

constexpr dim_t value(const digit_list& digits, dim_t number) {
    dim_t offset = 0;
    for (int k = digits.size() - 1; k >= 0; --k) {
        offset += (k == 0 ? number : number % digits[k].extent) * digits[k].stride;
        if (k > 0) number /= digits[k].extent;
    }
    return offset;
}

/// Checks that the digits give the offsets of all elements, or that the number would skip padding.
constexpr bool says_every_offset(const layout& l) {
    const digits_taken linear = linear_digits(l);
    if (!linear.why.ok()) return linear.why.reason == reason::axis_is_padded && l.digits.size() > l.ndims();
    for (dim_t i = 0; i < l.volume(); ++i)
        if (l.linear_offset(i) != l.offset0 + value(linear.digits, i)) return false;
    for (int k = 1; k < linear.digits.size(); ++k)
        if (steps_over(linear.digits[k - 1], linear.digits[k])) return false;
    return volume_of(linear.digits) >= l.volume();
}

constexpr bool fewest_say_the_same(const layout& l) {
    const layout out = with_fewest_digits(l);
    if (!check_layout(out).ok() || out.dims != l.dims || out.digits.size() > l.digits.size()) return false;
    for (dim_t i = 0; i < l.padded_volume(); ++i)
        if (out.padded_linear_offset(i) != l.padded_linear_offset(i)) return false;
    return true;
}

constexpr bool refused(const layout& l, const verdict& why) {
    const digits_taken linear = linear_digits(l);
    return linear.why == why && linear.digits.empty();
}

TEST_CASE("linear_digits: the digits of the row-major number, merged if two continue each other") {
    STATIC_CHECK(linear_digits(layout({2, 3, 4}, "abc")).digits == list({{0, 24, 1}}));
    STATIC_CHECK(linear_digits(layout({2, 32}, "aB16b")).digits == list({{0, 64, 1}}));
    STATIC_CHECK(linear_digits(layout({3, 4}, "ba")).digits == list({{0, 3, 1}, {1, 4, 3}}));
    STATIC_CHECK(linear_digits(layout({1, 1}, "ab")).digits.empty());
    for (const layout& l : tiny_functions) CHECK(says_every_offset(l));
    for (const layout& l : varied_layouts) CHECK(says_every_offset(l));
    for (const layout& l : broadcast_layouts) CHECK(says_every_offset(l));
    STATIC_CHECK(says_every_offset(varied_layouts[1]));
    STATIC_CHECK(says_every_offset(tiny_functions[6]));
}

TEST_CASE("linear_digits: padding is refused only if the number reaches it") {
    // 17 rows of 16-blocks: the number ends before the padding.
    STATIC_CHECK(says_every_offset(layout({17, 3}, "Ab16a")));
    STATIC_CHECK(linear_digits(layout({17, 3}, "Ab16a")).digits == list({{0, 2, 48}, {0, 16, 1}, {1, 3, 16}}));
    // Half of a block, then the next axis: no index has the other half.
    STATIC_CHECK(linear_digits(layout({3, 8}, "aB16b")).digits == list({{0, 3, 16}, {1, 8, 1}}));
    STATIC_CHECK(refused(layout({3, 17}, "Ba16b"), {reason::axis_is_padded, 1, 32, 17}));
    STATIC_CHECK(refused(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 0}), {reason::axis_is_padded, 0, 4, 2}));
    // Views of a part of one block.
    STATIC_CHECK(linear_digits(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}})).digits == list({{0, 2, 16}, {1, 3, 1}}));
    STATIC_CHECK(linear_digits(by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}})).digits == list({{0, 5, 1}}));
    STATIC_CHECK(
        refused(by_hand({2, 5}, {2, 5}, {16, 16}, {{1, 2}, {0, 2}, {1, 4}}), {reason::axis_is_padded, 1, 8, 5}));
}

TEST_CASE("linear_digits: with_fewest_digits gives the same offsets with fewer digits") {
    STATIC_CHECK(with_fewest_digits(layout({3, 20}, "aB2b2b")) == layout({3, 20}, "ab"));
    STATIC_CHECK(with_fewest_digits(by_hand({4}, {4}, {12}, {{0, 4}, {0, 3}})) == layout({4}, "a"));
    STATIC_CHECK(fewest_say_the_same(layout({5, 3}, "AB2a4b")));
    // Of 36 in a block, 7 need two values of 9, and stay a part of one block; of the block of 2 one element needs none.
    constexpr layout fewer = with_fewest_digits(by_hand({7, 1}, {7, 1}, {72, 72}, {{0, 3}, {0, 3}, {1, 2}, {0, 4}}));
    STATIC_CHECK(fewer.digits.size() == 4 && fewer.padded_dims == dims{7, 1});
    STATIC_CHECK(fewer.digits[2] == digit{0, 2, 8} && fewer.digits[3] == digit{0, 4, 1});
    for (const layout& l : varied_layouts) CHECK(fewest_say_the_same(l));
    random_source random(3);
    for (int i = 0; i < 2000; ++i) {
        const layout l = random_function(random, 3, 12), part = part_of_a_block(random, l);
        CHECK(says_every_offset(l));
        CHECK(says_every_offset(part));
        if (!fewest_say_the_same(l) || !fewest_say_the_same(part)) FAIL_CHECK(explain(part));
    }
}

TEST_CASE("linear_digits: the nearest multiple") {
    STATIC_CHECK(nearest_multiple(4, 10) == 8);
    STATIC_CHECK(nearest_multiple(4, 11) == 12);
    STATIC_CHECK(nearest_multiple(4, 1) == 4);
    STATIC_CHECK(nearest_multiple(4, 0) == 4);
    STATIC_CHECK(nearest_multiple(4, INT64_MAX) == INT64_MAX - 3);
    STATIC_CHECK(nearest_multiple(INT64_MAX, 3) == INT64_MAX);
    STATIC_CHECK(layout_of_one_axis(list({{3, 2, 9}, {1, 3, 2}})).offset(4) == 11);
    STATIC_CHECK(layout_of_one_axis({}) == layout({1}, "a"));
}

TEST_CASE("linear_digits: layouts that are no function of a number are refused") {
    STATIC_CHECK(refused(layout(), {reason::layout_is_undefined}));
    STATIC_CHECK(refused(layout({2}, "any"), {reason::layout_is_any}));
    STATIC_CHECK(refused(opaque_layout({2}), {reason::layout_is_opaque}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({2, 0}, "ab"), {reason::index_is_outside_domain, 1, 0, 0}));
    // A hand-made extent that equals the product of its digits only because that overflows.
    layout wraps({4}, "A4a");
    wraps.digits[0].extent = (dim_t{1} << 62) + 1;
    CHECK(linear_digits(wraps).why.reason == reason::size_overflows);
    // Three elements of a block that share places: the digits count only existing elements.
    layout shared = by_hand({3, 1 << 10}, {3, 1 << 10}, {1, 2}, {{0, dim_t{1} << 60}, {0, 2}});
    shared.digits[2].stride = 0;
    CHECK(check_layout(shared).ok());
    CHECK(linear_digits(shared).why.ok());
    CHECK(volume_of(linear_digits(shared).digits) == 4 << 10);
    STATIC_CHECK(refused(by_hand({3}, {3}, {-1}), {reason::stride_is_negative, 0, -1, 0, 2}));
}

}}  // namespace test_algebra_linear_digits
