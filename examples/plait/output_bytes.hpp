#pragma once
// Files that are written: no part of one is ever in its place.

#include "output_place.hpp"
#include "unfinished_file.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace tool {

/// A file that is being made, so many bytes, all to be written. It is mapped without a name, on disk that is kept free
/// for it; commit() puts it in its place. Before that, and where anything fails, the old file stays as it is. A link
/// stays a link: what it leads to is written.
///
/// What is open already, as standard output ("-", /dev/stdout), and what is no regular file, as /dev/null, are written
/// to at commit().
class output_bytes {
public:
    output_bytes(const std::string& path, std::size_t bytes);
    output_bytes(const output_bytes&) = delete;
    output_bytes& operator=(const output_bytes&) = delete;
    ~output_bytes();

    std::byte* data() { return data_; }
    void commit();

private:
    [[noreturn]] void fail();  // with errno
    void write_through(int descriptor);

    std::string path_;
    std::size_t bytes_, mapped_;  ///< an empty file is mapped, too
    int open_;                    ///< the descriptor that is written to; -1: none
    std::byte* data_ = nullptr;
    std::unique_ptr<unfinished_file> file_;
};

/// Writes a whole file, as output_bytes does: text, or what a program made.
void write_file(const std::string& path, std::string_view content);

}  // namespace tool
