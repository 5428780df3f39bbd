// Arbitrary bytes as a blob, and arbitrary text in a header that is otherwise right. What is opened is a record that
// lies in the bytes, and its blob is the same again.

#include "fuzz/bytes.hpp"

#include <plait/packed/blob.hpp>

using namespace plait;

namespace {

using bytes = std::vector<std::byte>;

/// Checks the answer of open_blob.
void check_opening(const bytes& memory) {
    const expected<blob> opened = open_blob(memory);
    if (!opened) {
        if (describe(opened.error()).size() == 0) fuzz::found("a refusal without a sentence", "open_blob", {});
        return;
    }
    const record& r = opened->record;
    const std::byte* const end = memory.data() + memory.size();
    if (opened->data.size() != r.size_in_bytes() || opened->data.data() < memory.data() ||
        opened->data.data() + opened->data.size() > end)
        fuzz::found("the record is not in the bytes", "open_blob", {});
    if (!(parse_record(detail::view_of(r.tag.text()), r.dims) == r))
        fuzz::found("the text of a record is another", "open_blob", {});
    // All bytes of the header follow from what was read, except the checksum and the end of the key.
    bytes again(memory.size());
    const blob_options options{static_cast<std::size_t>(detail::load_little(memory.data() + 40, 4)), false};
    write_blob_header(r, opened->data, again, detail::view_of(opened->key), options);
    for (std::size_t i = 0; i < blob_header_size(r, options); ++i)
        if (i / 8 != 4 && i / 16 != 3 && again[i] != memory[i])
            fuzz::found("the header is not the same again", "write_blob_header", {});
}

/// Returns a header with this text.
bytes header_of(std::string_view text, std::uint64_t record_size) {
    bytes out(detail::header_size_of(text.size(), 1));
    const auto letters = [&out](std::string_view from, std::size_t at) {
        for (const char c : from) out[at++] = static_cast<std::byte>(c);
    };
    letters(detail::blob_magic, 0);
    detail::store_little(out.data() + 8, 4, 1);
    detail::store_little(out.data() + 12, 4, out.size());
    detail::store_little(out.data() + 16, 8, record_size);
    detail::store_little(out.data() + 24, 8, detail::fnv_1a(text));
    detail::store_little(out.data() + 40, 4, 1);
    detail::store_little(out.data() + 44, 4, text.size());
    letters(text, 64);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::byte_source source(data, size);
    const bool as_text = source.once_in(2);
    const std::string_view rest = source.rest();
    bytes memory;
    if (as_text) {
        memory = header_of(rest, 0);
        // If the text is a record, its size is right too.
        if (const expected<record> r = detail::record_of_blob_text(rest); r && r->size < 1 << 16) {
            memory = header_of(rest, r->size_in_bytes());
            memory.resize(memory.size() + r->size_in_bytes());
        }
    } else {
        for (const char c : rest) memory.push_back(static_cast<std::byte>(c));
    }
    check_opening(memory);
    return 0;
}
