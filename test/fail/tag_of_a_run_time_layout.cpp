// EXPECT: tag_axis_is_doubled
// NUMBERS: 4, 2
#include <plait/core/layout.hpp>

#ifdef FIXED
plait::layout refused(int batch) { return {{batch, 16, 5, 4}, "nchw"}; }
#else
plait::layout refused(int batch) { return {{batch, 16, 5, 4}, "nchc"}; }
#endif
