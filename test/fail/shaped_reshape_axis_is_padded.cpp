// EXPECT: axis_is_padded
// NUMBERS: 3, 32, 17
#include <plait/bridge/shaped_operations.hpp>
#include <plait/typed/formats.hpp>

float data[384];
plait::tensor_view made(data, plait::nChw16c<2, 17, 3, 2>());
plait::shaped_buffer buffer(made, plait::axis_map_c<0, 3, 1, 2>);

#ifdef FIXED
// Height and width are neighbours in memory; the padded channels are not a neighbour of them.
auto refused = plait::reshape(buffer, plait::dims_c<2, 6, 17>);
#else
auto refused = plait::reshape(buffer, plait::dims_c<2, 102>);
#endif
