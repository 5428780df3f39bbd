// Reorders and padding through the C interface.

#include "c_api/c_descriptors.hpp"
#include "laws/padding_places.hpp"
#include "laws/random_layouts.hpp"
#include "support/fenced_memory.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
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

}}  // namespace test_c_api_data
