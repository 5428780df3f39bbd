#pragma once
// NumPy's .npy files: the header read strictly.

#include "stored_array.hpp"

namespace tool {

/// Reads an array, whose elements may be of a type that is not moved. Throws failure for anything but a whole array.
stored_array read_npy(const std::string& file, std::span<const std::byte> bytes);

/// Whether the bytes begin as those of a .npy file.
bool is_npy(std::span<const std::byte> bytes);

/// The name of an array that has none, in an archive, as NumPy gives it.
inline constexpr char default_array_name[] = "arr_0";

/// What stands in front of the data, in C order; a multiple of 64 bytes.
std::string npy_header(const std::string& type, const std::vector<std::int64_t>& shape);

}  // namespace tool
