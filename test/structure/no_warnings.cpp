// One kernel of each kind of tile, as in a user's program. The headers are compiled as if they were the user's own,
// with all warnings as errors. -DEVERY_KIND adds kernels that take too long for the tests: attributes alone take 20 s.

#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

using plait::bfloat16, plait::float16, plait::layout, plait::reorder_attributes, plait::strides;

namespace kinds {

inline constexpr layout nchw({2, 72, 13, 13}, "nchw"), nhwc({2, 72, 13, 13}, "nhwc"), nChw8c({2, 72, 13, 13}, "nChw8c"),
    nChw16c({2, 72, 13, 13}, "nChw16c");
inline constexpr layout rgb({1, 3, 9, 30}, "nchw"), alternating({1, 3, 9, 30}, "nhwc");
inline constexpr layout ab({33, 130}, "ab"), ba({33, 130}, "ba"), apart({33, 130}, strides{192, 1});
inline constexpr layout oihw({40, 24, 3, 3}, "oihw"), quads({40, 24, 3, 3}, "OIhw4i16o4i"),
    pairs({40, 24, 3, 3}, "OIhw8i16o2i");
inline constexpr layout by32({1, 100, 5, 3}, "aBcd32b"), by48({1, 100, 5, 3}, "aBcd48b");
inline constexpr layout large({16, 256, 56, 56}, "nchw"), large_blocked({16, 256, 56, 56}, "nChw16c");
inline constexpr layout large_pairs({32, 12, 160, 160}, "ABcd32a16b"), large_pairs_last({32, 12, 160, 160}, "cdBa2b");
inline constexpr layout scattered({5, 3}, strides{64, 20}), scattered_too({5, 3}, strides{8, 80});
inline constexpr layout shared({33, 130}, strides{0, 1}), empty({0, 3}, "ab"), empty_too({0, 3}, "ba");

}  // namespace kinds

using namespace kinds;

// Transposes, parts of registers, interleaved elements, conversions, blocks that do not divide, non-temporal stores.
template void plait::reorder_kernel<ab, ba, std::uint8_t, std::uint8_t>(const std::uint8_t*, std::uint8_t*) noexcept;
template void plait::reorder_kernel<nchw, nChw16c, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<nchw, nChw8c, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<oihw, quads, std::int8_t, std::int8_t>(const std::int8_t*, std::int8_t*) noexcept;
template void plait::reorder_kernel<alternating, rgb, std::uint8_t, std::uint8_t>(const std::uint8_t*,
                                                                                  std::uint8_t*) noexcept;
template void plait::reorder_kernel<ab, ba, float, std::int8_t>(const float*, std::int8_t*) noexcept;
template void plait::reorder_kernel<by32, by48, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<large, large_blocked, float, float>(const float*, float*) noexcept;
// Both axes of the blocks have remainders and short loops. GCC 12 once warned of an overflow in the remainders.
template void plait::reorder_kernel<large_pairs, large_pairs_last, bfloat16, bfloat16>(const bfloat16*,
                                                                                       bfloat16*) noexcept;
// Single elements with attributes. GCC 12 once warned of an access to the lane before the first.
template void plait::attributed_reorder_kernel<scattered, scattered_too, std::int8_t, std::int8_t>(
    const std::int8_t*, std::int8_t*, const reorder_attributes&) noexcept;

#if defined(EVERY_KIND)
template void plait::reorder_kernel<nchw, nhwc, bfloat16, bfloat16>(const bfloat16*, bfloat16*) noexcept;
template void plait::reorder_kernel<ab, ba, double, double>(const double*, double*) noexcept;
template void plait::reorder_kernel<nChw8c, nChw16c, float16, float16>(const float16*, float16*) noexcept;
template void plait::reorder_kernel<oihw, pairs, bfloat16, bfloat16>(const bfloat16*, bfloat16*) noexcept;
template void plait::reorder_kernel<ab, apart, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<rgb, alternating, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<nchw, nChw16c, float, bfloat16>(const float*, bfloat16*) noexcept;
template void plait::reorder_kernel<apart, ab, float16, double>(const float16*, double*) noexcept;
template void plait::reorder_kernel<alternating, rgb, std::uint8_t, float>(const std::uint8_t*, float*) noexcept;
template void plait::reorder_kernel<shared, ba, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<empty, empty_too, float, float>(const float*, float*) noexcept;
template void plait::reorder_chunk<nchw, nhwc, float, float>(const float*, float*, int, int) noexcept;
template void plait::attributed_reorder_kernel<nchw, nhwc, float, std::int8_t>(const float*, std::int8_t*,
                                                                               const reorder_attributes&) noexcept;
template void plait::reorder<float, float>(const layout&, const float*, const layout&, float*,
                                           const reorder_attributes&);
template void plait::reorder<float, std::int8_t>(const layout&, const float*, const layout&, std::int8_t*,
                                                 const reorder_attributes&);
template void plait::reorder<const plait::sequential_executor&, bfloat16, bfloat16>(const plait::sequential_executor&,
                                                                                    const layout&, const bfloat16*,
                                                                                    const layout&, bfloat16*,
                                                                                    const reorder_attributes&);
#endif
