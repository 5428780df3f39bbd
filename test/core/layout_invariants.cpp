#include <plait/core/layout_invariants.hpp>

#include "support/small_layouts.hpp"

#include <cstring>

namespace test_core_layout_invariants { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr layout base({2, 17, 5, 4}, "nChw8c");

/// Returns the verdict of check_layout on a valid layout after one change.
template <class Change>
constexpr reason after(const Change& change, layout l = base) {
    change(l);
    return check_layout(l).reason;
}

constexpr dim_t far = dim_t{1} << 62;

/// Axis 0 directly outside axis 1, which is one place at 4: 4 is within the block that reaches to 4.
constexpr layout links_to_known() {
    layout l = by_hand({6, 1}, {6, 1}, {0, 4}, {{0, 2}});
    l.digits[0].stride = outside(1);
    l.digits[2].stride = 4;
    return l;
}

TEST_CASE("check_layout: every layout that a constructor makes has the invariants") {
    STATIC_CHECK([] {
        for (const layout& l : plait_test::varied_layouts)
            if (!check_layout(l).ok()) return false;
        for (const layout& l : plait_test::broadcast_layouts)
            if (!check_layout(l).ok()) return false;
        return true;
    }());
    STATIC_CHECK(check_layout(layout()).ok());
    STATIC_CHECK(check_layout(layout({2, 3}, "any")).ok());
    STATIC_CHECK(check_layout(layout({}, "any")).ok());
    STATIC_CHECK(check_layout(layout({2, dynamic, 3, 3}, "nChw8c")).ok());
    STATIC_CHECK(check_layout(layout({dynamic, dynamic}, strides{dynamic, 1})).ok());
    STATIC_CHECK(check_layout(layout({2, 0, 3}, "abc")).ok());
    STATIC_CHECK(check_layout(layout({INT64_MAX}, "a")).ok());
}

TEST_CASE("check_layout: opaque and unknown kinds") {
    STATIC_CHECK(check_layout(plait_test::opaque_layout({2})).status() == status::unimplemented);
    STATIC_CHECK(after([](layout& l) { l.kind = static_cast<format_kind>(77); }) != reason::none);
    STATIC_CHECK(after([](layout& l) { l.kind = format_kind::undef; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[0] = 3; }, layout({2, 3}, "any")) == reason::layout_is_malformed);
}

TEST_CASE("check_layout: counts that disagree or are out of range") {
    STATIC_CHECK(after([](layout& l) { l = layout(), l.kind = format_kind::blocked; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.count = -1; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.count = 13; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.count = 5; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.padded_dims.count = 3; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.padded_dims.count = 1000000; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets.count = 0; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets.count = -7; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits.count = 3; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits.count = 1000000; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits.count = INT32_MIN; }) == reason::layout_is_malformed);
    // Without its inner digit the axis is not covered.
    STATIC_CHECK(after([](layout& l) { l.digits.erase(4); }) == reason::digits_do_not_cover_axis);
    // Entries after the end are part of a template argument, so they must be zero.
    STATIC_CHECK(after([](layout& l) { l.digits.count = 4; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.values[7] = 3; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits.push_back({1, 1, 1}); }) == reason::layout_is_malformed);
    // One digit more than was written has extent zero.
    STATIC_CHECK(after([](layout& l) { l.digits.count = 6; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.count = 1000000; }, layout({2, 3}, "any")) ==
                 reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.dims.count = l.padded_dims.count = -1; }, layout({2, 3}, "any")) ==
                 reason::layout_is_malformed);
}

TEST_CASE("check_layout: unused places of lists are zero, and what is between the members of a digit may be anything") {
    const auto is_malformed = [](const auto& change) { return after(change) == reason::layout_is_malformed; };
    STATIC_CHECK(is_malformed([](layout& l) { l.dims.values[4] = 1; }));
    STATIC_CHECK(is_malformed([](layout& l) { l.digits.values[max_digits - 1].stride = 1; }));
    CHECK(is_malformed([](layout& l) { l.dims.values[max_ndims - 1] = 1; }));
    CHECK(is_malformed([](layout& l) { l.padded_dims.values[4] = 1; }));
    CHECK(is_malformed([](layout& l) { l.padded_offsets.values[7] = 1; }));
    for (int k = 5; k < max_digits; ++k) {
        CHECK(is_malformed([k](layout& l) { l.digits.values[k].axis = 1; }));
        CHECK(is_malformed([k](layout& l) { l.digits.values[k].extent = 1; }));
        CHECK(is_malformed([k](layout& l) { l.digits.values[k].stride = dim_t{1} << 40; }));
        layout l = base;
        std::memset(static_cast<void*>(&l.digits.values[k]), 0xff, sizeof(digit));
        l.digits.values[k].axis = 0;
        l.digits.values[k].extent = l.digits.values[k].stride = 0;
        CHECK(check_layout(l).ok());
    }
}

TEST_CASE("check_layout: digits of the wrong axis or in the wrong order") {
    STATIC_CHECK(after([](layout& l) { l.digits[4].axis = 77; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].axis = 4; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].axis = -1; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[0].axis = 1; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[2].axis = INT32_MIN; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].axis = 2; }) != reason::none);
}

TEST_CASE("check_layout: extents that are negative, partly unknown, or too large") {
    STATIC_CHECK(after([](layout& l) { l.dims[0] = -1; }) == reason::dim_is_negative);
    STATIC_CHECK(after([](layout& l) { l.dims[0] = outside(0); }) == reason::dim_is_negative);
    STATIC_CHECK(after([](layout& l) { l.dims[1] = 25; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.dims[1] = INT64_MAX; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[1] = 23; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[1] = -24; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[1] = 32; }) == reason::digits_do_not_cover_axis);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[0] = 1; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.dims[0] = dynamic; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_dims[0] = dynamic; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.digits[0].extent = dynamic; }) != reason::none);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets[1] = 8; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets[1] = -1; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets[1] = INT64_MAX; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets[1] = dynamic; }) == reason::padded_dim_does_not_fit);
    STATIC_CHECK(after([](layout& l) { l.padded_offsets[1] = 7; }) == reason::none);
    STATIC_CHECK(after([](layout& l) { l.offset0 = -1; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.offset0 = dynamic; }) == reason::layout_is_malformed);
}

TEST_CASE("check_layout: digits that do not cover their axis") {
    STATIC_CHECK(after([](layout& l) { l.digits[1].extent = 2; }) == reason::digits_do_not_cover_axis);
    STATIC_CHECK(after([](layout& l) { l.digits[1].extent = 4; }) == reason::digits_do_not_cover_axis);
    STATIC_CHECK(after([](layout& l) { l.digits[1].extent = 0; }) == reason::digits_do_not_cover_axis);
    STATIC_CHECK(after([](layout& l) { l.digits[1].extent = -3; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[1].extent = INT64_MAX; }) == reason::size_overflows);
    STATIC_CHECK(after([](layout& l) { l.digits[4].extent = 0; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].extent = -8; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].extent = dynamic; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].extent = INT64_MAX; }) != reason::none);
    // The padded axis: two digits that do not divide it.
    STATIC_CHECK(after([](layout& l) { l.digits[4].extent = 5; }) == reason::padded_dim_does_not_fit);
}

TEST_CASE("check_layout: views of a part of one block") {
    STATIC_CHECK(check_layout(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}})).ok());
    STATIC_CHECK(check_layout(by_hand({2, 8}, {2, 8}, {16, 8}, {{1, 8}})).ok());
    STATIC_CHECK(check_layout(by_hand({2, 9}, {2, 9}, {16, 8}, {{1, 8}})).reason == reason::padded_dim_does_not_fit);
    STATIC_CHECK(check_layout(by_hand({2, 3}, {2, 4}, {16, 8}, {{1, 8}})).reason == reason::padded_dim_does_not_fit);
}

TEST_CASE("check_layout: strides of the outer digits that go below 0 or overflow") {
    STATIC_CHECK(after([](layout& l) { l.digits[3].stride = 7; }) == reason::none);
    STATIC_CHECK(after([](layout& l) { l.digits[2].stride = 31; }) == reason::none);
    STATIC_CHECK(after([](layout& l) { l.digits[1].stride = -160; }) == reason::stride_is_negative);
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = far; }) == reason::size_overflows);
    STATIC_CHECK(after([](layout& l) {
                     l.digits[0].stride = far - 1;
                     l.offset0 = far;
                 }) == reason::size_overflows);
    STATIC_CHECK(after([](layout& l) { l.offset0 = INT64_MAX; }) == reason::size_overflows);
    STATIC_CHECK(after([](layout& l) { l.offset0 = INT64_MAX - 959; }) == reason::none);
    // A digit of one place may have an unknown stride; a known one must still fit.
    constexpr layout one_place({1, far}, strides{dynamic, 1});
    STATIC_CHECK(after([](layout& l) { l.offset0 = far; }, one_place) == reason::none);
    STATIC_CHECK(after([](layout& l) { l.offset0 = far + 1; }, one_place) == reason::size_overflows);
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = 0; }) == reason::none);
    // A stride computed from known numbers is known, and must nest like any other.
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = outside(1); }) == reason::layout_is_malformed);
    STATIC_CHECK(check_layout(links_to_known()) == verdict{reason::layout_is_malformed, 0, outside(1), 4});
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = outside(1); }, layout({2, dynamic, 3}, "abc")) ==
                 reason::none);
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = outside(1); }, layout({2, 3, 4}, strides{0, dynamic, 1})) ==
                 reason::none);
    STATIC_CHECK(after([](layout& l) { l.digits[0].stride = outside(4); }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].stride = dynamic; }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].stride = outside(0); }) == reason::layout_is_malformed);
    STATIC_CHECK(after([](layout& l) { l.digits[4].stride = -1; }) == reason::stride_is_negative);
    STATIC_CHECK(after([](layout& l) {
                     l.digits[4].stride = -1;
                     l.offset0 = 7;
                 }) == reason::none);
}

TEST_CASE("check_layout: an extent is dynamic in all fields or in none") {
    CHECK((after([](layout& l) { l.dims[0] = l.padded_dims[0] = dynamic; }) != reason::none));
    CHECK((after([](layout& l) { l.padded_offsets[1] = -5; }, layout({2, dynamic}, "ab")) != reason::none));
}

TEST_CASE("check_layout: inner digits may overlap each other or the outer ones, but must not overflow") {
    // Both inner digits have stride 1.
    CHECK((after([](layout& l) { l.digits[2].stride = 1; }, layout({4, 4}, "AB2a2b")) == reason::none));
    // Channel 1 of the first block has the place of channel 0 of the second.
    CHECK((after([](layout& l) { l.digits[4].stride = 160; }) == reason::none));
    CHECK((after([](layout& l) { l.digits[4].stride = -1; }) == reason::stride_is_negative));
    CHECK((after([](layout& l) { l.digits[4].stride = far; }) != reason::none));
}

TEST_CASE("check_layout: a digit of an axis with at most one element has at most one value") {
    CHECK((after([](layout& l) { l.digits[0].extent = 5; }, layout({1, 3}, "ab")) != reason::none));
    CHECK((after([](layout& l) { l.digits[0] = {0, 5, far}; }, layout({1, 3}, "ab")) != reason::none));
    CHECK((after([](layout& l) { l.digits[0].extent = 5; }, layout({0, 3}, "ab")) != reason::none));
}

TEST_CASE("check_layout: 'any' has only extents, neither negative nor dynamic") {
    constexpr layout any({2, 3}, "any");
    CHECK((after([](layout& l) { l.dims[0] = l.padded_dims[0] = -3; }, any) != reason::none));
    CHECK((after([](layout& l) { l.dims[0] = l.padded_dims[0] = dynamic; }, any) != reason::none));
    CHECK((after([](layout& l) { l.digits.push_back({77, 1, 1}); }, any) != reason::none));
    CHECK((after([](layout& l) { l.padded_offsets.count = 0; }, any) != reason::none));
    CHECK((after([](layout& l) { l.offset0 = 9; }, any) != reason::none));
}

TEST_CASE("span_of: the span is what the digits reach, except in a part of one block") {
    STATIC_CHECK([] {
        for (const layout& l : plait_test::varied_layouts)
            if (check_static(l).ok() && span_of(l, reach_of(l)) != static_cast<dim_t>(l.element_span())) return false;
        for (const layout& l : plait_test::broadcast_layouts)
            if (check_static(l).ok() && span_of(l, reach_of(l)) != static_cast<dim_t>(l.element_span())) return false;
        return true;
    }());
    // 3 of 8 channels: the digits reach the eighth.
    constexpr layout part = by_hand({3, 5}, {3, 5}, {1, 8}, {{0, 8}});
    STATIC_CHECK(check_layout(part).ok());
    STATIC_CHECK(reach_of(part).end == 40 && span_of(part, reach_of(part)) == 35 && part.element_span() == 35);
    STATIC_CHECK(span_of(layout({2, 0, 3}, "abc"), {{}, 4}) == 0);
}

}}  // namespace test_core_layout_invariants
