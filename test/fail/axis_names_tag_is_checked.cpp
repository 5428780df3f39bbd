// EXPECT: tag_axis_is_doubled
// NUMBERS: 3, 1
#include <plait/core/layout.hpp>

using attention = plait::axis_names<"bhsd">;

#ifdef FIXED
plait::layout refused(int batch) { return plait::layout({batch, 8, 128, 64}, attention::tag("bshd")); }
#else
plait::layout refused(int batch) { return plait::layout({batch, 8, 128, 64}, attention::tag("bsbd")); }
#endif
