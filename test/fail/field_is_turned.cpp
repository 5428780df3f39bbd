// EXPECT: field_is_turned
#include <plait/packed/record_layout.hpp>

#ifdef FIXED
constexpr plait::record panels("nk: N(bias:f32 8n /k, w:f32 K 4k 8n)", {32, 8});
#else
constexpr plait::record panels("nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)", {32, 8});
#endif
constexpr plait::layout refused = plait::layout_of(panels, "w");
