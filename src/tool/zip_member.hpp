#pragma once
// The bytes of a member of a zip archive, stored or deflated.

#include "file_bytes.hpp"
#include "zip_directory.hpp"

namespace tool {

std::uint32_t zip_checksum(std::span<const std::byte> bytes);

/// Returns the bytes of a deflated member in new memory. Throws failure, with the place, if they are damaged or their
/// size is not that in the archive.
std::shared_ptr<buffer> inflate_member(std::span<const std::byte> packed, std::uint64_t bytes,
                                       const std::string& where);

}  // namespace tool
