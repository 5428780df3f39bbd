// The code that a C++ program compiles once; the C interface calls it as well. Without CMake:
// g++ ... program.cpp src/kernels.cpp

#include <plait/implementation.hpp>
