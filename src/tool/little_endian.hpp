#pragma once
// Numbers in archives.

#include "errors.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tool {

/// Reads numbers of 1 to 8 bytes, lowest byte first, as in archives.
class little_endian {
public:
    little_endian(std::string file, std::span<const std::byte> bytes) : file_(std::move(file)), bytes_(bytes) {}
    /// Throws failure if the bytes do not exist; the message says what they were needed for.
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
