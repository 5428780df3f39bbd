// EXPECT: each axis needs a letter of its own
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::format_tag refused = plait::axis_names<"bhsd">::tag("bshd");
#else
constexpr plait::format_tag refused = plait::axis_names<"bhsh">::tag("bsh");
#endif
