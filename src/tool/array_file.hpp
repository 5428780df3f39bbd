#pragma once
// Files of arrays in every format that the tool supports: .npy, .npz, .safetensors.

#include "stored_array.hpp"

#include <functional>
#include <string_view>

namespace tool {

enum class file_kind { npy, npz, safetensors };

/// How the names of files of each kind end, in the order of file_kind.
inline constexpr std::string_view file_endings[] = {".npy", ".npz", ".safetensors"};

/// True if a name ends as that of a file of arrays.
bool has_file_ending(std::string_view name);

/// Returns the names of the files of a directory that end as files of arrays, sorted. Throws failure if there is none.
std::vector<std::string> files_in(const std::string& directory);

/// Returns the format by the ending of the name; .npy for other endings, and for "-".
file_kind kind_of_name(const std::string& path);

/// Returns the format of an output by the ending of its name; .npy if the name has none, and for open outputs and
/// devices. Throws failure for another ending, in which nobody expects a .npy file.
file_kind kind_of_output(const std::string& path);

/// An open file with its contents; the arrays point into it.
struct array_file {
    std::unique_ptr<input_bytes> bytes;
    file_kind kind = file_kind::npy;
    std::vector<stored_array> arrays;
    std::string metadata;  ///< for .safetensors
};
/// Reads a file in the format that its first bytes indicate.
array_file read_array_file(const std::string& path);

/// An array to be written: its description, and the function that writes its data.
struct written_array {
    stored_array what;  ///< name, type, shape, size of the data; for a member of .npz its name and size
    std::function<void(std::byte*)> fill;
    bool is_member = false;  ///< a member of .npz, written unchanged with its header

    std::uint64_t size() const { return is_member ? what.member.size : what.data.size; }
};
/// Writes all arrays to one file, which replaces the old file only when it is complete.
///
/// Throws failure: several arrays in one .npy file, a type that the archive does not support, a file that cannot be
/// written, and what `fill` throws
void write_array_file(const std::string& path, file_kind kind, std::vector<written_array> arrays,
                      const std::string& metadata = "");

}  // namespace tool
