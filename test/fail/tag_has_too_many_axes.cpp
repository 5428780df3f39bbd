// EXPECT: tag_has_too_many_axes
// NUMBERS: 13, 13
#include <plait/core/layout.hpp>

using letters = plait::axis_names<"abcdefghijklmnop">;

#ifdef FIXED
plait::format_tag refused = letters::tag("abcdefghijkl");
#else
plait::format_tag refused = letters::tag("abcdefghijklm");
#endif
