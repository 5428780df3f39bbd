// EXPECT: volumes_differ
// NUMBERS: 680, 681
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

constexpr auto activations = plait::nchw<2, 17, 5, 4>{};

#ifdef FIXED
constexpr auto refused = plait::reshape(activations, plait::dims_c<680>);
#else
constexpr auto refused = plait::reshape(activations, plait::dims_c<681>);
#endif
