#include "support/fenced_memory.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/io/print.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/reorder.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

namespace test_reorder_make_reorder_bytes { namespace {

using namespace plait;
using kernels::fence, kernels::fenced_memory;

/// Two descriptors, and a function that writes the expected bytes: a static kernel, a loop, or null.
struct pair_of_tensors {
    descriptor src, dst;
    void (*kernel)(const void* in, void* out);
    reorder_attributes attributes{};
};
template <layout Src, layout Dst, element T, element U = T>
pair_of_tensors pair_with_kernel() {
    return {{data_type_of<T>, Src}, {data_type_of<U>, Dst}, [](const void* in, void* out) {
                reorder_kernel<Src, Dst, T, U>(static_cast<const T*>(in), static_cast<U*>(out));
            }};
}

/// Fills memory with bytes without a period, or with floats. Converted floats must not be NaN, because NaN has several
/// bit patterns.
void fill(std::byte* to, std::size_t bytes, bool numbers) {
    std::uint64_t state = 88172645463325252u;
    const auto next = [&] {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return static_cast<std::uint32_t>(state >> 20);
    };
    if (!numbers)
        for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(next());
    for (std::size_t i = 0; numbers && i + sizeof(float) <= bytes; i += sizeof(float)) {
        const float x = (static_cast<float>(next() % 65536) - 32768) / 128;
        std::memcpy(to + i, &x, sizeof(x));
    }
}

template <class Move>
std::vector<std::byte> bytes_after(const pair_of_tensors& tensors, fence where, Move move) {
    fenced_memory<std::byte> in(tensors.src.buffer_size_in_bytes(), where);
    fenced_memory<std::byte> out(tensors.dst.buffer_size_in_bytes(), where);
    fill(in.data(), tensors.src.buffer_size_in_bytes(), tensors.src.type != tensors.dst.type);
    fill(out.data(), tensors.dst.buffer_size_in_bytes(), false);
    move(in.data(), out.data());
    return {out.data(), out.data() + tensors.dst.buffer_size_in_bytes()};
}

void check_same_bytes(const pair_of_tensors& tensors, bool with_reference = true) {
    INFO(to_string(tensors.src.layout), " -> ", to_string(tensors.dst.layout));
    const auto planned = make_reorder(tensors.src, tensors.dst, tensors.attributes);
    INFO((planned ? std::string() : std::string(describe(planned.error()).c_str())));
    REQUIRE(planned.has_value());
    for (const fence where : {fence::in_front, fence::behind}) {
        const auto found = bytes_after(
            tensors, where, [&](const void* in, void* out) { CHECK((*planned)(in, out) == status::success); });
        if (tensors.kernel != nullptr) CHECK(found == bytes_after(tensors, where, tensors.kernel));
        if (!with_reference) continue;
        CHECK(found == bytes_after(tensors, where, [&](const void* in, void* out) {
                  reference_reorder(tensors.src, in, tensors.dst, out, tensors.attributes);
              }));
        CHECK(found == bytes_after(tensors, where, [&](const void* in, void* out) {
                  CHECK(reorder(tensors.src, in, tensors.dst, out, tensors.attributes) == status::success);
              }));
    }
}

TEST_CASE("make_reorder: writes the bytes of the static kernel, and of the reference") {
    check_same_bytes(pair_with_kernel<layout({2, 17, 5, 4}, "nchw"), layout({2, 17, 5, 4}, "nChw16c"), float>());
    check_same_bytes(pair_with_kernel<layout({1, 24, 7, 7}, "nChw8c"), layout({1, 24, 7, 7}, "nchw"), float>());
    check_same_bytes(pair_with_kernel<layout({1, 64, 9, 14}, "nchw"), layout({1, 64, 9, 14}, "nhwc"), float>());
    check_same_bytes(pair_with_kernel<layout({1, 3, 32, 33}, "nhwc"), layout({1, 3, 32, 33}, "nchw"), std::uint8_t>());
    check_same_bytes(pair_with_kernel<layout({67, 45}, "ab"), layout({67, 45}, "ba"), bfloat16>());
    check_same_bytes(
        pair_with_kernel<layout({32, 20, 3, 3}, "oihw"), layout({32, 20, 3, 3}, "OIhw4i16o4i"), std::int8_t>());
    check_same_bytes(pair_with_kernel<layout({1, 96, 4, 4}, "aBcd32b"), layout({1, 96, 4, 4}, "aBcd48b"), float>());
    check_same_bytes(
        pair_with_kernel<layout({2, 33, 6, 6}, "nchw"), layout({2, 33, 6, 6}, "nhwc"), float, std::int8_t>());
}

TEST_CASE("make_reorder: writes the bytes of the reference") {
    const auto check = [](data_type from, const layout& src, data_type to, const layout& dst) {
        check_same_bytes({{from, src}, {to, dst}, nullptr});
    };
    check(data_type::f64, layout({1, 20, 3, 5}, "nChw16c"), data_type::f64, layout({1, 20, 3, 5}, "nhwc"));
    check(data_type::f32, layout({1, 32, 7, 9}, "nchw"), data_type::bf16, layout({1, 32, 7, 9}, "nChw16c"));
    check(data_type::f32, layout({48, 52}, "ab"), data_type::s8, layout({48, 52}, "BA16a64b4a"));
    // The first of these moves elements one by one, the second moves rows of cache blocks.
    check(data_type::s8, layout({9, 11, 13}, "abc"), data_type::s8, layout({9, 11, 13}, "cba"));
    check(data_type::f32, layout({9, 11, 13}, "abc"), data_type::f8_e4m3, layout({9, 11, 13}, "cBa2b"));
    // An axis of 3 is padded to 4 in a cache block whose order stays: a kernel for 3 of 4 elements exists.
    check(data_type::f32, layout({7, 3, 8, 2}, "abcd"), data_type::s32, layout({7, 3, 8, 2}, "aCdB32c4b"));
    // Compensation.
    check_same_bytes(
        {{data_type::f32, layout({17, 9, 3, 3}, "oihw")},
         {data_type::s8, layout({17, 9, 3, 3}, "OIhw4i16o4i"), {.s8s8_compensation = true, .s8s8_mask = 1}},
         nullptr});
}

TEST_CASE("make_reorder: sums where the values of groups and blocks of the destination do not nest") {
    // The blocks are one in memory, so a node of the plan ends where a group does, within a block.
    const float scales[] = {1, 2, 0.5f, -1, 0.25f, 3, 1.5f, -2};
    for (const layout& dst : {layout({4, 35}, "aB3b"), layout({4, 35}, "aB16b"), layout({4, 40}, "aB16b")})
        for (const bool by_source : {false, true}) {
            const dim_t group = dst.dims[1] == 35 ? 7 : 5;
            reorder_attributes attributes;
            (by_source ? attributes.src_scale : attributes.dst_scale) = values_by_group(
                std::span(scales).first(static_cast<std::size_t>(dst.dims[1] / group)), dst.dims, dims{4, group});
            for (const int mask : {2, 3})
                check_same_bytes(
                    {{data_type::s8, layout(dst.dims, "ab")},
                     {data_type::s8, dst, {.asymmetric_source_compensation = true, .asymmetric_source_mask = mask}},
                     nullptr,
                     attributes});
        }
}

TEST_CASE("make_reorder: layouts without a common refinement go element by element") {
    layout part({1, 8, 5, 4}, "nChw16c");
    part.padded_offsets[1] = 4;  // padding in front as well
    for (const data_type type : {data_type::f64, data_type::f32, data_type::bf16, data_type::s8}) {
        const layout whole({1, 8, 5, 4}, "nhwc");
        for (const pair_of_tensors& tensors : {pair_of_tensors{{type, part}, {type, whole}, nullptr},
                                               pair_of_tensors{{type, whole}, {type, part}, nullptr}}) {
            const auto planned = make_reorder(tensors.src, tensors.dst);
            CHECK((planned.has_value() && engine::compiled_once::tiles_of(*planned) == nullptr));
            check_same_bytes(tensors);
        }
    }
}

TEST_CASE("make_reorder: stores past the cache for any alignment of the destination") {
    constexpr std::size_t channels = 64, places = 228 * 220;
    const pair_of_tensors tensors{{data_type::f32, layout({1, 64, 228, 220}, "nchw")},
                                  {data_type::f32, layout({1, 64, 228, 220}, "nChw16c")},
                                  [](const void* in, void* out) {
                                      for (std::size_t c = 0; c < channels; ++c)
                                          for (std::size_t x = 0; x < places; ++x)
                                              std::memcpy(
                                                  static_cast<float*>(out) + (c / 16 * places + x) * 16 + c % 16,
                                                  static_cast<const float*>(in) + c * places + x, sizeof(float));
                                  }};
    const auto planned = make_reorder(tensors.src, tensors.dst);
    REQUIRE((planned.has_value() && engine::compiled_once::tiles_of(*planned) != nullptr));
    CHECK(engine::compiled_once::tiles_of(*planned)->streams);
    check_same_bytes(tensors, false);
}

}}  // namespace test_reorder_make_reorder_bytes
