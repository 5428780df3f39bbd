#pragma once
// How the tool ends if it cannot do a command: exit code 1 if the command is rejected, 2 for an invalid command line.
// plait diff of files ends as diff(1) does: 1 if they differ, 2 for anything else.

#include <stdexcept>
#include <string>
#include <vector>

namespace tool {

/// Returns text that quotes a file or an argument, without its line breaks and other control characters.
inline std::string in_one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

/// The command was understood, but cannot be done. Has one sentence that names the value and the place, and lines to
/// print after it, e.g. the layouts and the nearest thing that works. Ends the program with its exit code.
class failure : public std::runtime_error {
public:
    explicit failure(const std::string& sentence, std::vector<std::string> below = {}, int exit_code = 1)
        : std::runtime_error(in_one_line(sentence)), below_(std::move(below)), exit_code_(exit_code) {
        for (std::string& line : below_) line = in_one_line(line);
    }
    const std::vector<std::string>& below() const { return below_; }
    int exit_code() const { return exit_code_; }

private:
    std::vector<std::string> below_;
    int exit_code_;
};

/// Two files were compared, and they differ; how they do was printed. Ends the program with exit code 1.
struct different {};
/// The exit code of a comparison of files that could not be done.
inline constexpr int exit_code_of_trouble = 2;

/// The command line has too few or too many words. Ends the program with exit code 2.
struct wrong_usage : std::runtime_error {
    explicit wrong_usage(const std::string& sentence) : std::runtime_error(in_one_line(sentence)) {}
};

/// Returns "name      text", in the form of the lines of plait::explain.
inline std::string line(const std::string& name, const std::string& text) {
    return name + std::string(name.size() < 10 ? 10 - name.size() : 1, ' ') + text;
}

}  // namespace tool
