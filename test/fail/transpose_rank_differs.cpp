// EXPECT: rank_differs
// NUMBERS: 3, 4
#include <plait/bridge/shaped_operations.hpp>
#include <plait/typed/formats.hpp>

float data[384];
plait::tensor_view made(data, plait::nChw16c<2, 17, 3, 2>());
plait::shaped_buffer buffer(made, plait::axis_map_c<0, 3, 1, 2>);

#ifdef FIXED
auto refused = plait::transpose(buffer, plait::permutation_c<0, 1, 3, 2>);
#else
auto refused = plait::transpose(buffer, plait::permutation_c<0, 2, 1>);
#endif
