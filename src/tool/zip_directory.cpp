#include "zip_directory.hpp"

#include <algorithm>
#include <set>

namespace tool {

namespace {

constexpr std::uint64_t local_signature = 0x04034b50, entry_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_signature = 0x06064b50, locator64_signature = 0x07064b50,
                        descriptor_signature = 0x08074b50;
constexpr std::uint64_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, locator64_bytes = 20, end64_bytes = 56;
constexpr std::uint64_t full16 = 0xffff, full32 = 0xffffffff;

std::string number_text(std::uint64_t number) { return std::to_string(number); }

/// The place of the archive's directory, and the number of its entries.
struct directory {
    std::uint64_t begin = 0, size = 0, here = 0, count = 0, disks = 0;  ///< here: the entries of this part
    std::uint64_t end = 0;                                              ///< the place of the end record
};

/// Reads the 64-bit end record, which is used if a number is too large for the 32-bit one.
directory find_directory64(const little_endian& in, std::uint64_t locator) {
    const std::string what = "the zip64 end record";
    const std::uint64_t at = in.number(locator + 8, 8, "the zip64 locator");
    if (at > locator || in.number(at, 4, what) != end64_signature)
        throw failure(in.file() + ": is no .npz file: its zip64 end record is not where it is said to be, byte " +
                      number_text(at));
    if (locator - at < end64_bytes || in.number(at + 4, 8, what) != locator - at - 12)
        throw failure(in.file() + ": its zip64 end record at byte " + number_text(at) +
                      " has another size than it says");
    return {in.number(at + 48, 8, what),
            in.number(at + 40, 8, what),
            in.number(at + 24, 8, what),
            in.number(at + 32, 8, what),
            in.number(at + 16, 4, what) | in.number(at + 20, 4, what) | in.number(locator + 4, 4, what),
            at};
}

directory find_directory(const little_endian& in) {
    const std::string what = "the end record";
    // Only a comment of at most 65535 bytes may follow the end record.
    for (std::uint64_t back = end_bytes; back <= end_bytes + full16 && back <= in.size(); ++back) {
        const std::uint64_t at = in.size() - back;
        if (in.number(at, 4, what) != end_signature || in.number(at + 20, 2, what) + end_bytes != back) continue;
        const directory out{in.number(at + 16, 4, what),
                            in.number(at + 12, 4, what),
                            in.number(at + 8, 2, what),
                            in.number(at + 10, 2, what),
                            in.number(at + 4, 2, what) | in.number(at + 6, 2, what),
                            at};
        const bool has_locator =
            at >= locator64_bytes && in.number(at - locator64_bytes, 4, what) == locator64_signature;
        if (!has_locator) return out;
        const directory large = find_directory64(in, at - locator64_bytes);
        const auto differs = [](std::uint64_t small, std::uint64_t full, std::uint64_t same) {
            return small != full && small != same;
        };
        if (differs(out.begin, full32, large.begin) || differs(out.size, full32, large.size) ||
            differs(out.count, full16, large.count) || differs(out.here, full16, large.here))
            throw failure(in.file() + ": its end record at byte " + number_text(at) +
                          " and its zip64 end record say different things");
        return large;
    }
    throw failure(in.file() + ": is no .npz file: the zip archive's end record is missing, as where a file is cut off");
}

/// One entry of the directory, and the place of the next.
struct entry {
    zip_member member;
    std::uint64_t flags = 0, local = 0, next = 0;
};

/// Reads numbers that did not fit in 32 bits; they are in an extra field with number 1, in this order.
void read_zip64(const little_endian& in, std::initializer_list<std::uint64_t*> fields, std::uint64_t at,
                std::uint64_t end) {
    while (at + 4 <= end) {
        const std::uint64_t id = in.number(at, 2, "an extra field"), size = in.number(at + 2, 2, "an extra field");
        if (id == 1) {
            std::uint64_t from = at + 4;
            for (std::uint64_t* const field : fields) {
                if (*field != full32 || from + 8 > at + 4 + size) continue;
                *field = in.number(from, 8, "a zip64 field");
                from += 8;
            }
        }
        at += 4 + size;
    }
}

std::string name_at(const little_endian& in, std::uint64_t at, std::uint64_t bytes, const std::string& what) {
    const auto letters = in.part(at, bytes, what);
    return {reinterpret_cast<const char*>(letters.data()), letters.size()};
}

entry read_entry(const little_endian& in, std::uint64_t at) {
    const std::string what = "the zip directory";
    if (in.number(at, 4, what) != entry_signature)
        throw failure(in.file() + ": is no .npz file: its zip directory has no entry at byte " + number_text(at));
    entry out;
    out.flags = in.number(at + 8, 2, what);
    out.member.method = in.number(at + 10, 2, what);
    out.member.checksum = in.number(at + 16, 4, what);
    out.member.packed = in.number(at + 20, 4, what);
    out.member.unpacked = in.number(at + 24, 4, what);
    const std::uint64_t name = in.number(at + 28, 2, what), extra = in.number(at + 30, 2, what),
                        comment = in.number(at + 32, 2, what), behind = at + entry_bytes + name;
    out.local = in.number(at + 42, 4, what);
    out.member.name = name_at(in, at + entry_bytes, name, what);
    in.part(behind, extra + comment, what);
    read_zip64(in, {&out.member.unpacked, &out.member.packed, &out.local}, behind, behind + extra);
    out.next = behind + extra + comment;
    const std::string where = in.file() + ": '" + out.member.name + "'";
    if ((out.flags & 0x2041) != 0) throw failure(where + " is encrypted");
    constexpr std::uint64_t latest = 63;  // version 6.3 of the format
    if (in.number(at + 6, 2, what) > latest)
        throw failure(where + " needs version " + number_text(in.number(at + 6, 2, what)) + " of zip; 63 can be read");
    if (in.number(at + 34, 2, what) != 0) throw failure(where + " is in another part of the archive");
    if (out.member.name.find('\0') != std::string::npos)
        throw failure(where + " has a name with a NUL in it, which ends the name for others");
    return out;
}

/// Finds the bytes of a member after its own header, which must agree with the directory.
void read_local_header(const little_endian& in, entry& of) {
    zip_member& member = of.member;
    const std::string where = in.file() + ": '" + member.name + "'", what = "a local header";
    const std::uint64_t at = of.local;
    if (in.number(at, 4, what) != local_signature)
        throw failure(where + " is not where the zip directory says: byte " + number_text(at));
    const std::uint64_t name = in.number(at + 26, 2, what), extra = in.number(at + 28, 2, what);
    const std::string own = name_at(in, at + local_bytes, name, what);
    const std::string place = ", but at byte " + number_text(at) + " ";
    if (own != member.name)
        throw failure(where + " is what the zip directory says" + place + "the name is '" + own + "'");
    member.begin = at + local_bytes + name + extra;
    in.part(member.begin, member.packed, "'" + member.name + "'");
    std::uint64_t checksum = in.number(at + 14, 4, what), packed = in.number(at + 18, 4, what),
                  unpacked = in.number(at + 22, 4, what);
    read_zip64(in, {&unpacked, &packed}, at + local_bytes + name, member.begin);
    if (in.number(at + 8, 2, what) != member.method)
        throw failure(where + " is packed by method " + number_text(member.method) + place + "by method " +
                      number_text(in.number(at + 8, 2, what)));
    const std::uint64_t flags = in.number(at + 6, 2, what);
    const bool is_streamed = (flags & 8) != 0;  // if so, sizes and checksum may follow the bytes
    if (((flags ^ of.flags) & 0x2041) != 0) throw failure(where + " has flags" + place + "there are others");
    const auto check = [&](const char* called, std::uint64_t said, std::uint64_t there) {
        if (there != said && !(is_streamed && there == 0))
            throw failure(where + " has the " + called + " " + number_text(said) + place + "it is " +
                          number_text(there));
    };
    check("packed size", member.packed, packed);
    check("size", member.unpacked, unpacked);
    check("checksum", member.checksum, checksum);
}

/// Checks that the bytes after a streamed member are its checksum and sizes, of 32 or 64 bits, with or without a
/// signature.
bool is_descriptor(const little_endian& in, const zip_member& member, std::uint64_t at, std::uint64_t bytes) {
    const std::string what = "a data descriptor";
    const int width = bytes == 12 || bytes == 16 ? 4 : 8;
    const std::uint64_t signature = bytes - 4 - 2 * static_cast<std::uint64_t>(width), begin = at + signature;
    if (signature != 0 && (signature != 4 || in.number(at, 4, what) != descriptor_signature)) return false;
    return in.number(begin, 4, what) == member.checksum && in.number(begin + 4, width, what) == member.packed &&
           in.number(begin + 4 + static_cast<std::uint64_t>(width), width, what) == member.unpacked;
}

/// Checks that members follow each other up to the directory, without overlaps or gaps.
void check_places(const little_endian& in, std::vector<entry> entries, std::uint64_t directory) {
    std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.local < b.local; });
    const auto refuse_gap = [&](std::uint64_t from, std::uint64_t to) {
        throw failure(in.file() + ": the bytes from " + number_text(from) + " to " + number_text(to) +
                      " belong to no member of the archive");
    };
    const std::uint64_t first = entries.empty() ? directory : entries[0].local;
    if (first != 0) refuse_gap(0, first);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool last = i + 1 == entries.size();
        const zip_member& member = entries[i].member;
        const std::uint64_t stop = member.begin + member.packed, next = last ? directory : entries[i + 1].local;
        if (stop > next)
            throw failure(in.file() + ": '" + member.name + "' ends at byte " + number_text(stop) + ", but " +
                          (last ? "the zip directory" : "'" + entries[i + 1].member.name + "'") + " begins at byte " +
                          number_text(next) + ": they overlap");
        if (stop == next) continue;
        const bool is_streamed = (entries[i].flags & 8) != 0;
        if (!is_streamed || next - stop < 12 || next - stop > 24) refuse_gap(stop, next);
        if (!is_descriptor(in, member, stop, next - stop))
            throw failure(in.file() + ": '" + member.name +
                          "' has another checksum or size in what stands behind it, at byte " + number_text(stop));
    }
}

}  // namespace

bool is_zip(std::span<const std::byte> bytes) {
    if (bytes.size() < 4) return false;
    const std::uint64_t begin = little_endian("", bytes).number(0, 4, "");
    return begin == local_signature || begin == end_signature;
}

std::vector<zip_member> read_zip_directory(const std::string& file, std::span<const std::byte> bytes) {
    const little_endian in(file, bytes);
    const directory where = find_directory(in);
    if (where.disks != 0) throw failure(file + ": is one part of a zip archive in several");
    if (where.here != where.count)
        throw failure(file + ": its end record counts " + number_text(where.count) + " members in all, and " +
                      number_text(where.here) + " in this file");
    if (where.begin > where.end || where.end - where.begin != where.size)
        throw failure(file + ": its zip directory is said to have " + number_text(where.size) + " bytes from byte " +
                      number_text(where.begin) + " on, but its end record is at byte " + number_text(where.end));
    std::vector<entry> entries;
    std::set<std::string> names;
    std::uint64_t at = where.begin;
    while (at < where.end) {
        entry one = read_entry(in, at);
        if (one.next > where.end)
            throw failure(file + ": an entry of its zip directory, at byte " + number_text(at) + ", ends behind it");
        if (!names.insert(one.member.name).second)
            throw failure(file + ": the name '" + one.member.name + "' is there twice");
        read_local_header(in, one);
        at = one.next;
        entries.push_back(std::move(one));
    }
    if (entries.size() != where.count)
        throw failure(file + ": its end record counts " + number_text(where.count) +
                      " members, but its zip directory has " + number_text(entries.size()));
    check_places(in, entries, where.begin);
    std::vector<zip_member> out;
    for (entry& one : entries) out.push_back(std::move(one.member));
    return out;
}

}  // namespace tool
