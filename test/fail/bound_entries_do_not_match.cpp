// EXPECT: bound_values_do_not_match
// NUMBERS: 2, 1
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

using plait::dynamic;

plait::layout split_channels(int batch, int height) {
    const auto activations = plait::bind(plait::nchw<dynamic, 64, dynamic, 7>{}, batch, height);
#ifdef FIXED
    return plait::reshape(activations, plait::dims_c<dynamic, 4, 16, dynamic, 7>);
#else
    return plait::reshape(activations, plait::dims_c<dynamic, 4, 16, 7, 7>);
#endif
}
