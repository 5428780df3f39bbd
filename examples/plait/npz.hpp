#pragma once
// NumPy's .npz files: zip archives of .npy files, stored or deflated.

#include "stored_array.hpp"

namespace tool {

bool is_zip(std::span<const std::byte> bytes);

/// All arrays, in the order of the archive's directory, called without ".npy". Every checksum is compared.
///
/// Throws failure: what is no whole zip archive, entries that are no .npy files, encrypted ones, other methods than
/// stored and deflated; deflated ones, too, where the tool was built without zlib.
std::vector<stored_array> read_npz(const std::string& file, std::span<const std::byte> bytes);

/// What is written for one array of an archive: not deflated.
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
std::uint32_t zip_checksum(std::span<const std::byte> bytes);

}  // namespace tool
