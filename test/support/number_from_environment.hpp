#pragma once
// Seeds and counts of random tests, which environment variables may override.

#include <cstdint>
#include <cstdlib>

namespace plait_test {

/// Returns the number in the environment variable `name`, or `otherwise` if the variable is not set.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace plait_test
