#pragma once
// NumPy's .npz files: zip archives of .npy files, stored or deflated.

#include "stored_array.hpp"
#include "zip_member.hpp"

namespace tool {

/// Reads all members, in the order of the archive's directory; array names lack ".npy". Every checksum is compared.
/// Members that are not arrays, or that cannot be read, are returned so that they can be kept.
///
/// Throws failure: as read_zip_directory; methods other than stored and deflated; damaged bytes.
std::vector<stored_array> read_npz(const std::string& file, std::span<const std::byte> bytes);

/// A member of an archive to be written; it is not deflated.
struct zip_entry {
    std::string name;
    std::uint64_t bytes = 0;  ///< of header and data
    std::uint32_t checksum = 0;
    std::uint64_t begin = 0;  ///< the place of its local header
};
/// Returns the header in front of an entry's bytes. To fill in the checksum later, the header can be written again.
std::string zip_local_header(const zip_entry& entry);
/// Returns the directory, which follows the last entry and begins at `begin`.
std::string zip_directory(const std::vector<zip_entry>& entries, std::uint64_t begin);

}  // namespace tool
