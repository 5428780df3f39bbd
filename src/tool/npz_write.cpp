#include "npz.hpp"

namespace tool {

namespace {

constexpr std::uint64_t largest = 0xfffffffe;  // the largest 32-bit size without zip64
constexpr std::size_t longest_name = 0xffff;

void put(std::string& out, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

/// Checks that a name is UTF-8, which is marked in the archive. Other names come from an archive and are kept as bytes.
bool is_utf8(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at++]);
        const int more = first < 0x80   ? 0
                         : first < 0xc2 ? -1
                         : first < 0xe0 ? 1
                         : first < 0xf0 ? 2
                         : first < 0xf5 ? 3
                                        : -1;
        if (more < 0) return false;
        for (int i = 0; i < more; ++i)
            if (at == text.size() || (static_cast<unsigned char>(text[at++]) & 0xc0) != 0x80) return false;
    }
    return true;
}

/// Appends the fields that local headers and entries share: version, flags (UTF-8), method stored, the date 1980-01-01
/// so that the bytes are reproducible, checksum, sizes, lengths.
void put_common(std::string& out, const zip_entry& entry) {
    put(out, 20, 2);
    put(out, is_utf8(entry.name) ? 0x800 : 0, 2);
    put(out, 0, 2);
    put(out, 0, 2);
    put(out, 33, 2);
    put(out, entry.checksum, 4);
    put(out, entry.bytes, 4);
    put(out, entry.bytes, 4);
    put(out, entry.name.size(), 2);
    put(out, 0, 2);
}

}  // namespace

std::string zip_local_header(const zip_entry& entry) {
    if (entry.bytes > largest || entry.begin > largest)
        throw failure("'" + entry.name + "': an .npz file is written up to 4 GB; write .safetensors, or a directory");
    if (entry.name.size() > longest_name)
        throw failure("'" + entry.name.substr(0, 32) + "...': a name of " + std::to_string(entry.name.size() - 4) +
                      " bytes; in an .npz file it has " + std::to_string(longest_name - 4) + " at most");
    if (entry.name.find('\0') != std::string::npos)
        throw failure("'" + entry.name + "': a name with a NUL, which ends it in an .npz file");
    std::string out;
    put(out, 0x04034b50, 4);
    put_common(out, entry);
    return out + entry.name;
}

std::string zip_directory(const std::vector<zip_entry>& entries, std::uint64_t begin) {
    if (begin > largest || entries.size() > 0xfffe)
        throw failure("an .npz file is written up to 4 GB and 65534 arrays; write .safetensors, or a directory");
    std::string out;
    for (const zip_entry& entry : entries) {
        put(out, 0x02014b50, 4);
        put(out, 20, 2);
        put_common(out, entry);
        put(out, 0, 2);  // comment
        put(out, 0, 2);  // disk
        put(out, 0, 2);  // attributes
        put(out, 0, 4);
        put(out, entry.begin, 4);
        out += entry.name;
    }
    const std::uint64_t size = out.size();
    put(out, 0x06054b50, 4);
    put(out, 0, 4);  // disks
    put(out, entries.size(), 2);
    put(out, entries.size(), 2);
    put(out, size, 4);
    put(out, begin, 4);
    put(out, 0, 2);
    return out;
}

}  // namespace tool
