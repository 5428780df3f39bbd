// Records through the C interface: their fields and places, packing, repacking, blobs. Refused calls write nothing.

#include "c_api/c_descriptors.hpp"
#include "support/fenced_memory.hpp"

#include <plait/packed/blob.hpp>
#include <plait/packed/record_layout.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace test_c_api_records { namespace {

using namespace plait;
using namespace plait_test;

constexpr char rows[] = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)";
constexpr char panels[] = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)";
constexpr char summed[] = "nk: N(K(w:s8 4n 4k), bias:s32 4n /k =+sum(w)*-izp)";
using bytes = std::vector<unsigned char>;

/// A record that is destroyed at the end of its scope.
struct handle {
    handle(const char* text, std::vector<plait_dim_t> dims)
        : status(plait_record_create(&record, text, static_cast<int>(dims.size()), dims.data())) {}
    handle(const handle&) = delete;
    ~handle() { plait_record_destroy(record); }
    operator const plait_record_t*() const { return record; }
    std::size_t size() const { return plait_record_get_size(record); }
    plait_record_t* record = nullptr;
    plait_status_t status;
};

bytes some_bytes(std::size_t size) {
    bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<unsigned char>(i * 37 % 251);
    return out;
}

/// The plain tensors of d and q for a record of {16, 64}, and their descriptors.
struct weights {
    std::vector<std::uint16_t> d = std::vector<std::uint16_t>(16 * 2);
    bytes q = bytes(16 * 64 / 2);
    plait_memory_desc_t of_d = to_c(layout({16, 2}, "ab"), data_type::f16),
                        of_q = to_c(layout({16, 64}, "ab"), data_type::u4);
    plait_field_values_t values[2] = {{"d", &of_d, d.data(), 64}, {"q", &of_q, q.data(), 512}};
    plait_field_target_t targets[2] = {{"d", &of_d, d.data(), 64}, {"q", &of_q, q.data(), 512}};
    weights() = default;
    weights(const weights&) = delete;
};

std::string text_of(const plait_record_t* record) {
    char text[1024];
    REQUIRE(plait_record_format_text(record, text, sizeof text) == PLAIT_SUCCESS);
    return text;
}

TEST_CASE("C records: text, size, fields and places are those of C++") {
    const handle made("nk:NK( d:f16 8n/32k,q:u4^8 2k 8n 8k 2k@16 )", {16, 64});
    REQUIRE(made.status == PLAIT_SUCCESS);
    const record wanted(panels, {16, 64});
    CHECK(text_of(made) == panels);
    CHECK(made.size() == wanted.size_in_bytes());
    CHECK(plait_record_get_ndims(made) == 2);
    plait_dim_t extents[2];
    CHECK(plait_record_get_dims(extents, made) == PLAIT_SUCCESS);
    CHECK((extents[0] == 16 && extents[1] == 64));
    CHECK(plait_record_equal(made, handle(panels, {16, 64})) == 1);
    CHECK(plait_record_equal(made, handle(panels, {16, 96})) == 0);
    CHECK(plait_record_equal(made, handle(rows, {16, 64})) == 0);
    REQUIRE(plait_record_get_field_count(made) == 2);
    plait_record_field_t d, q;
    REQUIRE(plait_record_get_field(&d, made, 0) == PLAIT_SUCCESS);
    REQUIRE(plait_record_get_field(&q, made, 1) == PLAIT_SUCCESS);
    CHECK((std::string(d.name) == "d" && d.data_type == PLAIT_F16 && d.bits == 16 && d.pieces == 1 && d.flags == 0));
    CHECK((d.dims[0] == 16 && d.dims[1] == 2 && d.dims[2] == 0));
    CHECK((std::string(q.name) == "q" && q.data_type == PLAIT_U4 && q.bits == 4 && q.flags == PLAIT_FIELD_IS_MAPPED));
    for (plait_dim_t n = 0; n < 16; ++n)
        for (plait_dim_t k = 0; k < 64; ++k) {
            const plait_dim_t index[] = {n, k};
            plait_dim_t bit = -1;
            CHECK(plait_record_get_bit_offset(&bit, made, "q", index) == PLAIT_SUCCESS);
            CHECK(bit == wanted.bit_offset("q", n, k));
        }
    plait_memory_desc_t desc;
    CHECK(plait_record_get_field_desc(&desc, made, "d") == PLAIT_SUCCESS);
    CHECK(same_bytes(desc, to_c(layout_of(wanted, "d"), data_type::f16)));
}

TEST_CASE("C records: a field in pieces has one type that holds its values, and sums say that they are sums") {
    const handle pieces("nk: nK(s:u6 2k@64=0 /32k 2k@32, s.4:u2 2k@64=1 /32k 2k@32, s:u4 2k@64=1 /32k 2k@32)",
                        {2, 128});
    INFO(std::string(plait_last_refusal()));
    REQUIRE(pieces.status == PLAIT_SUCCESS);
    REQUIRE(plait_record_get_field_count(pieces) == 1);
    plait_record_field_t s;
    REQUIRE(plait_record_get_field(&s, pieces, 0) == PLAIT_SUCCESS);
    CHECK((s.data_type == PLAIT_U8 && s.bits == 6 && s.pieces == 3 && s.dims[0] == 2 && s.dims[1] == 4));
    const handle sums(summed, {8, 8});
    REQUIRE(plait_record_get_field(&s, sums, 1) == PLAIT_SUCCESS);
    CHECK((s.flags == PLAIT_FIELD_ADDS_SUM && s.data_type == PLAIT_S32 && s.dims[0] == 8 && s.dims[1] == 1));
}

TEST_CASE("C records: what is packed is what C++ packs, and unpacks to the same values") {
    const handle to(panels, {16, 64});
    const record wanted(panels, {16, 64});
    weights given, back;
    for (std::size_t i = 0; i < given.d.size(); ++i) given.d[i] = static_cast<std::uint16_t>(i * 977);
    given.q = some_bytes(512);
    given.values[1].data = given.q.data();
    bytes packed(to.size(), 0x5a), expected_bytes(to.size());
    REQUIRE(plait_pack(to, 2, given.values, packed.data(), packed.size(), nullptr) == PLAIT_SUCCESS);
    for (plait_dim_t n = 0; n < 16; ++n)
        for (plait_dim_t k = 0; k < 64; ++k) {
            const auto i = static_cast<std::size_t>(n * 64 + k);
            const auto bit = static_cast<std::size_t>(wanted.bit_offset("q", n, k)),
                       at = static_cast<std::size_t>(wanted.bit_offset("d", n, k)) / 8;
            CHECK((packed[bit / 8] >> bit % 8 & 15) == ((given.q[i / 2] >> i % 2 * 4 & 15) ^ 8));
            CHECK((packed[at] | packed[at + 1] << 8) == given.d[static_cast<std::size_t>(n * 2 + k / 32)]);
        }
    REQUIRE(plait_unpack(to, packed.data(), packed.size(), 2, back.targets) == PLAIT_SUCCESS);
    CHECK((back.d == given.d && back.q == given.q));
    CHECK(plait_record_verify(to, packed.data(), packed.size(), nullptr) == PLAIT_SUCCESS);
}

TEST_CASE("C records: a repack goes there and back, with threads that share its plan and names that are dropped") {
    const handle from(rows, {16, 64}), to(panels, {16, 64}), only_q("nk: nk(q:u4)", {16, 64});
    const bytes file = some_bytes(from.size());
    bytes packed(to.size()), back(from.size()), values(only_q.size());
    plait_repack_t *there = nullptr, *again = nullptr, *less = nullptr;
    REQUIRE(plait_repack_create(&there, from, to, nullptr) == PLAIT_SUCCESS);
    REQUIRE(plait_repack_create(&again, to, from, nullptr) == PLAIT_SUCCESS);
    CHECK(plait_repack_execute(there, file.data(), file.size(), packed.data(), packed.size()) == PLAIT_SUCCESS);
    CHECK(plait_repack_execute(again, packed.data(), packed.size(), back.data(), back.size()) == PLAIT_SUCCESS);
    CHECK(back == file);
    CHECK(plait_repack_create(&less, from, only_q, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("field_is_dropped: field d"));
    CHECK(less == nullptr);
    plait_repack_options_t options;
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    const char* const dropped[] = {"d"};
    options.dropped = dropped;
    options.dropped_count = 1;
    REQUIRE(plait_repack_create(&less, from, only_q, &options) == PLAIT_SUCCESS);
    CHECK(plait_repack_execute(less, file.data(), file.size(), values.data(), values.size()) == PLAIT_SUCCESS);
    CHECK((values[0] & 15) == (file[2] & 15));
    CHECK(plait_repack_execute(less, file.data(), file.size() - 1, values.data(), values.size()) ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(says("buffer_is_too_small: the source"));
    CHECK(plait_repack_execute(less, file.data(), file.size(), const_cast<unsigned char*>(file.data()) + 1,
                               values.size()) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("spans_overlap"));
    for (plait_repack_t* const plan : {there, again, less}) plait_repack_destroy(plan);
    plait_repack_destroy(nullptr);
}

TEST_CASE("C records: chunks and parts of a repack are the whole, and wrong ones are refused") {
    const std::vector<plait_dim_t> extents{2045, 1024};
    const handle from(rows, extents), to(panels, extents), apart("nk: (d:f16 nK /32k, q:u4 nK 16k 2k@16)", extents);
    const bytes file = some_bytes(from.size());
    bytes whole(to.size()), chunks(to.size()), parts(to.size());
    plait_repack_options_t options;
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    options.chunk_bytes = 100'000;
    plait_repack_t *plan = nullptr, *uncut = nullptr;
    REQUIRE(plait_repack_create(&plan, from, to, &options) == PLAIT_SUCCESS);
    REQUIRE(plait_repack_execute(plan, file.data(), file.size(), whole.data(), whole.size()) == PLAIT_SUCCESS);
    const plait_dim_t count = plait_repack_get_chunk_count(plan);
    REQUIRE(count > 3);
    plait_repack_t* usual = nullptr;
    REQUIRE(plait_repack_create(&usual, from, to, nullptr) == PLAIT_SUCCESS);
    CHECK(plait_repack_get_chunk_count(usual) > count);  // of 64 KB
    plait_repack_chunk_t chunk{};
    std::size_t end = 0;
    for (plait_dim_t i = 0; i < count; ++i) {
        REQUIRE(plait_repack_get_chunk(&chunk, plan, i) == PLAIT_SUCCESS);
        CHECK(chunk.dst_begin == end);
        end += chunk.dst_size;
        kernels::fenced_memory<unsigned char> in(chunk.src_size, kernels::fence::behind),
            out(chunk.dst_size, kernels::fence::behind);
        std::memcpy(in.data(), file.data() + chunk.src_begin, chunk.src_size);
        CHECK(plait_repack_execute_chunk(plan, i, in.data(), chunk.src_size, out.data(), chunk.dst_size) ==
              PLAIT_SUCCESS);
        std::memcpy(chunks.data() + chunk.dst_begin, out.data(), chunk.dst_size);
    }
    CHECK((end == whole.size() && chunks == whole));
    for (const int threads : {1, 2, 3, 1000}) {
        std::fill(parts.begin(), parts.end(), 0x5a);
        for (int part = threads - 1; part >= 0; --part)
            REQUIRE(plait_repack_execute_part(plan, part, threads, file.data(), file.size(), parts.data(),
                                              parts.size()) == PLAIT_SUCCESS);
        CHECK(parts == whole);
    }
    // One of two parts is not the whole.
    std::fill(parts.begin(), parts.end(), 0x5a);
    REQUIRE(plait_repack_execute_part(plan, 1, 2, file.data(), file.size(), parts.data(), parts.size()) ==
            PLAIT_SUCCESS);
    CHECK((parts[0] == 0x5a && parts.back() == whole.back()));

    const auto execute = [&](const plait_repack_t* p, plait_dim_t i, std::size_t in, std::size_t out) {
        return plait_repack_execute_chunk(p, i, file.data(), in, parts.data(), out);
    };
    const auto refused = [](plait_status_t status, const char* part) {
        INFO(std::string(plait_last_refusal()));
        CHECK((status == PLAIT_INVALID_ARGUMENTS && says(part)));
    };
    const bytes before = parts;
    REQUIRE(plait_repack_get_chunk(&chunk, plan, 0) == PLAIT_SUCCESS);
    refused(execute(plan, count, file.size(), parts.size()), "position_is_out_of_range");
    refused(execute(plan, -1, file.size(), parts.size()), "position_is_out_of_range");
    refused(execute(plan, 0, chunk.src_size - 1, chunk.dst_size), "buffer_is_too_small: the source");
    refused(execute(plan, 0, chunk.src_size, chunk.dst_size - 1), "buffer_is_too_small: the destination");
    refused(execute(nullptr, 0, 1, 1), "repack is null");
    refused(plait_repack_execute_chunk(plan, 0, parts.data() + 1, chunk.src_size, parts.data(), chunk.dst_size),
            "spans_overlap");
    refused(plait_repack_execute_chunk(plan, 0, nullptr, chunk.src_size, parts.data(), chunk.dst_size),
            "buffer_is_null");
    refused(plait_repack_get_chunk(nullptr, plan, 0), "out is null");
    refused(plait_repack_get_chunk(&chunk, plan, count), "position_is_out_of_range");
    refused(plait_repack_execute_part(plan, 2, 2, file.data(), file.size(), parts.data(), parts.size()),
            "position_is_out_of_range");
    refused(plait_repack_execute_part(plan, 0, 0, file.data(), file.size(), parts.data(), parts.size()),
            "position_is_out_of_range");
    refused(plait_repack_execute_part(plan, 0, 2, file.data(), file.size() - 1, parts.data(), parts.size()),
            "buffer_is_too_small");
    CHECK(plait_repack_get_chunk_count(nullptr) == 0);
    REQUIRE(plait_repack_create(&uncut, apart, to, &options) == PLAIT_SUCCESS);
    refused(execute(uncut, 0, file.size(), parts.size()), "record_is_not_cut");
    CHECK(parts == before);
    for (plait_repack_t* const each : {plan, uncut, usual}) plait_repack_destroy(each);
}

TEST_CASE("C records: sums take their parameter, and verify finds what does not agree") {
    const handle to(summed, {4, 8});
    std::vector<std::int8_t> w(32);
    for (std::size_t i = 0; i < 32; ++i) w[i] = static_cast<std::int8_t>(i);
    const std::vector<std::int32_t> bias{1000, 2000, 3000, 4000};
    const plait_memory_desc_t of_w = to_c(layout({4, 8}, "ab"), data_type::s8),
                              of_bias = to_c(layout({4, 1}, "ab"), data_type::s32);
    const plait_field_values_t values[] = {{"w", &of_w, w.data(), 32}, {"bias", &of_bias, bias.data(), 16}};
    bytes out(to.size());
    CHECK(plait_pack(to, 2, values, out.data(), out.size(), nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("parameter_is_missing"));
    CHECK(out == bytes(to.size()));
    plait_repack_options_t options;
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    const char* const names[] = {"izp"};
    const double numbers[] = {3};
    options.parameter_names = names;
    options.parameter_values = numbers;
    options.parameter_count = 1;
    REQUIRE(plait_pack(to, 2, values, out.data(), out.size(), &options) == PLAIT_SUCCESS);
    const plait_dim_t index[] = {1, 0};
    plait_dim_t bit = 0;
    REQUIRE(plait_record_get_bit_offset(&bit, to, "bias", index) == PLAIT_SUCCESS);
    std::int32_t stored;
    std::memcpy(&stored, out.data() + bit / 8, 4);
    CHECK(stored == 2000 - 3 * (8 + 9 + 10 + 11 + 12 + 13 + 14 + 15));
}

TEST_CASE("C records: blobs are those of C++, and damaged ones are refused") {
    const handle r(panels, {16, 64});
    const bytes data = some_bytes(r.size());
    const std::span<const std::byte> span(reinterpret_cast<const std::byte*>(data.data()), data.size());
    const std::vector<std::byte> wanted = make_blob(record(panels, {16, 64}), span, "avx2");
    REQUIRE(plait_blob_get_size(r) == wanted.size());
    bytes blob(wanted.size());
    REQUIRE(plait_blob_make(blob.data(), blob.size(), r, data.data(), data.size(), "avx2") == PLAIT_SUCCESS);
    CHECK(std::memcmp(blob.data(), wanted.data(), blob.size()) == 0);
    plait_record_t* opened = nullptr;
    const void* inside = nullptr;
    char key[17];
    REQUIRE(plait_blob_open(&opened, &inside, key, blob.data(), blob.size()) == PLAIT_SUCCESS);
    CHECK(plait_record_equal(opened, r) == 1);
    CHECK(std::string(key) == "avx2");
    CHECK(std::memcmp(inside, data.data(), data.size()) == 0);
    plait_record_destroy(opened);
    opened = nullptr;
    for (std::size_t size = 0; size < blob.size(); size += 13)
        CHECK(plait_blob_open(&opened, &inside, nullptr, blob.data(), size) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("blob_is_truncated"));
    bytes longer = blob;
    longer.push_back(0);
    CHECK(plait_blob_open(&opened, &inside, nullptr, longer.data(), longer.size()) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("blob_is_too_long"));
    blob[70] ^= 1;
    CHECK(plait_blob_open(&opened, &inside, nullptr, blob.data(), blob.size()) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("blob_text_is_damaged"));
    CHECK(opened == nullptr);
    CHECK(plait_blob_make(blob.data(), blob.size() - 1, r, data.data(), data.size(), "") == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_blob_make(blob.data(), blob.size(), r, data.data(), data.size() - 1, "") == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_blob_make(blob.data(), blob.size(), r, data.data(), data.size(), "seventeen_letters") ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(says("key_is_too_long"));
}

TEST_CASE("C records: wrong arguments are refused, and nothing is written") {
    const auto refused = [](plait_status_t status, const char* part) {
        INFO(std::string(plait_last_refusal()));
        INFO(std::string(part));
        CHECK(status == PLAIT_INVALID_ARGUMENTS);
        CHECK(says(part));
    };
    plait_record_t* made = nullptr;
    const plait_dim_t extents[] = {16, 64, 1};
    refused(plait_record_create(nullptr, panels, 2, extents), "out is null");
    refused(plait_record_create(&made, nullptr, 2, extents), "text is null");
    refused(plait_record_create(&made, panels, 2, nullptr), "dims is null");
    refused(plait_record_create(&made, panels, 13, extents), "ndims_is_out_of_range");
    refused(plait_record_create(&made, panels, 3, extents), "rank_differs");
    refused(plait_record_create(&made, "nk: NK(q:u4 2k 8n 8k 2k@9)", 2, extents), "step_is_not_reached");
    refused(plait_record_create(&made, std::string(5000, ' ').c_str(), 2, extents), "record_is_too_large");
    CHECK(made == nullptr);
    const handle r(panels, {16, 64});
    CHECK(plait_record_get_size(nullptr) == 0);
    CHECK(plait_blob_get_size(nullptr) == 0);
    plait_dim_t bit = 7;
    const plait_dim_t outside[] = {0, 64}, inside[] = {0, 0};
    refused(plait_record_get_bit_offset(&bit, r, "q", outside), "position_is_out_of_range");
    refused(plait_record_get_bit_offset(&bit, r, "z", inside), "field_is_missing: field z");
    refused(plait_record_get_bit_offset(&bit, r, "sixteen_letters_", inside), "field_is_missing");
    refused(plait_record_get_bit_offset(&bit, r, nullptr, inside), "field is null");
    CHECK(bit == 7);
    char text[8] = "abc";
    refused(plait_record_format_text(r, text, sizeof text), "buffer_is_too_small");
    CHECK(std::string(text) == "abc");
    plait_record_field_t field;
    refused(plait_record_get_field(&field, r, 2), "field_is_missing");
    plait_memory_desc_t desc = pattern();
    refused(plait_record_get_field_desc(&desc, r, "z"), "field_is_missing");
    CHECK(same_bytes(desc, pattern()));

    weights given;
    bytes out(r.size(), 0x5a);
    const auto pack = [&](int count) { return plait_pack(r, count, given.values, out.data(), out.size(), nullptr); };
    refused(pack(1), "field_is_missing: field q");
    refused(pack(-1), "count_is_out_of_range");
    refused(pack(1000), "count_is_out_of_range");
    refused(plait_pack(r, 2, given.values, out.data(), out.size() - 1, nullptr), "out: buffer_is_too_small");
    refused(plait_pack(r, 2, nullptr, out.data(), out.size(), nullptr), "values is null");
    const plait_memory_desc_t one = to_c(layout({16, 1}, "ab"), data_type::f16);
    given.values[0].desc = &one;
    refused(pack(2), "dims_differ: axis 1");
    given.values[0] = given.values[1];
    refused(pack(2), "field_is_doubled: field 'q'");
    given.values[0] = {"d", &given.of_d, given.d.data(), 63};
    refused(pack(2), "d: buffer_is_too_small: the source has 63 bytes");
    given.values[0] = {"d", &given.of_d, out.data(), 64};
    refused(pack(2), "spans_overlap");
    given.values[0] = {"d", nullptr, given.d.data(), 64};
    refused(pack(2), "d is null");
    const plait_memory_desc_t any = to_c(layout({16, 2}, "any"), data_type::f16);
    given.values[0] = {"d", &any, given.d.data(), 64};
    refused(pack(2), "layout_is_any");
    CHECK(out == bytes(r.size(), 0x5a));

    // Targets: places that are shared, and targets that overlap each other.
    const plait_memory_desc_t repeated = to_c(layout({16, 2}, strides{0, 1}), data_type::f16);
    given.targets[0].desc = &repeated;
    refused(plait_unpack(r, out.data(), out.size(), 2, given.targets), "destination_is_not_injective");
    given.targets[0] = {"d", &given.of_d, given.q.data() + 8, 64};
    refused(plait_unpack(r, out.data(), out.size(), 2, given.targets), "spans_overlap");
    CHECK(given.q == bytes(512));

    plait_repack_options_t options;
    refused(plait_repack_options_init(nullptr), "options is null");
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    const auto with = [&] { return plait_record_verify(r, out.data(), out.size(), &options); };
    options.dropped_count = 1;
    refused(with(), "dropped is null");
    options.dropped_count = -1;
    refused(with(), "count_is_out_of_range");
    options.dropped_count = 0;
    options.parameter_count = 1;
    refused(with(), "parameter_names is null");
    options.parameter_count = 0;
    options.version = 2;
    refused(with(), "version_is_unknown: options");
    options.version = 1;
    options.chunk_bytes = -1;
    refused(with(), "count_is_out_of_range: options has chunks of -1 bytes");
    options.chunk_bytes = 0;
    options.ignore_padding = 2;
    refused(with(), "flag_is_unknown: options has 2 as ignore_padding");
    refused(plait_unpack_with_options(r, out.data(), out.size(), 0, nullptr, &options), "flag_is_unknown");
    options.ignore_padding = 0;
    options.reserved[2] = 1;
    refused(with(), "reserved_is_not_zero");
}

TEST_CASE("C records: a field to which a sum was added is unpacked with the number that it was packed with") {
    const handle r("nk: N(q:u8 K 4n 4k, b:s32 4n /k =+sum(q)*-izp)", {4, 4});
    const plait_memory_desc_t of_q = to_c(layout({4, 4}, "ab"), data_type::u8),
                              of_b = to_c(layout({4, 1}, "ab"), data_type::s32);
    const std::vector<std::uint8_t> q(16, 2);
    const std::vector<std::int32_t> b{1, -2, 3, 1000};
    const plait_field_values_t values[] = {{"q", &of_q, q.data(), 16}, {"b", &of_b, b.data(), 16}};
    plait_repack_options_t options;
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    const char* const names[] = {"izp"};
    const double numbers[] = {5};
    options.parameter_count = 1;
    options.parameter_names = names;
    options.parameter_values = numbers;
    bytes packed(r.size());
    REQUIRE(plait_pack(r, 2, values, packed.data(), packed.size(), &options) == PLAIT_SUCCESS);
    std::vector<std::int32_t> back(4);
    const plait_field_target_t targets[] = {{"b", &of_b, back.data(), 16}};
    CHECK(plait_unpack(r, packed.data(), packed.size(), 1, targets) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("parameter_is_missing: number izp"));
    CHECK(plait_unpack_with_options(r, packed.data(), packed.size(), 1, targets, &options) == PLAIT_SUCCESS);
    CHECK(back == b);
}

TEST_CASE("C records: verify leaves padding out if it is told so") {
    const handle r("nk: NK(q:u8 4n 4k)", {3, 4});
    bytes data(r.size());
    data[15] = 9;
    plait_repack_options_t options;
    REQUIRE(plait_repack_options_init(&options) == PLAIT_SUCCESS);
    CHECK(plait_record_verify(r, data.data(), data.size(), &options) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("record_is_damaged: the padding of field q is not zero at index 3 of axis 0"));
    options.ignore_padding = 1;
    CHECK(plait_record_verify(r, data.data(), data.size(), &options) == PLAIT_SUCCESS);
}

}}  // namespace test_c_api_records
