#pragma once
// The name of printf's formats in gnu::format. With MinGW-w64, std::vsnprintf and std::vfprintf know C99's conversions,
// e.g. %zu, but the attribute's `printf` has those of Windows.

#include <cstdio>

#if defined(__MINGW_PRINTF_FORMAT)
#define PLAIT_PRINTF_FORMAT __MINGW_PRINTF_FORMAT
#else
#define PLAIT_PRINTF_FORMAT printf
#endif
