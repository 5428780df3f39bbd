// EXPECT: record_tags_differ
// NUMBERS: 13, 0
#include <plait/packed/record_operations.hpp>

constexpr plait::record first("nk: w:s8 NK 4n 4k", {16, 96});

#ifdef FIXED
constexpr plait::record second("nk: w:s8 NK 4n 4k", {8, 96});
#else
constexpr plait::record second("nk: w:s8 NK 8n 4k", {8, 96});
#endif
constexpr plait::record refused = plait::concatenate_along(first, second, 0);
