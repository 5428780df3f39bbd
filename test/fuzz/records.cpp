// The code of records that a program compiles once, for itself: kernels.cpp is not sanitized, and this is.

#include <plait/packed/run_repack.hpp>
