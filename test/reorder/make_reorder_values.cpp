#include "engine/quantize/converting_cases.hpp"
#include "support/small_layouts.hpp"
#include "support/with_each_isa.hpp"

#include <plait/reorder/make_reorder.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace test_reorder_make_reorder_values { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::of_digits;

// These tests use the kernels of plait::c, with tiles of vectors.

/// Calls check(plan) for each instruction set that the CPU has, with a plan made for it.
template <class Check>
void with_every_isa(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes, Check check) {
    const reorder_ends ends = measure_reorder(src, dst, attributes).ends;
    plait_test::with_each_isa([&]<isa Isa>() {
        INFO(to_string(Isa));
        planned_reorder planned;
        engine::compiled_once::plan(Isa, planned, src, dst, attributes, ends);
        check([&](const void* in, void* out) { CHECK(planned(in, out) == status::success); });
    });
}

/// Checks that a reorder in memory with a fence writes the bytes of the reference, with every instruction set.
void check_reorder_of(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes = {}) {
    REQUIRE(check_reorder(src, dst, attributes).ok());
    values::random_source random(7);
    const values::question question(random, src, dst, attributes);
    for (const kernels::fence where : {kernels::fence::in_front, kernels::fence::behind})
        with_every_isa(src, dst, attributes,
                       [&](const auto& planned) { CHECK(question.is_answered_by(planned, where)); });
}

TEST_CASE("plan_reorder: values equal the reference, with every instruction set, in memory with a fence") {
    values::random_source random(20220403);
    for (int i = 0; i < 600; ++i) {
        const values::question question(random, 1 + i % 5, i % 10 == 0 ? 12000 : 2500);
        INFO(question.text(), ", number ", i);
        const kernels::fence where = i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front;
        with_every_isa(question.src, question.dst, question.attributes,
                       [&](const auto& planned) { CHECK(question.is_answered_by(planned, where)); });
    }
}

// The outer digit of the destination is innermost in memory. It has 5 values, and the last one has no second element.
// A cache block therefore has steps of 2 along that axis, but no single steps. Its last index is 8, the number of
// values of two nodes of 2 and 4.
TEST_CASE("plan_reorder: a cache block without the single steps along one axis") {
    const layout into_gaps = of_digits({9, 343}, {10, 343}, {{0, 5, 1}, {1, 343, 12}, {0, 2, 6}});
    check_reorder_of(descriptor(data_type::s8, layout({9, 343}, "ab")), descriptor(data_type::s32, into_gaps));
    const layout blocked =
        of_digits({5, 7, 49}, {6, 24, 49}, {{0, 3, 1}, {1, 1, 47040}, {2, 49, 960}, {1, 24, 20}, {0, 2, 10}});
    check_reorder_of(descriptor(data_type::f32, layout({5, 7, 49}, "abc")), descriptor(data_type::s32, blocked),
                     {.src_scale = 2.0f});
}

// All eight axes end in the padding of one cache block, but its kernels check at most six ends.
TEST_CASE("plan_reorder: a cache block in which more axes end than a kernel checks") {
    const layout reversed({2, 2, 2, 2, 2, 2, 2, 2}, "hgfedcba");
    const layout padded =
        of_digits({2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3},
                  {{0, 3, 2187}, {1, 3, 729}, {2, 3, 243}, {3, 3, 81}, {4, 3, 27}, {5, 3, 9}, {6, 3, 3}, {7, 3, 1}});
    const std::int32_t zero_points[2] = {-6, 2};
    using pair = std::pair<data_type, data_type>;
    for (const auto& [from, to] : {pair(data_type::bf16, data_type::s8), pair(data_type::s8, data_type::bf16)}) {
        const descriptor src(from, reversed), dst(to, padded);
        check_reorder_of(src, dst, {.beta = 0.5f});
        check_reorder_of(src, dst, {.dst_zero_point = {zero_points, 1 << 3}});
        check_reorder_of(descriptor(from, padded), descriptor(to, reversed));
    }
}

// Tiles multiply the elements that they move: whole and masked tiles, copies, tiles through a staging buffer, and tiles
// into a destination that is zeroed before.
TEST_CASE("plan_reorder: f32 that are only multiplied, with every instruction set, in memory with a fence") {
    values::random_source random(20221123);
    int by_tiles = 0;
    for (int i = 0; i < 300; ++i) {
        const dims extents = random.extents(1 + i % 5, 20000);
        const descriptor src(data_type::f32, random.layout_of(extents, true)),
            dst(data_type::f32, random.layout_of(extents, true));
        reorder_attributes attributes;
        if (i % 3 != 0) attributes.src_scale = 0.3f;
        if (i % 3 != 1) attributes.dst_scale = 7.0f;
        if (!check_reorder(src, dst, attributes).ok()) continue;
        by_tiles += engine::compiled_once::tiles_of(make_reorder(src, dst, attributes).value()) != nullptr ? 1 : 0;
        const values::question question(random, src, dst, attributes);
        INFO(question.text(), ", number ", i);
        const kernels::fence where = i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front;
        with_every_isa(src, dst, attributes,
                       [&](const auto& planned) { CHECK(question.is_answered_by(planned, where)); });
    }
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(by_tiles > 100);
#endif
    const auto check = [](const layout& from, const layout& to) {
        check_reorder_of(descriptor(data_type::f32, from), descriptor(data_type::f32, to),
                         {.src_scale = 0.3f, .dst_scale = 7.0f});
    };
    check(layout({1024, 80}, "ab"), layout({1024, 80}, "ba"));                      // rows that are staged
    check(layout({2, 3, 40, 50}, "acdb"), layout({2, 3, 40, 50}, "abcd"));          // an interleave: in cache blocks
    check(layout({2, 17, 9, 11}, "abcd"), layout({2, 17, 9, 11}, "aBcd16b"));       // ends
    check(layout({16, 16, 9, 11}, "aBcd16b"), layout({16, 16, 9, 11}, "aBcd16b"));  // copies
    check(layout({1, 1, 90, 11}, "abcd"), layout({1, 1, 90, 11}, "ABcd16b16a"));    // nearly all padding
    check(layout({2200, 1600}, "ab"), layout({2200, 1600}, "AB16b16a"));            // past the cache
}

// Both sides have runs of 2b8a, and the 21 channels b end in the middle of a run. Rows of 16 elements are converted
// past the end, and the elements written there are zeroed. If a row would read beyond the source, a row of one channel
// is converted instead.
TEST_CASE("plan_reorder: rows without a buffer are converted past an end inside them") {
    const dims extents{32, 21, 3, 1};
    std::vector<float> scales(21);
    for (std::size_t b = 0; b < scales.size(); ++b) scales[b] = static_cast<float>(b + 1);
    reorder_attributes by_channel;
    by_channel.src_scale = {scales, 2};
    by_channel.dst_zero_point = 3;
    for (const float beta : {0.0f, 0.5f}) {
        by_channel.beta = beta;
        check_reorder_of(descriptor(data_type::bf16, layout(extents, "AcdB8b8a2b")),
                         descriptor(data_type::bf16, layout(extents, "ABcd2a8b16a2b")), by_channel);
    }
}

// Rows of 8, 16, 24 and more elements, each element with its own scale. If the scales are contiguous along the row,
// they are read from the caller's array, and nothing beyond that array may be read.
TEST_CASE("plan_reorder: contiguous scales are read in place, and nothing beyond them") {
    const dims extents{16, 48};
    std::vector<float> scales(16 * 48);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<float>(i % 7 + 1) / 4;
    const layout with_gaps(extents, strides{56, 1}), in_eights(extents, "AB8a8b"), in_sixteens(extents, "AB16a16b"),
        rows_of_24(extents, "AB16a24b"), plain(extents, "ab");
    for (const kernels::fence where : {kernels::fence::in_front, kernels::fence::behind}) {
        kernels::fenced_memory<float> fenced(scales.size() + 1, where);
        float* const first = fenced.data() + 1;  // not aligned for a register
        std::copy(scales.begin(), scales.end(), first);
        reorder_attributes for_each;
        for_each.src_scale = {std::span<const float>(first, scales.size()), 3};
        for (const layout& to : {with_gaps, in_eights, in_sixteens, rows_of_24, plain})
            for (const data_type from : {data_type::f32, data_type::s8, data_type::bf16})
                for (const data_type into : {data_type::f32, data_type::s8, data_type::f64})
                    for (const bool more : {false, true}) {
                        reorder_attributes attributes = for_each;
                        if (more) attributes.dst_scale = 2.0f, attributes.dst_zero_point = 3;
                        INFO(to_string(to), ", types ", static_cast<int>(from), " and ", static_cast<int>(into));
                        check_reorder_of(descriptor(from, plain), descriptor(into, to), attributes);
                    }
    }
}

// Blocks of 16 and 3 divide neither each other nor the extents, and a cache block is one element. If it is after the
// end of both axes, no element is moved, although the product of two negative counts is positive.
TEST_CASE("plan_reorder: cache blocks of one element, after the ends of two axes") {
    check_reorder_of(descriptor(data_type::bf16, layout({28, 28}, "BA16b2a")),
                     descriptor(data_type::f16, layout({28, 28}, "BA3a5b")));
    check_reorder_of(descriptor(data_type::u8, layout({32, 31}, "AB6a4b")),
                     descriptor(data_type::s8, layout({32, 31}, "BA7b5a")), {.dst_scale = 4.0f});
}

// If the destination has more padding than the source, its indices reach the place of a second value of the source's
// outer digit, which does not exist.
TEST_CASE("plan_reorder: any stride on a digit of one value") {
    const layout narrow({3}, "A4a3a");
    for (const dim_t stride : {dim_t{-5112135516375031109}, dim_t{1} << 62, INT64_MAX, dim_t{-1}})
        for (const dim_t padded : {4, 3}) {
            const layout wide = of_digits({3}, {padded}, {{0, 1, stride}, {0, 4, 1}});
            check_reorder_of(descriptor(data_type::f8_e4m3, wide), descriptor(data_type::f64, narrow));
            check_reorder_of(descriptor(data_type::f64, wide), descriptor(data_type::f64, narrow));
            check_reorder_of(descriptor(data_type::f32, narrow), descriptor(data_type::s8, wide), {.dst_scale = 3.0f});
        }
}

}}  // namespace test_reorder_make_reorder_values
