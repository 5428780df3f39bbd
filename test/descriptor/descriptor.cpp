#include <plait/descriptor/descriptor.hpp>

#include "laws/random_layouts.hpp"

#include <plait/algebra/submemory.hpp>

namespace test_descriptor_descriptor { namespace {

using namespace plait;
using plait_test::by_hand, plait_test::refusal_of;

constexpr extra s8s8 = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr extra both = {
    .s8s8_compensation = true, .asymmetric_source_compensation = true, .s8s8_mask = 1, .asymmetric_source_mask = 1};
constexpr layout weights({17, 23, 3, 3}, "OIhw4i16o4i");

constexpr descriptor unchecked(data_type type, const layout& l, const extra& besides = {}) {
    descriptor d;
    d.type = type;
    d.layout = l;
    d.extra = besides;
    return d;
}

TEST_CASE("descriptor: sizes without compensation") {
    STATIC_CHECK(descriptor().size_in_bytes() == 0);
    STATIC_CHECK(descriptor().buffer_size_in_bytes() == 0);
    STATIC_CHECK(descriptor(data_type::bf16, layout({2, 17, 5, 4}, "nChw16c")).size_in_bytes() == 2 * 32 * 5 * 4 * 2);
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 1}, "ab")).size_in_bytes() == 5);
    STATIC_CHECK(descriptor(data_type::f64, layout({5, 0}, "ab")).size_in_bytes() == 0);
    STATIC_CHECK(descriptor(data_type::f32, layout({5, 3}, format_tag("any"))).size_in_bytes() == 0);
    // The size ends after the last element, not at the end of its row. Repeated elements count once.
    STATIC_CHECK(descriptor(data_type::f32, layout({2, 3}, strides{10, 1})).size_in_bytes() == 4 * 13);
    STATIC_CHECK(descriptor(data_type::f32, layout({5}, strides{0})).size_in_bytes() == 4);
    plait_test::random_source random(3);
    for (int i = 0; i < 300; ++i) {
        const layout l = random.small_layout();
        if (!check_layout(l).ok()) continue;
        const descriptor d(data_type::bf16, l);
        CHECK(d.size_in_bytes() == 2 * l.element_span());
        CHECK(d.buffer_size_in_bytes() ==
              (l.element_span() == 0 ? 0 : d.size_in_bytes() + 2 * std::size_t(l.span_begin())));
    }
}

TEST_CASE("descriptor: sizes of elements smaller than a byte count bits, and round up") {
    STATIC_CHECK(descriptor(data_type::s4, layout({5, 3}, "ab")).size_in_bytes() == 8);
    STATIC_CHECK(descriptor(data_type::u4, layout({64, 96}, "ab")).size_in_bytes() == 64 * 96 / 2);
    STATIC_CHECK(descriptor(data_type::u1, layout({3, 3}, "ab")).size_in_bytes() == 2);
    STATIC_CHECK(descriptor(data_type::u2, layout({5}, "a")).size_in_bytes() == 2);
    STATIC_CHECK(descriptor(data_type::f6_e2m3, layout({4}, "a")).size_in_bytes() == 3);
    STATIC_CHECK(descriptor(data_type::f6_e3m2, layout({5}, "a")).size_in_bytes() == 4);
    STATIC_CHECK(descriptor(data_type::f4_e2m1, layout({3}, "A4a")).size_in_bytes() == 2);
    STATIC_CHECK(descriptor(data_type::e8m0, layout({5}, "a")).size_in_bytes() == 5);
    STATIC_CHECK(descriptor(data_type::u4, layout({0, 3}, "ab")).size_in_bytes() == 0);
    // A part that begins or ends inside a byte takes that byte.
    constexpr layout whole({5, 3}, "ab");
    constexpr descriptor inside(data_type::s4, submemory(whole, {1, 2}, {1, 0}));  // elements 3 and 4
    STATIC_CHECK(inside.size_in_bytes() == 2);
    STATIC_CHECK(inside.memory_size_in_bytes() == 2);
    STATIC_CHECK(inside.buffer_size_in_bytes() == 3);
    constexpr descriptor last(data_type::s4, submemory(whole, {1, 3}, {4, 0}));  // elements 12 to 14
    STATIC_CHECK(last.size_in_bytes() == 2);
    STATIC_CHECK(last.buffer_size_in_bytes() == 8);
    STATIC_CHECK(descriptor(data_type::u4, layout({2, 3}, strides{5, 1})).size_in_bytes() == 4);
    STATIC_CHECK(descriptor(data_type::u4, layout({2, 3}, strides{5, 1})).memory_size_in_bytes() == 5);
    // The size in bits must fit, as well as that in bytes.
    constexpr dim_t many = dim_t{1} << 61;
    STATIC_CHECK(check_descriptor(unchecked(data_type::u8, layout({many}, "a"))).ok());
    STATIC_CHECK(check_descriptor(unchecked(data_type::u4, layout({many}, "a"))) ==
                 verdict{reason::size_overflows, -1, many, 4});
}

TEST_CASE("descriptor: the memory size counts whole strides, and covers all that is read") {
    STATIC_CHECK(descriptor().memory_size_in_bytes() == 0);
    STATIC_CHECK(descriptor(data_type::f32, layout({2, 3}, strides{10, 1})).memory_size_in_bytes() == 4 * 20);
    STATIC_CHECK(descriptor(data_type::f32, layout({5}, strides{0})).memory_size_in_bytes() == 4);
    STATIC_CHECK(descriptor(data_type::f32, layout({1, 5}, "aB8b", strides{99, 8})).memory_size_in_bytes() == 4 * 8);
    STATIC_CHECK(descriptor(data_type::s8, weights, both).memory_size_in_bytes() == 9472);
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 5}, "ab"), s8s8).memory_size_in_bytes() == 48);
    STATIC_CHECK(descriptor(data_type::s8, layout({2, 3}, strides{9, 1}), s8s8).memory_size_in_bytes() == 20 + 8);
    // test/data/onednn_sizes.cpp checks every recorded size of oneDNN.
}

TEST_CASE("descriptor: the buffer of a part of a tensor includes the elements before the part") {
    const layout part = submemory(layout({4, 8}, "ab"), {2, 4}, {2, 4});
    const descriptor d(data_type::f32, part);
    CHECK(part.offset0 == 20);
    CHECK(d.size_in_bytes() == 4 * 12);
    CHECK(d.buffer_size_in_bytes() == 4 * 32);
}

TEST_CASE("descriptor: compensation follows the data, s8s8 first") {
    // These sizes were measured with oneDNN 2.6 and 3.
    STATIC_CHECK(descriptor(data_type::s8, weights).size_in_bytes() == 9216);
    STATIC_CHECK(descriptor(data_type::s8, weights, s8s8).size_in_bytes() == 9344);
    STATIC_CHECK(descriptor(data_type::s8, weights, both).size_in_bytes() == 9472);
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 5}, "ab"), s8s8).size_in_bytes() == 28 + 20);

    constexpr descriptor d(data_type::s8, layout({5, 5}, "ab"), both);
    STATIC_CHECK(d.data_size_in_bytes() == 25);
    STATIC_CHECK(d.s8s8_begin() == 28);
    STATIC_CHECK(d.s8s8_count() == 5);
    STATIC_CHECK(d.asymmetric_source_begin() == 48);
    STATIC_CHECK(d.asymmetric_source_count() == 5);
    STATIC_CHECK(d.size_in_bytes() == 68);
    STATIC_CHECK(d.buffer_size_in_bytes() == 68);

    constexpr descriptor zero_points(data_type::s8, layout({2, 5, 5}, "aBc4b"),
                                     {.asymmetric_source_compensation = true, .asymmetric_source_mask = 3});
    STATIC_CHECK(zero_points.s8s8_count() == 0);
    STATIC_CHECK(zero_points.asymmetric_source_begin() == 80);
    STATIC_CHECK(zero_points.asymmetric_source_count() == 16);
    // Mask 0 has one value for the tensor, and a tensor without elements has none. scale_adjust has no buffer, so the
    // size of the data is not rounded up.
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 5}, "ab"), {.s8s8_compensation = true}).size_in_bytes() == 32);
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 0}, "ab"), both).size_in_bytes() == 0);
    STATIC_CHECK(descriptor(data_type::s8, layout({5, 5}, "ab"), {.scale_adjust = 0.5f}).size_in_bytes() == 25);
}

TEST_CASE("descriptor: equal if type, layout and extra are equal") {
    STATIC_CHECK(descriptor(data_type::s8, weights, both) == descriptor(data_type::s8, weights, both));
    STATIC_CHECK(descriptor(data_type::s8, weights, both) != descriptor(data_type::s8, weights, s8s8));
    STATIC_CHECK(descriptor(data_type::s8, weights) != descriptor(data_type::u8, weights));
    STATIC_CHECK(descriptor(data_type::s8, weights) != descriptor(data_type::s8, weights, {.scale_adjust = 0.5f}));
    STATIC_CHECK(descriptor(data_type::s8, weights) != descriptor(data_type::s8, layout({17, 23, 3, 3}, "oihw")));
    STATIC_CHECK(descriptor(data_type::s8, layout({1, 3}, strides{9, 1})) ==
                 descriptor(data_type::s8, layout({1, 3}, strides{3, 1})));
}

TEST_CASE("check_descriptor: each refusal") {
    const layout l({5, 5}, "ab");
    CHECK(check_descriptor({}).ok());
    CHECK(check_descriptor(unchecked(data_type::undef, l)) == verdict{reason::data_type_is_unknown, -1, 0, 0});
    CHECK(check_descriptor(unchecked(static_cast<data_type>(21), l)) ==
          verdict{reason::data_type_is_unknown, -1, 21, 0});
    CHECK(check_descriptor(unchecked(static_cast<data_type>(-1), {})) ==
          verdict{reason::data_type_is_unknown, -1, -1, 0});
    CHECK(refusal_of([&] { return descriptor(data_type::undef, l); }).reason == reason::data_type_is_unknown);

    CHECK(check_descriptor(unchecked(data_type::s8, by_hand({5}, {3}, {1}))) ==
          verdict{reason::padded_dim_does_not_fit, 0, 3, 5});
    layout broken = l;
    broken.dims.count = 13;
    CHECK(check_descriptor(unchecked(data_type::s8, broken)).reason == reason::layout_is_malformed);
    CHECK(check_descriptor(unchecked(data_type::s8, plait_test::opaque_layout({2}))).status() == status::unimplemented);

    CHECK(check_descriptor(unchecked(data_type::u8, l, s8s8)) == verdict{reason::extra_needs_s8, -1, 9, 0});
    CHECK(check_descriptor(unchecked(data_type::f32, l, {.scale_adjust = 0.5f})).reason == reason::extra_needs_s8);
    CHECK(check_descriptor(unchecked(data_type::s8, {}, {.s8s8_compensation = true})).reason ==
          reason::layout_is_undefined);
    CHECK(check_descriptor(unchecked(data_type::s8, layout({5, 5}, format_tag("any")), s8s8)).reason ==
          reason::layout_is_any);
    CHECK(check_descriptor(unchecked(data_type::s8, submemory(l, {2, 5}, {3, 0}), s8s8)) ==
          verdict{reason::extra_needs_offset_zero, -1, 15, 0});
    CHECK(check_descriptor(unchecked(data_type::s8, l, {.s8s8_compensation = true, .s8s8_mask = 4})).reason ==
          reason::mask_is_out_of_range);
    CHECK(check_descriptor(unchecked(data_type::s8, l, {.s8s8_mask = 1})).reason == reason::mask_has_no_compensation);
    CHECK(check_descriptor(unchecked(data_type::s8, l, {.scale_adjust = -1})).reason ==
          reason::scale_adjust_is_invalid);
}

TEST_CASE("check_descriptor: sizes fit in 63 bits, in bytes and with compensation") {
    constexpr dim_t limit = dim_t{1} << 60;
    CHECK(check_descriptor(unchecked(data_type::s8, layout({limit}, "a"))).ok());
    CHECK(check_descriptor(unchecked(data_type::f64, layout({limit - 1}, "a"))).ok());
    CHECK(check_descriptor(unchecked(data_type::f64, layout({limit}, "a"))) ==
          verdict{reason::size_overflows, -1, limit, 8});
    const layout wide({2}, strides{limit / 2});
    CHECK(wide.element_span() * 8 < std::size_t(limit) * 8);
    CHECK(check_descriptor(unchecked(data_type::f64, wide)) == verdict{reason::size_overflows, -1, limit, 8});
    layout behind({1}, "a");
    behind.offset0 = limit;
    CHECK(check_descriptor(unchecked(data_type::s8, behind)).ok());
    CHECK(check_descriptor(unchecked(data_type::f64, behind)).reason == reason::size_overflows);
    CHECK(check_descriptor(unchecked(data_type::s8, layout({limit}, "a"), s8s8)).ok());
    CHECK(check_descriptor(unchecked(data_type::s8, layout({2 * limit}, "a"), s8s8)).reason == reason::size_overflows);
    CHECK(check_descriptor(unchecked(data_type::s8, layout({limit}, "a"), both)).reason == reason::size_overflows);
}

TEST_CASE("check_size: refuses dynamic descriptors, which have no size") {
    const descriptor some(data_type::f32, layout({dynamic, 5}, "ab"));
    CHECK(check_size(some) == verdict{reason::dim_is_dynamic, 0, 0, 0});
    CHECK(refusal_of([&] { return some.size_in_bytes(); }).reason == reason::dim_is_dynamic);
    const descriptor steps(data_type::f32, layout({3, 5}, strides{dynamic, 1}));
    CHECK(check_size(steps) == verdict{reason::stride_is_dynamic, 0, 0, 0});
    // Dynamic descriptors may have compensation: the number of its values is known when they are bound.
    CHECK(check_descriptor(unchecked(data_type::s8, layout({dynamic, 5}, "ab"), s8s8)).ok());
    CHECK(check_size({}).ok());
}

}}  // namespace test_descriptor_descriptor
