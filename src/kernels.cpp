// What is compiled once in a program of C++, and what the C interface calls. By hand: g++ ... program.cpp
// src/kernels.cpp

#include <plait/implementation.hpp>
