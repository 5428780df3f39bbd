#pragma once
// An array as a file has it, whatever file that is.

#include "array_type.hpp"
#include "file_bytes.hpp"

#include <cstdint>

namespace tool {

/// An array whose data lies in the bytes of its file, or in memory where it had to be unpacked.
struct stored_array {
    std::string name;  ///< in an archive; else empty
    array_type type;
    bool fortran_order = false;       ///< the first axis is the fastest
    std::vector<std::int64_t> shape;  ///< elements
    std::span<const std::byte> data;
    std::shared_ptr<buffer> unpacked;  ///< what `data` is in, where that is not the file
};

/// "(2, 17, 5, 4)", "(7,)", as Python has it.
std::string as_text(const std::vector<std::int64_t>& shape);

/// The bytes that the shape and the type need; throws failure where 63 bits do not count them.
std::int64_t bytes_of(const std::string& file, const array_type& type, const std::vector<std::int64_t>& shape);

/// Reads numbers of 1 to 8 bytes, the lowest byte first, as archives have them.
class little_endian {
public:
    little_endian(std::string file, std::span<const std::byte> bytes) : file_(std::move(file)), bytes_(bytes) {}
    /// Throws failure, which says what they were wanted for, where they are not there.
    std::span<const std::byte> part(std::uint64_t at, std::uint64_t size, const std::string& what) const {
        if (at > bytes_.size() || size > bytes_.size() - at) throw failure(file_ + ": ends within " + what);
        return bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
    }
    std::uint64_t number(std::uint64_t at, int bytes, const std::string& what) const {
        std::uint64_t out = 0;
        const auto from = part(at, static_cast<std::uint64_t>(bytes), what);
        for (std::size_t i = from.size(); i-- > 0;) out = out << 8 | static_cast<std::uint64_t>(from[i]);
        return out;
    }
    std::size_t size() const { return bytes_.size(); }
    const std::string& file() const { return file_; }

private:
    std::string file_;
    std::span<const std::byte> bytes_;
};

}  // namespace tool
