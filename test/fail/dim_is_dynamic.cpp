// EXPECT: dim_is_dynamic
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout activations({1, 16, 5, 4}, "nchw");
#else
constexpr plait::layout activations({plait::dynamic, 16, 5, 4}, "nchw");
#endif
constexpr std::size_t refused = activations.element_span();
