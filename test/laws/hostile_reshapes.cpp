// Reshape and related operations on layouts that no constructor makes: public fields are changed at random. Every
// report of a sanitizer here is a bug. The result for a valid layout must be a valid layout.

#include "laws/random_layouts.hpp"
#include "laws/reshape_laws.hpp"

namespace test_laws_hostile_reshapes {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

namespace {

constexpr dim_t hostile_numbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     6,
                                     8,
                                     -1,
                                     -2,
                                     dynamic,
                                     outside(0),
                                     outside(1),
                                     outside(11),
                                     dynamic + 13,
                                     -(dim_t{1} << 61),
                                     dim_t{1} << 31,
                                     dim_t{1} << 40,
                                     (dim_t{1} << 62) + 1,
                                     INT64_MAX};

dim_t hostile_number(random_source& random) {
    return hostile_numbers[random.between(0, sizeof(hostile_numbers) / sizeof(hostile_numbers[0]) - 1)];
}

dims hostile_dims(random_source& random, const layout& l) {
    dims out;
    for (dim_t n = random.between(0, random.once_in(4) ? 12 : 4); n > 0; --n)
        out.push_back(random.once_in(2) ? random.between(1, 6) : hostile_number(random));
    // Some dims are close to those of l.
    if (random.once_in(3)) out = dims(l.dims.begin(), static_cast<std::size_t>(l.dims.size()));
    if (random.once_in(4))
        for (dim_t n = random.between(1, 12); n > 0 && !out.full(); --n) out.push_back(1);
    if (random.once_in(20)) out.count = static_cast<int>(random.between(-2, 14));
    if (random.once_in(20)) out.values[random.between(0, 11)] = hostile_number(random);
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

template <class T, int Capacity>
void break_list(inline_list<T, Capacity>& list, random_source& random) {
    if (random.once_in(10)) list.count = static_cast<int>(random.between(-2, Capacity + 2));
}

layout hostile_layout(random_source& random) {
    layout l = random.once_in(10) ? layout_of_digits(static_cast<int>(random.between(12, 24))) : random.small_layout();
    if (random.once_in(8)) return l;
    if (random.once_in(20)) l.kind = static_cast<format_kind>(random.between(-1, 4));
    break_list(l.dims, random);
    break_list(l.padded_dims, random);
    break_list(l.padded_offsets, random);
    break_list(l.digits, random);
    for (dim_t changes = random.between(1, 4); changes > 0; --changes) {
        const int axis = static_cast<int>(random.between(0, random.once_in(4) ? 11 : 3));
        digit& d = l.digits[static_cast<int>(random.between(0, random.once_in(4) ? 23 : 5))];
        const dim_t number = hostile_number(random);
        switch (random.between(0, 8)) {
            case 0: l.dims[axis] = number; break;
            case 1: l.padded_dims[axis] = number; break;
            case 2: l.dims[axis] = l.padded_dims[axis] = number; break;
            case 3: l.dims[axis] = l.padded_dims[axis] = l.digits[axis].extent = number; break;
            case 4: l.padded_offsets[axis] = number; break;
            case 5: d.axis = static_cast<int>(random.between(-1, 13)); break;
            case 6: d.extent = number; break;
            case 7: d.stride = number; break;
            default: l.offset0 = number; break;
        }
    }
    return l;
}

}  // namespace

TEST_CASE("hostile: reshape and related operations make valid layouts from valid ones, and no undefined behaviour") {
    random_source random(71);
    int sound = 0, made = 0;
    for (int i = 0; i < 100000; ++i) {
        const layout l = hostile_layout(random), before = l;
        const bool is_sound = check_layout(l).ok();
        const dims to = hostile_dims(random, l);
        const int first = static_cast<int>(random.between(-1, 12)), last = static_cast<int>(random.between(-1, 12));
        const auto flags = static_cast<reshape_flags>(random.between(0, 7));
        const expected<layout> results[] = {
            try_reshape(l, to),
            try_view(l, to),
            try_extended_reshape(l, to, flags),
            try_split_axis(l, first, to),
            try_flatten(l),
            try_join_axes(l, first, last),
            try_flatten(l, first),
            try_flatten(l, first, last),
        };
        sound += is_sound;
        for (const expected<layout>& out : results) {
            if (!out) continue;
            ++made;
            if (is_sound && !check_layout(*out).ok()) FAIL_CHECK(explain(l) << explain(*out));
        }
        if (!(l == before)) FAIL_CHECK(explain(before));
    }
    CHECK(sound > 10000);
    CHECK(made > 50000);
}

TEST_CASE("hostile: refuses results with too many digits") {
    const layout l = layout_of_digits(24);
    REQUIRE(check_layout(l).ok());
    CHECK(check_reshape(l, {1, dim_t{1} << 24}) == verdict{reason::too_many_digits, -1, 25, 24});
    CHECK(check_view(l, {2, dim_t{1} << 23}).ok());
    CHECK(check_view(l, {2, 1, dim_t{1} << 23}) == verdict{reason::too_many_digits, -1, 25, 24});
    CHECK(check_split_axis(l, 0, {dim_t{1} << 24, 1, 1}) == verdict{reason::too_many_digits, -1, 26, 24});
}

TEST_CASE("hostile: refuses digits whose numbers do not fit in 63 bits") {
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

TEST_CASE("hostile: refuses an axis that begins 2^63 elements or more before offset 0") {
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

}  // namespace test_laws_hostile_reshapes
