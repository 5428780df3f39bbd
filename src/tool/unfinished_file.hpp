#pragma once
// A file that has no name until it is complete.

#include <string>

namespace tool {

/// A new file in the directory of `path`. If the file system supports files without names (O_TMPFILE), it has none
/// before keep(), so that nothing is left if the process is killed. Otherwise, and while it replaces another file, its
/// name is .plait-unfinished-0 or with a larger number, and the file is locked. The next run in that directory removes
/// files with such names that are not locked.
class unfinished_file {
public:
    /// If it cannot be created, `descriptor() < 0`, and errno is set.
    explicit unfinished_file(std::string path);
    unfinished_file(const unfinished_file&) = delete;
    unfinished_file& operator=(const unfinished_file&) = delete;
    ~unfinished_file();

    int descriptor() const { return descriptor_; }
    /// Gives the file its name; returns false, and sets errno, if that fails.
    bool keep();

private:
    bool make_named();
    bool link_named();
    void set_name(const std::string& name);

    std::string path_, directory_, name_;  ///< name_: empty while the file has no name
    int descriptor_ = -1;
};

}  // namespace tool
