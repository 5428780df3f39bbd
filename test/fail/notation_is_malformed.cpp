// EXPECT: notation_is_malformed
// NUMBERS: 5, 0
#include <plait/io/xla_layout.hpp>

#ifdef FIXED
constexpr auto refused = plait::parse_xla_layout("{1,0}", {8, 8}).value();
#else
constexpr auto refused = plait::parse_xla_layout("{1,0", {8, 8}).value();
#endif
