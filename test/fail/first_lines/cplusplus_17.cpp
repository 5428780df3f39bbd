// BOTH: plait needs C++20: compile with -std=c++20 or later
// STANDARD: c++17
// ERRORS: 2

#include <plait/plait.hpp>

int main() { return 0; }
