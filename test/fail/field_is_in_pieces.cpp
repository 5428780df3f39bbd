// EXPECT: field_is_in_pieces
#include <plait/packed/record_layout.hpp>

#ifdef FIXED
constexpr plait::record blocks("kn: w:f16 KN <512k 16n", {512, 32});
#else
constexpr plait::record blocks("kn: w:f16 KN <512k 16n", {600, 32});
#endif
constexpr plait::layout refused = plait::layout_of(blocks, "w");
