// EXPECT: field_is_not_a_layout
#include <plait/packed/record_layout.hpp>

#ifdef FIXED
constexpr plait::record rows("nk: n(zero:u16 /k, scale:f16 k)", {4, 4});
#else
constexpr plait::record rows("nk: n(zero:u8 /k, scale:f16 k)", {4, 4});
#endif
constexpr plait::layout refused = plait::layout_of(rows, "scale");
