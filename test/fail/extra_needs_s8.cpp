// EXPECT: extra_needs_s8
// NUMBERS: 9, 0
#include <plait/descriptor/descriptor.hpp>

constexpr plait::layout weights({32, 16}, "AB16a4b");
constexpr plait::extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};

#ifdef FIXED
constexpr plait::descriptor refused(plait::data_type::s8, weights, compensated);
#else
constexpr plait::descriptor refused(plait::data_type::u8, weights, compensated);
#endif
