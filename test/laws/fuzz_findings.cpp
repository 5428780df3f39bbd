// Cases that fuzzing and random layouts found: before a fix, each overflowed, or threw an exception in a check.

#include "support/small_layouts.hpp"

#include <plait/algebra/operations.hpp>
#include <plait/io/print.hpp>

namespace test_laws_fuzz_findings { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

/// Returns a layout with one axis of 2^13 elements whose digits do not merge. A layout with a tag cannot have as many
/// inner digits.
constexpr layout thirteen_blocks() {
    layout l = by_hand({8192}, {8192}, {dim_t{1} << 26});
    l.digits[0].extent = 1;
    for (int k = 12; k >= 0; --k) l.digits.push_back({0, 2, dim_t{1} << 2 * k});
    return l;
}

/// Returns dims with the extent as the last axis, after as many axes of one element as fit.
constexpr dims with_unit_axes(dim_t extent) {
    dims out;
    while (out.size() + 1 < max_ndims) out.push_back(1);
    out.push_back(extent);
    return out;
}

/// Returns a layout of one axis with `count` digits and a gap after each of them, as views may have.
layout layout_of_digits(int count) {
    layout l({2}, "a");
    while (l.digits.size() < count) {
        for (digit& d : l.digits) d.stride *= 3;
        l.digits.push_back({0, 2, 1});
        l.dims[0] = l.padded_dims[0] *= 2;
    }
    return l;
}

TEST_CASE("fuzz findings: added axes and kept digits together are limited") {
    STATIC_CHECK(check_layout(thirteen_blocks()).ok());
    constexpr verdict too_many{reason::too_many_digits, -1, max_digits + 1, max_digits};
    STATIC_CHECK(check_view(thirteen_blocks(), with_unit_axes(8192)) == too_many);
    STATIC_CHECK(check_reshape(thirteen_blocks(), with_unit_axes(8192)) == too_many);
    STATIC_CHECK(!try_view(thirteen_blocks(), with_unit_axes(8192)));
    STATIC_CHECK(try_view(thirteen_blocks(), {1, 1, 8192}).has_value());
}

TEST_CASE("fuzz findings: the volume of the extents overflows, and that of the padded extents does not") {
    constexpr layout l = by_hand({11, dim_t{1} << 32, INT64_MAX}, {2, dim_t{1} << 32, 8}, {1, 16, 2});
    for (unsigned flags : {0u, 1u})
        CHECK(check_extended_reshape(l, {4, 2}, static_cast<reshape_flags>(flags)).reason == reason::size_overflows);
    // If the padding counts instead of the extents, the check returns a refusal and throws nothing.
    for (unsigned flags : {2u, 3u}) CHECK(!check_extended_reshape(l, {4, 2}, static_cast<reshape_flags>(flags)).ok());
    CHECK(explain(by_hand({9, INT64_MAX}, {9, INT64_MAX}, {1, 9})).find("memory") == std::string::npos);
}

TEST_CASE("fuzz findings: tile refuses a negative extent") {
    constexpr layout l = by_hand({dynamic + 12, 8}, {8, 0}, {1, 8});
    STATIC_CHECK(check_tile(l, {dim_t{1} << 61, 2}).reason == reason::dim_is_negative);
}

TEST_CASE("fuzz findings: compose refuses steps that do not fit in 63 bits") {
    constexpr layout far = by_hand({INT64_MAX}, {INT64_MAX}, {INT64_MAX});
    constexpr layout inner({2, 3}, "ab");
    STATIC_CHECK(check_compose(far, inner).reason == reason::size_overflows);
}

TEST_CASE("fuzz findings: a stride that depends on an axis of one element does not fit in 63 bits") {
    constexpr layout l = by_hand({1, 3}, {1, 3}, {INT64_MAX, outside(0)});
    STATIC_CHECK(check_layout(l).reason == reason::layout_is_malformed);
    STATIC_CHECK(check_reshape(l, {3}).reason == reason::size_overflows);
    STATIC_CHECK(reshape(by_hand({1, 3}, {1, 3}, {4, outside(0)}), {3}) == layout({3}, strides{4}));
}

TEST_CASE("fuzz findings: the blocks of each of two layouts fit in 63 bits, but not those of both") {
    constexpr layout huge = by_hand({1}, {1}, {0}, {{0, dim_t{1} << 61}});
    constexpr layout blocked({10, 10}, "AB5a5b");
    STATIC_CHECK(check_layout(huge).ok());
    STATIC_CHECK(check_concatenate(huge, blocked).reason == reason::size_overflows);
    const expected<layout> copies = try_product(blocked, huge);
    CHECK((!copies || check_layout(*copies).ok()));
}

TEST_CASE("fuzz findings: a stride of one value is not mapped to a number that stands for an unknown stride") {
    constexpr layout backwards = by_hand({INT64_MAX}, {INT64_MAX}, {-1}, {}, {}, INT64_MAX - 1);
    constexpr layout inner = by_hand({11, 1}, {11, 1}, {11, INT64_MAX - 1});
    STATIC_CHECK(check_layout(compose(backwards, inner)).ok());
    STATIC_CHECK(compose(backwards, inner).digits[1].stride == 0);
}

TEST_CASE("fuzz findings: refuses results with too many digits") {
    const layout l = layout_of_digits(24);
    REQUIRE(check_layout(l).ok());
    CHECK(check_reshape(l, {1, dim_t{1} << 24}) == verdict{reason::too_many_digits, -1, 25, 24});
    CHECK(check_view(l, {2, dim_t{1} << 23}).ok());
    CHECK(check_view(l, {2, 1, dim_t{1} << 23}) == verdict{reason::too_many_digits, -1, 25, 24});
    CHECK(check_split_axis(l, 0, {dim_t{1} << 24, 1, 1}) == verdict{reason::too_many_digits, -1, 26, 24});
}

TEST_CASE("fuzz findings: refuses digits whose numbers do not fit in 63 bits") {
    // (2^62 + 1) * 4 is 4 after an unchecked overflow.
    layout wraps = by_hand({4, 2}, {4, 2}, {4, 100}, {{0, 4}});
    wraps.digits[0].extent = (dim_t{1} << 62) + 1;
    CHECK(check_view(wraps, {8}).reason == reason::axis_is_padded);
    CHECK(check_extended_reshape(wraps, {8}, reshape_flags::allow_order_mismatch).reason == reason::axis_is_padded);
    // The axis has a dynamic extent, but its digit has a number.
    layout untrue({dynamic, 8}, "ab");
    untrue.digits[0].extent = dim_t{1} << 61;
    CHECK(check_join_axes(untrue, 0, 1).reason == reason::axis_is_padded);
    layout linked({dynamic, dynamic}, "ab");
    linked.digits[0].extent = linked.digits[1].extent = dim_t{1} << 40;
    CHECK(check_join_axes(linked, 0, 1).reason == reason::axis_is_padded);
    // Each inner block fits, but their product does not: a part of a block of 2^40, and a broadcast axis.
    layout wide = by_hand({2, 2, 1 << 30}, {2, 2, 1 << 30}, {dim_t{1} << 40, dim_t{1} << 41, 0}, {{0, dim_t{1} << 40}});
    REQUIRE(check_layout(wide).ok());
    CHECK(check_view(wide, {2, dim_t{1} << 31}) == verdict{reason::size_overflows, 1, 1 << 30, 0});
    CHECK(check_view(wide, {2, 1 << 11, 1 << 20}).ok());
}

TEST_CASE("fuzz findings: refuses an axis that begins 2^63 elements or more before offset 0") {
    // Each of 3 elements is 2^63 - 13 places before the last one. check_layout refuses this.
    const dim_t far_back = INT64_MIN + 13;
    const layout back = by_hand({2, 3}, {2, 3}, {3, far_back}, {});
    REQUIRE(check_layout(back).reason == reason::size_overflows);
    CHECK(check_extended_reshape(back, {6}, reshape_flags::allow_order_mismatch) ==
          verdict{reason::size_overflows, 1, far_back, 3});
    // 2 elements fit, but not with a negative offset0.
    layout far = by_hand({2, 2}, {2, 2}, {far_back, far_back}, {});
    far.offset0 = -20;
    CHECK(check_extended_reshape(far, {4}, reshape_flags::allow_order_mismatch).reason == reason::size_overflows);
}

}}  // namespace test_laws_fuzz_findings
