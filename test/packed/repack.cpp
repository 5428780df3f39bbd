// Packing and repacking: laws on many records, what is refused, and bytes that are not to be touched.
#include <plait/packed.hpp>
#include <plait/packed/bit_access.hpp>

#include "record_tags.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace test_packed_repack { namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

/// Exponents of small scales, so that sums are finite: each second byte is at most 0x3f.
bytes seeded_bytes(std::size_t count, unsigned seed = 1) {
    bytes out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24 & (i % 2 == 0 ? 0xff : 0x3f));
    return out;
}
std::string_view name_of(const record_field& f) { return {f.name.data(), static_cast<std::size_t>(f.name.size())}; }

/// The plain tensor of a field: row-major, or with `gap` more elements behind each index of the first axis.
descriptor plain_of(const record& r, const record_field& f, dim_t gap = 0) {
    dims extents;
    strides steps;
    int width = 0;
    bool same = true;
    for (const record_field& other : r.tag.fields) {
        if (!(other.name == f.name)) continue;
        width = std::max(width, other.low + other.width);
        same = same && other.low == 0 && other.type == f.type && f.type != data_type::undef;
    }
    for (int a = 0; a < r.ndims(); ++a) {
        extents.push_back(detail::value_digits_of(r, f.name, a).count(r.dims[a]));
        steps.push_back(1);
    }
    for (int a = r.ndims() - 2; a >= 0; --a) steps[a] = steps[a + 1] * std::max(extents[a + 1], dim_t{1});
    if (r.ndims() > 1) steps[0] += gap;
    return {same ? f.type : width <= 8 ? data_type::u8 : data_type::f16, layout(extents, steps)};
}

/// The values of all fields of a record that are given.
struct plain_values {
    std::vector<record_field> fields;
    std::vector<descriptor> what;
    std::vector<bytes> data;

    explicit plain_values(const record& r, dim_t gap = 0, std::byte fill = {}) {
        for (const record_field& f : r.tag.fields) {
            bool known = f.content.kind == field_content::sum;
            for (const record_field& other : fields) known = known || other.name == f.name;
            if (known) continue;
            fields.push_back(f);
            what.push_back(plain_of(r, f, gap));
            data.emplace_back(what.back().buffer_size_in_bytes(), fill);
        }
    }
    std::vector<field_values> values() const {
        std::vector<field_values> out;
        for (std::size_t i = 0; i < data.size(); ++i) out.push_back({name_of(fields[i]), what[i], data[i]});
        return out;
    }
    std::vector<field_target> targets() {
        std::vector<field_target> out;
        for (std::size_t i = 0; i < data.size(); ++i) out.push_back({name_of(fields[i]), what[i], data[i]});
        return out;
    }
};
repack_options options(dim_t chunk_bytes = 1 << 16) {
    repack_options out;
    out.parameters.emplace_back("izp", 3);
    out.chunk_bytes = chunk_bytes;
    return out;
}
/// Bytes that pack makes of some values: those that lie in arbitrary bytes.
bytes packed_bytes(const record& r, const bytes& any) {
    plain_values values(r);
    unpack(r, any, values.targets(), options());
    bytes out(r.size_in_bytes());
    pack(r, values.values(), out, options());
    return out;
}

TEST_CASE("pack of unpack is the same, in chunks of any size, and verify agrees") {
    for (const packed_test::tagged& tag : packed_test::tags) {
        const record r = *parse_record(tag.text, tag.extents);
        INFO(tag.text);
        const bytes stored = packed_bytes(r, seeded_bytes(r.size_in_bytes()));
        for (const dim_t chunk : {1, 300, 1 << 16}) {
            plain_values values(r);
            unpack(r, stored, values.targets(), options(chunk));
            bytes again(stored.size(), std::byte{0x5a});
            pack(r, values.values(), again, options(chunk));
            CHECK(again == stored);
        }
        CHECK(verify(r, stored, options()).ok());
    }
}

TEST_CASE("repacks over another record are the direct ones") {
    const char* texts[] = {"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", "nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)",
                           "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)",
                           "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)", "nk: (q:u4 kn, _:%16, d:f16 K n /32k)"};
    for (const dims& extents : {dims{48, 128}, dims{21, 64}, dims{1, 32}, dims{0, 64}, dims{16, 0}}) {
        const record first = *parse_record(texts[0], extents);
        const bytes in = packed_bytes(first, seeded_bytes(first.size_in_bytes()));
        for (const char* between : texts)
            for (const char* last : texts) {
                const record b = *parse_record(between, extents), c = *parse_record(last, extents);
                bytes middle(b.size_in_bytes()), out(c.size_in_bytes()), direct(c.size_in_bytes());
                make_repack(first, b, options(1)).value()(in, middle);
                make_repack(b, c, options(500)).value()(middle, out);
                make_repack(first, c).value()(in, direct);
                CHECK(out == direct);
            }
    }
}

TEST_CASE("copies of a record are packed to the bytes of each") {
    int done = 0;
    for (const packed_test::tagged& tag : packed_test::tags) {
        const record r = *parse_record(tag.text, tag.extents);
        const expected<record> all = try_product(r, layout({3}, "a"));
        INFO(tag.text);
        if (all.error().reason == reason::ragged_loop_is_not_outermost || r.size_in_bits % 8 != 0) continue;
        REQUIRE(all.has_value());
        ++done;
        const bytes any = seeded_bytes(all->size_in_bytes()), stored = packed_bytes(*all, any);
        CHECK(verify(*all, stored, options()).ok());
        for (std::ptrdiff_t e = 0; e < 3; ++e) {
            const std::ptrdiff_t begin = e * r.size, end = begin + r.size;
            const bytes one(any.begin() + begin, any.begin() + end);
            CHECK(packed_bytes(r, one) == bytes(stored.begin() + begin, stored.begin() + end));
        }
        // The same bytes, with an axis of one element in front of each axis.
        dims units;
        for (const dim_t extent : all->dims)
            for (const dim_t part : {dim_t{1}, extent}) units.push_back(part);
        CHECK(verify(reshape(*all, units), stored, options()).ok());
    }
    CHECK(done > 20);
}

TEST_CASE("bytes between the rows of a plain tensor are not touched") {
    const record r = *parse_record("nk: NK(d:f32 8n /32k, q:u8 2k 8n 16k)", dims{20, 70});
    const bytes stored = packed_bytes(r, seeded_bytes(r.size_in_bytes()));
    plain_values dense(r), gaps(r, 5, std::byte{0xaa});
    unpack(r, stored, dense.targets(), options());
    unpack(r, stored, gaps.targets(), options(1));
    for (std::size_t f = 0; f < dense.data.size(); ++f) {
        const dims extents = dense.what[f].layout.dims;
        const std::size_t size = static_cast<std::size_t>(size_in_bits(dense.what[f].type)) / 8;
        const std::size_t row = static_cast<std::size_t>(extents[1]) * size, step = row + 5 * size;
        for (std::size_t i = 0; i < gaps.data[f].size(); ++i) {
            const bool is_gap = i % step >= row;
            CHECK(gaps.data[f][i] == (is_gap ? std::byte{0xaa} : dense.data[f][i / step * row + i % step]));
        }
    }
}

TEST_CASE("values of fewer bits fill those of more bits with zeros") {
    const dims extents{4, 6};
    for (const char* source : {"nk: nk(q:u6)", "nk: nK(q:u4 3k, q.4:u2 3k)"})
        for (const char* wide : {"nk: nk(q:u8)", "nk: KN(q:u16 2n 3k)", "nk: nK(q:u16 4k)",
                                 "nk: nK(q:u8 3k, q.8:u3 3k)", "nk: nk(q:u12^4095)", "nk: nk(q:ue4m3)"}) {
            const record from = *parse_record(source, extents), to = *parse_record(wide, extents);
            const bytes stored = packed_bytes(from, seeded_bytes(from.size_in_bytes()));
            const auto plan = make_repack(from, to, options());
            if (std::string_view(wide) == "nk: nk(q:ue4m3)" && from.tag.fields.size() == 1) continue;
            REQUIRE(plan.has_value());
            bytes first(to.size_in_bytes(), std::byte{0xaa}), second(to.size_in_bytes(), std::byte{0x55});
            (*plan)(stored, first);
            (*plan)(stored, second);
            CHECK(first == second);
            CHECK(verify(to, first).ok());
            bytes back(from.size_in_bytes());
            (*make_repack(to, from, options()))(first, back);
            CHECK(back == stored);
        }
    const record six = *parse_record("nk: nk(q:u6)", extents);
    const bytes ones(six.size_in_bytes(), std::byte{0xff});
    bytes plain(4 * 7, std::byte{0xaa});  // rows of 6 values, and one byte between them
    const std::vector<field_target> to = {
        {"q", descriptor(data_type::u8, layout(extents, strides{7, 1})), std::span(plain).first(27)}};
    unpack(six, ones, to);
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(plain[i] == (i % 7 == 6 ? std::byte{0xaa} : std::byte{0x3f}));
}

TEST_CASE("ranges of the destination may begin anywhere in digits that the source shares") {
    for (const char* shares : {"k /n 2n", "N k /3n 2n", "N k 2n /3n", "k 3n /n", "N 2n /2n k 2n"})
        for (const dim_t end : {6, 9, 13})
            for (dim_t cut = 1; cut < end; ++cut) {
                const std::string range = std::to_string(cut) + "] nk)";
                const std::string text = "nk: (s:u8 n[" + std::to_string(cut) + ":] nk, s:u8 n[:" + range;
                const record from = *parse_record("nk: s:u8 " + std::string(shares), dims{end, 2}),
                             to = *parse_record(text, dims{end, 2});
                INFO(std::string(shares), " of ", end, " -> ", text);
                const bytes in = seeded_bytes(from.size_in_bytes());
                bytes out(to.size_in_bytes());
                make_repack(from, to, options(1)).value()(in, out);
                int wrong = 0;
                for (dim_t i = 0; i < end; ++i)
                    for (dim_t k = 0; k < 2; ++k) {
                        const auto src = static_cast<std::size_t>(from.bit_offset("s", i, k) / 8),
                                   dst = static_cast<std::size_t>(to.bit_offset("s", i, k) / 8);
                        wrong += out[dst] != in[src];
                    }
                CHECK(wrong == 0);
            }
}

TEST_CASE("ranges of one index have a value each") {
    const record r = *parse_record("e: (d:u8 e[:1] E 2e 2e, d:u8 e[1:] E 2e 2e)", dims{2});
    const std::byte given[] = {std::byte{7}, std::byte{9}};
    bytes out(r.size_in_bytes());
    const field_values values[] = {{"d", descriptor(data_type::u8, layout({2}, "a")), given}};
    pack(r, values, out);
    CHECK((out[0] == given[0] && out[4] == given[1]));
}

verdict why_not(const char* from, const char* to, const dims& extents, const repack_options& given = {}) {
    return make_repack(*parse_record(from, extents), *parse_record(to, extents), given).error();
}
constexpr dim_t number(data_type type) { return static_cast<dim_t>(type); }
dim_t n(const char* name) { return detail::short_name(detail::field_name_of(name)); }

TEST_CASE("what a repack refuses") {
    using enum reason;
    const dims extents{8, 64};
    const char* rows = "nk: nK(d:f16 /32k, q:u4 32k)";
    CHECK(why_not("nk: q:u4 nk", rows, extents) == verdict{field_is_missing, -1, n("d")});
    CHECK(why_not(rows, "nk: q:u4 nk", extents) == verdict{field_is_dropped, -1, n("d")});
    repack_options dropping;
    dropping.dropped.push_back("d");
    CHECK(why_not(rows, "nk: q:u4 nk", extents, dropping).ok());
    CHECK(why_not("nk: q:u4 nk", "nk: q:s4 nk", extents) ==
          verdict{field_types_differ, -1, n("q"), number(data_type::s4), number(data_type::u4)});
    CHECK(why_not("nk: q:u4 nk", "nk: q:u8 nk", extents) ==
          verdict{field_types_differ, -1, n("q"), number(data_type::u8), number(data_type::u4)});
    const auto said = [&](const char* from, const char* to) { return describe(why_not(from, to, extents)); };
    CHECK(said("nk: q:u4 nk", "nk: q:f32 nk") ==
          "field_types_differ: field q is f32 in the destination and u4 in the source, which are not converted; "
          "convert its values as a plain tensor, with reorder, then pack them");
    CHECK(said("nk: d:f16^1 nk", "nk: d:f32 nk") ==
          "field_types_differ: field d is f32 in the destination and f16 with inverted bits or in parts in the "
          "source, which are not converted; convert its values as a plain tensor, with reorder, then pack them");
    CHECK(why_not("nk: d:f16 nK /32k", "nk: d:f16 nK /64k", extents).reason == fibre_grows);
    CHECK(why_not("nk: d:f16 nk", "nk: d:f16 n /k", extents).reason == fibre_grows);
    CHECK(why_not("nk: d:f16 nK /64k", "nk: d:f16 nK /32k", extents).ok());
    // Values in two ranges, or in two pieces of a digit, that would become one.
    CHECK(why_not("nk: (d:f16 k[:32] nK /32k, d:f16 k[32:] nK /32k)", "nk: d:f16 n /k", extents).reason == fibre_grows);
    CHECK(why_not("nk: (d:f16 2k@16=0 nK /16k, d:f16 2k@16=1 nK /16k)", "nk: d:f16 NK /32k 2k-n 2n", extents).reason ==
          fibre_grows);
    const char* summed = "nk: (w:s8 nk, b:s32 n /k =+sum(w)*-izp)";
    CHECK(why_not("nk: (w:s8 nk, b:s32 n /k)", summed, extents) == verdict{parameter_is_missing, -1, n("izp")});
    repack_options half;
    half.parameters.emplace_back("izp", 0.5);
    CHECK(why_not("nk: (w:s8 nk, b:s32 n /k)", summed, extents, half).reason == parameter_is_missing);
    const record a = *parse_record(rows, extents), b = *parse_record(rows, dims{8, 96}),
                 c = *parse_record("n: q:u4 n", dims{8});
    CHECK(make_repack(a, b).error() == verdict{dims_differ, 1, 64, 96});
    CHECK(make_repack(a, c).error() == verdict{rank_differs, -1, 2, 1});
    for (const reason each :
         {field_is_missing, field_is_dropped, field_types_differ, fibre_grows, parameter_is_missing})
        CHECK(describe(verdict{each, 0, n("q"), 1, 2}).size() > 0);
    bytes memory(2 * a.size_in_bytes());
    const planned_repack plan = make_repack(a, a).value();
    const std::span<std::byte> all = memory;
    CHECK(plan.attempt(all.first(9), all.last(a.size_in_bytes())).error().reason == buffer_is_too_small);
    CHECK(plan.attempt(all.first(a.size_in_bytes()), all.last(9)).error().reason == buffer_is_too_small);
    CHECK(plan.attempt(all.first(a.size_in_bytes()), all.subspan(1)).error().reason == spans_overlap);
}

TEST_CASE("the remedy of field_types_differ: values are converted as a plain tensor, then packed") {
    const dims extents{3, 8};
    const record from = *parse_record("nk: nK(q:u4 8k)", extents), to = *parse_record("nk: NK(q:u8 4n 8k)", extents);
    CHECK(make_repack(from, to).error().reason == reason::field_types_differ);
    const bytes stored = seeded_bytes(from.size_in_bytes());
    const descriptor small(data_type::u4, layout(extents, "ab")), wide(data_type::u8, layout(extents, "ab"));
    bytes values(small.buffer_size_in_bytes()), converted(wide.buffer_size_in_bytes()), packed(to.size_in_bytes());
    unpack(from, stored, std::vector<field_target>{{"q", small, values}});
    reorder(small, values.data(), wide, converted.data());
    pack(to, std::vector<field_values>{{"q", wide, converted}}, packed);
    for (dim_t n = 0; n < 3; ++n)
        for (dim_t k = 0; k < 8; ++k)
            CHECK(detail::read_bits(packed.data(), to.bit_offset("q", n, k), 8) ==
                  detail::read_bits(stored.data(), from.bit_offset("q", n, k), 4));
}
TEST_CASE("plain tensors: a field has as many values along an axis as its places differ, whichever piece they are in") {
    const auto check = [](std::string_view tag, const dims& extents) {
        const record r = *parse_record(tag, extents);
        for (const record_field& f : r.tag.fields)
            for (int a = 0; a < r.ndims(); ++a) {
                std::set<std::vector<dim_t>> values;
                for (dim_t i = 0; i < extents[a]; ++i) {
                    std::vector<dim_t> places;
                    for (dim_t number = 0; number < volume(extents); ++number) {
                        const position at = unravel(extents, number);
                        if (at[a] == i) places.push_back(r.bit_offset(name_of(f), at));
                    }
                    values.insert(places);
                }
                CAPTURE(tag);
                CAPTURE(a);
                CHECK(detail::value_digits_of(r, f.name, a).count(extents[a]) == static_cast<dim_t>(values.size()));
            }
    };
    // Behind the end of the longest piece of q, another one has digits.
    check("n: ((q:s4 n[4:] ~n=2 N/2n /2n, q:s4 n[0:4] N /2n@1 /2n@2 3n), (bias:f4_e2m1 N2n2n))", {6});
    check(
        "kn: N(K2k(3k@2!(d:e8m0 /2n, _:%1)), q:u9 k[4:] ~k=258 K /2k@2 2n 3k 2k, q:u9 K /2k 3k@4 2n2k k[0:4] ~n, "
        "s:u1^1 K 2n2k@1 2k ~k)",
        {6, 40});
    check("ab: (d:u8 a b, q:s32 a /b a[2:], q:s32 /b a a[0:2], _:5)", {6, 7});
}

}}  // namespace test_packed_repack
