// EXPECT: axis_is_blocked
// NUMBERS: 1, 16, 64
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

// The reshape is refused for all extents, so the compiler refuses it.
#ifdef FIXED
using activations = plait::nchw<plait::dynamic, 64, plait::dynamic, 7>;
#else
using activations = plait::nChw16c<plait::dynamic, 64, plait::dynamic, 7>;
#endif
plait::layout split_channels(int batch, int height) {
    return plait::reshape(plait::bind(activations{}, batch, height),
                          plait::dims_c<plait::dynamic, 4, 16, plait::dynamic, 7>);
}
