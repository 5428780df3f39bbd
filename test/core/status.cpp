#include <plait/core/status.hpp>

#include "support/static_check.hpp"

#include <string_view>

namespace test_core_status {

using namespace plait;

TEST_CASE("status: the names of the enumerators, and their numbers in C") {
    STATIC_CHECK(std::string_view(to_string(status::success)) == "success");
    STATIC_CHECK(std::string_view(to_string(status::out_of_memory)) == "out_of_memory");
    STATIC_CHECK(std::string_view(to_string(status::invalid_arguments)) == "invalid_arguments");
    STATIC_CHECK(std::string_view(to_string(status::unimplemented)) == "unimplemented");
    STATIC_CHECK(std::string_view(to_string(static_cast<status>(4))) == "unknown status");
    STATIC_CHECK(static_cast<int>(status::success) == 0 && static_cast<int>(status::out_of_memory) == 1);
    STATIC_CHECK(static_cast<int>(status::invalid_arguments) == 2 && static_cast<int>(status::unimplemented) == 3);
}

}  // namespace test_core_status
