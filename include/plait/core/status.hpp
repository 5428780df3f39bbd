#pragma once
// The status codes that C functions return.

#include <plait/version.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The status codes of the memory-descriptor RFC, with the numbers of plait_status_t.
enum class [[nodiscard]] status{success = 0, out_of_memory = 1, invalid_arguments = 2, unimplemented = 3};

/// Returns the name of the enumerator, or "unknown status" if the number is not an enumerator.
///
/// Pre:     none; any number
/// Post:    the names of distinct enumerators are distinct, and spelled as in the source
/// Cost:    one switch; the text is a literal that must not be freed
/// Source:  seeds rfc-memory-descriptor-operations, whose status codes these are
/// Example: to_string(status::invalid_arguments) is "invalid_arguments"
[[nodiscard]] constexpr const char* to_string(status s) {
    switch (s) {
        case status::success: return "success";
        case status::out_of_memory: return "out_of_memory";
        case status::invalid_arguments: return "invalid_arguments";
        case status::unimplemented: return "unimplemented";
    }
    return "unknown status";
}

}  // namespace plait
