// Sums that lie in pieces, or are sums of fields in pieces. What they must be is found index by index, from the places
// that a record says.
#include <plait/packed.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/plain_tensors.hpp>

#include "forced_movers.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace test_packed_sums_in_pieces { namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

struct sums_case {
    const char* text;
    dims extents;
    bool is_signed = false;
    int factor = 1;
};

const std::vector<sums_case>& cases() {
    static const std::vector<sums_case> all = {
        // A digit that is fixed: the digit alone, the inner one, the outer one, one of three, two digits at once.
        {"nk: N(K(q:u8 4n 4k), sum:s32 2n@2=0 2n /k =sum(q), sum:s32 2n@2=1 2n /k =sum(q))", {8, 8}},
        {"nk: N(K(q:u8 4n 4k), sum:s32 2n@1=0 2n@2 /k =sum(q), sum:s32 2n@1=1 2n@2 /k =sum(q))", {8, 8}},
        {"nk: N(K(q:u8 4n 4k), sum:s32 2n@2=0 2n /k =sum(q), sum:s32 2n@2=1 2n /k =sum(q))", {7, 6}},
        {"nk: N(K(q:u8 6n 4k), s:s32 3n@2=1 2n /k =sum(q), s:s32 3n@2=0 2n /k =sum(q), s:s32 3n@2=2 2n /k =sum(q))",
         {17, 8}},
        {"nk: N(q:u8 8n k, s:s32 2n@1=0 2n@4=0 2n@2 /k =sum(q), s:s32 2n@1=0 2n@4=1 2n@2 /k =sum(q), "
         "s:s32 2n@1=1 2n@4=0 2n@2 /k =sum(q), s:s32 2n@1=1 2n@4=1 2n@2 /k =sum(q))",
         {13, 5}},
        {"nk: N(K(q:s8 4n 4k), sum:s32 2n@2=0 2n /k =sum(q)*-7 ~n, sum:s32 2n@2=1 2n /k =sum(q)*-7 ~n)",
         {7, 6},
         true,
         -7},
        {"nk: (N(K(q:s8 4n 4k)), sum:s32 N 4n@4=0 4n /k =sum(q), sum:s32 N 4n@4=1 4n /k =sum(q), "
         "sum:s32 N 4n@4=2 4n /k =sum(q), sum:s32 N 4n@4=3 4n /k =sum(q))",
         {37, 6},
         true},
        // The axis that is summed has a digit that is fixed: a sum of each half of the columns.
        {"nk: NK(q:u8 4n 16k, sum:s32 4n 2k@8=0 /8k =sum(q), sum:s32 4n 2k@8=1 /8k =sum(q))", {8, 32}},
        {"nk: NK(q:u8 4n 16k, sum:s32 4n 2k@8=0 /8k =sum(q), sum:s32 4n 2k@8=1 /8k =sum(q))", {7, 29}},
        {"nk: n(q:u8 k, even:s32 2k@1=0 /k =sum(q), even:s32 2k@1=1 /k =sum(q))", {3, 9}},
        // Ranges, of the sums and of what is summed; with a digit as well.
        {"nk: (q:u8 nk, s:s32 n[:3] n /k =sum(q), s:s32 n[3:] n /k =sum(q))", {8, 5}},
        {"nk: (q:u8 nk, s:s32 n[:0] n /k =sum(q), s:s32 n[0:] n /k =sum(q))", {3, 5}},
        {"nk: (q:u8 n k[:%4] k, q:u8 n k[%4:] k, s:s32 n[:%4] n /k =sum(q), s:s32 n[%4:] n /k =sum(q))", {9, 7}},
        {"nk: (q:u8 nk, s:s32 n k[:4] K /4k =sum(q), s:s32 n k[4:] K /4k =sum(q))", {3, 11}},
        {"nk: N(q:u8 4n k[:%8] k, q:u8 4n k[%8:] k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))", {6, 21}},
        // What is summed lies in pieces: by digits, by bits, by both; with turned digits.
        {"nk: N(q:u4 2n@2=0 2n k, q:u4 2n@2=1 2n k, s:s32 4n /k =sum(q))", {8, 6}},
        {"nk: N(q:u4 4n k, q.4:u4 4n k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))", {7, 6}},
        {"nk: N(q:u4 2n@2=0 2n k, q:u4 2n@2=1 2n k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))", {5, 6}},
        {"nk: N(w:u8 K 4k-n 8n, q:u8 8n k, s:s32 2n@4=0 4n /k =sum(q), s:s32 2n@4=1 4n /k =sum(q))", {13, 12}},
        // Values that are shared, by indices that the sum takes together or not.
        {"nk: N(q:u8 4n /k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))", {7, 1000}},
        {"nk: N(K(q:u8 4n /4k), s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))", {7, 10}},
        {"nk: N(q:u8 2n@2=0 2n /k, q:u8 2n@2=1 2n /k, s:s32 4n /k =sum(q))", {6, 9}},
        {"nk: (q:u8 4k /k /n, s:s32 n /k =sum(q))", {3, 18}},
    };
    return all;
}

std::string_view text_of(const field_name& name) { return {name.data(), static_cast<std::size_t>(name.size())}; }

/// Calls what(index) for each index.
template <class What>
void for_each(const dims& extents, const What& what) {
    position index;
    for (int a = 0; a < extents.size(); ++a) index.push_back(0);
    for (int a = 0; a >= 0;) {
        what(index);
        for (a = index.size() - 1; a >= 0 && ++index[a] == extents[a]; --a) index[a] = 0;
    }
}
/// Reads the value of a field at an index from all pieces that hold it.
std::uint64_t value_of(const record& r, const bytes& of, std::string_view name, const position& index) {
    std::uint64_t out = 0;
    for (const record_piece& p : r.pieces)
        if (const record_field& f = r.field_of(p); text_of(f.name) == name && p.holds(index))
            out |= (detail::read_bits(of.data(), p.place(index), f.width) ^ f.flipped) << f.low;
    return out;
}
/// Returns the sums that a record must have, by their place.
std::map<dim_t, std::uint32_t> sums_of(const record& r, const bytes& of, const sums_case& c) {
    std::map<dim_t, std::int64_t> totals;
    std::string_view name;
    for (const record_field& f : r.tag.fields)
        if (f.content.kind != field_content::given) name = text_of(f.name);
    for_each(r.dims, [&](const position& index) {
        const std::uint64_t value = value_of(r, of, "q", index);
        totals[r.bit_offset(name, index)] +=
            c.is_signed ? std::int64_t{static_cast<std::int8_t>(value)} : static_cast<std::int64_t>(value);
    });
    std::map<dim_t, std::uint32_t> out;
    for (const auto& [place, total] : totals) out[place] = static_cast<std::uint32_t>(total * c.factor);
    return out;
}
/// Returns rows with the fields that a record is given, in bytes that repeat late.
record rows_of(const record& r) {
    std::string text = r.tag.axes.c_str();
    text += ": (";
    const char* separator = "";
    for (const auto& f : detail::plain_fields_of(r)) {
        if (f.is_sum) continue;
        (text += separator) += std::string(text_of(f.name)) + ":" + to_string(f.type);
        for (int a = 0; a < r.ndims(); ++a) {
            const dim_t shared = r.dims[a] == f.extents[a] ? 1 : detail::divide_up(r.dims[a], f.extents[a]);
            const std::string letter(1, r.tag.axes[a]), upper(1, static_cast<char>(letter[0] - 32));
            if (f.extents[a] == 1 && r.dims[a] > 1) text += " /" + letter;
            else if (shared > 1) text += " " + upper + " /" + std::to_string(shared) + letter;
            else text += " " + letter;
        }
        separator = ", ";
    }
    return parse_record(text + ")", r.dims).value();
}
bytes seeded(std::size_t count) {
    bytes out(count);
    std::uint32_t seed = 7;
    for (std::byte& b : out) b = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24);
    return out;
}

TEST_CASE("sums in pieces: each has the values of its own indices, however they are moved") {
    for (const sums_case& c : cases()) {
        const record r = parse_record(c.text, c.extents).value();
        INFO(std::string(c.text), " ", c.extents[0], "x", c.extents[1]);
        if (std::string_view(c.text).find("4k /k /n") != std::string_view::npos) continue;  // no rows have it
        const record rows = rows_of(r);
        const bytes given = seeded(rows.size_in_bytes());
        bytes whole(r.size_in_bytes());
        for (const dim_t chunk : {dim_t{1} << 16, dim_t{1}}) {
            repack_options options;
            options.chunk_bytes = chunk;
            bytes out(r.size_in_bytes(), std::byte{0x5a});
            REQUIRE(make_repack(rows, r, options).has_value());
            make_repack(rows, r, options).value()(given, out);
            for (const auto& [place, sum] : sums_of(r, out, c)) CHECK(detail::read_bits(out.data(), place, 32) == sum);
            CHECK(verify(r, out).ok());
            whole = out;
        }
        detail::allowed_movers movers = detail::allowed_movers::of_cpu();
        for (const bool rows_may : {true, false}) {
            movers.row_sums = rows_may;
            packed_test::forced_repack repack(rows, r, {}, movers);
            REQUIRE(repack.why.ok());
            bytes out(r.size_in_bytes(), std::byte{0xa5});
            const std::byte* from = given.data();
            std::byte* to = out.data();
            repack.run(&from, &to);
            CHECK(out == whole);
        }
    }
}

TEST_CASE("verify finds each bit that differs in sums in pieces, and accepts what the tag says") {
    for (const sums_case& c : cases()) {
        const record r = parse_record(c.text, c.extents).value();
        INFO(std::string(c.text), " ", c.extents[0], "x", c.extents[1]);
        bytes stored(r.size_in_bytes());
        // By hand: a value at each index, then the sums.
        for_each(r.dims, [&](const position& index) {
            for (const record_piece& p : r.pieces)
                if (const record_field& f = r.field_of(p); f.content.kind == field_content::given && p.holds(index)) {
                    const auto value = static_cast<std::uint64_t>(p.place(index) * 7 + 3);
                    detail::write_bits(stored.data(), p.place(index), f.width, value & detail::low_bits(f.width));
                }
        });
        const auto sums = sums_of(r, stored, c);
        for (const auto& [place, sum] : sums) detail::write_bits(stored.data(), place, 32, sum);
        repack_options no_padding;
        no_padding.ignore_padding = true;
        CHECK(verify(r, stored, no_padding) == verdict());
        for (const auto& [place, sum] : sums) {
            bytes damaged = stored;
            detail::write_bits(damaged.data(), place, 32, sum ^ 1u << place % 32);
            CHECK(verify(r, damaged, no_padding).reason == reason::record_is_damaged);
        }
    }
}

TEST_CASE("values with sums in pieces: pack adds, unpack subtracts, and repacks change what is shared") {
    const char* texts[] = {"nk: N(K(q:u8 4n 4k), b:s32 4n /k =+sum(q)*-3)",
                           "nk: N(K(q:u8 4n 4k), b:s32 2n@2=0 2n /k =+sum(q)*-3, b:s32 2n@2=1 2n /k =+sum(q)*-3)",
                           "nk: (q:u8 nk, b:s32 n[:3] n /k =+sum(q)*-3, b:s32 n[3:] n /k =+sum(q)*-3)",
                           "nk: (q:u8 nk, b:s32 n /k =+sum(q)*-3)",
                           "nk: (q:u8 nk, b:s32 n /k =+sum(q)*5)",
                           "nk: (q:u8 nk, b:s32 n /k)",
                           "nk: nK(q:u8 4k, b:s32 /4k =+sum(q)*-3)",
                           "nk: nK(q:u8 4k, b:s32 2k@2=0 /2k =+sum(q)*5, b:s32 2k@2=1 /2k =+sum(q)*5)"};
    const dims extents{7, 8};
    const record plain = parse_record("nk: (q:u8 nk, b:s32 n /k)", extents).value();
    const bytes given = seeded(plain.size_in_bytes());
    for (const char* first : texts) {
        const expected<record> a = parse_record(first, extents).value();
        bytes stored(a->size_in_bytes());
        make_repack(plain, *a).value()(given, stored);
        // What is stored is the given value, and factor times the sum over the indices that share it.
        const int factor = std::string_view(first).find("*-3") != std::string_view::npos  ? -3
                           : std::string_view(first).find("*5") != std::string_view::npos ? 5
                                                                                          : 0;
        const auto sums = [&] {
            std::map<dim_t, std::int64_t> totals;
            for_each(extents, [&](const position& index) {
                totals[a->bit_offset("b", index)] += static_cast<std::int64_t>(value_of(plain, given, "q", index));
            });
            return totals;
        }();
        for_each(extents, [&](const position& index) {
            const dim_t place = a->bit_offset("b", index);
            const auto b = static_cast<std::uint32_t>(value_of(plain, given, "b", index));
            INFO(std::string(first), " ", index[0], ", ", index[1]);
            CHECK(detail::read_bits(stored.data(), place, 32) ==
                  static_cast<std::uint32_t>(b + static_cast<std::uint32_t>(factor * sums.at(place))));
        });
        CHECK(verify(*a, stored).ok());
        for (const char* second : texts) {
            const expected<record> to = parse_record(second, extents).value();
            INFO(std::string(first), " to ", std::string(second));
            const auto planned = make_repack(*a, *to);
            if (!planned.has_value()) {
                CHECK(planned.error().reason == reason::fibre_grows);
                continue;
            }
            bytes direct(to->size_in_bytes()), over(to->size_in_bytes());
            make_repack(plain, *to).value()(given, direct);
            (*planned)(stored, over);
            CHECK(over == direct);
        }
    }
}

TEST_CASE("pieces of one field have one content") {
    const auto why = [](const char* text) { return parse_record_tag(text).error(); };
    CHECK(why("nk: (q:u8 nk, s:s32 n[:3] n /k =sum(q), s:s32 n[3:] n /k =sum(q)*2)") ==
          verdict{reason::contents_differ, -1, 41});
    CHECK(why("nk: (q:u8 nk, s:s32 n[:3] n /k =sum(q), s:s32 n[3:] n /k)").reason == reason::contents_differ);
    CHECK(why("nk: (q:u8 nk, s:s32 n[:3] n /k, s:s32 n[3:] n /k =+sum(q))").reason == reason::contents_differ);
}

TEST_CASE("padding repeats the last value, even if another piece has it") {
    const record r = parse_record("nk: N(q:u8 2n@2=0 2n k ~n, q:u8 2n@2=1 2n k ~n)", dims{2, 3}).value();
    const record rows = parse_record("nk: q:u8 nk", dims{2, 3}).value();
    const bytes given = seeded(6);
    bytes out(r.size_in_bytes());
    make_repack(rows, r).value()(given, out);
    const bytes expected{given[0], given[1], given[2], given[3], given[4], given[5],
                         given[3], given[4], given[5], given[3], given[4], given[5]};
    CHECK(out == expected);
    CHECK(verify(r, out).ok());
    out[8] ^= std::byte{1};
    CHECK(describe(verify(r, out)) ==
          "record_is_damaged: the padding of field q does not repeat its last value at index 2 of "
          "axis 0, which is behind its values");
}
}}  // namespace test_packed_sums_in_pieces
