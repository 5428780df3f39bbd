// EXPECT: mask_has_no_compensation
// NUMBERS: 1, 0
#include <plait/descriptor/descriptor.hpp>

constexpr plait::layout weights({32, 16}, "AB16a4b");

#ifdef FIXED
constexpr plait::extra besides = {.s8s8_compensation = true, .s8s8_mask = 1};
#else
constexpr plait::extra besides = {.s8s8_mask = 1};
#endif
constexpr plait::descriptor refused(plait::data_type::s8, weights, besides);
