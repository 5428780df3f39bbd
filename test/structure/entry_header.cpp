// A user's unit that includes one header, ENTRY, with all warnings as errors, after globals and macros with common
// names. The headers are compiled as if they were the user's own.

#include "common_names.hpp"
// The standard library's headers come before macros, as in a user's unit.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// oneTBB and MPI do not support all of the macros themselves.
#if !defined(WITHOUT_MACROS)
#include "common_macros.hpp"
#endif
//
#include ENTRY

int main() {}
