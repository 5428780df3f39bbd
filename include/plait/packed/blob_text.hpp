#pragma once
// The text of a blob's header, `nk: NK(d:f16 8n /32k, ...) 4096 4096`, and the checks of a header.

#include <plait/packed/blob_bytes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
