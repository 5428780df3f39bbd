#pragma once
// The one macro of the public headers; CMake reads the version from this line.
#define PLAIT_VERSION "0.1.0"

#if __cplusplus < 202002L
#error "plait needs C++20: compile with -std=c++20 or later"
#include <plait needs C++20>  // no such file: compilers stop here, instead of thousands of errors further on
#endif
