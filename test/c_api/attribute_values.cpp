// Values of attributes with a type, by mask, by group and by layout, through the C interface: what C++ computes, copies
// of all that is passed, and each refusal.

#include "c_api/c_descriptors.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace test_c_api_attribute_values { namespace {

using namespace plait;
using namespace plait_test;

const layout plain({4, 6}, "ab");
constexpr plait_dim_t groups[] = {2, 3};

struct given_attributes {
    plait_attribute_values_t values{};
    plait_reorder_attributes_t attributes;

    given_attributes() {
        REQUIRE(plait_reorder_attributes_init(&attributes) == PLAIT_SUCCESS);
        attributes.values = &values;
    }
    given_attributes(const given_attributes&) = delete;
};

template <class T>
plait_values_t values_of(const std::vector<T>& from) {
    plait_values_t out{};
    out.data = from.data();
    out.size = from.size() * sizeof(T);
    out.data_type = static_cast<plait_data_type_t>(data_type_of<T>);
    return out;
}

/// The source of all reorders here, and what a reorder with the attributes makes of it.
std::vector<float> numbers() {
    std::vector<float> out(24);
    std::iota(out.begin(), out.end(), 1.0f);
    return out;
}
std::vector<float> by_reference(const reorder_attributes& attributes) {
    const std::vector<float> in = numbers();
    std::vector<float> out(24);
    reference_reorder(descriptor(data_type::f32, plain), in.data(), descriptor(data_type::f32, plain), out.data(),
                      attributes);
    return out;
}
std::vector<float> by_c(const plait_reorder_attributes_t& attributes) {
    const plait_memory_desc_t d = to_c(plain);
    const std::vector<float> in = numbers();
    std::vector<float> out(24);
    const plait_status_t status = plait_reorder(&d, in.data(), 96, &d, out.data(), 96, &attributes);
    INFO(std::string(plait_last_refusal()));
    CHECK(status == PLAIT_SUCCESS);
    return out;
}

TEST_CASE("C values: by mask, by group and by layout, of any type, as C++ has them") {
    const std::vector<float16> rows = {float16(0.5f), float16(2.0f), float16(3.0f), float16(-1.0f)};
    const std::vector<float> cells = {1, 2, 4, 8};
    const std::vector<std::int8_t> columns = {1, -1, 2, -2, 3, -3};
    const std::vector<float8_e8m0> powers(4, float8_e8m0(4.0f));
    given_attributes given;
    given.values.src_scale = values_of(rows);
    given.values.src_scale.mask = 1;
    given.values.dst_scale = values_of(cells);
    given.values.dst_scale.group = groups;
    given.values.dst_zero_point = values_of(columns);
    given.values.dst_zero_point.mask = 2;
    CHECK(by_c(given.attributes) == by_reference({.src_scale = values_by_mask(rows, 1),
                                                  .dst_scale = values_by_group(cells, {4, 6}, {2, 3}),
                                                  .dst_zero_point = values_by_mask(columns, 2)}));
    // By layout: a scale per column, stored backwards in steps of 2, of which the others are not read.
    layout where({4, 6}, "ab");
    where.digits[0].stride = 0;
    where.digits[1].stride = 2;
    std::vector<float> spread(11, 0.0f);
    for (std::size_t i = 0; i < 11; i += 2) spread[i] = static_cast<float>(i + 1);
    const plait_memory_desc_t where_in_c = to_c(where);
    given_attributes by_layout;
    by_layout.values.src_scale = values_of(spread);
    by_layout.values.src_scale.layout = &where_in_c;
    by_layout.attributes.dst_zero_point.value = 5;  // the others are given as before
    CHECK(by_c(by_layout.attributes) ==
          by_reference({.src_scale = values_by_layout(spread, where), .dst_zero_point = 5}));
    // Packed zero points: three bytes hold the six columns.
    const std::vector<std::byte> packed = {std::byte{0x21}, std::byte{0x43}, std::byte{0xf8}};
    given_attributes small;
    small.values.src_zero_point.data = packed.data();
    small.values.src_zero_point.size = 3;
    small.values.src_zero_point.data_type = PLAIT_S4;
    small.values.src_zero_point.mask = 2;
    small.values.dst_scale = values_of(powers);
    small.values.dst_scale.mask = 1;
    CHECK(by_c(small.attributes) ==
          by_reference({.dst_scale = values_by_mask(powers, 1), .src_zero_point = values_by_mask<s4>(packed, 2)}));
    // One value of another type, for the whole tensor.
    const std::vector<bfloat16> one = {bfloat16(0.25f)};
    given_attributes single;
    single.values.src_scale = values_of(one);
    CHECK(by_c(single.attributes) == by_reference({.src_scale = values_by_mask(one, 0)}));
    CHECK(by_c(single.attributes)[3] == 1.0f);
}

TEST_CASE("C values: the last group may be shorter, and rows of packed values that are padded have a layout") {
    // 4 x 6 in groups of 1 x 4: two groups in each row, of four and of two.
    constexpr plait_dim_t by_four[] = {1, 4};
    const std::vector<float> scales = {1, 2, 3, 4, 5, 6, 7, 0};
    given_attributes given;
    given.values.src_scale = values_of(scales);
    given.values.src_scale.group = by_four;
    const std::vector<float> found = by_c(given.attributes);
    for (std::size_t i = 0; i < 24; ++i) CHECK(found[i] == numbers()[i] * scales[i / 6 * 2 + i % 6 / 4]);
    // 4 x 6 in groups of 1 x 2: three zero points of u4 in each row, whose two bytes have room for four.
    const std::vector<std::uint8_t> packed = {0x21, 0xf3, 0x54, 0xf6, 0x87, 0xf9, 0xba, 0xfc};
    plait_memory_desc_t where{};
    where.version = 1;
    where.ndims = 2;
    where.data_type = PLAIT_U4;
    where.format_kind = PLAIT_FORMAT_KIND_BLOCKED;
    where.dims[0] = where.padded_dims[0] = 4;
    where.dims[1] = where.padded_dims[1] = 6;
    where.blocking.strides[0] = 4;
    where.blocking.strides[1] = 1;
    where.blocking.inner_nblks = 1;
    where.blocking.inner_blks[0] = 2;
    where.blocking.inner_idxs[0] = 1;  // the stride of the block is 0: its two columns share a value
    given_attributes points;
    points.values.src_zero_point = values_of(packed);
    points.values.src_zero_point.data_type = PLAIT_U4;
    points.values.src_zero_point.layout = &where;
    const std::vector<float> moved = by_c(points.attributes);
    for (std::size_t i = 0; i < 24; ++i)
        CHECK(moved[i] == numbers()[i] - static_cast<float>(i / 6 * 3 + i % 6 / 2 + 1));
}

TEST_CASE("C values: a planned reorder keeps no pointer of the user") {
    const plait_memory_desc_t d = to_c(plain), open = to_c(layout({dynamic, 6}, "ab"));
    const std::vector<float> in = numbers();
    std::vector<float> wanted, out(24);
    plait_reorder_t *planned = nullptr, *bound = nullptr;
    {
        std::vector<float16> scales(24, float16(1.0f));
        for (std::size_t i = 0; i < 24; ++i) scales[i] = float16(static_cast<float>(i + 1));
        std::vector<plait_dim_t> group = {2, 3};
        plait_memory_desc_t where = to_c(plain, data_type::f16);
        std::vector<std::int32_t> points = {1, 2, 3, 4};
        given_attributes given;
        given.values.src_scale = values_of(scales);
        given.values.src_scale.layout = &where;
        given.values.dst_zero_point = values_of(points);
        given.values.dst_zero_point.group = group.data();
        wanted = by_c(given.attributes);
        REQUIRE(plait_reorder_create(&planned, &d, &d, &given.attributes) == PLAIT_SUCCESS);
        REQUIRE(plait_reorder_create(&bound, &open, &open, nullptr) == PLAIT_SUCCESS);
        for (int times = 0; times < 2; ++times)
            CHECK(plait_reorder_execute_bound(bound, &d, in.data(), 96, &d, out.data(), 96, &given.attributes) ==
                  PLAIT_SUCCESS);
        CHECK(out == wanted);
        // Another value, group or layout is another plan.
        points[3] = 40;
        CHECK(plait_reorder_execute_bound(bound, &d, in.data(), 96, &d, out.data(), 96, &given.attributes) ==
              PLAIT_SUCCESS);
        CHECK(out[23] == wanted[23] + 36);
        where.blocking.strides[0] = 0;
        CHECK(plait_reorder_execute_bound(bound, &d, in.data(), 96, &d, out.data(), 96, &given.attributes) ==
              PLAIT_SUCCESS);
        CHECK(out[23] == 24.0f * 6 + 40);
        std::fill(scales.begin(), scales.end(), float16(77.0f));
        where = {};
        std::fill(points.begin(), points.end(), 77);
        std::fill(group.begin(), group.end(), 0);
    }
    CHECK(plait_reorder_execute(planned, in.data(), 96, out.data(), 96) == PLAIT_SUCCESS);
    CHECK(out == wanted);
    plait_reorder_destroy(planned);
    plait_reorder_destroy(bound);
}

TEST_CASE("C values: what cannot be is refused, with axis and numbers") {
    const plait_memory_desc_t d = to_c(plain);
    const std::vector<float> in = numbers(), scales(6, 1.0f);
    std::vector<float> out(24, 5.0f);
    const auto refused = [&](const auto& change, const char* part) {
        given_attributes given;
        given.values.src_scale = values_of(scales);
        given.values.src_scale.mask = 2;
        change(given.values.src_scale, given);
        plait_reorder_t* planned = nullptr;
        CHECK(plait_reorder_create(&planned, &d, &d, &given.attributes) == PLAIT_INVALID_ARGUMENTS);
        CHECK(planned == nullptr);
        CHECK(plait_reorder(&d, in.data(), 96, &d, out.data(), 96, &given.attributes) == PLAIT_INVALID_ARGUMENTS);
        INFO(std::string(plait_last_refusal()));
        CHECK(says(part));
        CHECK(out == std::vector<float>(24, 5.0f));
    };
    refused([](auto& v, auto&) { v.reserved[1] = 1; }, "reserved_is_not_zero: the values of src_scale");
    refused([](auto&, auto& g) { g.values.reserved[0] = 1; }, "reserved_is_not_zero: the values of attributes");
    refused([](auto& v, auto&) { v.group = groups; }, "values_are_given_twice: src_scale has more than one of a mask");
    refused([](auto&, auto& g) { g.attributes.src_scale.value = 2; },
            "values_are_given_twice: src_scale is given in the attributes, and in their values");
    refused([](auto& v, auto&) { v.data_type = 0; },
            "data_type_is_unknown: the values of src_scale have data type number 0");
    refused([](auto& v, auto&) { v.data_type = 21; }, "data_type_is_unknown");
    refused([](auto& v, auto&) { v.data_type = PLAIT_S32; }, "src_scale: value_type_does_not_fit");
    refused([](auto& v, auto&) { v.size = 23; }, "values_end_inside_an_element: src_scale has 23 bytes");
    refused([](auto& v, auto&) { v.size = 20; },
            "src_scale: mask_has_other_values: the mask 2 of an attribute needs 6");
    refused([](auto& v, auto&) { v.data = static_cast<const char*>(v.data) + 2; },
            "pointer_is_misaligned: the values of src_scale lie 2 bytes behind a multiple of 4");
    refused([](auto& v, auto&) { v.mask = 4; }, "src_scale: mask_is_out_of_range");
    const plait_dim_t by_four[] = {1, 4}, by_none[] = {0, 3};
    refused(
        [&](auto& v, auto&) { v.mask = 0, v.group = by_four; },  // of 6 columns, four and two
        "src_scale: mask_has_other_values: an attribute needs 8 values, one for each group of the axes up to axis 1, "
        "but 6 were given; a layout of the values can describe rows that are padded");
    refused([&](auto& v, auto&) { v.mask = 0, v.group = by_none; }, "a group of 0 indices along axis 0");
    refused([](auto& v, auto&) { v.mask = 0, v.group = groups; }, "mask_has_other_values: an attribute needs 4 values");
    refused(
        [](auto& v, auto&) {
            v.mask = 0;
            v.group = reinterpret_cast<const plait_dim_t*>(reinterpret_cast<const char*>(groups) + 4);
        },
        "pointer_is_misaligned: src_scale");
    refused(
        [](auto&, auto& g) {
            g.attributes.values =
                reinterpret_cast<const plait_attribute_values_t*>(reinterpret_cast<const char*>(&g.values) + 4);
        },
        "pointer_is_misaligned: values");
    const plait_memory_desc_t whole = to_c(plain), halves = to_c(plain, data_type::f16),
                              other = to_c(layout({4, 5}, "ab")), open = to_c(layout({4, dynamic}, "ab"));
    const auto by_layout = [&](const plait_memory_desc_t& where, const char* part) {
        refused([&](auto& v, auto&) { v.mask = 0, v.layout = &where; }, part);
    };
    by_layout(whole, "src_scale: values_are_too_few: the layout of an attribute's values has 24 places, but 6");
    by_layout(halves, "src_scale: data_types_differ");
    by_layout(other, "src_scale: dims_differ");
    by_layout(open, "src_scale: dim_is_dynamic");
    by_layout(plait_memory_desc_t{}, "version_is_unknown: src_scale");
    const std::vector<float> with_zero = {1, 2, 0, 1, 1, 1};
    refused(
        [&](auto& v, auto& g) {
            g.values.dst_scale = v;
            g.values.dst_scale.data = with_zero.data();
        },
        "scale_is_invalid: value 2 of the destination's scales");
}

TEST_CASE("C data: elements smaller than a byte have sizes and padding in bits") {
    plait_memory_desc_t d;
    const plait_dim_t extents[] = {5, 3};
    REQUIRE(plait_memory_desc_init_by_tag(&d, 2, extents, PLAIT_S4, "ab") == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_get_size(&d) == 8);
    CHECK(plait_memory_desc_get_buffer_size(&d) == 8);
    CHECK(std::string(plait_data_type_string(PLAIT_F6_E2M3)) == "f6_e2m3");
    REQUIRE(plait_memory_desc_init_by_tag(&d, 2, extents, PLAIT_U4, "aB4b") == PLAIT_SUCCESS);
    std::vector<unsigned char> bytes(11, 0xff);
    int zero = 7;
    CHECK(plait_is_padding_zero(&d, bytes.data(), 10, &zero) == PLAIT_SUCCESS);
    CHECK(zero == 0);
    CHECK(plait_zero_pad(&d, bytes.data(), 10) == PLAIT_SUCCESS);
    for (std::size_t i = 0; i < 11; ++i) CHECK(bytes[i] == (i % 2 == 1 && i < 10 ? 0x0f : 0xff));
    // A part that begins inside a byte ends where its last element does.
    plait_memory_desc_t whole, part;
    REQUIRE(plait_memory_desc_init_by_tag(&whole, 2, extents, PLAIT_S4, "ab") == PLAIT_SUCCESS);
    const plait_dim_t some[] = {1, 2}, from[] = {1, 0};
    REQUIRE(plait_memory_desc_submemory(&part, &whole, some, from) == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_get_buffer_size(&part) == 3);  // elements 3 and 4: the second half of byte 1, and byte 2
}

}}  // namespace test_c_api_attribute_values
