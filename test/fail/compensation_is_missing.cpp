// EXPECT: compensation_is_missing
// NUMBERS: -1, 1, 2
#include <plait/typed/formats.hpp>

#include <plait/contents/contents_concepts.hpp>

constexpr plait::tensor_compensation s8s8{.s8s8 = true, .s8s8_mask = 1 << 0};
constexpr plait::tensor_compensation asymmetric{.asymmetric_source = true, .asymmetric_source_mask = 1 << 0};

// The sources of this kernel have a zero point.
int convolve(const auto& weights) {
    plait::require_compensated<asymmetric>(weights);
    return 0;
}

std::int8_t* data;
const plait::tensor_view weights(data, plait::OIhw4i16o4i<16, 16, 1, 1>());
#ifdef FIXED
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, asymmetric>(weights));
#else
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, s8s8>(weights));
#endif
