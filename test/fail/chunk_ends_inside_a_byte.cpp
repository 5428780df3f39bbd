// EXPECT: chunk_ends_inside_a_byte
#include <plait/packed/record_operations.hpp>

#ifdef FIXED
constexpr plait::record rows("nk: w:u4 nk", {4, 6});
#else
constexpr plait::record rows("nk: w:u4 nk", {4, 5});
#endif
constexpr auto refused = plait::submemory(rows, {1, rows.dims[1]}, {1, 0});
