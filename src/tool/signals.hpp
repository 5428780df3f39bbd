#pragma once
// How external events end the tool's process, and its initialisation.

#include <string>

namespace tool {

/// Initialises the process; must be called first.
/// - If the caller closed standard input, output or error, it stays closed, so that no file opened later takes its
/// place.
/// - A signal that ends the tool removes the unfinished file.
/// - The signal for a truncated mapped file ends the tool with a sentence and exit code 1, or another that is set.
/// - Exceeding the file size limit is an error of the write.
void prepare_process();

/// Holds back signals that end the process, for this thread and as long as the object lives. A file that is created
/// must not exist without the handler knowing its name.
class held_signals {
public:
    held_signals();
    ~held_signals();
    held_signals(const held_signals&) = delete;
    held_signals& operator=(const held_signals&) = delete;

private:
    unsigned held_ = 0;  ///< bit i: the signal number i of those that end the process
};

/// Sets the exit code for a mapped file that another program truncates.
void set_exit_code_of_short_file(int exit_code);

/// Sets the file that has a temporary name until it is complete; "" if there is none. At most one at a time.
void set_unfinished_file(const std::string& path);

}  // namespace tool
