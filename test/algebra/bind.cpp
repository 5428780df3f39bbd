#include <plait/algebra/bind.hpp>
#include <plait/algebra/permute_axes.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_bind { namespace {

using namespace plait;
using namespace plait::detail;

constexpr bool refused(const layout& l, const dims& values, const verdict& why) {
    return check_bind(l, values) == why && !try_bind(l, values).has_value();
}

constexpr dim_t huge = dim_t{1} << 40;

TEST_CASE("bind: a dynamic value leaves its extent dynamic, and can be bound later") {
    constexpr layout l({dynamic, 16, dynamic, dynamic}, "nChw16c");
    constexpr layout part = bind(l, {2, dynamic, 4});
    STATIC_CHECK(part == layout({2, 16, dynamic, 4}, "nChw16c"));
    STATIC_CHECK(bind(part, {5}) == layout({2, 16, 5, 4}, "nChw16c"));
    STATIC_CHECK(bind(l, {dynamic, dynamic, dynamic}) == l);
    STATIC_CHECK(bind(layout({2, 3}, "ab"), {}) == layout({2, 3}, "ab"));
}

TEST_CASE("bind: strides declared dynamic stay dynamic, given strides do not change") {
    STATIC_CHECK(bind(layout({dynamic, 3}, strides{dynamic, 1}), {2}) == layout({2, 3}, strides{dynamic, 1}));
    STATIC_CHECK(bind(layout({2, dynamic}, strides{dynamic, 1}), {3}).strides() == strides{dynamic, 1});
    STATIC_CHECK(bind(layout({dynamic, 3}, strides{10, 1}), {2}) == layout({2, 3}, strides{10, 1}));
    // A stride outside an unknown one is unknown too.
    layout chain({2, dynamic, 3}, "abc");
    chain.digits[1].stride = dynamic;
    CHECK((bind(chain, {4}).strides() == strides{dynamic, dynamic, 1}));
}

TEST_CASE("bind: commutes with permuting the axes") {
    constexpr layout l({2, dynamic, 3, dynamic}, "acdb");
    STATIC_CHECK(bind(permute_axes(l, {3, 1, 0, 2}), {5, 4}) == permute_axes(bind(l, {5, 4}), {3, 1, 0, 2}));
}

TEST_CASE("bind: each refusal") {
    static constexpr layout l({dynamic, 3, dynamic}, "abc");
    STATIC_CHECK(refused(l, {2}, {reason::bound_values_do_not_match, -1, 1, 2}));
    STATIC_CHECK(refused(l, {2, 3, 4}, {reason::bound_values_do_not_match, -1, 3, 2}));
    STATIC_CHECK(refused(layout({2}, "a"), {2}, {reason::bound_values_do_not_match, -1, 1, 0}));
    STATIC_CHECK(refused(l, {2, -3}, {reason::dim_is_negative, 2, -3, 0}));
    STATIC_CHECK(refused(l, {dynamic + 1, 3}, {reason::dim_is_negative, 0, dynamic + 1, 0}));
    STATIC_CHECK(check_bind(l, {huge, huge}).reason == reason::size_overflows);
    STATIC_CHECK(check_bind(l, {0, INT64_MAX}).reason == reason::size_overflows);
    STATIC_CHECK(check_bind(layout({dynamic}, "A16a"), {INT64_MAX}).reason == reason::size_overflows);
    // Given strides may be so small that elements share places: such layouts can be read.
    STATIC_CHECK(check_bind(layout({dynamic, 4}, strides{2, 1}), {3}).ok());
    STATIC_CHECK(check_bind(layout({dynamic, 4}, strides{2, 1}), {1}).ok());
    STATIC_CHECK(!is_injective(bind(layout({2, dynamic}, strides{4, 1}), {5})));
    STATIC_CHECK(refused(layout({2, dynamic}, strides{4, -1}), {5}, {reason::stride_is_negative, 1, -1, 0, 4}));
}

TEST_CASE("bind: refuses what the constructor refuses for the full extents, and nothing else") {
    for (const dim_t first : {dim_t{0}, dim_t{1}, dim_t{3}, huge, INT64_MAX, dim_t{-1}})
        for (const dim_t second : {dim_t{0}, dim_t{1}, dim_t{5}, dim_t{1} << 23, huge, INT64_MAX - 7, INT64_MAX})
            for (const format_tag& tag : {format_tag("ab"), format_tag("ba"), format_tag("aB8b"), format_tag("BA4a8b")})
                CHECK((check_bind(layout({dynamic, dynamic}, tag), {first, second}).ok() ==
                       check_layout({first, second}, tag).ok()));
}

}}  // namespace test_algebra_bind
