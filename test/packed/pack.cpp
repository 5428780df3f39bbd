// What pack, unpack and verify refuse.
#include <plait/packed.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/check_bytes.hpp>

#include "support/executors.hpp"
#include "support/fenced_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace test_packed_pack { namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

dim_t n(const char* name) { return detail::short_name(detail::field_name_of(name)); }

TEST_CASE("sums of unsigned values minus a constant: packed, verified, unpacked") {
    struct one {
        const char* tag;
        dim_t bits, zero;
        int factor;  // of the s32 sum
    };
    for (const one& c : {one{"nk: N(q:u4 K 4n 8k 2k@8 ~n, s:s32 4n /k =sum(q-8)*-3)", 4, 8, -3},
                         one{"nk: N(s:s32 4n /k =+sum(q-8)*-3, q:u4 K 4n 8k 2k@8)", 4, 8, -3},
                         one{"nk: N(q:u2 K 2k@16 4n 4k 4k@4, s:s32 4n /k =sum(q-2))", 2, 2, 1},
                         one{"nk: (s:s32 n /k =sum(q-1000)*7, q:u8 nk)", 8, 1000, 7},
                         one{"nk: (q:u4^8 nk, s:s32 n /k =sum(q-1))", 4, 9, 1},  // q is the number minus 8
                         one{"nk: (q:u3 nk, s:s32 n /k =sum(q-4))", 3, 4, 1},
                         one{"nk: (q.0:u4 nk, q.4:u1 k n, s:s32 n /k =sum(q-16))", 5, 16, 1}})
        for (const dims& extents : {dims{8, 64}, dims{5, 40}, dims{1, 256}, dims{3, 1}}) {
            CAPTURE(c.tag);
            const record r(parse_record_tag(c.tag).value(), extents);
            const bool adds = std::string_view(c.tag).find("=+") != std::string_view::npos;
            std::vector<std::uint8_t> q(static_cast<std::size_t>(extents[0] * extents[1]));
            std::uint32_t state = 5;
            for (std::uint8_t& value : q)
                value = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 16 & ((1u << c.bits) - 1));
            // The values as plain tensors: one after the other in bits, as a record of one field.
            const data_type type = c.bits == 4 ? data_type::u4 : c.bits == 2 ? data_type::u2 : data_type::u8;
            const descriptor what(type, layout(extents, extents[1] == 0 ? strides{1, 1} : strides{extents[1], 1}));
            bytes of_q(what.buffer_size_in_bytes());
            const int width = size_in_bits(type);
            for (std::size_t i = 0; i < q.size(); ++i)
                detail::write_bits(of_q.data(), static_cast<dim_t>(i) * width, width, q[i]);
            std::vector<std::int32_t> given(static_cast<std::size_t>(extents[0]), 1000);
            const descriptor sums(data_type::s32, layout(dims{extents[0], 1}, strides{1, 1}));
            std::vector<field_values> values{{"q", what, of_q}};
            if (adds) values.push_back({"s", sums, std::as_bytes(std::span(given))});
            bytes out(r.size_in_bytes(), std::byte{0xa5});
            REQUIRE(try_pack(r, values, out).error() == verdict());
            for (dim_t n = 0; n < extents[0]; ++n) {
                std::int64_t total = 0;
                for (dim_t k = 0; k < extents[1]; ++k)
                    total += q[static_cast<std::size_t>(n * extents[1] + k)] - c.zero;
                const auto wanted = static_cast<std::int32_t>(total * c.factor + (adds ? 1000 : 0));
                std::uint64_t stored = 0;
                for (const record_piece& piece : r.pieces)
                    if (r.field_of(piece).name == "s")
                        stored = detail::read_bits(out.data(), piece.place(position{n, 0}), 32);
                CHECK(static_cast<std::int32_t>(static_cast<std::uint32_t>(stored)) == wanted);
            }
            CHECK(verify(r, out) == verdict());
            bytes back(of_q.size());
            std::vector<std::int32_t> back_sums(given.size());
            std::vector<field_target> targets{{"q", what, back}};
            if (adds) targets.push_back({"s", sums, std::as_writable_bytes(std::span(back_sums))});
            CHECK(try_unpack(r, out, targets).error() == verdict());
            CHECK(back == of_q);
            if (adds) CHECK(back_sums == given);
            // Without the constant the same bytes are damaged.
            record other = r;
            for (record_field& f : other.tag.fields) f.content.subtracted = 0;
            if (!adds) CHECK(verify(other, out).reason == reason::record_is_damaged);
        }
}

TEST_CASE("plain tensors that do not fit are refused") {
    using enum reason;
    const record r = *parse_record("nk: nK(d:f16 /32k, q:u4 32k)", dims{8, 64});
    const descriptor q(data_type::u4, layout(dims{8, 64}, strides{64, 1})),
        d(data_type::f16, layout(dims{8, 2}, strides{2, 1})),
        wrong(data_type::f16, layout(dims{8, 64}, strides{64, 1})), one(data_type::u4, layout(dims{512}, strides{1}));
    bytes of_q(256), of_d(32), out(r.size_in_bytes()), large(1024);
    const auto why = [&](std::vector<field_values> values, std::span<std::byte> to) {
        return try_pack(r, values, to).error();
    };
    CHECK(why({{"q", q, of_q}, {"d", d, of_d}}, out).ok());
    CHECK(why({{"q", q, of_q}}, out) == verdict{field_is_missing, -1, n("d")});
    CHECK(why({{"q", q, of_q}, {"d", d, of_d}, {"s", d, of_d}}, out) == verdict{field_is_missing, -1, n("s")});
    CHECK(why({{"q", q, of_q}, {"d", wrong, large}}, out) == verdict{dims_differ, 1, 64, 2});
    CHECK(why({{"q", one, of_q}, {"d", d, of_d}}, out) == verdict{rank_differs, -1, 1, 2});
    CHECK(why({{"q", q, std::span(of_q).first(255)}, {"d", d, of_d}}, out) ==
          verdict{buffer_is_too_small, -1, 255, 256});
    CHECK(why({{"q", q, of_q}, {"d", d, of_d}}, std::span(out).first(9)).reason == buffer_is_too_small);
    std::vector<field_target> targets = {{"q", q, std::span(of_q).first(255)}};
    CHECK(try_unpack(r, out, targets).error() == verdict{buffer_is_too_small, -1, 255, 256});
    targets = {{"q", q, of_q}};
    CHECK(try_unpack(r, out, targets).has_value());
    CHECK(try_unpack(r, std::span(out).first(9), targets).error().reason == buffer_is_too_small);
}

TEST_CASE("names are compared whole: one of more than 15 letters is that of no field and of no parameter") {
    const record r =
        *parse_record("nk: (abcdefghijklmno:u8 nk, s:s32 n /k =sum(abcdefghijklmno)*parameter_of_15)", dims{2, 4});
    const char* longer = "abcdefghijklmnop";
    const auto why = [](const auto& call) {
        try {
            call();
        } catch (const rejection& refused) {
            return refused.verdict().reason;
        }
        return reason::none;
    };
    CHECK(r.bit_offset("abcdefghijklmno", 1, 0) == 32);
    CHECK(why([&] { static_cast<void>(r.bit_offset(longer, 1, 0)); }) == reason::field_is_missing);
    CHECK(why([&] { static_cast<void>(fibre(r, longer)); }) == reason::field_is_missing);
    CHECK(try_layout_of(r, longer).error().reason == reason::field_is_missing);
    const bytes q(8, std::byte{1});
    bytes out(r.size_in_bytes());
    const descriptor what(data_type::u8, layout(dims{2, 4}, "ab"));
    repack_options options;
    options.parameters = {{"parameter_of_15", 2}};
    CHECK(try_pack(r, std::vector<field_values>{{longer, what, q}}, out, options).error().reason ==
          reason::field_is_missing);
    CHECK(try_pack(r, std::vector<field_values>{{"abcdefghijklmno", what, q}}, out, options).has_value());
    options.parameters = {{"parameter_of_15_letters", 2}};
    CHECK(try_pack(r, std::vector<field_values>{{"abcdefghijklmno", what, q}}, out, options).error().reason ==
          reason::parameter_is_missing);
    const record other = *parse_record("nk: (b:u8 nk)", dims{2, 4});
    repack_options dropping;
    dropping.dropped = {longer};
    CHECK(make_repack(*parse_record("nk: (abcdefghijklmno:u8 nk, b:u8 nk)", dims{2, 4}), other, dropping)
              .error()
              .reason == reason::field_is_dropped);
}

TEST_CASE("records without elements are packed and unpacked at once, whatever the steps of the plain tensors") {
    // Along n there are 2^40 indices, and no chunk of them has a value.
    const record r = *parse_record("nk: NK(d:f32 8n /32k, q:u4 2k 8n 16k)", dims{dim_t{1} << 40, 0});
    const descriptor q(data_type::u4, layout(r.dims, strides{1, dim_t{1} << 60})),
        d(data_type::f32, layout(r.dims, strides{dim_t{1} << 20, 1}));
    repack_options smallest_chunks;
    smallest_chunks.chunk_bytes = 1;
    bytes none, out(r.size_in_bytes(), std::byte{1});
    const std::vector<field_values> values = {{"q", q, none}, {"d", d, none}};
    CHECK(try_pack(r, values, out, smallest_chunks).error() == verdict());
    CHECK(out == bytes(out.size()));
    const std::vector<field_target> targets = {{"q", q, none}, {"d", d, none}};
    CHECK(try_unpack(r, out, targets, smallest_chunks).error() == verdict());
}

TEST_CASE("plain tensors whose bits do not fit in 63 bits are refused") {
    const record r = *parse_record("nk: nk(w:f32)", dims{2, 2});
    const descriptor far(data_type::f32, layout(r.dims, strides{dim_t{1} << 59, 1}));
    bytes of(16), out(r.size_in_bytes());
    const std::vector<field_values> values = {{"w", far, of}};
    CHECK(try_pack(r, values, out).error() ==
          verdict{reason::size_overflows, -1, static_cast<dim_t>(far.buffer_size_in_bytes()), 8});
}

TEST_CASE("nothing steps by the stride of an axis of one element, which may be of any size") {
    static constexpr auto add_far = [](const dims& extents, bool padded) {
        record out;
        out.dims = extents;
        descriptor far(data_type::f64, layout(extents, strides{dim_t{1} << 62, 1}));
        if (padded) far.layout.padded_dims[0] = far.layout.digits[0].extent = 1;
        return detail::add_plain(out, record("nk: nk(w:f64)", extents), "w", far, 32);
    };
    static_assert(add_far(dims{1, 4}, false).ok());
    static_assert(add_far(dims{0, 4}, true).ok());  // an axis of padding alone
    const record r = *parse_record("nk: nk(w:f64)", dims{1, 4});
    const descriptor far(data_type::f64, layout(r.dims, strides{dim_t{1} << 62, 1}));
    const bytes of(32, std::byte{7});
    bytes out(32), back(32);
    CHECK(try_pack(r, std::vector<field_values>{{"w", far, of}}, out).has_value());
    CHECK(out == of);
    CHECK(try_unpack(r, out, std::vector<field_target>{{"w", far, back}}).has_value());
    CHECK(back == of);
}

/// Has a bit for each bit of the elements of a tensor, in memory of some bytes.
bytes elements_of(const descriptor& d, std::size_t size) {
    bytes out(size);
    const int width = size_in_bits(d.type);
    for (dim_t i = 0; i < d.dims()[0]; ++i)
        for (dim_t j = 0; j < d.dims()[1]; ++j)
            detail::write_bits(out.data(), d.layout.offset(i, j) * width, width, ~std::uint64_t{0});
    return out;
}

TEST_CASE("a part of one block is packed and unpacked, and no other element of the block is accessed") {
    struct format {
        const char *tag, *plain;
        data_type type;
        dim_t block;
    };
    for (const format& f : {format{"nk: nk(w:u8)", "aB12b", data_type::u8, 12},
                            {"nk: NK(w:f16 4k 2n)", "aB3b4b", data_type::f16, 12},
                            {"nk: nk(w:u8)", "AB4b8a4b", data_type::u8, 16},
                            {"nk: nK(w:u4^8 4k)", "AB4b8a4b", data_type::u4, 16},
                            {"nk: nK(w:u8^8 4k)", "AB2b8a8b", data_type::u8, 16},
                            {"nk: NK(w:f32 4k 2n)", "BA3b8a5b", data_type::f16, 15},
                            {"nk: nk(w:u3)", "aB2b6b", data_type::u8, 12}})
        for (dim_t i = 0; i < 3 * f.block; ++i) {
            const dim_t extent = i / 3 + 1;
            const record r = *parse_record(f.tag, dims{1 + i % 3 * 2, extent});
            INFO(std::string(f.tag), " ", std::string(f.plain), " ", r.dims[0], "x", extent);
            const layout parent(dims{8, 2 * f.block}, f.plain), part = submemory(parent, r.dims, position{0, f.block});
            const descriptor what(f.type, part), rows(f.type, layout(r.dims, strides{extent, 1}));
            bytes given(descriptor(f.type, parent).buffer_size_in_bytes()), of_rows(rows.buffer_size_in_bytes());
            for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<std::byte>(k % 7);
            bytes stored(r.size_in_bytes()), again(stored.size(), std::byte{0x5a});
            reorder(what, given.data(), rows, of_rows.data());
            pack(r, std::vector<field_values>{{"w", rows, of_rows}}, stored);
            const std::size_t size = what.buffer_size_in_bytes();
            kernels::fenced_memory<std::byte> exact(size, kernels::fence::behind);
            std::copy(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(size), exact.data());
            pack(r, std::vector<field_values>{{"w", what, std::span(exact.data(), size)}}, again);
            CHECK(again == stored);

            bytes back = given;
            for (std::byte& b : back) b ^= std::byte{0xff};
            unpack(r, stored, std::vector<field_target>{{"w", what, std::span(back).first(size)}});
            const bytes elements = elements_of(what, given.size());
            bytes expected_back = given;
            for (std::size_t k = 0; k < given.size(); ++k) expected_back[k] ^= elements[k] ^ std::byte{0xff};
            CHECK(back == expected_back);
        }
}

TEST_CASE("unpack: the padding of a plain tensor is zero, however its elements are moved") {
    struct format {
        const char *tag, *plain;
        data_type type;
    };
    for (const format& f : {format{"nk: nk(w:u8)", "AB4a4b", data_type::u8},
                            {"nk: nk(w:u8^255)", "AB4a4b", data_type::u8},
                            {"nk: nK(w:u8^255 4k)", "aB8b", data_type::u8},
                            {"nk: nK(w:u4^8 4k)", "aB4b", data_type::u4},
                            {"nk: nk(w:u3)", "aB6b", data_type::u8},
                            {"nk: NK(w:f32 4k 2n)", "BA4b4a", data_type::f16}}) {
        const record r = *parse_record(f.tag, dims{3, 7});
        INFO(std::string(f.tag), " ", std::string(f.plain));
        const descriptor padded(f.type, layout(r.dims, f.plain)), rows(f.type, layout(r.dims, "ab"));
        const std::size_t size = padded.buffer_size_in_bytes();
        bytes stored(r.size_in_bytes(), std::byte{0x11}), back(size, std::byte{0x5a}),
            of_rows(rows.buffer_size_in_bytes());
        unpack(r, stored, std::vector<field_target>{{"w", rows, of_rows}});
        unpack(r, stored, std::vector<field_target>{{"w", padded, back}});
        CHECK(is_padding_zero(padded, back.data()));
        bytes expected_back(size);
        reorder(rows, of_rows.data(), padded, expected_back.data());
        CHECK(back == expected_back);
    }
}

TEST_CASE("verify says what is damaged") {
    const auto said = [](const char* text, const dims& extents, std::size_t byte, bool ignore_padding = false) {
        const record r = *parse_record(text, extents);
        bytes stored(r.size_in_bytes());
        stored[byte] = std::byte{127};
        repack_options options;
        options.ignore_padding = ignore_padding;
        const verdict why = verify(r, stored, options);
        return std::string(why.ok() ? "" : describe(why).c_str());
    };
    CHECK(said("nk: s:e8m0 NK 32n 4n@32 4k /32k", dims{100, 96}, 511) ==
          "record_is_damaged: the padding of field s is not zero at index 127 of axis 0, which is behind its values");
    CHECK(said("nk: NK(q:u8 8n 4k ~k)", dims{8, 7}, 35) ==
          "record_is_damaged: the padding of field q does not repeat its last value at index 7 of axis 1, which is "
          "behind "
          "its values");
    CHECK(said("nk: n(q:u8 k, _:%16)", dims{2, 8}, 9) ==
          "record_is_damaged: bit 72 of the record belongs to no value, and is not zero");
    CHECK(said("nk: q:u3 nk", dims{1, 1}, 0) ==
          "record_is_damaged: bit 3 of the record belongs to no value, and is not zero");
    CHECK(said("nk: n(q:u8 k, m:s32 /k =sum(q))", dims{2, 4}, 8) ==
          "record_is_damaged: field m is not the sum of what is stored, at index 1 of axis 0");
    // Without padding: gaps and sums are checked all the same.
    CHECK(said("nk: s:e8m0 NK 32n 4n@32 4k /32k", dims{100, 96}, 511, true) == "");
    CHECK(said("nk: NK(q:u8 8n 4k ~k)", dims{8, 7}, 35, true) == "");
    CHECK(said("nk: n(q:u8 k, _:%16)", dims{2, 8}, 9, true) != "");
    CHECK(said("nk: n(q:u8 k, m:s32 /k =sum(q))", dims{2, 4}, 8, true) != "");
}

TEST_CASE("values stored minus a number: rows of ggml to AMX and back, and into other differences") {
    const dims extents{32, 512};
    const record rows = *parse_record("nk: nK(d:f16 /256k, s.4:u2 8k /32k, s:u4 8k /32k)", extents);
    const record amx = *parse_record("nk: NK(s:u8-32 8k 16n /32k, d:f16 16n /256k)", extents);
    const record other = *parse_record("nk: KN(d:f16 16n /256k, s:u6-7 16n 8k /32k)", extents);
    const record odd = *parse_record("nk: nK(d:f16 /256k, 8k(s:u7-127 /32k, _:1))", extents);
    bytes of_rows(rows.size_in_bytes());
    std::uint32_t state = 9;
    for (std::byte& b : of_rows) b = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
    const auto scale = [&](dim_t row, dim_t block) {  // as dequantize_row_iq4_xs reads it
        const std::byte* at = of_rows.data() + (row * 2 + block / 8) * 8;
        const dim_t u = block % 8;
        return (std::to_integer<int>(at[4 + u / 2]) >> (u % 2 * 4) & 15) |
               (std::to_integer<int>(at[2 + u / 4]) >> (u % 4 * 2) & 3) << 4;
    };
    bytes of_amx(amx.size_in_bytes(), std::byte{0xa5}), back(rows.size_in_bytes(), std::byte{0x5a});
    const planned_repack there = *make_repack(rows, amx);
    there(of_rows, of_amx);
    CHECK(verify(amx, of_amx).ok());
    int wrong = 0;
    for (dim_t row = 0; row < 32; ++row)
        for (dim_t block = 0; block < 16; ++block) {
            const dim_t at = (row / 16 * 2 + block / 8) * (8 * 16 + 32) + block % 8 * 16 + row % 16;
            wrong += std::to_integer<int>(of_amx[static_cast<std::size_t>(at)]) != ((scale(row, block) - 32) & 255);
        }
    CHECK(wrong == 0);
    make_repack(amx, rows).value()(of_amx, back);
    CHECK(back == of_rows);
    bytes of_other(other.size_in_bytes(), std::byte{0xa5}), of_odd(odd.size_in_bytes(), std::byte{0xa5}),
        again(of_amx.size());
    make_repack(amx, other).value()(of_amx, of_other);
    make_repack(other, odd).value()(of_other, of_odd);
    make_repack(odd, amx).value()(of_odd, again);
    CHECK(again == of_amx);
    make_repack(odd, rows).value()(of_odd, back);
    CHECK(back == of_rows);
    // The same number on both sides: what is stored is moved.
    const record alike = *parse_record("nk: KN(d:f16 16n /256k, s:u8-32 16n 8k /32k)", extents);
    bytes of_alike(alike.size_in_bytes(), std::byte{0xa5});
    make_repack(amx, alike).value()(of_amx, of_alike);
    make_repack(alike, rows).value()(of_alike, back);
    CHECK(back == of_rows);
    // As a plain tensor the values are those that were given.
    std::vector<std::uint8_t> values(32 * 16);
    const descriptor what(data_type::u8, layout(dims{32, 16}, strides{16, 1}));
    unpack(amx, of_amx, std::vector<field_target>{{"s", what, std::as_writable_bytes(std::span(values))}});
    wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        wrong += values[i] != scale(static_cast<dim_t>(i / 16), static_cast<dim_t>(i % 16));
    CHECK(wrong == 0);
}

TEST_CASE("values stored minus a number: in padded panels the padding is zero, and one value in a view") {
    using padded = record_constant<"nk: NK(s:u8-32 4k 8n /4k ~n=7, q:u5-9 8n 16k ~n ~k=3)", 5, 20>;
    const record& r = padded::value;
    bytes stored(r.size_in_bytes(), std::byte{0xa5});
    const record plain = *parse_record("nk: (q:u5 nk, s:u8 nK /4k)", dims{5, 20});
    bytes given(plain.size_in_bytes(), std::byte{0x33});
    make_repack(plain, r).value()(given, stored);
    CHECK(verify(r, stored).ok());
    const record_view<std::byte, padded> view{std::span(stored), padded()};
    const record_view source{std::span<const std::byte>(given), record_constant<"nk: (q:u5 nk, s:u8 nK /4k)", 5, 20>()};
    int wrong = 0;
    for (dim_t row = 0; row < 5; ++row)
        for (dim_t k = 0; k < 20; ++k) {
            wrong += view.get<"q">(row, k) != source.get<"q">(row, k);
            wrong += view.get<"s">(row, k) != source.get<"s">(row, k);
        }
    CHECK(wrong == 0);
    CHECK(stored[5] == std::byte{256 + 7 - 32});  // the scale of row 5
    view.set<"s">(0, 0, 31U);
    CHECK(stored[0] == std::byte{255});
    CHECK(view.get<"s">(0, 0) == 31);
}

TEST_CASE("verify: padding of another value than the tag gives to it") {
    const record r = *parse_record("nk: NK(q:u4 2n 4k ~n ~k=9, w:u8 2n 4k ~k=200)", dims{3, 5});
    const record rows = *parse_record("nk: (q:u4 nk, w:u8 nk)", dims{3, 5});
    bytes given(rows.size_in_bytes(), std::byte{0x77});
    given.back() = std::byte{7};  // the last half byte has no value
    bytes stored(r.size_in_bytes(), std::byte{0xa5});
    make_repack(rows, r).value()(given, stored);
    REQUIRE(verify(r, stored).ok());
    // Panel (1, 1): row 3 repeats row 2 in q, and is zero in w; k from 5 on is 9 in both rows of q, and 200 in row 2.
    const std::byte* last = stored.data() + 3 * 12;
    CHECK(std::vector<std::byte>(last, last + 12) ==
          bytes{std::byte{0x97}, std::byte{0x99}, std::byte{0x97}, std::byte{0x99}, std::byte{0x77}, std::byte{200},
                std::byte{200}, std::byte{200}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}});
    bytes damaged = stored;
    damaged[3 * 12 + 1] = std::byte{0x90};
    CHECK(std::string(describe(verify(r, damaged)).c_str()) ==
          "record_is_damaged: the padding of field q has not the value that the tag gives to it at index 6 of axis 1, "
          "which is behind its values");
    repack_options options;
    options.ignore_padding = true;
    CHECK(verify(r, damaged, options).ok());
    bytes back(rows.size_in_bytes());
    make_repack(r, rows).value()(damaged, back);
    CHECK(back == given);
}

TEST_CASE("verify finds each bit that is damaged in sums, gaps and padding") {
    for (const char* tag : {"nk: (N(q:u8 K 4n 4k, sum:s32 4n /k =sum(q)), _:3)",
                            "nk: (N(q:u8^128 K 4n 4k ~n ~k=9, sum:s32 4n /k ~n =sum(q-3)*-2), _:21)",
                            "nk: n(_:9, K(q:u8 2k, _:13), sum:s32 /k =sum(q))"}) {
        const record r = *parse_record(tag, dims{3, 6});
        const std::vector<std::byte> values(18, std::byte{7});
        const std::vector<field_values> given = {
            {"q", descriptor(data_type::u8, layout(dims{3, 6}, strides{6, 1})), values}};
        bytes stored(r.size_in_bytes());
        pack(r, given, stored);
        CHECK(verify(r, stored).ok());
        for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
            bytes damaged = stored;
            damaged[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
            const verdict why = verify(r, damaged);
            CHECK(why.reason == reason::record_is_damaged);
            CHECK(describe(why).size() > 0);
            for (const dim_t count : {2, 3, 7}) {
                std::vector<detail::check_result> found;
                for (dim_t part = 0; part < count; ++part)
                    found.push_back(detail::byte_check(r, damaged.data(), {}, {part, count}).check());
                CHECK(detail::first_of(found) == why);
            }
        }
        CHECK(verify(r, std::span(stored).first(9)).reason == reason::buffer_is_too_small);
    }
}

TEST_CASE("verify on threads finds what one thread finds first") {
    int parts = 0;
    const plait_test::new_threads threads{3, &parts};
    const record r = *parse_record("nk: (N(q:u4 K 8n 32k, _:32, sum:s32 8n /k =sum(q)), _:3)", dims{500, 900});
    const bytes values(500 * 450, std::byte{0x37});
    const std::vector<field_values> given = {{"q", descriptor(data_type::u4, layout({500, 900}, "ab")), values}};
    bytes stored(r.size_in_bytes());
    pack(r, given, stored);
    CHECK(verify(threads, r, stored) == verdict());
    CHECK(parts == 3);
    for (const std::size_t first : {std::size_t{0}, stored.size() / 2, stored.size() - 1})
        for (const std::size_t second : {std::size_t{8000}, stored.size() / 3, stored.size() - 700}) {
            bytes damaged = stored;
            damaged[first] ^= std::byte{0x20};
            damaged[second] ^= std::byte{0x10};
            const verdict why = verify(r, damaged);
            CHECK(why.reason == reason::record_is_damaged);
            CHECK(verify(threads, r, damaged) == why);
        }
}
}}  // namespace test_packed_pack
