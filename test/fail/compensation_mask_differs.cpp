// EXPECT: compensation_mask_differs
// NUMBERS: -1, 3, 1, 1
#include <plait/typed/formats.hpp>

#include <plait/contents/contents_concepts.hpp>

constexpr plait::tensor_compensation by_output{.s8s8 = true, .s8s8_mask = 1 << 0};
constexpr plait::tensor_compensation by_both{.s8s8 = true, .s8s8_mask = 1 << 0 | 1 << 1};

int convolve(const auto& weights) {
    plait::require_compensated<by_output>(weights);
    return 0;
}

std::int8_t* data;
const plait::tensor_view weights(data, plait::OIhw4i16o4i<16, 16, 1, 1>());
#ifdef FIXED
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, by_output>(weights));
#else
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, by_both>(weights));
#endif
