// EXPECT: scale_adjust_is_invalid
// NUMBERS: 0, 0
#include <plait/descriptor/descriptor.hpp>

constexpr plait::layout weights({32, 16}, "AB16a4b");

#ifdef FIXED
constexpr plait::extra besides = {.scale_adjust = 0.5f};
#else
constexpr plait::extra besides = {.scale_adjust = 0};
#endif
constexpr plait::descriptor refused(plait::data_type::s8, weights, besides);
