#pragma once
// The reorders that get kernels for layouts known at run time. One line adds one.
//
// A kernel serves every pair of layouts whose tile has the same pattern, whatever their extents, strides and names: the
// lines are examples, one for each pattern. The extents matter where they change the tile, as tails and short axes do.

#include <plait/core/format_tag.hpp>
#include <plait/reorder/kernel.hpp>

#include <boost/hana/tuple.hpp>

#include <cstdint>

namespace plait {

/// A pair of formats and types, with extents.
template <format_tag Src, format_tag Dst, element T, element U, dim_t... Extents>
struct known_reorder {
    using path = path_of<T, U>;
    static constexpr layout src{dims{Extents...}, Src}, dst{dims{Extents...}, Dst};
    static constexpr data_type src_type = data_type_of<T>, dst_type = data_type_of<U>;
};
/// Elements that are only moved: all types of a size are one.
template <format_tag Src, format_tag Dst, element T, dim_t... Extents>
using known_move = known_reorder<Src, Dst, T, T, Extents...>;

using known_reorders = boost::hana::tuple<
    // 4 bytes
    known_move<"a", "a", float, 16>,
    known_move<"nhwc", "nChw16c", float, 1, 64, 56, 56>,
    known_move<"aBcd32b", "aBcd48b", float, 1, 192, 56, 56>,
    known_move<"oihw", "OIhw16i16o", float, 256, 256, 3, 3>,
    known_move<"OIhw16i16o", "oihw", float, 256, 256, 3, 3>,

    known_move<"nchw", "nChw8c", float, 1, 64, 56, 56>,
    known_move<"nChw8c", "nchw", float, 1, 64, 56, 56>,
    known_move<"nchw", "nChw8c", float, 1, 512, 7, 7>,
    known_move<"nChw8c", "nchw", float, 1, 512, 7, 7>,
    known_move<"abcd", "aBcd24b", float, 64, 64, 28, 28>,
    known_move<"aBcd24b", "abcd", float, 64, 64, 28, 28>,
    known_move<"nchw", "nhwc", float, 1, 3, 224, 224>,
    known_move<"nhwc", "nchw", float, 1, 3, 224, 224>,
    known_move<"nchw", "nhwc", float, 1, 4, 224, 224>,
    known_move<"nhwc", "nchw", float, 1, 4, 224, 224>,
    known_move<"abcd", "dbca", float, 3, 179, 32, 64>,
    known_move<"ab", "ba", float, 4, 4>,
    known_move<"ab", "ba", float, 8, 8>,
    // 2 bytes
    known_move<"nhwc", "nChw16c", bfloat16, 1, 64, 56, 56>,
    known_move<"aBcd32b", "aBcd48b", bfloat16, 1, 192, 56, 56>,
    known_move<"a", "a", bfloat16, 1024>,
    known_move<"nchw", "nChw16c", bfloat16, 1, 64, 56, 56>,
    known_move<"nChw16c", "nchw", bfloat16, 1, 64, 56, 56>,
    known_move<"abcd", "aBcd8b", bfloat16, 64, 64, 28, 28>,
    known_move<"aBcd8b", "abcd", bfloat16, 64, 64, 28, 28>,
    known_move<"aBcd8b", "bcda", bfloat16, 64, 16, 5, 5>,
    known_move<"abcd", "aBcd4b", bfloat16, 64, 64, 28, 28>,
    known_move<"aBcd4b", "abcd", bfloat16, 64, 64, 28, 28>,
    known_move<"abcd", "dbca", bfloat16, 3, 179, 32, 1>,
    known_move<"hwio", "OIhw8i16o2i", bfloat16, 256, 256, 3, 3>,
    known_move<"oihw", "OIhw8i16o2i", bfloat16, 256, 256, 3, 3>,
    known_move<"OIhw8i16o2i", "oihw", bfloat16, 256, 256, 3, 3>,
    known_move<"cdeba", "abcde", bfloat16, 512, 256, 3, 3, 3>,
    known_move<"ba", "BA16a64b2a", bfloat16, 1024, 1024>,
    known_move<"abc", "ABc8b8a2b", float16, 256, 256, 1>,
    known_move<"cdba", "ABcd8b8a2b", float16, 28, 672, 1, 1>,
    known_move<"cdba", "AcdB8a2b", float16, 144, 6, 1, 1>,
    // 1 byte
    known_move<"a", "a", std::int8_t, 1024>,
    known_move<"nhwc", "nChw16c", std::int8_t, 1, 17, 56, 56>,
    known_move<"aBcd32b", "aBcd48b", std::int8_t, 1, 192, 56, 56>,
    known_move<"nchw", "nhwc", std::int8_t, 1, 64, 56, 56>,
    known_move<"nchw", "nChw16c", std::int8_t, 1, 64, 56, 56>,
    known_move<"nChw16c", "nchw", std::int8_t, 1, 64, 56, 56>,
    known_move<"abcd", "aBcd8b", std::int8_t, 64, 64, 28, 28>,
    known_move<"aBcd8b", "abcd", std::int8_t, 64, 64, 28, 28>,
    known_move<"abcd", "aBcd24b", std::int8_t, 64, 64, 28, 28>,
    known_move<"aBcd24b", "abcd", std::int8_t, 64, 64, 28, 28>,
    known_move<"abcd", "bacd", std::int8_t, 64, 64, 28, 28>,
    known_move<"nchw", "nhwc", std::uint8_t, 1, 3, 224, 224>,
    known_move<"nhwc", "nchw", std::uint8_t, 1, 3, 224, 224>,
    known_move<"nchw", "nhwc", std::uint8_t, 1, 4, 224, 224>,
    known_move<"nhwc", "nchw", std::uint8_t, 1, 4, 224, 224>,
    known_move<"oihw", "OIhw4i16o4i", std::int8_t, 256, 256, 3, 3>,
    known_move<"OIhw4i16o4i", "oihw", std::int8_t, 256, 256, 3, 3>,
    known_move<"ba", "BA16a64b4a", std::int8_t, 1024, 1024>,
    known_move<"ab", "ba", std::int8_t, 8, 8>,
    known_move<"ab", "ba", std::int8_t, 16, 16>,
    known_move<"ab", "ba", std::int8_t, 32, 32>,
    // 8 bytes
    known_move<"nhwc", "nChw16c", double, 1, 64, 56, 56>,
    known_move<"nChw16c", "nchw", double, 1, 64, 56, 56>,
    known_move<"abcd", "aBcd4b", double, 64, 64, 28, 28>,
    known_move<"aBcd4b", "abcd", double, 64, 64, 28, 28>,
    // with another type
    known_reorder<"nchw", "nhwc", float, bfloat16, 1, 64, 56, 56>,
    known_reorder<"nchw", "nChw16c", float, bfloat16, 1, 64, 56, 56>,
    known_reorder<"oihw", "OIhw8i16o2i", float, bfloat16, 256, 256, 3, 3>,
    known_reorder<"nChw16c", "nchw", bfloat16, float, 1, 64, 56, 56>,
    known_reorder<"nchw", "nhwc", float, float16, 1, 64, 56, 56>,
    known_reorder<"nchw", "nChw16c", float, float16, 1, 64, 56, 56>,
    known_reorder<"nchw", "nhwc", float, std::int8_t, 1, 64, 56, 56>,
    known_reorder<"nchw", "nChw16c", float, std::int8_t, 1, 64, 56, 56>,
    known_reorder<"nChw16c", "nchw", std::int8_t, float, 1, 64, 56, 56>>;

}  // namespace plait
