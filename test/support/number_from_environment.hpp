#pragma once
// Seeds and counts of random tests, which the environment may say.

#include <cstdint>
#include <cstdlib>

namespace plait_test {

/// The number that a variable of the environment has; of one that is not set the other number.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace plait_test
