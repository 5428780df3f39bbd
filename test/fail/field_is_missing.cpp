// EXPECT: field_is_missing
#include <plait/packed/record_layout.hpp>

constexpr plait::record panels("nk: N(bias:f32 8n /k, w:f32 k 8n)", {32, 5});

#ifdef FIXED
constexpr plait::layout refused = plait::layout_of(panels, "bias");
#else
constexpr plait::layout refused = plait::layout_of(panels, "b");
#endif
