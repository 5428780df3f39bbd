#include "output_place.hpp"

#include "errors.hpp"
#include "system.hpp"

#include <filesystem>

namespace tool {

namespace {

namespace fs = std::filesystem;
constexpr int most_links = 40;  // the kernel's limit
constexpr int standard_output = 1;

/// Returns the target of a link; a relative target is in the link's directory.
fs::path next_of(const fs::path& link) {
    std::error_code ignored;
    return link.parent_path() / fs::read_symlink(link, ignored);
}

bool is_link(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(path, ignored);
}

/// Checks that this is the directory of this process's open files.
bool has_descriptors(const fs::path& directory) {
    std::error_code ignored;
    const fs::path there = fs::canonical(directory, ignored);
    for (const char* const own : {"/proc/self/fd", "/proc/thread-self/fd"})
        if (!there.empty() && there == fs::canonical(own, ignored)) return true;
    return false;
}

}  // namespace

std::string behind_links(const std::string& path) {
    fs::path out = path_of(path);
    for (int i = 0; is_link(out); ++i) {
        if (i == most_links) throw failure(path + ": cannot be written: its links lead to each other");
        out = next_of(out);
    }
    return text_of_path(out);
}

int open_descriptor(const std::string& path) {
    if (path == "-") return standard_output;
    fs::path at = path_of(path);
    for (int i = 0; i < most_links; ++i) {
        const std::string name = text_of_path(at.filename());
        const bool is_number = !name.empty() && name.size() < 7 && name.find_first_not_of("0123456789") == name.npos;
        if (is_number && has_descriptors(at.parent_path())) return std::stoi(name);
        if (!is_link(at)) break;
        at = next_of(at);
    }
    return -1;
}

bool is_standard_output(const std::string& path) {
    if (open_descriptor(path) == standard_output) return true;
    const std::optional<file_number> there = number_of_file(path);
    return there && there == number_of_file(standard_output);
}

namespace {

/// Returns the absolute path of a file that may not exist yet, without links.
std::string place_of(const std::string& path) {
    std::error_code ignored;
    const fs::path file = path_of(behind_links(path));
    const fs::path directory = fs::weakly_canonical(file.has_parent_path() ? file.parent_path() : ".", ignored);
    return text_of_path(directory / file.filename());
}

/// Returns the number of letters that a name in this directory may have.
std::size_t most_letters_in(fs::path directory) {
    std::error_code ignored;
    while (!directory.empty() && !fs::exists(directory, ignored)) directory = directory.parent_path();
    return longest_name_in(directory.empty() ? "." : text_of_path(directory));
}

}  // namespace

void separate_outputs::add(const std::string& path) {
    const fs::path file = path_of(path);
    const std::size_t letters = file.filename().native().size(), most = most_letters_in(file.parent_path());
    if (letters > most)
        throw failure(path + ": cannot be written: the name of the file has " + std::to_string(letters) +
                      (sizeof(fs::path::value_type) == 1 ? " bytes" : " letters") + ", but at most " +
                      std::to_string(most) + " are possible");
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) throw failure(path + ": cannot be written: Is a directory");
    const auto [at, is_new] = planned_.try_emplace(place_of(path), path);
    if (!is_new) throw failure(path + ": is the same file as " + at->second + ", which is written, too");
}

void separate_outputs::begin(const std::string& path) const {
    const std::optional<file_number> there = number_of_file(path);
    if (!there) return;
    const auto at = written_.find(*there);
    if (at != written_.end())
        throw failure(path + ": is the same file as " + at->second +
                      ", which was written just now: the file system does not distinguish these names");
}

void separate_outputs::end(const std::string& path) {
    if (const std::optional<file_number> there = number_of_file(path)) written_.try_emplace(*there, path);
}

}  // namespace tool
