// EXPECT: descriptor_has_extra
// NUMBERS: 0, 0
#include <plait/algebra/reshape.hpp>
#include <plait/descriptor/operations.hpp>

constexpr plait::layout weights({32, 16, 3, 3}, "ABcd16a4b");

#ifdef FIXED
constexpr plait::descriptor whole(plait::data_type::s8, weights);
#else
constexpr plait::descriptor whole(plait::data_type::s8, weights, {.s8s8_compensation = true, .s8s8_mask = 1});
#endif
constexpr plait::descriptor refused = plait::reshape(whole, {32, 16, 9});
