// Reorders and padding through the C interface, and the reorders and attributes that it refuses before it writes a
// byte.

#include "c_api/c_descriptors.hpp"

#include "laws/padding_places.hpp"
#include "laws/random_layouts.hpp"
#include "support/fenced_memory.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace test_c_api_data { namespace {

using namespace plait;
using namespace plait_test;

/// Memory of an exact size between inaccessible pages; every second buffer ends at the end of a page.
struct buffer {
    explicit buffer(std::size_t bytes, int fill = 0x5a)
        : size(bytes),
          memory(bytes, ++made % 2 == 0 ? kernels::fence::in_front : kernels::fence::behind),
          data(memory.data()) {
        std::memset(data, fill, bytes);
    }
    bool operator==(const buffer& other) const {
        return size == other.size && std::memcmp(data, other.data, size) == 0;
    }
    static inline int made = 0;
    std::size_t size;
    kernels::fenced_memory<unsigned char> memory;
    unsigned char* data;
};

/// Fills the buffer with random bytes. Their values as numbers do not matter if they are only moved.
void fill(buffer& b, random_source& random) {
    for (std::size_t i = 0; i < b.size; ++i) b.data[i] = static_cast<unsigned char>(random.between(0, 255));
}

TEST_CASE("C reorder: equals the reference, in buffers of exactly the required size") {
    random_source random(81);
    int moved = 0, compensated = 0;
    for (int i = 0; i < 900; ++i) {
        const layout src = random.small_layout();
        layout dst(src.dims, random.tag(src.ndims(), 2, 4));
        descriptor from(static_cast<data_type>(random.between(1, 9)), src);
        descriptor to(static_cast<data_type>(random.between(1, 9)), dst);
        if (to.type != data_type::s8 || random.once_in(3)) to.layout.offset0 = random.between(0, 3);
        else {
            to.extra.s8s8_compensation = random.once_in(2);
            to.extra.asymmetric_source_compensation = random.once_in(2);
            const dim_t all = (dim_t{1} << src.ndims()) - 1;
            if (to.extra.s8s8_compensation) to.extra.s8s8_mask = static_cast<int>(random.between(0, all));
            if (to.extra.asymmetric_source_compensation)
                to.extra.asymmetric_source_mask = static_cast<int>(random.between(0, all));
            if (random.once_in(2)) to.extra.scale_adjust = 0.5f;
        }
        const plait_memory_desc_t c_from = to_c(from), c_to = to_c(to);
        buffer in(from.buffer_size_in_bytes()), out(to.buffer_size_in_bytes()), expected(out.size);
        // Positive and negative numbers in each type, but no NaN, because its bits may change.
        for (std::size_t k = 0; k < in.size; ++k)
            in.data[k] = static_cast<unsigned char>(random.between(0, 63) + (k % 2 == 0 ? 0 : 128));
        INFO(to_string(src) << " -> " << to_string(to.layout) << ", " << to_string(from.type) << " -> "
                            << to_string(to.type));
        REQUIRE(plait_reorder(&c_from, in.data, in.size, &c_to, out.data, out.size, nullptr) == PLAIT_SUCCESS);
        reference_reorder(from, in.data, to, expected.data);
        CHECK(out == expected);
        int zero = 7;
        CHECK(plait_is_padding_zero(&c_to, out.data, out.size, &zero) == PLAIT_SUCCESS);
        CHECK(zero == 1);
        if (to.size_in_bytes() == 0) continue;
        ++moved;
        compensated += to.extra.has_buffers();
        // If either buffer is one byte too small, the call is refused and writes nothing.
        buffer untouched(out.size);
        CHECK(plait_reorder(&c_from, in.data, in.size, &c_to, untouched.data, out.size - 1, nullptr) ==
              PLAIT_INVALID_ARGUMENTS);
        CHECK(says("buffer_is_too_small: the destination has"));
        CHECK(plait_reorder(&c_from, in.data, in.size - 1, &c_to, untouched.data, out.size, nullptr) ==
              PLAIT_INVALID_ARGUMENTS);
        CHECK(says("buffer_is_too_small: the source has"));
        CHECK(untouched == buffer(out.size));
    }
    CHECK(moved > 600);
    CHECK(compensated > 20);
}

TEST_CASE("C planned reorder: has its own copy of the attributes, and runs on many threads") {
    const layout src({4, 6}, "ab"), dst({4, 6}, "Ba4b");
    const plait_memory_desc_t from = to_c(src), to = to_c(dst, data_type::s8);
    std::vector<float> in(24);
    std::iota(in.begin(), in.end(), -12.0f);
    plait_reorder_attributes_t attributes;
    REQUIRE(plait_reorder_attributes_init(&attributes) == PLAIT_SUCCESS);
    std::vector<float> scales = {1, 2, 3, 4};
    std::int32_t zero_points[] = {0, 1, 2, 3, 4, 5};
    attributes.src_scale.mask = 1;
    attributes.src_scale.values = scales.data();
    attributes.src_scale.count = 4;
    attributes.dst_zero_point.mask = 2;
    attributes.dst_zero_point.values = zero_points;
    attributes.dst_zero_point.count = 6;
    std::vector<std::int8_t> expected(dst.element_span(), 99);
    reference_reorder(src, in.data(), dst, expected.data(),
                      {.src_scale = {scales, 1}, .dst_zero_point = {zero_points, 2}});
    plait_reorder_t* planned = nullptr;
    REQUIRE(plait_reorder_create(&planned, &from, &to, &attributes) == PLAIT_SUCCESS);
    // Later changes of the arrays have no effect.
    scales.assign(4, 77.0f);
    std::fill(std::begin(zero_points), std::end(zero_points), 77);
    std::vector<std::vector<std::int8_t>> outs(4, std::vector<std::int8_t>(dst.element_span(), 99));
    std::vector<std::thread> threads;
    for (auto& out : outs)
        threads.emplace_back([&] {
            for (int times = 0; times < 50; ++times)
                static_cast<void>(plait_reorder_execute(planned, in.data(), in.size() * 4, out.data(), out.size()));
        });
    for (auto& thread : threads) thread.join();
    for (const auto& out : outs) CHECK(out == expected);
    plait_reorder_destroy(planned);
}

TEST_CASE("C zero_pad: zeroes the padding and writes nothing else; is_padding_zero checks it") {
    random_source random(82);
    for (int i = 0; i < 600; ++i) {
        const layout l = random.small_layout();
        if (!is_injective(l)) continue;
        const descriptor d(i % 2 == 0 ? data_type::f32 : data_type::s8, l);
        const plait_memory_desc_t c = to_c(d);
        buffer data(d.buffer_size_in_bytes()), expected(data.size);
        fill(data, random);
        std::memcpy(expected.data, data.data, data.size);
        bool was_zero = true;
        const auto size = static_cast<std::size_t>(size_in_bytes(d.type));
        for_each_padding_place(l, [&](dim_t offset) {
            unsigned char* element = expected.data + static_cast<std::size_t>(offset) * size;
            for (std::size_t b = 0; b < size; ++b) was_zero = was_zero && element[b] == 0;
            std::memset(element, 0, size);
        });
        INFO(to_string(l));
        int zero = 7;
        REQUIRE(plait_is_padding_zero(&c, data.data, data.size, &zero) == PLAIT_SUCCESS);
        CHECK(zero == (was_zero ? 1 : 0));
        REQUIRE(plait_zero_pad(&c, data.data, data.size) == PLAIT_SUCCESS);
        CHECK(data == expected);
        // A reorder of a tensor to itself zeroes the padding too.
        fill(data, random);
        buffer again(data.size);
        std::memcpy(again.data, data.data, data.size);
        REQUIRE(plait_zero_pad(&c, again.data, again.size) == PLAIT_SUCCESS);
        REQUIRE(plait_reorder(&c, data.data, data.size, &c, data.data, data.size, nullptr) == PLAIT_SUCCESS);
        CHECK(data == again);
        if (data.size > 0) {
            CHECK(plait_zero_pad(&c, data.data, data.size - 1) == PLAIT_INVALID_ARGUMENTS);
            CHECK(plait_zero_pad(&c, nullptr, data.size) == PLAIT_INVALID_ARGUMENTS);
            CHECK(plait_is_padding_zero(&c, data.data, data.size - 1, &zero) == PLAIT_INVALID_ARGUMENTS);
        }
    }
}

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
    // Bytes, with s32 for compensation behind them.
    descriptor summed(data_type::s8, layout({4, 6}, "ba"));
    summed.extra.s8s8_compensation = true;
    summed.extra.s8s8_mask = 1;
    refused(plain, data, 96, to_c(summed), bytes + 98, 40,
            "pointer_is_misaligned: dst lies 2 bytes behind a multiple of 4");
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

TEST_CASE("C choice: read, given to another reorder, and refused by others; trials can be ended") {
    const auto pair_of = [](dim_t rows, data_type type) {
        struct {
            plait_memory_desc_t src, dst;
        } out{to_c(descriptor(type, layout({rows, 520}, "ab"))), to_c(descriptor(type, layout({rows, 520}, "ba")))};
        return out;
    };
    const auto large = pair_of(520, data_type::f32), taller = pair_of(521, data_type::f32),
               other_type = pair_of(520, data_type::s32), open = pair_of(dynamic, data_type::f32);
    plait_reorder_t *first = nullptr, *second = nullptr, *other = nullptr, *of_s32 = nullptr, *unbound = nullptr;
    REQUIRE(plait_reorder_create(&first, &large.src, &large.dst, nullptr) == PLAIT_SUCCESS);
    REQUIRE(plait_reorder_create(&second, &large.src, &large.dst, nullptr) == PLAIT_SUCCESS);
    REQUIRE(plait_reorder_create(&other, &taller.src, &taller.dst, nullptr) == PLAIT_SUCCESS);
    REQUIRE(plait_reorder_create(&of_s32, &other_type.src, &other_type.dst, nullptr) == PLAIT_SUCCESS);
    REQUIRE(plait_reorder_create(&unbound, &open.src, &open.dst, nullptr) == PLAIT_SUCCESS);
    std::vector<float> in(520 * 520, 2.5f), out(in.size());
    const std::size_t bytes = in.size() * sizeof(float);
    for (int call = 0; call < 9; ++call)
        CHECK(plait_reorder_execute(first, in.data(), bytes, out.data(), bytes) == PLAIT_SUCCESS);
    char text[97] = "", again[97] = "", few[8] = "...";
    CHECK(plait_reorder_get_choice(first, text, sizeof text) == PLAIT_SUCCESS);
    CHECK(plait_reorder_set_choice(second, text) == PLAIT_SUCCESS);
    CHECK(plait_reorder_get_choice(second, again, std::strlen(text) + 1) == PLAIT_SUCCESS);
    CHECK(std::string(again) == text);
    CHECK(plait_reorder_get_choice(second, again, std::strlen(text)) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_reorder_get_choice(second, few, sizeof few) == PLAIT_INVALID_ARGUMENTS);
    CHECK(std::string(few) == "...");
    const auto refused = [](plait_status_t status, const char* sentence) {
        CHECK(status == PLAIT_INVALID_ARGUMENTS);
        CHECK(std::string(plait_last_refusal()).find(sentence) != std::string::npos);
    };
    refused(plait_reorder_set_choice(other, text), "shape or layout differs");
    refused(plait_reorder_set_choice(of_s32, text), "type of the source differs");
    refused(plait_reorder_set_choice(second, "plait-choice 1"), "choice_is_malformed");
    refused(plait_reorder_set_choice(second, std::string(5000, 'x').c_str()), "choice_is_malformed");
    refused(plait_reorder_set_choice(second, nullptr), "pointer_is_null");
    refused(plait_reorder_set_choice(nullptr, text), "pointer_is_null");
    refused(plait_reorder_get_choice(second, nullptr, 97), "pointer_is_null");
    refused(plait_reorder_get_choice(nullptr, text, 97), "pointer_is_null");
    refused(plait_reorder_stop_trials(nullptr), "pointer_is_null");
    CHECK(plait_reorder_set_choice(unbound, text) != PLAIT_SUCCESS);
    CHECK(std::string(plait_last_refusal()).find("dim_is_dynamic") != std::string::npos);
    CHECK(plait_reorder_get_choice(unbound, text, sizeof text) != PLAIT_SUCCESS);
    CHECK(plait_reorder_stop_trials(other) == PLAIT_SUCCESS);
    CHECK(plait_reorder_get_choice(other, text, sizeof text) == PLAIT_SUCCESS);
    CHECK(std::string(text).find(" 0/") != std::string::npos);
    CHECK(plait_reorder_stop_trials(unbound) == PLAIT_SUCCESS);
    for (int call = 0; call < 2; ++call)
        CHECK(plait_reorder_execute_bound(unbound, &large.src, in.data(), bytes, &large.dst, out.data(), bytes,
                                          nullptr) == PLAIT_SUCCESS);
    CHECK(out == in);
    for (plait_reorder_t* made : {first, second, other, of_s32, unbound}) plait_reorder_destroy(made);
}

}}  // namespace test_c_api_data
