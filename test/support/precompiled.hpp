#pragma once
// What most tests begin with, read once for all files of a program (test/CMakeLists.txt). Files include what they use
// all the same: each header of plait is compiled alone too. No more of plait is here than nearly all of them have: who
// changes it compiles them all.

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
