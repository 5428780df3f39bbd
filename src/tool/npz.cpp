#include "npz.hpp"

#include "npy.hpp"

namespace tool {

namespace {

/// Returns the bytes of a member; a deflated member is inflated each time its bytes are needed.
stored_bytes bytes_of_member(std::span<const std::byte> file, const zip_member& member, const std::string& where) {
    stored_bytes out;
    const auto packed = file.subspan(static_cast<std::size_t>(member.begin), static_cast<std::size_t>(member.packed));
    out.size = member.unpacked;
    if (member.method == 8) {
        out.make = [packed, size = member.unpacked, where] { return inflate_member(packed, size, where); };
    } else if (member.method == 0 && member.packed == member.unpacked) {
        out.mapped = packed;
    } else if (member.method == 0) {
        throw failure(where + ": is stored, but has " + std::to_string(member.packed) + " bytes for " +
                      std::to_string(member.unpacked));
    } else {
        throw failure(where + ": is packed by method " + std::to_string(member.method) +
                      "; stored and deflated ones can be read");
    }
    return out;
}

/// Returns an array whose data is a part of the member; if it cannot be read, it is only kept.
stored_array read_array(const std::string& where, const stored_bytes& member, std::span<const std::byte> bytes) {
    stored_array out;
    try {
        out = read_npy(where, bytes);
        if (member.make) {
            out.data.begin = static_cast<std::size_t>(out.data.mapped.data() - bytes.data());
            out.data.mapped = {};
            out.data.make = member.make;
        }
    } catch (const failure& why) {
        out.unreadable = std::make_shared<failure>(why);
    }
    return out;
}

}  // namespace

std::vector<stored_array> read_npz(const std::string& file, std::span<const std::byte> bytes) {
    std::vector<stored_array> out;
    for (const zip_member& member : read_zip_directory(file, bytes)) {
        const std::string where = file + ": '" + member.name + "'", ending = ".npy";
        const stored_bytes whole = bytes_of_member(bytes, member, where);
        const held_bytes held = hold(whole);  // one member at a time
        if (zip_checksum(held.bytes) != member.checksum)
            throw failure(where + ": its checksum is not that of its bytes");
        stored_array array;
        array.is_npy = member.name.ends_with(ending);
        if (array.is_npy) array = read_array(where, whole, held.bytes);
        else array.unreadable = std::make_shared<failure>(where + " is no .npy file");
        array.is_npy = member.name.ends_with(ending);
        array.name = member.name.substr(0, member.name.size() - (array.is_npy ? ending.size() : 0));
        array.member = whole;
        out.push_back(std::move(array));
    }
    return out;
}

}  // namespace tool
