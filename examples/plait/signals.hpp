#pragma once
// How external events end the tool's process, and its initialisation.

#include <string>

namespace tool {

/// Initialises the process; must be called first.
/// - If the caller closed standard input, output or error, it stays closed, so that no file opened later takes its
/// place.
/// - A signal that ends the tool removes the unfinished file.
/// - The signal for a truncated mapped file ends the tool with a sentence and exit code 1.
/// - Exceeding the file size limit is an error of the write.
void prepare_process();

/// Sets the file that has a temporary name until it is complete; "" if there is none. At most one at a time.
void set_unfinished_file(const std::string& path);

}  // namespace tool
