// Blobs: a record and its description survive, and every damage is refused by name.

#include <plait/packed/blob.hpp>
#include <plait/packed/repack.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace plait;

namespace {

using bytes = std::vector<std::byte>;

bytes some_bytes(std::size_t size) {
    bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(i * 37 % 251);
    return out;
}
std::string text_in(const bytes& blob) {
    return {reinterpret_cast<const char*>(blob.data()) + 64, static_cast<std::size_t>(blob[44])};
}
reason reason_of(const bytes& blob) { return open_blob(blob).error().reason; }

/// Writes a number into a header.
void put(bytes& blob, std::size_t at, std::size_t size, std::uint64_t number) {
    detail::store_little(blob.data() + at, size, number);
}
/// Returns a blob of no data with this text, with all numbers of the header as the text demands.
bytes blob_of_text(const std::string& text, std::uint64_t record_size = 0) {
    bytes out(detail::header_size_of(text.size(), 1));
    const std::string magic = "plaitrec";
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<std::byte>(magic[i]);
    put(out, 8, 4, 1);
    put(out, 12, 4, out.size());
    put(out, 16, 8, record_size);
    put(out, 24, 8, detail::fnv_1a(text));
    put(out, 40, 4, 1);
    put(out, 44, 4, text.size());
    for (std::size_t i = 0; i < text.size(); ++i) out[64 + i] = static_cast<std::byte>(text[i]);
    return out;
}

const record q4_0("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {16, 64});

template <class Action>
verdict refusal(Action action) {
    try {
        action();
    } catch (const rejection& r) {
        return r.verdict();
    }
    return {};
}

}  // namespace

static_assert(detail::fnv_1a("") == 0xcbf29ce484222325 && detail::fnv_1a("foobar") == 0x85944171f73967e8);

TEST_CASE("a blob says what it holds") {
    const bytes data = some_bytes(q4_0.size_in_bytes());
    const bytes blob = make_blob(q4_0, data, "avx512_vnni");
    CHECK(text_in(blob) == "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16) 16 64");
    CHECK(blob.size() == 128 + data.size());
    const auto opened = open_blob(blob);
    REQUIRE(opened.has_value());
    CHECK(opened->record == q4_0);
    CHECK(std::equal(data.begin(), data.end(), opened->data.begin(), opened->data.end()));
    CHECK(opened->key == "avx512_vnni");
    CHECK(make_blob(q4_0, data, "avx512_vnni") == blob);
    CHECK(open_blob(make_blob(q4_0, data, "sixteen letters!"))->key == "sixteen letters!");

    bytes header(blob_header_size(q4_0));
    write_blob_header(q4_0, data, header, "avx512_vnni");
    CHECK(std::equal(header.begin(), header.end(), blob.begin()));
    // Without the data there is no checksum.
    write_blob_header(q4_0, {}, header);
    header.insert(header.end(), data.begin(), data.end());
    CHECK(open_blob(header)->data.size() == data.size());
}

TEST_CASE("the header is the same on every machine") {
    const record r("k: q:u8 k", {3});
    const bytes blob = make_blob(r, some_bytes(3), "key");
    const unsigned char begin[] = {'p', 'l', 'a', 'i', 't', 'r', 'e', 'c', 1, 0, 0, 0,
                                   128, 0,   0,   0,   3,   0,   0,   0,   0, 0, 0, 0};
    for (std::size_t i = 0; i < sizeof(begin); ++i) CHECK(std::to_integer<int>(blob[i]) == begin[i]);
    CHECK(detail::load_little(blob.data() + 24, 8) == detail::fnv_1a("k: q:u8 k 3"));
    CHECK(detail::checksum_of({}) != detail::checksum_of(bytes(1)));
    CHECK(detail::checksum_of(bytes(31)) != detail::checksum_of(bytes(32)));
    CHECK(detail::load_little(blob.data() + 32, 8) == 0x395fc732be0a1878);
    // Computed by another program. The bytes end inside a word, with the last of four words, and with the first.
    CHECK(detail::checksum_of(some_bytes(100)) == 0x43c65162e43673d7);
    CHECK(detail::checksum_of(some_bytes(96)) == 0xda8cf81d48e8e3b1);
    CHECK(detail::checksum_of(some_bytes(104)) == 0xfadc035c1aa7a0ec);
}

TEST_CASE("the header of a record that is written in parts is the same") {
    const record rows("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {37, 96}), panels(q4_0.tag, {37, 96});
    const bytes in = some_bytes(rows.size_in_bytes());
    bytes whole(panels.size_in_bytes());
    repack_options small;
    small.chunk_bytes = 1;
    const planned_repack planned = make_repack(rows, panels, small).value();
    planned(in, whole);
    blob_options options;
    bytes data, header(blob_header_size(panels));
    for (dim_t number = 0; number < planned.chunks(); ++number) {
        const repack_chunk part = planned.chunk(number);
        bytes out(static_cast<std::size_t>(part.dst_bytes));
        planned.run_chunk(number, std::span(in).subspan(static_cast<std::size_t>(part.src_begin)), out);
        options.checksum.add(out);
        data.insert(data.end(), out.begin(), out.end());
    }
    write_blob_header(panels, {}, header, "avx2", options);
    header.insert(header.end(), data.begin(), data.end());
    CHECK(header == make_blob(panels, whole, "avx2"));
    const auto opened = open_blob(header);
    REQUIRE(opened.has_value());
    CHECK(opened->checksum == options.checksum.value());
    for (std::size_t i = header.size() - data.size(); i < header.size(); ++i) {
        header[i] ^= std::byte{1};
        CHECK(reason_of(header) == reason::blob_data_is_damaged);
        header[i] ^= std::byte{1};
    }
    // A part is missing: the header would describe another record.
    blob_options missing;
    missing.checksum.add(std::span(data).subspan(1));
    CHECK(refusal([&] { write_blob_header(panels, {}, header, "", missing); }) ==
          verdict{reason::blob_size_differs, -1, static_cast<dim_t>(data.size()) - 1, panels.size});
}

TEST_CASE("a checksum of parts of any size is that of the whole") {
    const bytes data = some_bytes(300);
    for (std::size_t size = 0; size <= data.size(); size += size < 70 ? 1 : 23)
        for (std::size_t part = 1; part <= 70; ++part) {
            detail::blob_checksum sum;
            for (std::size_t at = 0; at < size; at += part)
                sum.add(std::span(data).subspan(at, std::min(part, size - at)));
            sum.add({});
            CHECK(sum.size() == size);
            CHECK(sum.value() == detail::checksum_of(std::span(data).first(size)));
        }
}

TEST_CASE("every damage of a header is refused, except in the key") {
    const bytes data = some_bytes(q4_0.size_in_bytes());
    const bytes blob = make_blob(q4_0, data, "avx2");
    const std::size_t header = blob_header_size(q4_0);
    int accepted = 0;
    for (std::size_t i = 0; i < header; ++i)
        for (int change = 1; change < 256; ++change) {
            bytes damaged = blob;
            damaged[i] ^= static_cast<std::byte>(change);
            const auto opened = open_blob(damaged);
            if (i >= 48 && i < 64) {
                CHECK(opened.has_value());
                continue;
            }
            // Another power of two is a lie that cannot be seen.
            const bool alignment = i == 40 && detail::is_alignment(1U ^ static_cast<unsigned>(change));
            if (alignment) CHECK((opened.has_value() || opened.error().reason == reason::blob_is_misaligned));
            else accepted += opened.has_value();
        }
    CHECK(accepted == 0);

    const auto damaged = [&blob](std::size_t at) {
        bytes out = blob;
        out[at] ^= std::byte{1};
        return reason_of(out);
    };
    CHECK(damaged(3) == reason::blob_is_not_one);
    CHECK(damaged(8) == reason::blob_version_is_unknown);
    CHECK(damaged(12) == reason::blob_is_not_one);
    CHECK(damaged(16) == reason::blob_size_differs);
    CHECK(damaged(24) == reason::blob_text_is_damaged);
    CHECK(damaged(32) == reason::blob_data_is_damaged);
    // Numbers of all 64 bits are printed without a sign.
    const auto said = [&blob](std::size_t at) {
        bytes out = blob;
        for (std::size_t i = 0; i < 8; ++i) out[at + i] = static_cast<std::byte>(0xf8 + i);
        return std::string(describe(open_blob(out).error()).c_str());
    };
    CHECK(said(16).find("has 18446460386757245432 bytes, but") != std::string::npos);
    CHECK(said(24).find(", but its header says 0xfffefdfcfbfaf9f8") != std::string::npos);
    CHECK(said(32).find(", but its header says 0xfffefdfcfbfaf9f8") != std::string::npos);
    CHECK(said(32).find("is 0x") != std::string::npos);
    CHECK(damaged(40) == reason::blob_is_not_one);
    CHECK(damaged(70) == reason::blob_text_is_damaged);
    CHECK(damaged(127) == reason::blob_is_not_one);
    for (std::size_t i = header; i < blob.size(); ++i) CHECK(damaged(i) == reason::blob_data_is_damaged);
}

TEST_CASE("a blob that ends early is refused") {
    const bytes blob = make_blob(q4_0, some_bytes(q4_0.size_in_bytes()));
    for (std::size_t size = 0; size < blob.size(); ++size) {
        const auto opened = open_blob(std::span(blob).first(size));
        CHECK(opened.error().reason == reason::blob_is_truncated);
    }
    CHECK(open_blob(std::span(blob).first(7)).error() == verdict{reason::blob_is_truncated, -1, 7, 64});
    CHECK(open_blob(std::span(blob).first(100)).error() == verdict{reason::blob_is_truncated, -1, 100, 128});
}

TEST_CASE("bytes after the record are refused") {
    for (const bool with_checksum : {true, false}) {
        const bytes blob = make_blob(q4_0, some_bytes(q4_0.size_in_bytes()), "", {.with_checksum = with_checksum});
        for (const std::size_t more : {std::size_t{1}, std::size_t{64}, blob.size()}) {
            bytes longer = blob;
            longer.resize(blob.size() + more);
            std::copy(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(std::min(more, blob.size())),
                      longer.begin() + static_cast<std::ptrdiff_t>(blob.size()));
            const verdict why = open_blob(longer).error();
            CHECK(why == verdict{reason::blob_is_too_long, -1, static_cast<dim_t>(longer.size()),
                                 static_cast<dim_t>(blob.size())});
            // What the sentence advises works.
            CHECK(open_blob(std::span(longer).first(static_cast<std::size_t>(why.second))).has_value());
        }
    }
    bytes nothing = blob_of_text("k: q:u8 k 0");
    nothing.push_back({});
    CHECK(reason_of(nothing) == reason::blob_is_too_long);
}

TEST_CASE("headers that lie are refused") {
    CHECK(open_blob(blob_of_text("k: q:u8 k 0")).has_value());
    for (const char* text : {"", ":", "k", "k:", "k: q:u8 k", "k: q:u8 k ", "k: q:u8 k 1 1", "k: q:u8 k 01",
                             "k: q:u8 k -1", "k:q:u8 k 1", "k: q:u8 K 1", "k: q:u8 k  1",
                             "k: q:u8 k 999999999999999999", "n: _:%2 9", "k: q:u8 k 99999999999999999999999999999",
                             "nk: q:u8 k 1 1", " 1", "abcdefghijklmnop: q:u8 k 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"})
        CHECK(reason_of(blob_of_text(text)) == reason::blob_text_is_refused);
    const std::string huge = "k: q:u8 k 30000000000000000";
    CHECK(reason_of(blob_of_text(huge)) == reason::blob_size_differs);
    CHECK(reason_of(blob_of_text(huge, 30000000000000000)) == reason::blob_is_truncated);
    CHECK(reason_of(blob_of_text("nk: q:u8 nk 4000000000 4000000000")) == reason::blob_text_is_refused);
    bytes lying = blob_of_text("k: q:u8 k 0");
    put(lying, 44, 4, 0xffffffff);  // a text without an end
    CHECK(reason_of(lying) == reason::blob_is_not_one);
    put(lying, 44, 4, 1281);
    put(lying, 12, 4, 1408);
    CHECK(reason_of(lying) == reason::blob_is_truncated);
    put(lying, 12, 4, 0xffffffc0);
    CHECK(reason_of(lying) == reason::blob_is_not_one);
}

TEST_CASE("records that need alignment") {
    const bytes data = some_bytes(q4_0.size_in_bytes());
    const bytes blob = make_blob(q4_0, data, "", {.alignment = 256});
    CHECK(blob.size() == 256 + data.size());
    bytes memory(blob.size() + 512);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    std::byte* const aligned = memory.data() + (256 - address % 256);
    std::copy(blob.begin(), blob.end(), aligned);
    CHECK(open_blob({aligned, blob.size()}).has_value());
    std::copy(blob.begin(), blob.end(), aligned + 64);
    CHECK(open_blob({aligned + 64, blob.size()}).error().reason == reason::blob_is_misaligned);
}

TEST_CASE("what cannot be written is refused") {
    const bytes data = some_bytes(q4_0.size_in_bytes() + 1);
    const auto first = [&data](std::size_t size) { return std::span(data).first(size); };
    const std::size_t size = q4_0.size_in_bytes();
    CHECK(refusal([&] { (void)make_blob(q4_0, first(size - 1)); }).reason == reason::buffer_is_too_small);
    CHECK(refusal([&] { (void)make_blob(q4_0, data); }).reason == reason::blob_size_differs);
    CHECK(refusal([&] { (void)make_blob(q4_0, first(size), "seventeen letters"); }).reason ==
          reason::buffer_is_too_small);
    CHECK(refusal([&] { (void)make_blob(q4_0, first(size), "", {.alignment = 3}); }).reason ==
          reason::blob_is_misaligned);
    bytes header(127);
    CHECK(refusal([&] { write_blob_header(q4_0, {}, header); }) == verdict{reason::buffer_is_too_small, -1, 127, 128});
}
