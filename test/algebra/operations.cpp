#include <plait/algebra/operations.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace test_algebra_operations {

using namespace plait;

TEST_CASE("for_each_operation: each once, by its name, in alphabetical order") {
    std::vector<std::string> names;
    for_each_operation([&](const char* name, auto) { names.emplace_back(name); });
    CHECK(names.size() >= 27);
    for (std::size_t i = 1; i < names.size(); ++i) CHECK(names[i - 1] < names[i]);
    CHECK(names.front() == "adapt");
    CHECK(names.back() == "with_strides");
}

}  // namespace test_algebra_operations
