// Cases that fuzzing found: before a fix, each overflowed, or threw an exception in a check.

#include "support/small_layouts.hpp"

#include <plait/algebra/compose.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/view.hpp>
#include <plait/io/print.hpp>

namespace test_laws_fuzz_findings {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

namespace {

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

}  // namespace

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

}  // namespace test_laws_fuzz_findings
