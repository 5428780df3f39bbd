// EXPECT: dims_differ
// NUMBERS: 3, 17, 18
#include <plait/bridge/shaped_reorder.hpp>
#include <plait/typed/formats.hpp>

float data[384], out[1000];
plait::shaped_buffer buffer(data, plait::nChw16c<2, 17, 3, 2>(), plait::axis_map_c<0, 3, 1, 2>);

// The destination has 18 channels, on axis 3 of the framework's shape.
#ifdef FIXED
plait::shaped_buffer other(out, plait::nhwc<2, 17, 3, 2>(), plait::axis_map_c<0, 3, 1, 2>);
#else
plait::shaped_buffer other(out, plait::nhwc<2, 18, 3, 2>(), plait::axis_map_c<0, 3, 1, 2>);
#endif

void refused() { plait::reorder(buffer, other); }
