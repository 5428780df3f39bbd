#pragma once
// A record with a description of itself, in one buffer or file: made, and opened by a program that never saw its
// format. The header has the fields of blob_fields, then a text: `nk: NK(d:f16 8n /32k, ...) 4096 4096`.

#include <plait/core/check_buffer.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/record.hpp>

#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

static_assert(std::endian::native == std::endian::little,
              "plait: records store little-endian numbers, and are not supported on big-endian machines");

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

using blob_text = inline_text<1280>;  // the tag and twelve extents

/// Returns the text that describes a record. Fails with record_is_too_large if the tag does not fit in its text.
constexpr blob_text blob_text_of(const record& r) {
    const record_text tag = r.tag.text();
    constexpr int most = static_cast<int>(sizeof(tag.characters)) - 2;
    if (tag.size() > most) require({reason::record_is_too_large, -1, most + 1, most});
    blob_text out;
    out += tag.c_str();
    for (const dim_t extent : r.dims) (out += ' ') += extent;
    return out;
}

/// Returns the record that a blob's text describes.
///
/// Refused: blob_text_is_refused (the column) unless the text is what blob_text_of writes
constexpr expected<record> record_of_blob_text(std::string_view text) {
    const auto refuse = [](std::size_t column) {
        return verdict{reason::blob_text_is_refused, -1, static_cast<dim_t>(column) + 1};
    };
    const std::size_t axes = text.find(':');
    if (axes == std::string_view::npos || axes > max_ndims) return refuse(0);
    std::size_t end = text.size();
    plait::dims extents;
    for (std::size_t a = 0; a < axes; ++a) extents.push_back(0);
    for (std::size_t a = axes; a-- > 0;) {
        dim_t power = 1, extent = 0;
        std::size_t digits = 0;
        for (; end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9'; --end, ++digits) {
            if (digits > 17) return refuse(end - 1);
            extent += power * (text[end - 1] - '0');
            power *= 10;
        }
        if (digits == 0 || end == 0 || text[end - 1] != ' ') return refuse(end);
        extents[static_cast<int>(a)] = extent;
        --end;
    }
    const expected<record_tag> tag = parse_record_tag(text.substr(0, end));
    if (!tag.has_value()) return refuse(tag.error().first > 0 ? static_cast<std::size_t>(tag.error().first) - 1 : 0);
    expected<record> r = try_record(*tag, extents);
    if (!r.has_value()) return refuse(end);
    if (view_of(tag->text()) != text.substr(0, end)) return refuse(0);
    return view_of(blob_text_of(*r)) == text ? r : refuse(end);
}

constexpr std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

/// Returns the size of a header whose text has a given number of letters.
constexpr std::size_t header_size_of(std::size_t letters, std::size_t alignment) {
    return round_up(blob_fields::text + letters, alignment > 64 ? alignment : 64);
}

constexpr bool is_alignment(std::uint64_t number) {
    return number != 0 && (number & (number - 1)) == 0 && number <= 1 << 20;
}
constexpr verdict check_alignment(std::size_t number) {
    return is_alignment(number) ? verdict() : verdict{reason::blob_is_misaligned, -1, 0, static_cast<dim_t>(number)};
}

/// The contents of a blob's header.
struct blob_header {
    std::size_t size = 0;
    std::uint64_t record_size = 0, checksum = 0, alignment = 0;
    std::string_view key, text;
};

/// Reads a header. What is in it agrees, but the text may be no record, and the record may be truncated.
///
/// Refused: blob_is_not_one, blob_is_truncated, blob_version_is_unknown, blob_text_is_damaged
inline expected<blob_header> read_blob_header(std::span<const std::byte> bytes) {
    using at = blob_fields;
    const auto wrong = [&bytes](std::size_t byte) {
        return verdict{reason::blob_is_not_one, -1, static_cast<dim_t>(byte), std::to_integer<dim_t>(bytes[byte])};
    };
    const auto truncated = [&bytes](std::size_t needed) {
        return verdict{reason::blob_is_truncated, -1, static_cast<dim_t>(bytes.size()), static_cast<dim_t>(needed)};
    };
    for (std::size_t i = 0; i < blob_magic.size() && i < bytes.size(); ++i)
        if (bytes[i] != static_cast<std::byte>(blob_magic[i])) return wrong(i);
    if (bytes.size() < at::text) return truncated(at::text);
    const auto number = [&bytes](std::size_t where, std::size_t size) {
        return load_little(bytes.data() + where, size);
    };
    if (const std::uint64_t version = number(at::version, 4); version != blob_version)
        return verdict{reason::blob_version_is_unknown, -1, static_cast<dim_t>(version), blob_version};
    const auto letters = static_cast<std::size_t>(number(at::text_length, 4));
    blob_header out{static_cast<std::size_t>(number(at::header_size, 4)),
                    number(at::record_size, 8),
                    number(at::checksum, 8),
                    number(at::alignment, 4),
                    {},
                    {}};
    if (!is_alignment(out.alignment)) return wrong(at::alignment);
    if (letters > static_cast<std::size_t>(sizeof(blob_text::characters))) return wrong(at::text_length);
    if (out.size != header_size_of(letters, static_cast<std::size_t>(out.alignment))) return wrong(at::header_size);
    if (bytes.size() < out.size) return truncated(out.size);
    const auto* const characters = reinterpret_cast<const char*>(bytes.data());
    out.key = {characters + at::key, blob_key_size};
    out.text = {characters + at::text, letters};
    if (const std::uint64_t hash = fnv_1a(out.text); hash != number(at::text_hash, 8))
        return verdict{reason::blob_text_is_damaged, -1, static_cast<dim_t>(hash),
                       static_cast<dim_t>(number(at::text_hash, 8))};
    for (std::size_t i = at::text + letters; i < out.size; ++i)
        if (bytes[i] != std::byte{0}) return wrong(i);
    return out;
}

}  // namespace plait::detail

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Options of a blob, in addition to its record.
struct blob_options {
    std::size_t alignment = 1;  ///< of the record's bytes in memory, at most 2^20; open_blob refuses a lesser one
    bool with_checksum = true;  ///< of the record's bytes, which open_blob then reads
    /// Of a record that is written in parts: checksum.add(part) takes each of its parts, in their order.
    detail::blob_checksum checksum = {};
};

/// A blob that open_blob has read.
struct blob {
    plait::record record;
    std::span<const std::byte> data;  ///< the bytes of the record, inside the bytes that were opened
    inline_text<detail::blob_key_size> key;
    std::uint64_t checksum = 0;  ///< of the record, as the header says; 0: none
};

/// Returns the size of the header of a record's blob, in bytes: a multiple of 64 and of the alignment.
///
/// Refused: record_is_too_large if the tag has more than 1022 letters
/// Pre:     options.alignment is a power of two
/// Post:    a file holds the header in these bytes, followed by the record
/// Cost:    writes the text once
/// Source:  docs/packed.md
/// Example: blob_header_size(record("k: q:u8 k", {3})) == 128
[[nodiscard]] constexpr std::size_t blob_header_size(const record& r, const blob_options& options = {}) {
    return detail::header_size_of(static_cast<std::size_t>(detail::blob_text_of(r).size()), options.alignment);
}

/// Writes the header of a record's blob, for a file whose record is written separately, after it. If `bytes` is empty,
/// the checksum is that of the parts that were added to options.checksum; without parts the header has none.
///
/// Refused: buffer_is_too_small (the header, or the key of at most 16 letters), blob_size_differs (bytes, or the parts
///          together), blob_is_misaligned (an alignment that is no power of two up to 2^20), record_is_too_large
/// Pre:     header.size() >= blob_header_size(r, options); bytes is empty or the record
/// Post:    the first blob_header_size(r, options) bytes of `header` are those of make_blob with these bytes or parts
/// Cost:    writes the text; the checksum reads the bytes once
/// Source:  docs/packed.md
/// Example: test/packed/blob.cpp
inline void write_blob_header(const record& r, std::span<const std::byte> bytes, std::span<std::byte> header,
                              std::string_view key = "", const blob_options& options = {}) {
    using at = detail::blob_fields;
    const auto letters = [](std::string_view text, std::byte* to) {
        for (const char c : text) *to++ = static_cast<std::byte>(c);
    };
    require(detail::check_alignment(options.alignment));
    const detail::blob_text text = detail::blob_text_of(r);
    const std::size_t size = blob_header_size(r, options);
    const auto buffer = detail::buffer_role::buffer;
    require(detail::check_buffer(header.data(), header.size(), size, buffer));
    require(detail::check_buffer(key.data(), detail::blob_key_size, key.size(), buffer));
    detail::blob_checksum checksum = options.checksum;
    if (!bytes.empty()) checksum = {};
    const std::size_t said = bytes.empty() ? checksum.size() : bytes.size();
    if (said != 0 && said != r.size_in_bytes())
        require({reason::blob_size_differs, -1, static_cast<dim_t>(said), r.size});
    std::byte* const out = header.data();
    std::memset(out, 0, size);
    letters(detail::blob_magic, out + at::magic);
    detail::store_little(out + at::version, 4, detail::blob_version);
    detail::store_little(out + at::header_size, 4, size);
    detail::store_little(out + at::record_size, 8, static_cast<std::uint64_t>(r.size));
    detail::store_little(out + at::text_hash, 8, detail::fnv_1a(detail::view_of(text)));
    const bool has_checksum = options.with_checksum && said != 0;
    if (has_checksum) checksum.add(bytes);
    detail::store_little(out + at::checksum, 8, has_checksum ? checksum.value() : 0);
    detail::store_little(out + at::alignment, 4, options.alignment);
    detail::store_little(out + at::text_length, 4, static_cast<std::uint64_t>(text.size()));
    letters(key, out + at::key);
    letters(detail::view_of(text), out + at::text);
}

/// Returns a header that describes a record, followed by its bytes. Equal records and bytes give equal blobs, on every
/// machine.
///
/// `key` says what the record was packed for, e.g. "avx512_vnni". It only explains: whoever opens the blob compares the
/// record.
///
/// Refused: as write_blob_header
/// Pre:     bytes.size() == r.size_in_bytes()
/// Post:    open_blob(result)->record == r, ->data equals bytes, ->key == key
/// Cost:    one copy of the bytes; the checksum reads them once more, at some 10 GB/s
/// Source:  docs/packed.md
/// Example: make_blob(packed::value, weights, "avx2")
[[nodiscard]] inline std::vector<std::byte> make_blob(const record& r, std::span<const std::byte> bytes,
                                                      std::string_view key = "", const blob_options& options = {}) {
    require(detail::check_buffer(bytes.data(), bytes.size(), r.size_in_bytes(), detail::buffer_role::source));
    require(detail::check_alignment(options.alignment));
    const std::size_t header = blob_header_size(r, options);
    std::vector<std::byte> out(header + bytes.size());
    write_blob_header(r, bytes, out, key, options);
    detail::copy_bytes(bytes, out.data() + header);
    return out;
}

/// Reads the header of a blob, and checks all that it says. The bytes are those of one blob: any after its record are
/// refused, because they would be lost when the blob is copied or moved.
///
/// Refused: blob_is_not_one (the first byte that is not as it has to be), blob_is_truncated, blob_version_is_unknown,
///          blob_text_is_damaged, blob_text_is_refused, blob_size_differs, blob_is_too_long, blob_is_misaligned,
///          blob_data_is_damaged
/// Pre:     none; any bytes. They live as long as the result is used
/// Post:    any change of a bit of the blob is refused, except in the key, and in the data if the blob has no checksum
/// Cost:    parses the text, some microseconds; if the blob has a checksum and `with_checksum`, reads the record once
/// Source:  docs/packed.md
/// Example: open_blob(bytes).error().reason == reason::blob_text_is_damaged
[[nodiscard]] inline expected<blob> open_blob(std::span<const std::byte> bytes, bool with_checksum = true) {
    const expected<detail::blob_header> header = detail::read_blob_header(bytes);
    if (!header.has_value()) return header.error();
    const std::string_view text = header->text;
    const expected<record> r = detail::record_of_blob_text(text);
    if (!r.has_value()) return r.error();
    if (header->record_size != r->size_in_bytes())
        return verdict{reason::blob_size_differs, -1, static_cast<dim_t>(header->record_size), r->size};
    if (bytes.size() - header->size < header->record_size)
        return verdict{reason::blob_is_truncated, -1, static_cast<dim_t>(bytes.size()),
                       static_cast<dim_t>(header->size) + r->size};
    if (bytes.size() - header->size > header->record_size)
        return verdict{reason::blob_is_too_long, -1, static_cast<dim_t>(bytes.size()),
                       static_cast<dim_t>(header->size) + r->size};
    blob out{*r, bytes.subspan(header->size, r->size_in_bytes()), {}, header->checksum};
    const auto address = reinterpret_cast<std::uintptr_t>(out.data.data());
    if (address % header->alignment != 0)
        return verdict{reason::blob_is_misaligned, -1, static_cast<dim_t>(address),
                       static_cast<dim_t>(header->alignment)};
    if (with_checksum && header->checksum != 0)
        if (const std::uint64_t found = detail::checksum_of(out.data); found != header->checksum)
            return verdict{reason::blob_data_is_damaged, -1, static_cast<dim_t>(found),
                           static_cast<dim_t>(header->checksum)};
    for (const char c : header->key) {
        if (c == 0) break;
        out.key += c;
    }
    return out;
}

}  // namespace plait
