// Tensors of frameworks.
#include <plait/bridge/axis_map_of.hpp>
#include <plait/bridge/shaped_operations.hpp>
#include <plait/bridge/shaped_reorder.hpp>
#include <plait/typed/formats.hpp>

float data[384];
plait::tensor_view made(data, plait::nChw16c<2, 17, 3, 2>());
plait::shaped_buffer buffer(made, plait::axis_map_c<0, 3, 1, 2>);

// EXPECT: rank_differs (2, 4)
auto refused = plait::as_operand<"oi", "io">(buffer);
// FIXED: auto refused = plait::as_operand<"oihw", "hwio">(buffer);

// EXPECT: axis_is_named_otherwise (0, 110, 111)
auto refused = plait::as_result<"oihw", "hwio">(made);
// FIXED: auto refused = plait::as_result<"nchw", "nhwc">(made);

// EXPECT: axis_name_is_missing (0, 110)
// n and k may both be the batch, but the names do not match.
constexpr auto refused = plait::axis_map_of<"nchw", "khwc">();
// FIXED: constexpr auto refused = plait::axis_map_of<"nchw", "nhwc">();

// EXPECT: not_a_permutation (3, 3, 4)
plait::shaped_buffer refused(made, plait::axis_map_c<0, 3, 1, 3>);
// FIXED: plait::shaped_buffer refused(made, plait::axis_map_c<0, 3, 1, 2>);

// EXPECT: rank_differs (3, 4)
plait::shaped_buffer refused(made, plait::axis_map_c<0, 2, 1>);
// FIXED: plait::shaped_buffer refused(made, plait::axis_map_c<0, 3, 1, 2>);

// EXPECT: dims_differ (3, 17, 18)
float out[1000];
// The destination has 18 channels, on axis 3 of the framework's shape.
plait::shaped_buffer other(out, plait::nhwc<2, 18, 3, 2>(), plait::axis_map_c<0, 3, 1, 2>);
// FIXED: plait::shaped_buffer other(out, plait::nhwc<2, 17, 3, 2>(), plait::axis_map_c<0, 3, 1, 2>);
void refused() { plait::reorder(buffer, other); }

// EXPECT: axis_is_padded (3, 32, 17)
auto refused = plait::reshape(buffer, plait::dims_c<2, 102>);
// FIXED: // Height and width are neighbours in memory; the padded channels are not a neighbour of them.
// FIXED: auto refused = plait::reshape(buffer, plait::dims_c<2, 6, 17>);

// EXPECT: not_a_permutation (2, 1, 4)
auto refused = plait::transpose(buffer, plait::permutation_c<0, 1, 1, 2>);
// FIXED: auto refused = plait::transpose(buffer, plait::permutation_c<0, 1, 3, 2>);

// EXPECT: rank_differs (3, 4)
auto refused = plait::transpose(buffer, plait::permutation_c<0, 2, 1>);
// FIXED: auto refused = plait::transpose(buffer, plait::permutation_c<0, 1, 3, 2>);
