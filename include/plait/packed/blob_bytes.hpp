#pragma once
// The header of a blob as bytes: its fields, the hash of its text, the checksum of its record.

#include <plait/packed/record_bits.hpp>

#include <span>
#include <string_view>

namespace plait::detail {

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

/// Returns the checksum of a record's bytes; it is not 0.
///
/// The bytes are read as little-endian words of 64 bits, the last one filled with zeros. Word i changes lane i % 4,
/// which begins as the offset of FNV-1a plus i % 4, to rotate_left((lane ^ word) * the prime of FNV-1a, 29). The
/// checksum is the same function of the four lanes and the number of bytes, one after the other; 1 instead of 0. Each
/// step is one to one, so damage inside of one word is always found.
inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
    const auto add = [](std::uint64_t state, std::uint64_t word) { return std::rotl((state ^ word) * fnv_prime, 29); };
    std::uint64_t lanes[] = {fnv_start, fnv_start + 1, fnv_start + 2, fnv_start + 3};
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 32; left -= 32, at += 32) {
        lanes[0] = add(lanes[0], load_little(at, 8));
        lanes[1] = add(lanes[1], load_little(at + 8, 8));
        lanes[2] = add(lanes[2], load_little(at + 16, 8));
        lanes[3] = add(lanes[3], load_little(at + 24, 8));
    }
    for (int lane = 0; left > 0; ++lane) {
        const std::size_t count = left < 8 ? left : 8;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < count; ++i) word |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
        lanes[lane] = add(lanes[lane], word);
        at += count;
        left -= count;
    }
    std::uint64_t state = fnv_start;
    for (const std::uint64_t lane : lanes) state = add(state, lane);
    state = add(state, bytes.size());
    return state != 0 ? state : 1;
}

}  // namespace plait::detail
