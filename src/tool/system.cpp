#include "system.hpp"

#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

extern char** environ;

namespace tool {

namespace {

file_number number_in(const struct stat& of) { return {of.st_dev, of.st_ino}; }

}  // namespace

std::string reason_of(const std::error_code& error) { return error.message(); }

std::vector<std::string> words_of_command_line(int argc, const char* const* argv) { return {argv, argv + argc}; }

std::optional<file_number> number_of_file(const std::string& path) {
    struct stat there {};
    return ::stat(path.c_str(), &there) == 0 ? std::optional(number_in(there)) : std::nullopt;
}
std::optional<file_number> number_of_file(int descriptor) {
    struct stat there {};
    return ::fstat(descriptor, &there) == 0 ? std::optional(number_in(there)) : std::nullopt;
}

std::size_t longest_name_in(const std::string& directory) {
    const long most = ::pathconf(directory.c_str(), _PC_NAME_MAX);
    return most > 0 ? static_cast<std::size_t>(most) : 255;
}

std::string make_directory_in(const std::string& directory) {
    std::string name = directory + "/plait-XXXXXX";
    return ::mkdtemp(name.data()) == nullptr ? "" : name;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

int terminal_columns() {
    struct winsize window {};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

std::optional<int> run_program(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    int answer = 0;
    if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return {};
    if (::waitpid(child, &answer, 0) < 0 || !WIFEXITED(answer)) return -1;
    return WEXITSTATUS(answer);
}

}  // namespace tool
