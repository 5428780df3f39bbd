// EXPECT: dim_is_dynamic
// NUMBERS: 2, 0, 0
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

float data[384];

#ifdef FIXED
plait::tensor_view refused(data, plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3));
#else
plait::tensor_view refused(data, plait::nChw16c<2, 17, plait::dynamic, 2>());
#endif
