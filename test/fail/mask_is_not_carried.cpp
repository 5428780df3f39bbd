// EXPECT: mask_is_not_carried
// NUMBERS: 2, 0
#include <plait/reorder/fusion.hpp>

#include <array>

// One axis of 21 behind, in blocks of 4, cannot be seen as two; and one value for each column is none for its elements.
constexpr plait::layout plain({3, 7}, "ab"), flat({21}, "a"), blocked({21}, "A4a");
constexpr auto scales = [] {
    std::array<float, 21> all{};
    all.fill(0.5f);
    return all;
}();

#ifdef FIXED
constexpr int mask = 3, count = 21;
#else
constexpr int mask = 2, count = 7;
#endif
constexpr plait::reorder_step first{
    plain, plain, plait::data_type::f32, plait::data_type::s8, {.src_scale = {std::span(scales.data(), count), mask}}};
constexpr plait::reorder_step second{flat, blocked};
constexpr plait::reorder_step one = fuse(first, second);
