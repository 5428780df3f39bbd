// EXPECT: data_is_null
// NUMBERS: -1, 384, 0
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

constexpr float data[384]{};
#ifdef FIXED
constexpr plait::tensor_view<const float, plait::nChw16c<2, 17, 3, 2>> refused(data, {});
#else
constexpr plait::tensor_view<const float, plait::nChw16c<2, 17, 3, 2>> refused(nullptr, {});
#endif
