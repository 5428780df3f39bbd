#pragma once
// Output files, which replace the old file only when they are complete.

#include "output_place.hpp"
#include "unfinished_file.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace tool {

/// A file of a given size that is being written completely. It is mapped without a name, on disk space that is reserved
/// for it; commit() gives it its name. Until then, and if anything fails, the old file is unchanged. If the path is a
/// link, the file that it points to is written.
///
/// An open output, such as standard output ("-", /dev/stdout), and a file that is not regular, such as /dev/null, are
/// written at commit().
class output_bytes {
public:
    output_bytes(const std::string& path, std::size_t bytes);
    output_bytes(const output_bytes&) = delete;
    output_bytes& operator=(const output_bytes&) = delete;
    ~output_bytes();

    std::byte* data() { return data_; }
    /// Returns the memory of pages that were written to the file. Has no effect if they are not in a file yet.
    void forget();
    void commit();

private:
    [[noreturn]] void fail();  // with errno
    void write_through(int descriptor);

    std::string path_;
    std::size_t bytes_, mapped_;  ///< an empty file is mapped too
    int open_;                    ///< the descriptor that is written to, or -1
    std::byte* data_ = nullptr;
    std::unique_ptr<unfinished_file> file_;
};

/// Writes a whole file in the way of output_bytes: text, or the output of a program.
void write_file(const std::string& path, std::string_view content);

}  // namespace tool
