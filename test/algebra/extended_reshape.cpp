#include <plait/algebra/extended_reshape.hpp>

#include "laws/reshape_laws.hpp"

namespace test_algebra_extended_reshape { namespace {

using namespace plait;
using plait_test::by_hand, plait_test::opaque_layout;
using enum plait::reshape_flags;

constexpr reshape_flags both = allow_order_mismatch | allow_padding_mismatch;

constexpr bool refused(const layout& l, const dims& to, reshape_flags flags, const verdict& why) {
    return check_extended_reshape(l, to, flags) == why && !try_extended_reshape(l, to, flags).has_value();
}

constexpr bool refused_whatever_the_flags(const layout& l, const dims& to, reason why) {
    for (const reshape_flags flags : {none, allow_order_mismatch, allow_padding_mismatch, both})
        if (check_extended_reshape(l, to, flags).reason != why) return false;
    return true;
}

TEST_CASE("extended_reshape: 4.3 'the logical shape can be changed in any way, as long as the volume stays the same'") {
    STATIC_CHECK(extended_reshape(layout({2, 3, 4}, "abc"), {2, 12}, none) == layout({2, 12}, "ab"));
    STATIC_CHECK(extended_reshape(layout({2, 12}, "ab"), {2, 3, 4}, none) == layout({2, 3, 4}, "abc"));
    STATIC_CHECK(extended_reshape(layout({2, 3, 20}, "abc"), {6, 4, 5}, none) == layout({6, 4, 5}, "abc"));
    // {a, b, c} to {a / 2, 2 * b * 2, c / 2}
    STATIC_CHECK(extended_reshape(layout({4, 3, 6}, "abc"), {2, 12, 3}, none) == layout({2, 12, 3}, "abc"));
    STATIC_CHECK(extended_reshape(layout({4, 3, 6}, "cab"), {2, 12, 3}, allow_order_mismatch) ==
                 layout({2, 12, 3}, "abc"));
    STATIC_CHECK(extended_reshape(layout({2, 16, 3, 5}, "aBcd8b"), {2, 16 * 3 * 5}, allow_order_mismatch) ==
                 layout({2, 240}, "ab"));
}

TEST_CASE("extended_reshape: 4.3.1 the inner product of blocked tensors, for which 'regular reshape might fail'") {
    constexpr layout src({4, 32, 3, 5}, "aBcd16b"), weights({8, 32, 3, 5}, "aBcd16b");
    STATIC_CHECK(refused(src, {4, 480}, none, {reason::axis_is_blocked, 1, 16, 32}));
    STATIC_CHECK(extended_reshape(src, {4, 480}, allow_order_mismatch) == layout({4, 480}, "ab"));
    STATIC_CHECK(extended_reshape(weights, {8, 480}, allow_order_mismatch) == layout({8, 480}, "ab"));
}

TEST_CASE("extended_reshape: 4.3.3 'Supported memory formats: blocked and any'") {
    STATIC_CHECK(extended_reshape(layout({2, 3}, "any"), {6}, both) == layout({6}, "any"));
    STATIC_CHECK(refused_whatever_the_flags(layout({2, 3}, "any"), {8}, reason::volumes_differ));
    STATIC_CHECK(refused_whatever_the_flags(opaque_layout({2, 3}), {6}, reason::layout_is_opaque));
    STATIC_CHECK(check_extended_reshape(opaque_layout({2, 3}), {6}, both).status() == status::unimplemented);
    STATIC_CHECK(refused_whatever_the_flags(layout(), {6}, reason::layout_is_undefined));
    STATIC_CHECK(check_extended_reshape(layout(), {6}, both).status() == status::invalid_arguments);
}

TEST_CASE("extended_reshape: 4.3.3 'If flags are none the behavior must match the reshape function'") {
    STATIC_CHECK(plait_test::others_are_reshape(layout({2, 3, 4, 5}, "abdc"), {2, 3, 20}));
    STATIC_CHECK(plait_test::others_are_reshape(layout({2, 3, 4, 5}, "abdc"), {6, 4, 5}));
    // Unknown flag bits have no effect.
    STATIC_CHECK(refused(layout({2, 3}, "ba"), {6}, static_cast<reshape_flags>(12),
                         {reason::joined_axes_do_not_chain, 0, 1, 6}));
}

TEST_CASE("extended_reshape: 4.3.3 'The collapsed axes must always form a contiguous chunk of memory'") {
    constexpr layout l({2, 3, 4}, "acb");
    STATIC_CHECK(refused(l, {6, 4}, none, {reason::joined_axes_do_not_chain, 0, 12, 3}));
    STATIC_CHECK(refused(l, {6, 4}, allow_order_mismatch, {reason::group_is_not_contiguous, 0, 12, 3}));
    STATIC_CHECK(refused(l, {6, 4}, both, {reason::group_is_not_contiguous, 0, 12, 3}));
    STATIC_CHECK(
        refused(layout({2, 3}, strides{1, 4}), {6}, allow_order_mismatch, {reason::group_is_not_contiguous, 1, 4, 2}));
    STATIC_CHECK(refused(layout({2, 3}, strides{0, 1}), {6}, both, {reason::group_is_not_contiguous, 1, 1, 0}));
    // A chunk with gaps of equal width is one of a larger stride.
    STATIC_CHECK(extended_reshape(layout({2, 3}, strides{5, 10}), {6}, allow_order_mismatch) ==
                 layout({6}, strides{5}));
}

TEST_CASE(
    "extended_reshape: 4.3.3 the inner product example: 'do allow joining the axes with physical order different'") {
    constexpr layout src({8, 16, 3, 5}, "nhwc"), weights({32, 16, 3, 5}, "hwio");
    STATIC_CHECK(extended_reshape(src, {8, 240}, allow_order_mismatch) == layout({8, 240}, "nc"));
    STATIC_CHECK(extended_reshape(weights, {32, 240}, allow_order_mismatch) == layout({32, 240}, "io"));
    STATIC_CHECK(check_extended_reshape(src, {8, 240}, none).reason == reason::joined_axes_do_not_chain);
}

TEST_CASE("extended_reshape: 4.3.3 the framework example: 'the following flatten is intentional'") {
    constexpr layout buffer({2, 3, 4, 5}, "nhwc");
    STATIC_CHECK(extended_reshape(buffer, {2, 60}, allow_order_mismatch) == layout({2, 60}, "nc"));
    // Splitting the result again gives a plain layout: the order within is lost.
    STATIC_CHECK(extended_reshape(buffer, {2, 15, 4}, allow_order_mismatch) == layout({2, 15, 4}, "abc"));
}

TEST_CASE("extended_reshape: 4.3.3.1 'Unless allow_dims_padded_dims_mismatch is set, equal dimensions and padded'") {
    constexpr layout l({2, 15, 3}, "aBc8b");
    STATIC_CHECK(refused(l, {2, 45}, allow_order_mismatch, {reason::axis_is_padded, 1, 16, 15}));
    STATIC_CHECK(extended_reshape(l, {2, 48}, both) == layout({2, 48}, "ab"));
    STATIC_CHECK(refused(l, {2, 48}, allow_padding_mismatch, {reason::joined_axes_do_not_chain, 1, 1, 24}));
    STATIC_CHECK(extended_reshape(layout({2, 15}, "aB8b"), {2, 4, 4}, allow_padding_mismatch) ==
                 layout({2, 4, 4}, "abc"));
    // An unchanged axis keeps its padding; an axis extended to its padded extent has none left.
    STATIC_CHECK(extended_reshape(l, {2, 15, 3, 1}, both) == layout({2, 15, 3, 1}, "aBcd8b"));
    STATIC_CHECK(extended_reshape(l, {2, 16, 3}, allow_padding_mismatch) == layout({2, 16, 3}, "aBc8b"));
    // The logical extents are not the padded ones.
    STATIC_CHECK(refused(l, {2, 45}, both, {reason::volumes_differ, -1, 96, 90}));
    STATIC_CHECK(refused(by_hand({3}, {8}, {1}, {}, {2}), {8}, both, {reason::axis_is_padded, 0, 8, 8}));
}

TEST_CASE("extended_reshape: 4.3.3.1 'collapsing dimensions that are blocked is impossible unless the other are 1'") {
    STATIC_CHECK(refused(layout({2, 16, 3}, "aBc8b"), {2, 48}, none, {reason::axis_is_blocked, 1, 8, 16}));
    STATIC_CHECK(extended_reshape(layout({1, 16, 1}, "aBc8b"), {16}, none) == layout({16}, "A8a"));
    STATIC_CHECK(extended_reshape(layout({1, 15, 1}, "aBc8b"), {15}, none) == layout({15}, "A8a"));
}

TEST_CASE("extended_reshape: unchanged axes may be dynamic") {
    STATIC_CHECK(extended_reshape(layout({dynamic, 4, 3}, "acb"), {dynamic, 12}, allow_order_mismatch) ==
                 layout({dynamic, 12}, "ab"));
    STATIC_CHECK(refused(layout({dynamic, 4}, "ab"), {4, dynamic}, both, {reason::dim_is_dynamic, 1, 4, dynamic}));
    STATIC_CHECK(refused(layout({2, 3}, strides{1, dynamic}), {6}, both, {reason::stride_is_dynamic, 1}));
}

TEST_CASE("extended_reshape: at run time refuses what check_extended_reshape refuses; in place") {
    CHECK((plait_test::refusal_of([] {
               return extended_reshape(layout({2, 3}, "ba"), {6}, none);
           }) == verdict{reason::joined_axes_do_not_chain, 0, 1, 6}));
    layout l({2, 3, 4, 5}, "nhwc");
    l = extended_reshape(l, {2, 60}, allow_order_mismatch);
    CHECK(l == layout({2, 60}, "ab"));
}

}}  // namespace test_algebra_extended_reshape
