// EXPECT: extra_needs_offset_zero
// NUMBERS: 1024, 0
#include <plait/algebra/submemory.hpp>
#include <plait/descriptor/descriptor.hpp>

constexpr plait::layout weights({128, 16}, "AB16a4b");
constexpr plait::extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};

#ifdef FIXED
constexpr plait::layout part = plait::submemory(weights, {64, 16}, {0, 0});
#else
constexpr plait::layout part = plait::submemory(weights, {64, 16}, {64, 0});
#endif
constexpr plait::descriptor refused(plait::data_type::s8, part, compensated);
