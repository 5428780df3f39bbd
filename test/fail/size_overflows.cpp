// EXPECT: size_overflows
// NUMBERS: 4294967296, 4294967296
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({65536, 65536}, "ab");
#else
constexpr plait::layout refused({4294967296, 4294967296}, "ab");
#endif
