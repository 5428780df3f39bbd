#include "npz.hpp"

#include "npy.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <set>

#ifdef PLAIT_HAS_ZLIB
#include <zlib.h>
#endif

namespace tool {

namespace {

constexpr std::uint64_t local_signature = 0x04034b50, entry_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_signature = 0x06064b50, locator64_signature = 0x07064b50;
constexpr std::uint64_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, locator64_bytes = 20;
constexpr std::uint64_t full16 = 0xffff, full32 = 0xffffffff;

/// Where the archive's directory is, and how many entries it has.
struct directory {
    std::uint64_t begin = 0, count = 0;
};

directory find_directory(const little_endian& in) {
    // The end record is the last thing but a comment of at most 65535 bytes.
    for (std::uint64_t back = end_bytes; back <= end_bytes + full16 && back <= in.size(); ++back) {
        const std::uint64_t at = in.size() - back;
        if (in.number(at, 4, "the end record") != end_signature) continue;
        if (in.number(at + 20, 2, "the end record") + end_bytes != back) continue;
        directory out{in.number(at + 16, 4, "the end record"), in.number(at + 10, 2, "the end record")};
        if (out.begin != full32 && out.count != full16) return out;
        // Too large for the old record: another one before it has 64 bits.
        if (at < locator64_bytes || in.number(at - locator64_bytes, 4, "the zip64 locator") != locator64_signature)
            return out;
        const std::uint64_t end64 = in.number(at - locator64_bytes + 8, 8, "the zip64 locator");
        if (in.number(end64, 4, "the zip64 end record") != end64_signature)
            throw failure(in.file() + ": is no .npz file: its zip64 end record is not where it is said to be");
        return {in.number(end64 + 48, 8, "the zip64 end record"), in.number(end64 + 32, 8, "the zip64 end record")};
    }
    throw failure(in.file() + ": is no .npz file: the zip archive's end record is missing, as where a file is cut off");
}

/// One entry of the directory.
struct entry_record {
    std::string name;
    std::uint64_t method = 0, checksum = 0, packed = 0, unpacked = 0, local = 0, next = 0;
};

/// What did not fit in 32 bits stands in an extra field of number 1, in this order.
void read_zip64(const little_endian& in, entry_record& out, std::uint64_t at, std::uint64_t end) {
    while (at + 4 <= end) {
        const std::uint64_t id = in.number(at, 2, "an extra field"), size = in.number(at + 2, 2, "an extra field");
        if (id == 1) {
            std::uint64_t from = at + 4;
            for (std::uint64_t* const field : {&out.unpacked, &out.packed, &out.local}) {
                if (*field != full32 || from + 8 > at + 4 + size) continue;
                *field = in.number(from, 8, "a zip64 field");
                from += 8;
            }
        }
        at += 4 + size;
    }
}

entry_record read_entry(const little_endian& in, std::uint64_t at) {
    const std::string what = "the zip directory";
    if (in.number(at, 4, what) != entry_signature)
        throw failure(in.file() + ": is no .npz file: its zip directory has no entry at byte " + std::to_string(at));
    entry_record out;
    if ((in.number(at + 8, 2, what) & 1) != 0) throw failure(in.file() + ": is encrypted");
    out.method = in.number(at + 10, 2, what);
    out.checksum = in.number(at + 16, 4, what);
    out.packed = in.number(at + 20, 4, what);
    out.unpacked = in.number(at + 24, 4, what);
    const std::uint64_t name = in.number(at + 28, 2, what), extra = in.number(at + 30, 2, what),
                        comment = in.number(at + 32, 2, what);
    out.local = in.number(at + 42, 4, what);
    const auto letters = in.part(at + entry_bytes, name, what);
    out.name.assign(reinterpret_cast<const char*>(letters.data()), letters.size());
    read_zip64(in, out, at + entry_bytes + name, at + entry_bytes + name + extra);
    out.next = at + entry_bytes + name + extra + comment;
    return out;
}

std::shared_ptr<buffer> inflate_entry([[maybe_unused]] std::span<const std::byte> packed,
                                      [[maybe_unused]] std::uint64_t bytes, const std::string& where) {
#ifdef PLAIT_HAS_ZLIB
    // Deflate makes at most 1032 bytes of one: what is said to be more is refused before memory is asked for.
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
        // zlib does not write to its input, but says so only where it is asked to.
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
    if (state != Z_STREAM_END || out_at != out->size())
        throw failure(where + ": its deflated data is damaged at byte " + std::to_string(in_at));
    return out;
#else
    throw failure(where + ": is deflated, and this plait was built without zlib",
                  {line("nearest", "numpy.savez in place of numpy.savez_compressed")});
#endif
}

stored_array read_member(const little_endian& in, const entry_record& entry) {
    const std::string where = in.file() + ": '" + entry.name + "'";
    if (entry.name.size() <= 4 || !entry.name.ends_with(".npy")) throw failure(where + " is no .npy file");
    if (in.number(entry.local, 4, "a local header") != local_signature)
        throw failure(where + " is not where the zip directory says: byte " + std::to_string(entry.local));
    const std::uint64_t begin = entry.local + local_bytes + in.number(entry.local + 26, 2, "a local header") +
                                in.number(entry.local + 28, 2, "a local header");
    auto bytes = in.part(begin, entry.packed, "'" + entry.name + "'");
    std::shared_ptr<buffer> unpacked;
    if (entry.method == 8) {
        unpacked = inflate_entry(bytes, entry.unpacked, where);
        bytes = {unpacked->data(), unpacked->size()};
    } else if (entry.method != 0) {
        throw failure(where + ": is packed by method " + std::to_string(entry.method) +
                      "; stored and deflated ones can be read");
    }
    if (bytes.size() != entry.unpacked || zip_checksum(bytes) != entry.checksum)
        throw failure(where + ": its checksum is not that of its bytes");
    stored_array out = read_npy(where, bytes);
    out.name = entry.name.substr(0, entry.name.size() - 4);
    out.unpacked = std::move(unpacked);
    return out;
}

}  // namespace

bool is_zip(std::span<const std::byte> bytes) {
    const little_endian in("", bytes);
    if (bytes.size() < 4) return false;
    const std::uint64_t begin = in.number(0, 4, "");
    return begin == local_signature || begin == end_signature;
}

std::vector<stored_array> read_npz(const std::string& file, std::span<const std::byte> bytes) {
    const little_endian in(file, bytes);
    const directory where = find_directory(in);
    std::vector<stored_array> out;
    std::set<std::string> names;
    std::uint64_t at = where.begin;
    for (std::uint64_t i = 0; i < where.count; ++i) {
        const entry_record entry = read_entry(in, at);
        if (!names.insert(entry.name).second) throw failure(file + ": the name '" + entry.name + "' is there twice");
        out.push_back(read_member(in, entry));
        at = entry.next;
    }
    return out;
}

std::uint32_t zip_checksum(std::span<const std::byte> bytes) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> out{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            out[i] = i;
            for (int bit = 0; bit < 8; ++bit) out[i] = out[i] >> 1 ^ ((out[i] & 1u) != 0 ? 0xedb88320u : 0u);
        }
        return out;
    }();
    std::uint32_t sum = 0xffffffffu;
    for (const std::byte b : bytes) sum = sum >> 8 ^ table[(sum ^ static_cast<std::uint32_t>(b)) & 0xffu];
    return ~sum;
}

}  // namespace tool
