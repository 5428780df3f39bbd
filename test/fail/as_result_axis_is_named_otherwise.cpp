// EXPECT: axis_is_named_otherwise
// NUMBERS: 0, 110, 111
#include <plait/bridge/shaped_operations.hpp>
#include <plait/typed/formats.hpp>

float data[384];
plait::tensor_view made(data, plait::nChw16c<2, 17, 3, 2>());

#ifdef FIXED
auto refused = plait::as_result<"nchw", "nhwc">(made);
#else
auto refused = plait::as_result<"oihw", "hwio">(made);
#endif
