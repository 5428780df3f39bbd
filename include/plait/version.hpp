#pragma once
// The version; CMake reads it from this line. unit_flags.hpp has the only other macro of the public headers.
#define PLAIT_VERSION "0.1.0"

#if __cplusplus < 202002L
#error "plait needs C++20: compile with -std=c++20 or later"
#include <plait needs C++20>  // no such file: compilers stop here, instead of thousands of errors further on
#endif

#include <plait/unit_flags.hpp>
