#pragma once
// The headers that most tests include, compiled once per program (test/CMakeLists.txt). Each file still includes what
// it uses, because each header of plait is also compiled alone. Only those headers of plait are here that nearly all
// tests include, because a change of one of them recompiles all tests.

#include <doctest/doctest.h>

#include <plait/core/layout.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
