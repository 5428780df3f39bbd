#include "zip_member.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace tool {

std::shared_ptr<buffer> inflate_member(std::span<const std::byte> packed, std::uint64_t bytes,
                                       const std::string& where) {
    // Deflate expands one byte to at most 1032, so a larger size is rejected before memory is allocated.
    if (bytes / 1032 > packed.size()) throw failure(where + ": is said to be larger than its packed bytes can be");
    auto out = std::make_shared<buffer>(static_cast<std::size_t>(bytes));
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    std::size_t in_at = 0, out_at = 0;
    int state = Z_OK;
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    while (state == Z_OK) {
        const std::size_t in_now = std::min(most, packed.size() - in_at),
                          out_now = std::min(most, out->size() - out_at);
        // zlib does not write to its input, but its pointer is const only with a macro.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + in_at));
        stream.avail_in = static_cast<uInt>(in_now);
        stream.next_out = reinterpret_cast<Bytef*>(out->data() + out_at);
        stream.avail_out = static_cast<uInt>(out_now);
        state = inflate(&stream, Z_NO_FLUSH);
        in_at += in_now - stream.avail_in;
        out_at += out_now - stream.avail_out;
        if (in_now == stream.avail_in && out_now == stream.avail_out && state == Z_OK) state = Z_DATA_ERROR;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || out_at != out->size() || in_at != packed.size())
        throw failure(where + ": its deflated data is damaged at byte " + std::to_string(in_at));
    return out;
}

std::uint32_t zip_checksum(std::span<const std::byte> bytes) {
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    return static_cast<std::uint32_t>(sum);
}

}  // namespace tool
