// EXPECT: mask_is_not_carried
// NUMBERS: 2, 0
#include <plait/reorder/fusion.hpp>

#include <array>

// The second step has one axis of 21, in blocks of 4, which cannot be split into two. One scale per column of the first
// step is therefore not expressible for its elements.
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
