#pragma once
// A file that has no name until it is whole.

#include <string>

namespace tool {

/// A new file in the directory of `path`. Where the file system has files without names (O_TMPFILE), it has none before
/// keep(), so that nothing is left of it if the process is killed. Elsewhere, and for the moment in which it takes the
/// place of another file, its name is .plait-unfinished-0 or with a larger number, and the file is locked: the next run
/// in that directory removes what nobody locks.
class unfinished_file {
public:
    /// `descriptor() < 0`, and errno is set, if it cannot be made.
    explicit unfinished_file(std::string path);
    unfinished_file(const unfinished_file&) = delete;
    unfinished_file& operator=(const unfinished_file&) = delete;
    ~unfinished_file();

    int descriptor() const { return descriptor_; }
    /// Puts it in its place; false, and errno is set, if that fails.
    bool keep();

private:
    bool make_named();
    bool link_named();
    void set_name(const std::string& name);

    std::string path_, directory_, name_;  ///< name_: empty while it has none
    int descriptor_ = -1;
};

}  // namespace tool
