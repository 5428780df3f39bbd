#pragma once
// The table of static kernels that are tested. coverage.hpp computes what each row exercises, and static_coverage.cpp
// checks that each pair of values occurs. Add a row for a kind of plan that is not in the table; the test names a pair
// that a change of the planner takes away.

#include "engine/kernel/coverage.hpp"

#include <iterator>

namespace kernels::static_rows {

using namespace plait;
using enum data_type;
using enum coverage::row_kind;

/// A layout whose padded extents are not multiples of its blocks.
constexpr layout padded(const dims& extents, const dims& stored, const format_tag& tag) {
    layout l(stored, tag);
    l.dims = extents;
    return l;
}
/// A layout of three axes whose inner block of axis a is not contiguous: `steps` are the distances between neighbours
/// along each axis, and `gap` is between blocks.
constexpr layout far_blocks(const format_tag& tag, dim_t block, const strides& steps, dim_t gap) {
    layout l({6, 320, 48}, tag);
    l.digits[0].stride = block * steps[0] + gap;
    l.digits[1].stride = steps[1];
    l.digits[2].stride = steps[2];
    l.digits[3].stride = steps[0];
    return l;
}

/// A layout of one axis in blocks, with these distances between blocks and within one.
constexpr layout steps_apart(dim_t extent, const format_tag& tag, dim_t outer, dim_t inner) {
    layout l({extent}, tag);
    l.digits[0].stride = outer;
    l.digits[1].stride = inner;
    return l;
}

inline constexpr coverage::static_row table[] = {
    // As users have them.
    {f32, f32, layout({1, 35, 3, 7}, "abcd"), layout({1, 35, 3, 7}, "aBcd16b"), in_parts},
    {f32, f32, layout({1, 35, 3, 7}, "aBcd16b"), layout({1, 35, 3, 7}, "abcd")},
    {bf16, bf16, layout({2, 19, 5, 7}, "abcd"), layout({2, 19, 5, 7}, "acdb")},
    {u8, u8, layout({2, 3, 9, 30}, "acdb"), layout({2, 3, 9, 30}, "abcd"), in_parts},
    {s8, s8, layout({20, 18, 2, 1}, "abcd"), layout({20, 18, 2, 1}, "ABcd4b16a4b")},
    {f32, s8, layout({1, 33, 4, 4}, "acdb"), layout({1, 33, 4, 4}, "aBcd16b")},
    {f32, s8, layout({20, 38}, "ab"), layout({20, 38}, "AB4b16a4b"), attributed},
    {u4, u4, layout({64, 96}, "ab"), layout({64, 96}, "ba")},
    // With each instruction set, each kind of tile, of ends, of values.
    {f64, f64, layout({33, 49}, strides{-49, 1}), layout({33, 49}, strides{1, -40})},
    {u8, u8, layout({7, 70}, "AB12b7a"), layout({7, 70}, "aB32b")},
    {s32, f32, layout({70, 3}, "ba"), layout({70, 3}, "ab")},
    {u8, s32, layout({2, 16, 7, 7}, "ABcd4b16a4b"), layout({2, 16, 7, 7}, "aBcd8b")},
    {f32, f32, far_blocks("Abc2a", 2, {15360, 48, 1}, 16), far_blocks("Abc3a", 3, {49152, 1, 1024}, 64)},
    {bf16, bf16, padded({5, 40, 3}, {8, 40, 3}, "abc"), padded({5, 40, 3}, {8, 48, 3}, "abc")},
    {u8, u8, layout({64, 96}, "AB4b16a4b"), layout({64, 96}, "aB24b")},
    {s8, bf16, layout({5, 70}, "AB8b16a2b"), layout({5, 70}, "ba"), attributed},
    {s32, f64, layout({64, 96}, "aB24b"), layout({64, 96}, "AB4b16a4b")},
    {f64, f8_e5m2, layout({320, 48}, strides{1, 1023}), layout({320, 48}, "Ba2b", strides{2, 4096})},
    {f64, f64, layout({70, 3}, "BA16a64b2a"), layout({70, 3}, "aB4b")},
    {f64, f64, padded({5, 40, 3}, {8, 40, 3}, "abc"), padded({5, 40, 3}, {8, 48, 3}, "abc")},
    {u4, u4, layout({50, 30}, "bA4a"), layout({50, 30}, "BA16a64b2a")},
    {f32, bf16, layout({1, 35, 3, 7}, "ABcd16b16a"), layout({1, 35, 3, 7}, "abcd")},
    {f64, f8_e5m2, layout({3, 20, 9}, "cba"), layout({3, 20, 9}, "abc"), attributed},
    {bf16, f32, layout({3, 130}, "AB8b16a2b"), layout({3, 130}, "AB16b16a")},
    {f32, bf16, layout({1, 70, 16}, "aBc16b"), layout({1, 70, 16}, "ABc24b3a")},
    // Each pair of them.
    {f64, f64, layout({5, 70, 3}, strides{-210, 1, 70}), layout({5, 70, 3}, strides{220, 3, 1})},
    {f16, bf16, layout({160, 32}, strides{1, 512}), layout({160, 32}, strides{-32, 1})},
    {f8_e5m2, s8, layout({70, 6}, "AB4b16a4b"), layout({70, 6}, "Ab16a")},
    {f64, f16, layout({33, 49}, strides{-49, 1}), layout({33, 49}, strides{60, 1})},
    {bf16, bf16, layout({300, 48}, strides{-48, 1}), layout({300, 48}, "Ba2b", strides{2, 4096})},
    {f64, f32, layout({21, 35, 3, 3}, "cdba"), layout({21, 35, 3, 3}, "abcd"), attributed},
    {f64, f64, layout({5, 70, 3}, strides{-210, 3, 1}), layout({5, 70, 3}, "acb")},
    {s32, f32, layout({2, 17, 5, 8}, strides{680, 40, -8, 1}), layout({2, 17, 5, 8}, "acdb")},
    {f8_e5m2, f64, layout({3, 70}, "AB24b3a"), layout({3, 70}, "aB16b"), attributed},
    {bf16, bf16, layout({16, 16}, "Ab32a"), layout({16, 16}, "Ab16a"), in_parts},
    {f32, f16, layout({3, 130}, "AB4b16a4b"), layout({3, 130}, "aB24b")},
    {bf16, bf16, layout({3, 70}, "aB32b"), layout({3, 70}, "AB24b3a")},
    {s8, f64, layout({130, 3}, "AB4b16a4b"), layout({130, 3}, "ba")},
    {f64, f64, layout({37, 41}, "AB4b16a4b"), layout({37, 41}, "aB4b"), attributed},
    {f64, f32, layout({5, 70, 3}, "abc"), layout({5, 70, 3}, "acb")},
    {f32, f16, layout({1, 35, 3, 7}, "ABcd16b16a"), layout({1, 35, 3, 7}, "abcd"), attributed},
    {u8, s8, layout({16, 16}, "Ab16a"), layout({16, 16}, "Ab32a")},
    {u8, s8, layout({70, 3}, "ba"), layout({70, 3}, "ab"), attributed},
    {f64, f64, layout({1}, "a"), layout({1}, "a")},
    {u8, u8, layout({320, 64}, "ab"), layout({320, 64}, "Ba2b", strides{2, 4096})},
    {u8, u8, layout({16, 16}, "AB8b16a2b"), layout({16, 16}, "ba"), in_parts},
    {f32, f64, layout({20, 18, 3, 1}, "acdb"), layout({20, 18, 3, 1}, "aBcd4b")},
    {f8_e5m2, f32, layout({3, 5, 1, 3}, "ABcd8b16a2b"), layout({3, 5, 1, 3}, "aBcd4b"), attributed},
    {f32, bf16, layout({2, 24, 3, 3}, "acdb"), layout({2, 24, 3, 3}, "aBcd8b")},
    {f64, f64, layout({20, 18, 3, 1}, "ABcd8b16a2b"), layout({20, 18, 3, 1}, "abcd")},
    {s8, u8, layout({5, 40, 3}, "abc"), padded({5, 40, 3}, {8, 40, 3}, "acb")},
    {s32, f16, layout({70, 20}, "BA16a64b2a"), layout({70, 20}, "ab"), attributed},
    {f8_e4m3, bf16, layout({70, 3}, "ab"), layout({70, 3}, "ba")},
    {f32, u8, layout({70, 3}, "bA16a"), layout({70, 3}, "ab")},
    {s8, f32, layout({70, 3}, "bA16a"), layout({70, 3}, "ab")},
    {f32, f64, layout({17, 64}, "BA16a64b2a"), layout({17, 64}, "ab")},
    {f16, f32, layout({24, 40}, "AB8b16a2b"), layout({24, 40}, "bA4a"), attributed},
    {f32, f32, layout({70, 3}, "bA16a"), layout({70, 3}, "ab"), in_parts},
    {f64, f64, layout({96, 3}, "ab"), layout({96, 3}, "bA48a"), in_parts},
    {f64, bf16, layout({320, 64}, strides{-64, 1}), layout({320, 64}, "Ba2b", strides{2, 4096})},
    {f32, s32, layout({300, 48}, "ab"), layout({300, 48}, strides{1, 2048})},
    {s32, f64, layout({300, 48}, "ab"), layout({300, 48}, strides{1, 1023})},
    {u8, s8, layout({33}, "a"), layout({33}, "A16a"), attributed},
    {f32, bf16, layout({70, 3}, "ab"), layout({70, 3}, "ba"), attributed},
    {f32, f64, layout({70, 3}, "bA16a"), layout({70, 3}, "ab"), attributed},
    {f64, s8, layout({1, 7, 17, 2}, "ABcd16b16a"), layout({1, 7, 17, 2}, "ABcd8b16a2b"), attributed},
    {f32, f32, layout({300, 48}, "ab"), layout({300, 48}, strides{1, 2048}), in_parts},
    {f32, f64, layout({16, 16}, "Ab16a"), layout({16, 16}, "Ab32a"), attributed},
    // Elements smaller than a byte: tiles and rests, whole bytes, and elements that are moved one by one.
    {s4, s4, layout({37, 63}, strides{64, 1}), layout({37, 63}, strides{1, 38})},
    {f4_e2m1, f4_e2m1, layout({64, 96}, "AB16b64a2b"), layout({64, 96}, "ab")},
    {u4, u4, layout({5, 7}, "ab"), layout({5, 7}, "ba")},
    {u2, u2, layout({64, 96}, "ab"), layout({64, 96}, "ba")},
    {f6_e2m3, f6_e2m3, layout({64, 96}, "ab"), layout({64, 96}, "AB16b64a2b")},
    // Blocks that do not divide each other, with another axis between them.
    {s8, s8, layout({3, 70, 2}, "ABc24b3a"), layout({3, 70, 2}, "ABc8b16a2b")},
    {s8, f8_e5m2, layout({1, 48, 4}, "Bac16b"), layout({1, 48, 4}, "acB32b"), in_parts},
    {f64, f64, layout({2, 35, 3}, "ABc8b16a2b"), layout({2, 35, 3}, "Bac24b"), in_parts},
    {f32, f64, layout({5, 40, 3}, "aBC8b2c"), layout({5, 40, 3}, "Bac16b"), attributed},
    {s32, s32, layout({1, 48, 4}, "aBC8b2c"), layout({1, 48, 4}, "aBc6b"), in_parts},
    {f32, bf16, layout({3, 130, 2}, "ABc16b16a"), layout({3, 130, 2}, "ABc16b16a"), in_parts},
    {f8_e5m2, f64, layout({5, 40, 3}, "BAc12b7a"), layout({5, 40, 3}, "BAc12b7a"), attributed},
    {s32, f32, layout({7, 33, 4}, "BAc12b7a"), layout({7, 33, 4}, "aBc32b"), attributed},
    {s32, s32, layout({3, 70, 2}, "ABc4b16a4b"), layout({3, 70, 2}, "ABc24b3a")},
    // Networks that exchange parts of 128 bits, and those of registers that are stored in segments.
    {f64, f64, layout({2, 35, 16}, "aBC8b8c"), layout({2, 35, 16}, "BAc12b7a"), attributed},
    {u8, s32, layout({16, 40}, "AB8b16a2b"), layout({16, 40}, "AB4b16a4b"), attributed},
    {bf16, f32, layout({20, 19}, strides{-19, 1}), layout({20, 19}, "Ab4a"), attributed},
    {f16, bf16, layout({3, 7}, "ab"), layout({3, 7}, "ba"), in_parts},
    // One tile that ends in the lanes of the source alone.
    {f64, f64, layout({3}, "a"), steps_apart(3, "A2a", 4, 2)},
};
inline constexpr std::size_t rows = std::size(table);

/// The first rows have each value with each instruction set. Builds that take longer to compile have only them.
inline constexpr std::size_t few_rows = 25;

}  // namespace kernels::static_rows
