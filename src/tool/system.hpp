#pragma once
// What the tool asks of the operating system, apart from reading and writing files. system.cpp is for POSIX, and
// windows/ has the same functions for Windows, as it has those of file_bytes.hpp, output_bytes.hpp, signals.hpp and
// unfinished_file.hpp.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tool {

/// Returns the path of a name, and the name of a path. Names are UTF-8 everywhere; std::filesystem takes a char for
/// a letter on Windows.
inline std::filesystem::path path_of(const std::string& name) { return std::u8string(name.begin(), name.end()); }
inline std::string text_of_path(const std::filesystem::path& path) {
    const std::u8string name = path.u8string();
    return {name.begin(), name.end()};
}

/// Returns the words of the command line, in UTF-8.
std::vector<std::string> words_of_command_line(int argc, const char* const* argv);

/// Returns a sentence for an error of std::filesystem, in UTF-8.
std::string reason_of(const std::error_code& error);

/// Numbers that two names have in common if they are one file.
using file_number = std::pair<std::uintmax_t, std::uintmax_t>;
/// Returns the number of a file; empty if there is none, or if it has no number.
std::optional<file_number> number_of_file(const std::string& path);
/// Returns the number of an open file.
std::optional<file_number> number_of_file(int descriptor);

/// Returns the number of bytes that a name in this directory may have.
std::size_t longest_name_in(const std::string& directory);

/// Creates a directory with a new name in a directory, and returns its path; empty if that fails, with the reason in
/// errno.
std::string make_directory_in(const std::string& directory);

bool is_terminal(int descriptor);
/// Returns the width of the terminal that is standard output, in columns; 0 if it is none.
int terminal_columns();

/// Runs a program with arguments, without a shell, and waits for it. words[0] is its name, which is looked up in PATH.
/// Returns its exit code, -1 if it ended by a signal; empty if it cannot be started.
std::optional<int> run_program(std::vector<std::string> words);

}  // namespace tool
