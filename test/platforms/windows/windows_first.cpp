// windows.h with all of its macros, before the headers of plait, and min and max as MSVC's windows.h has them.
#include <windows.h>

// The standard library is not written for these macros.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define small char

#include <plait/packed.hpp>
#include <plait/plait.hpp>

int main() {}
