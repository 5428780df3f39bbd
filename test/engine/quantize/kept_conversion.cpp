// The steps of small conversions: which there are, and that they serve other buffers and other values. What they write
// for any layouts, types and attributes is tested by converting_reorder.cpp.
#include <plait/engine/quantize/kept_conversion.hpp>

#include "engine/quantize/planned_values.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace test_engine_quantize_kept_conversion { namespace {

using namespace plait;
using namespace plait::engine;

constexpr data_type f32 = data_type::f32, s8 = data_type::s8;
const descriptor nchw(f32, layout({1, 16, 4, 4}, "nchw")), blocked(s8, layout({1, 16, 4, 4}, "nChw16c"));

/// A conversion, and the steps that its calls have found.
struct kept {
    converting_reorder planned;
    order_trials trials;

    kept(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes = {})
        : planned(values::planned_values(src, dst, attributes)) {}

    /// Calls it with new buffers; returns true if the result is that of the reference.
    bool is_right(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes) const {
        std::vector<std::byte> in(src.buffer_size_in_bytes()), out(dst.buffer_size_in_bytes(), std::byte{9}),
            expected = out;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i % 60);
        reference_reorder(src, in.data(), dst, expected.data(), attributes);
        if (attributes.src_scale.values == planned.plan.conversion.attributes.src_scale.values)
            planned(in.data(), out.data(), trials);
        else planned.run_with(in.data(), out.data(), attributes, trials);
        return out == expected;
    }
    const kept_conversion* steps() const { return trials.kept<kept_conversion>(); }
};

/// Returns the number of steps of a conversion; 0 if they do not exist, -1 if it keeps none.
int steps_of(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes = {}) {
    const kept one(src, dst, attributes);
    REQUIRE(one.planned.has_cache_blocks);
    CHECK(one.is_right(src, dst, attributes));
    CHECK(one.is_right(src, dst, attributes));
    return one.steps() == nullptr ? -1 : one.steps()->exists ? one.steps()->count : 0;
}

TEST_CASE("kept_conversion: a tensor that is one row is one step, and its padding another") {
    const layout ab({16, 16}, "ab");
    const auto steps = [](const layout& src, const layout& dst) { return steps_of({f32, src}, {s8, dst}); };
    CHECK(steps(layout({128}, "a"), layout({128}, "a")) == 1);
    CHECK(steps(ab, ab) == 1);
    CHECK(steps(layout({1, 120, 1, 1}, "aBcd32b"), layout({1, 120, 1, 1}, "aBcd16b")) == 2);
    CHECK(steps(layout({1, 120, 1, 1}, "abcd"), layout({1, 120, 1, 1}, "aBcd16b")) == 2);  // 120 elements, 8 zeros
}

TEST_CASE("kept_conversion: rows with values of their own, and a copy of the cache block") {
    std::vector<float> scales(16);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = 0.25f * static_cast<float>(1 + i);
    const reorder_attributes by_channel{.src_scale = {scales, 1 << 1}};
    CHECK(steps_of(nchw, blocked, by_channel) == 1);
    const kept one(nchw, blocked, by_channel);
    CHECK(one.is_right(nchw, blocked, by_channel));
    REQUIRE(one.steps() != nullptr);
    CHECK(one.steps()->is_moved);
    CHECK(one.steps()->walks.count > 0);
    const row_block& block = one.steps()->steps[0].block;
    CHECK(block.count * block.rows * block.repeats == 256);
    // Other values, in the same array and in another.
    for (float& scale : scales) scale *= 2;
    CHECK(one.is_right(nchw, blocked, by_channel));
    const std::vector<float> others(16, 0.5f);
    CHECK(one.is_right(nchw, blocked, {.src_scale = {others, 1 << 1}}));
}

TEST_CASE("kept_conversion: steps that are found while all values are neutral serve other values") {
    std::vector<float> scales(16, 1);
    const descriptor src(s8, layout({16, 100}, "ab")), dst(s8, layout({16, 100}, "ba"));
    const reorder_attributes by_row{.src_scale = {scales, 1}};
    const kept one(src, dst, by_row);
    CHECK(one.is_right(src, dst, by_row));
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = 0.5f * static_cast<float>(1 + i % 3);
    CHECK(one.is_right(src, dst, by_row));
    CHECK((one.steps() != nullptr && one.steps()->exists));
}

TEST_CASE("kept_conversion: none of too many steps, and none of large tensors") {
    const dims extents{9, 8, 7, 8};  // of three loops around rows, two are one step
    CHECK(steps_of({f32, layout(extents, "abcd")}, {s8, layout(extents, strides{10000, 1000, 100, 1})}) == 0);
    CHECK(steps_of({f32, layout({200, 200}, "ab")}, {s8, layout({200, 200}, "ba")}) == -1);
}

TEST_CASE("kept_conversion: a copy of a plan has the steps, too") {
    kept one(nchw, blocked);
    CHECK(one.is_right(nchw, blocked, {}));
    const kept copy = one;
    one.trials.begin_anew();
    CHECK(one.steps() == nullptr);
    REQUIRE(copy.steps() != nullptr);
    CHECK(copy.is_right(nchw, blocked, {}));
}

}}  // namespace test_engine_quantize_kept_conversion
