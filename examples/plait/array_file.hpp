#pragma once
// Files of arrays of every kind that the tool knows: .npy, .npz, .safetensors.

#include "stored_array.hpp"

#include <functional>

namespace tool {

enum class file_kind { npy, npz, safetensors };

/// By the ending of the name; .npy where it has none of the others, as for "-".
file_kind kind_of_name(const std::string& path);

/// An open file with what is in it; the arrays point into it.
struct array_file {
    std::unique_ptr<input_bytes> bytes;
    file_kind kind = file_kind::npy;
    std::vector<stored_array> arrays;
    std::string metadata;  ///< of .safetensors
};
/// Reads what the first bytes say that it is.
array_file read_array_file(const std::string& path);

/// An array that is to be written: what is said of it, and what puts its bytes where they go.
struct written_array {
    stored_array what;  ///< name, type, shape, size of the data; of a member of .npz its name and size
    std::function<void(std::byte*)> fill;
    bool is_member = false;  ///< a member of .npz as it was read, header and all

    std::uint64_t size() const { return is_member ? what.member.size : what.data.size; }
};
/// Writes all of them in one file, which stands in its place only when it is whole.
///
/// Throws failure: several arrays in one .npy file, an archive for a type that it has not, what cannot be written, and
/// what `fill` throws
void write_array_file(const std::string& path, file_kind kind, std::vector<written_array> arrays,
                      const std::string& metadata = "");

}  // namespace tool
