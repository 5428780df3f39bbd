#pragma once
// The directory of a zip archive, checked against the archive; rejects archives that programs may read differently.

#include "little_endian.hpp"

#include <vector>

namespace tool {

/// A member of an archive, as described by both the directory and its own header.
struct zip_member {
    std::string name;
    std::uint64_t method = 0, checksum = 0, unpacked = 0;
    std::uint64_t begin = 0, packed = 0;  ///< the place and size of its bytes in the archive
};

/// Reads all members, in the order of the directory.
///
/// Throws failure, with the place: an incomplete zip archive; counts that differ, or a directory of another size; a
/// member whose own header has another name, method, size or checksum; members that overlap each other or the
/// directory; bytes that belong to none; names that are duplicate or contain NUL; encrypted members; archives in
/// several parts.
std::vector<zip_member> read_zip_directory(const std::string& file, std::span<const std::byte> bytes);

bool is_zip(std::span<const std::byte> bytes);

}  // namespace tool
