// EXPECT: part_cuts_a_block
// NUMBERS: 1, 8, 16
#include <plait/algebra/submemory.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/view_slice.hpp>

float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());

#ifdef FIXED
auto refused = plait::submemory(view, plait::dims_c<1, 1, 3, 2>, plait::position_c<0, 16, 0, 0>);
#else
auto refused = plait::submemory(view, plait::dims_c<1, 9, 3, 2>, plait::position_c<0, 8, 0, 0>);
#endif
