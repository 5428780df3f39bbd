#pragma once
// The one macro of the public headers; CMake reads the version from this line.
#define PLAIT_VERSION "0.1.0"
