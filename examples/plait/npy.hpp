#pragma once
// NumPy's .npy files: the header read strictly, the file written whole or not at all.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tool {

/// What is wrong, in one sentence that names the value and the place; ends the program with exit code 2.
struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Uninitialised memory that begins at a cache line, so that kernels may store past the cache.
class buffer {
public:
    explicit buffer(std::size_t bytes);
    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

private:
    struct release {
        void operator()(std::byte* memory) const;
    };
    std::size_t size_;
    std::unique_ptr<std::byte, release> data_;
};

/// An array as the file has it.
struct npy_array {
    std::string type;  ///< NumPy's name, such as "<f4"
    int element_bytes = 0;
    bool fortran_order = false;       ///< the first axis is the fastest
    std::vector<std::int64_t> shape;  ///< elements
    buffer data{0};
};

/// Reads a file; throws failure for anything but a whole, little-endian array of numbers of 1, 2, 4 or 8 bytes.
npy_array read_npy(const std::string& path);

/// Writes a file in C order; on failure no file is left behind, and one that was there is unchanged.
void write_npy(const std::string& path, const std::string& type, const std::vector<std::int64_t>& shape,
               const buffer& data);

}  // namespace tool
