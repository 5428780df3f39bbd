// EXPECT: axis_is_out_of_range
// NUMBERS: 4, 4
#include <plait/typed/formats.hpp>
#include <plait/view/view_slice.hpp>

float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());

#ifdef FIXED
auto refused = plait::slice(view, std::integral_constant<int, 3>(), 1);
#else
auto refused = plait::slice(view, std::integral_constant<int, 4>(), 1);
#endif
