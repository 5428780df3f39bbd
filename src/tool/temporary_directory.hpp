#pragma once
// A temporary directory.

#include "errors.hpp"

#include <cerrno>
#include <cstdlib>
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
        if (error) throw failure("the directory for temporary files, TMPDIR or /tmp: " + error.message());
        std::string name = (where / "plait-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw failure(name + ": cannot be made: " + std::strerror(errno));
        path = name;
    }
    temporary_directory(const temporary_directory&) = delete;
    temporary_directory& operator=(const temporary_directory&) = delete;
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string file(const char* name) const { return (path / name).string(); }
};

}  // namespace tool
