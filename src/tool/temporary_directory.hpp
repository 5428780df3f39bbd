#pragma once
// A temporary directory.

#include "errors.hpp"
#include "system.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tool {

/// Creates a directory in TMPDIR, else in /tmp; the destructor removes it with its contents. Throws failure if it
/// cannot be created.
struct temporary_directory {
    std::filesystem::path path;

    temporary_directory() {
        std::error_code error;
        const std::filesystem::path where = std::filesystem::temp_directory_path(error);
        if (error) throw failure("the directory for temporary files, TMPDIR or /tmp: " + reason_of(error));
        path = path_of(make_directory_in(text_of_path(where)));
        if (path.empty())
            throw failure(text_of_path(where) + ": no directory can be made there: " + std::strerror(errno));
    }
    temporary_directory(const temporary_directory&) = delete;
    temporary_directory& operator=(const temporary_directory&) = delete;
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string file(const char* name) const { return text_of_path(path / name); }
};

}  // namespace tool
