#pragma once
// NumPy's .npz files: zip archives of .npy files, stored or deflated.

#include "stored_array.hpp"
#include "zip_member.hpp"

namespace tool {

/// All members, in the order of the archive's directory; arrays are called without ".npy". Every checksum is compared.
/// What is no array, or one that cannot be read, is there to be kept.
///
/// Throws failure: what read_zip_directory refuses, other methods than stored and deflated, damaged bytes; deflated
/// ones, too, where the tool was built without zlib.
std::vector<stored_array> read_npz(const std::string& file, std::span<const std::byte> bytes);

/// What is written for one member of an archive: not deflated.
struct zip_entry {
    std::string name;
    std::uint64_t bytes = 0;  ///< header and data
    std::uint32_t checksum = 0;
    std::uint64_t begin = 0;  ///< where its local header is
};
/// In front of the bytes of an entry; the checksum may be filled in later, by writing it once more.
std::string zip_local_header(const zip_entry& entry);
/// Behind the last entry, which ends at `begin`.
std::string zip_directory(const std::vector<zip_entry>& entries, std::uint64_t begin);

}  // namespace tool
