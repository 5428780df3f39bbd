// The reorders and attributes that the C interface refuses before it writes a byte.

#include "c_api/c_descriptors.hpp"

#include <plait/algebra/submemory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace test_c_api_data_refusals {

using namespace plait;
using namespace plait_test;

TEST_CASE("C attributes: a wrong mask, count or value is refused") {
    const plait_memory_desc_t d = to_c(layout({4, 6}, "ab"));
    std::vector<float> in(24), out(24, 5.0f);
    const float values[6] = {};
    const auto refused = [&](const auto& change, const char* part) {
        plait_reorder_attributes_t attributes;
        REQUIRE(plait_reorder_attributes_init(&attributes) == PLAIT_SUCCESS);
        change(attributes);
        plait_reorder_t* planned = nullptr;
        CHECK(plait_reorder_create(&planned, &d, &d, &attributes) == PLAIT_INVALID_ARGUMENTS);
        CHECK(planned == nullptr);
        CHECK(plait_reorder(&d, in.data(), 96, &d, out.data(), 96, &attributes) == PLAIT_INVALID_ARGUMENTS);
        INFO(std::string(plait_last_refusal()));
        CHECK(says(part));
        CHECK(out == std::vector<float>(24, 5.0f));
    };
    refused([](auto& a) { a.version = 0; }, "version_is_unknown: attributes have version 0");
    refused([](auto& a) { a.reserved[2] = 1; }, "reserved_is_not_zero");
    refused([](auto& a) { a.src_scale.mask = 4; }, "mask_is_out_of_range");
    refused([](auto& a) { a.dst_zero_point.mask = -1; }, "mask_is_out_of_range");
    refused([](auto& a) { a.dst_scale.mask = INT32_MIN; }, "mask_is_out_of_range");
    refused([](auto& a) { a.src_scale.mask = 3; }, "mask_has_no_values");
    refused([](auto& a) { a.src_zero_point.count = 1; },
            "src_zero_point: mask_has_no_values: the mask 0 of an attribute needs 1 values, but the pointer");
    refused(
        [&](auto& a) {
            a.dst_scale.values = values;
            a.dst_scale.mask = 2;
            a.dst_scale.count = 5;
        },
        "dst_scale: mask_has_other_values: the mask 2 of an attribute needs 6 values, but 5 were given");
    refused(
        [&](auto& a) {
            a.src_scale.values = reinterpret_cast<const float*>(reinterpret_cast<const char*>(values) + 1);
            a.src_scale.count = 1;
        },
        "pointer_is_misaligned: src_scale");
    // Invalid values are named with their position.
    const float infinity = std::numeric_limits<float>::infinity();
    refused(
        [](auto& a) { a.dst_scale.value = 0; },
        "scale_is_invalid: value 0 of the destination's scales is 0, but the values are divided by it, so it must be "
        "finite and not 0; if all values of its channel are 0, a scale of 1 keeps them 0");
    refused([&](auto& a) { a.dst_scale.value = -infinity; },
            "scale_is_invalid: value 0 of the destination's scales is -infinity");
    const float with_nan[6] = {1, 2, 3, 4, std::nanf(""), 0};
    refused(
        [&](auto& a) {
            a.dst_scale.values = with_nan;
            a.dst_scale.mask = 2;
            a.dst_scale.count = 6;
        },
        "scale_is_invalid: value 4 of the destination's scales is NaN");
    refused([&](auto& a) { a.beta = infinity; }, "beta_is_not_finite: beta is infinity");
    CHECK(plait_reorder_attributes_init(nullptr) == PLAIT_INVALID_ARGUMENTS);
}

TEST_CASE("C reorder: overlapping, null, misaligned and small buffers are refused before a byte is written") {
    const plait_memory_desc_t plain = to_c(layout({4, 6}, "ab")), turned = to_c(layout({4, 6}, "ba"));
    alignas(64) float data[64];
    const auto refused = [&](const plait_memory_desc_t& from, const void* in, std::size_t in_size,
                             const plait_memory_desc_t& to, void* out, std::size_t out_size, const char* part) {
        std::fill(std::begin(data), std::end(data), 3.0f);
        CHECK(plait_reorder(&from, in, in_size, &to, out, out_size, nullptr) == PLAIT_INVALID_ARGUMENTS);
        INFO(std::string(plait_last_refusal()));
        CHECK(says(part));
        plait_reorder_t* planned = nullptr;
        REQUIRE(plait_reorder_create(&planned, &from, &to, nullptr) == PLAIT_SUCCESS);
        CHECK(plait_reorder_execute(planned, in, in_size, out, out_size) == PLAIT_INVALID_ARGUMENTS);
        CHECK(says(part));
        plait_reorder_destroy(planned);
        for (const float value : data) CHECK(value == 3.0f);
    };
    char* bytes = reinterpret_cast<char*>(data);
    refused(plain, data, 96, turned, data, 96,
            "spans_overlap: the source's 96 bytes and the destination's 96, which begin 0 bytes after it, overlap");
    refused(plain, data, 96, plain, data + 23, 96, "which begin 92 bytes after it");
    refused(plain, data + 23, 96, turned, data, 96, "which begin -92 bytes after it");
    refused(plain, data, 96, turned, nullptr, 96,
            "buffer_is_null: the pointer to the destination is null, but its tensor needs 96 bytes");
    refused(plain, nullptr, 96, turned, data, 96, "buffer_is_null: the pointer to the source is null");
    refused(plain, data, 96, turned, bytes + 98, 96, "pointer_is_misaligned: dst lies 2 bytes behind a multiple of 4");
    refused(plain, bytes + 1, 96, turned, data + 32, 96, "pointer_is_misaligned: src lies 1 bytes");
    refused(plain, data, 95, turned, data + 24, 96,
            "buffer_is_too_small: the source has 95 bytes, but its tensor needs 96");
    refused(plain, data, 96, turned, data + 24, 0, "buffer_is_too_small: the destination has 0 bytes");
    CHECK(plait_reorder(&plain, data, 96, &turned, data + 24, 96, nullptr) == PLAIT_SUCCESS);
    // Two parts of one buffer that have no byte in common.
    const layout whole({8, 6}, "ab");
    const plait_memory_desc_t upper = to_c(submemory(whole, {4, 6}, {0, 0})),
                              lower = to_c(submemory(whole, {4, 6}, {4, 0}));
    std::iota(data, data + 24, 0.0f);
    CHECK(plait_reorder(&upper, data, 192, &lower, data, 192, nullptr) == PLAIT_SUCCESS);
    for (int i = 0; i < 24; ++i) CHECK(data[24 + i] == static_cast<float>(i));
    CHECK(plait_reorder(&upper, data, 192, &lower, data, 191, nullptr) == PLAIT_INVALID_ARGUMENTS);

    CHECK(plait_reorder_execute(nullptr, data, 96, data + 24, 96) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("reorder is null"));
    CHECK(plait_reorder_create(nullptr, &plain, &turned, nullptr) == PLAIT_INVALID_ARGUMENTS);
    plait_reorder_destroy(nullptr);
    // A tensor without elements needs no memory.
    const plait_memory_desc_t empty = to_c(layout({0, 6}, "ab"));
    CHECK(plait_reorder(&empty, nullptr, 0, &empty, nullptr, 0, nullptr) == PLAIT_SUCCESS);
    CHECK(plait_zero_pad(&empty, nullptr, 0) == PLAIT_SUCCESS);
    // The whole destination is padding, so nothing is read.
    layout only_padding({0, 6}, "ab");
    only_padding.padded_dims[0] = only_padding.digits[0].extent = 4;
    const plait_memory_desc_t padding = to_c(only_padding);
    CHECK(plait_reorder(&empty, nullptr, 0, &padding, data, 96, nullptr) == PLAIT_SUCCESS);
    for (int i = 0; i < 24; ++i) CHECK(data[i] == 0);
    // Dynamic extents are refused.
    const plait_memory_desc_t dynamic_one = to_c(layout({dynamic, 6}, "ab"));
    CHECK(plait_zero_pad(&dynamic_one, data, 96) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("dim_is_dynamic"));
    CHECK(plait_reorder(&dynamic_one, data, 96, &dynamic_one, data, 96, nullptr) == PLAIT_INVALID_ARGUMENTS);
}

}  // namespace test_c_api_data_refusals
