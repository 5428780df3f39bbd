#include <plait/algebra/with_strides.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_with_strides { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr bool refused(const layout& l, const strides& steps, const verdict& why) {
    return check_with_strides(l, steps) == why && !try_with_strides(l, steps).has_value();
}

/// Checks that with_strides and the constructor from a tag and strides agree, except that offset0 is kept: axes
/// that run backwards are refused with the offset0 that the constructor would choose.
constexpr bool is_the_constructor(const dims& extents, const format_tag& tag, const strides& steps) {
    const layout l(extents, tag);
    const expected<layout> made = try_layout(extents, tag, steps), ours = try_with_strides(l, steps);
    if (made && made->offset0 != 0)
        return check_with_strides(l, steps).reason == reason::stride_is_negative &&
               check_with_strides(l, steps).third == made->offset0 && !ours;
    if (check_with_strides(l, steps) != check_layout(extents, tag, steps) || made != ours) return false;
    return !ours || (ours->strides() == steps && check_layout(*ours).ok());
}

constexpr bool keeps_its_own(const layout& l) { return with_strides(l, l.strides()) == l; }

constexpr dim_t numbers[] = {-1, 0,  1,  2,       3,          4,           5,         8,
                             12, 16, 40, dynamic, outside(0), outside(11), INT64_MAX, INT64_MIN + 40};

TEST_CASE("with_strides: gaps between rows, channels and images of a blocked layout") {
    constexpr layout l({2, 32, 4, 4}, "nChw16c");
    STATIC_CHECK(with_strides(l, {1024, 512, 64, 16}).offset(1, 17, 1, 1) == 1024 + 512 + 64 + 16 + 1);
    STATIC_CHECK(with_strides(l, {2000, 600, 100, 20}).strides() == strides{2000, 600, 100, 20});
    STATIC_CHECK(with_strides(l, {256, 0, 64, 16}) == layout({2, 32, 4, 4}, "nChw16c", strides{256, 0, 64, 16}));
    // Only the strides change.
    constexpr layout shifted = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(with_strides(shifted, {9, 0}) == by_hand({2, 3}, {4, 8}, {9, 0}, {{1, 8}}, {1, 2}, 5));
}

TEST_CASE("with_strides: equals the constructor from a tag and strides") {
    for (const dim_t first : numbers)
        for (const dim_t second : numbers) {
            CHECK(is_the_constructor({2, 5}, "ab", {first, second}));
            CHECK(is_the_constructor({2, 5}, "aB4b", {first, second}));
            CHECK(is_the_constructor({1, 9}, "BA2a2b", {first, second}));
            CHECK(is_the_constructor({0, 9}, "ab", {first, second}));
            CHECK(is_the_constructor({dynamic, 9}, "aB4b", {first, second}));
        }
}

TEST_CASE("with_strides: a layout's own strides change nothing") {
    STATIC_CHECK(keeps_its_own(layout({2, 17, 5}, "aBc8b")));
    STATIC_CHECK(keeps_its_own(layout({2, dynamic}, strides{dynamic, 1})));
    STATIC_CHECK(keeps_its_own(layout({2, 3}, strides{3, dynamic})));
    for (const layout& l : plait_test::varied_layouts) CHECK(keeps_its_own(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(keeps_its_own(l));
    // A stride that depends on a dynamic extent becomes an unknown number if it is passed as a stride.
    STATIC_CHECK(with_strides(layout({2, dynamic}, "ab"), {dynamic, 1}) == layout({2, dynamic}, strides{dynamic, 1}));
    layout l({2, 3}, "ab");
    l = with_strides(l, {1, 2});
    CHECK(l == layout({2, 3}, "ba"));
}

TEST_CASE("with_strides: accepts the strides that the constructor accepts, such as those of overlapping blocks") {
    constexpr layout l({2, 32, 4, 4}, "nChw16c");
    for (const strides& steps : {strides{1024, 512, 64, 15}, strides{511, 256, 64, 16}, strides{0, 256, 64, 16}}) {
        CHECK(with_strides(l, steps) == layout({2, 32, 4, 4}, "nChw16c", steps));
        CHECK(!is_injective(with_strides(l, steps)));
    }
    STATIC_CHECK(with_strides(layout({2, 3}, "ab"), {5, 2}) == layout({2, 3}, strides{5, 2}));
}

TEST_CASE("with_strides: each refusal") {
    constexpr layout l({2, 32, 4, 4}, "nChw16c");
    STATIC_CHECK(refused(l, {1024, 512, 64}, {reason::rank_differs, -1, 3, 4}));
    STATIC_CHECK(refused(l, {1024, 512, 64, 16, 1}, {reason::rank_differs, -1, 5, 4}));
    STATIC_CHECK(refused(l, {-1024, 256, 64, 16}, {reason::stride_is_negative, 0, -1024, 0, 1024}));
    STATIC_CHECK(refused(l, {outside(1), 256, 64, 16}, {reason::stride_is_negative, 0, outside(1), 0}));
    STATIC_CHECK(refused(l, {INT64_MAX, 256, 64, 16}, {reason::size_overflows, 0, INT64_MAX, 2}));
    // The end of the tensor must fit too.
    constexpr layout far = by_hand({2}, {2}, {1}, {}, {}, INT64_MAX - 1);
    STATIC_CHECK(refused(far, {2}, {reason::size_overflows, -1, INT64_MAX - 1, 1}));
    STATIC_CHECK(refused(by_hand({3}, {2}, {1}), {1}, {reason::padded_dim_does_not_fit, 0, 2, 3}));
}

}}  // namespace test_algebra_with_strides
