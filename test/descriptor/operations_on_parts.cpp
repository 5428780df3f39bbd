#include <plait/algebra/bind.hpp>
#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/with_strides.hpp>
#include "descriptor/lift_law.hpp"

#include <plait/descriptor/operations.hpp>

#include "laws/random_layouts.hpp"

namespace test_descriptor_operations_on_parts {

using namespace plait;
using plait_test::refusal_of;

TEST_CASE("operations on parts of descriptors: equal those on layouts, in all four forms") {
    plait_test::random_source random(12);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 400; ++i) {
        const layout l = random.small_layout();
        if (!check_layout(l).ok()) continue;
        const int n = l.ndims(), axis = static_cast<int>(random.between(-1, n));
        dims extents = l.dims;
        position offsets;
        strides steps = l.strides();
        for (int a = 0; a < n; ++a) {
            offsets.push_back(l.dims[a] > 1 && random.once_in(3) ? 1 : 0);
            extents[a] -= offsets[a];
            if (random.once_in(2)) steps[a] *= 2;
        }
        const dim_t index = random.between(0, 3);
        const layout indices({1 + l.volume() / 2}, "a");
        const descriptor d(data_type::f32, l);
        const dims none;
        plait_test::tally both;
        PLAIT_LIFTS(both, submemory, d, extents, offsets);
        PLAIT_LIFTS(both, slice, d, axis, index);
        PLAIT_LIFTS(both, broadcast_axis, d, axis, index);
        PLAIT_LIFTS(both, repeat, d, axis, index);
        PLAIT_LIFTS(both, with_strides, d, steps);
        PLAIT_LIFTS(both, bind, d, none);
        PLAIT_LIFTS(both, canonical_form, d);
        PLAIT_LIFTS(both, forget_padding, d);
        PLAIT_LIFTS(both, compose, d, indices);
        PLAIT_LIFTS(both, divide, d, indices);
        allowed += both.allowed;
        refused += both.refused;
    }
    CHECK(allowed > 500);
    CHECK(refused > 500);
}

TEST_CASE(
    "operations on parts of descriptors: submemory and slice drop extra, bind keeps it, and the others refuse it") {
    constexpr extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
    constexpr layout l({32, 16, 3}, "ABc16a4b");
    constexpr descriptor d(data_type::s8, l, by_first);
    STATIC_CHECK(submemory(d, {16, 16, 3}, {16, 0, 0}) ==
                 descriptor(data_type::s8, submemory(l, {16, 16, 3}, {16, 0, 0})));
    const verdict has_extra{reason::descriptor_has_extra};
    STATIC_CHECK(slice(d, 2, 1) == descriptor(data_type::s8, slice(l, 2, 1)));
    CHECK(check_broadcast_axis(descriptor(data_type::s8, layout({1, 3}, "ab"), by_first), 0, 4) == has_extra);
    CHECK(check_repeat(d, 0, 2) == has_extra);
    CHECK(check_with_strides(d, l.strides()) == has_extra);
    CHECK(check_canonical_form(d) == has_extra);
    CHECK(check_forget_padding(d) == has_extra);
    CHECK(check_compose(d, layout({3}, "a")) == has_extra);
    CHECK(check_divide(d, layout({3}, "a")) == has_extra);
    CHECK(check_concatenate_along(d, d, 0) == has_extra);

    const descriptor some(data_type::s8, layout({dynamic, 5}, "ab"), by_first);
    CHECK(bind(some, {5}) == descriptor(data_type::s8, layout({5, 5}, "ab"), by_first));
    CHECK(bind(some, {5}).size_in_bytes() == 48);
    CHECK(check_bind(some, {dim_t{1} << 61}).reason == reason::size_overflows);
    // Sums by two axes are in the order of the memory. That order is known before the extents are, so bind and
    // permute_axes commute.
    constexpr extra by_both = {.s8s8_compensation = true, .s8s8_mask = 3};
    constexpr descriptor open(data_type::s8, layout({dynamic, dynamic, 3}, "bAc16a"), by_both);
    constexpr descriptor bound = bind(permute_axes(open, {2, 0, 1}), {5, 17});
    STATIC_CHECK(bound == permute_axes(bind(open, {17, 5}), {2, 0, 1}));
    STATIC_CHECK(compensation_layout(bound.layout, 5).offset(1, 0, 0) == 32);
    STATIC_CHECK(compensation_layout(bound.layout, 5).offset(0, 0, 16) == 16);
}

TEST_CASE("concatenate_along of descriptors: equals that of layouts, and refuses different data types") {
    constexpr layout whole({4, 3}, "ab");
    constexpr layout first = submemory(whole, {2, 3}, {0, 0}), second = submemory(whole, {2, 3}, {2, 0});
    constexpr descriptor above(data_type::f32, first), below(data_type::f32, second);
    STATIC_CHECK(concatenate_along(above, below, 0) == descriptor(data_type::f32, whole));
    STATIC_CHECK(try_concatenate_along(above, below, 0) == descriptor(data_type::f32, whole));
    STATIC_CHECK(check_concatenate_along(below, above, 0) == check_concatenate_along(second, first, 0));
    STATIC_CHECK(check_concatenate_along(above, descriptor(data_type::s32, second), 0) ==
                 verdict{reason::data_types_differ, -1, 2, 7});
    descriptor broken = below, out = above;
    broken.layout.offset0 = -1;
    CHECK(concatenate_along(out, out, broken, 0) == status::invalid_arguments);
    CHECK(out == above);
    CHECK(concatenate_along(out, out, below, 0) == status::success);
    CHECK(out == descriptor(data_type::f32, whole));
    const extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
    CHECK(check_concatenate_along(descriptor(data_type::s8, first), descriptor(data_type::s8, first, by_first), 0) ==
          verdict{reason::descriptor_has_extra});
}

TEST_CASE("operations on descriptors: offsets must fit in 63 bits as bytes too") {
    const dim_t far = dim_t{1} << 60;
    const descriptor d(data_type::f64, layout({2, 3}, "ab"));
    CHECK(check_with_strides(d.layout, {far, 1}).ok());
    CHECK(check_with_strides(d, {far, 1}) == verdict{reason::size_overflows, -1, far + 3, 8});
}

}  // namespace test_descriptor_operations_on_parts
