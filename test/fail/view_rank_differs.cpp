// EXPECT: rank_differs
// NUMBERS: 3, 4
#include <plait/typed/formats.hpp>
#include <plait/view/view_operations.hpp>

float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());

#ifdef FIXED
auto refused = plait::permute_axes(view, plait::permutation_c<0, 3, 1, 2>);
#else
auto refused = plait::permute_axes(view, plait::permutation_c<0, 2, 1>);
#endif
