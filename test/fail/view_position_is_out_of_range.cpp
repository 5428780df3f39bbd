// EXPECT: position_is_out_of_range
// NUMBERS: 1, 17, 17
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

constexpr float data[384]{};
constexpr plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());

#ifdef FIXED
constexpr float refused = view.at(1, 16, 2, 1);
#else
constexpr float refused = view.at(1, 17, 2, 1);
#endif
