#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "support/test_data.hpp"

#include <doctest/doctest.h>

// test/CMakeLists.txt says the paths. Programs that read no data compile this file without them.
#ifdef PLAIT_TEST_DATA
std::string plait_test::data_folder() { return PLAIT_TEST_DATA; }
std::string plait_test::recorded_cases_file() { return PLAIT_RECORDED_CASES; }
#endif
