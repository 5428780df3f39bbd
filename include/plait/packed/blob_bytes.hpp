#pragma once
// The header of a blob as bytes: its fields, the hash of its text, the checksum of its record.

#include <plait/packed/record_bits.hpp>

#include <cstring>
#include <span>
#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Where the fields of a blob's header are, in bytes from its beginning. Numbers are little-endian.
struct blob_fields {
    static constexpr std::size_t magic = 0;         // 8 bytes
    static constexpr std::size_t version = 8;       // 4
    static constexpr std::size_t header_size = 12;  // 4
    static constexpr std::size_t record_size = 16;  // 8
    static constexpr std::size_t text_hash = 24;    // 8, FNV-1a
    static constexpr std::size_t checksum = 32;     // 8, or 0
    static constexpr std::size_t alignment = 40;    // 4
    static constexpr std::size_t text_length = 44;  // 4
    static constexpr std::size_t key = 48;          // 16, zeros after its end
    static constexpr std::size_t text = 64;         // and zeros to the end of the header
};
inline constexpr std::string_view blob_magic = "plaitrec";
inline constexpr std::uint32_t blob_version = 1;
inline constexpr std::size_t blob_key_size = 16;

constexpr std::uint64_t load_little(const std::byte* from, std::size_t bytes) {
    return bytes == 4 ? bits_in_bytes<32, 0, 0>::load(from, 0) : bits_in_bytes<64, 0, 0>::load(from, 0);
}
constexpr void store_little(std::byte* to, std::size_t bytes, std::uint64_t value) {
    bytes == 4 ? bits_in_bytes<32, 0, 0>::store(to, 0, value) : bits_in_bytes<64, 0, 0>::store(to, 0, value);
}

inline constexpr std::uint64_t fnv_start = 0xcbf29ce484222325, fnv_prime = 0x100000001b3;

/// Returns the 64-bit FNV-1a hash of a text.
constexpr std::uint64_t fnv_1a(std::string_view text) {
    std::uint64_t state = fnv_start;
    for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * fnv_prime;
    return state;
}

/// Copies bytes, or none: memcpy takes no null pointer. <algorithm> takes a tenth of a second to compile.
inline void copy_bytes(std::span<const std::byte> from, std::byte* to) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

/// The checksum of bytes that are added part by part; it is not 0.
///
/// The bytes are read as little-endian words of 64 bits, the last one filled with zeros. Word i changes lane i % 4,
/// which begins as the offset of FNV-1a plus i % 4, to rotate_left((lane ^ word) * the prime of FNV-1a, 29). The
/// checksum is the same function of the four lanes and the number of bytes, one after the other; 1 instead of 0. Each
/// step is one to one, so damage inside of one word is always found.
class blob_checksum {
public:
    /// Adds the bytes that follow.
    void add(std::span<const std::byte> bytes) {
        const std::size_t filled = size_ % sizeof rest_;
        size_ += bytes.size();
        if (filled > 0) {
            const std::size_t room = sizeof rest_ - filled, count = bytes.size() < room ? bytes.size() : room;
            copy_bytes(bytes.first(count), rest_ + filled);
            bytes = bytes.subspan(count);
            if (filled + count < sizeof rest_) return;
            add_words(rest_, sizeof rest_);
        }
        const std::size_t whole = bytes.size() / sizeof rest_ * sizeof rest_;
        add_words(bytes.data(), whole);
        copy_bytes(bytes.subspan(whole), rest_);
    }
    std::uint64_t value() const {
        blob_checksum last = *this;
        const std::size_t filled = size_ % sizeof rest_;
        std::memset(last.rest_ + filled, 0, sizeof rest_ - filled);
        std::uint64_t state = fnv_start;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            if (8 * lane < filled) last.lanes_[lane] = next(lanes_[lane], load_little(last.rest_ + 8 * lane, 8));
            state = next(state, last.lanes_[lane]);
        }
        state = next(state, size_);
        return state != 0 ? state : 1;
    }
    std::size_t size() const { return size_; }  ///< the number of bytes that were added

private:
    static std::uint64_t next(std::uint64_t state, std::uint64_t word) {
        return std::rotl((state ^ word) * fnv_prime, 29);
    }
    void add_words(const std::byte* at, std::size_t bytes) {
        std::uint64_t a = lanes_[0], b = lanes_[1], c = lanes_[2], d = lanes_[3];  // in registers
        for (const std::byte* const end = at + bytes; at != end; at += 32) {
            a = next(a, load_little(at, 8));
            b = next(b, load_little(at + 8, 8));
            c = next(c, load_little(at + 16, 8));
            d = next(d, load_little(at + 24, 8));
        }
        lanes_[0] = a, lanes_[1] = b, lanes_[2] = c, lanes_[3] = d;
    }

    std::uint64_t lanes_[4] = {fnv_start, fnv_start + 1, fnv_start + 2, fnv_start + 3};
    std::byte rest_[32] = {};  // the bytes after the last whole 32
    std::size_t size_ = 0;
};

/// Returns the checksum of a record's bytes.
inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
    blob_checksum out;
    out.add(bytes);
    return out.value();
}

}  // namespace plait::detail
