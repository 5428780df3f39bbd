#pragma once
// A record with a description of itself, in one buffer or file: made, and opened by a program that never saw its
// format.

#include <plait/core/check_buffer.hpp>
#include <plait/packed/blob_text.hpp>

#include <cstring>
#include <vector>

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
