// EXPECT: axis_is_out_of_range
// NUMBERS: 4, 4
#include <plait/algebra/slice.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

constexpr auto activations = plait::nchw<2, 17, 5, 4>{};

#ifdef FIXED
constexpr auto refused = plait::slice(activations, std::integral_constant<int, 3>{}, std::integral_constant<int, 0>{});
#else
constexpr auto refused = plait::slice(activations, std::integral_constant<int, 4>{}, std::integral_constant<int, 0>{});
#endif
