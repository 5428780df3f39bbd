#pragma once
// Files as bytes, read by mapping them, so that they may be larger than memory.

#include "errors.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tool {

/// Page-aligned memory, so that kernels can use non-temporal stores. It is returned to the system when it is released,
/// so that a sequence of large arrays takes no more memory than the largest.
class buffer {
public:
    explicit buffer(std::size_t bytes);
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    ~buffer();

    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    std::size_t size_;
    std::byte* data_ = nullptr;
};

/// All bytes of a file, or of standard input for "-". A regular file is mapped; a pipe is read to its end.
///
/// Throws failure: cannot be opened, cannot be read, a directory. If another program truncates a file while it is read,
/// the tool ends with a sentence: signals.hpp.
class input_bytes {
public:
    explicit input_bytes(const std::string& path);
    input_bytes(const input_bytes&) = delete;
    input_bytes& operator=(const input_bytes&) = delete;
    ~input_bytes();

    const std::string& name() const { return name_; }  ///< the path, or "standard input"
    std::span<const std::byte> bytes() const { return bytes_; }
    /// Returns the memory of pages that were read, so that a large file does not fill it. They are read again if
    /// needed.
    void forget() const;

private:
    std::string name_;
    std::span<const std::byte> bytes_;
    void* mapped_ = nullptr;
    std::string read_;  // the contents of a pipe
};

}  // namespace tool
