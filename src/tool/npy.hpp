#pragma once
// NumPy's .npy files, with a strict reader of the header.

#include "stored_array.hpp"

namespace tool {

/// Reads an array, whose elements may be of a type that is not moved. Throws failure unless the array is complete.
stored_array read_npy(const std::string& file, std::span<const std::byte> bytes);

/// Checks that the bytes begin like a .npy file.
bool is_npy(std::span<const std::byte> bytes);

/// The name that NumPy gives to an unnamed array in an archive.
inline constexpr char default_array_name[] = "arr_0";

/// Returns the header of an array in C order; its size is a multiple of 64 bytes.
std::string npy_header(const std::string& type, const std::vector<std::int64_t>& shape);

}  // namespace tool
