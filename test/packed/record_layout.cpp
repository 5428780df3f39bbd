#include <plait/packed/record_layout.hpp>

#include <plait/algebra/is_injective.hpp>
#include <plait/contract/reference.hpp>
#include <plait/reorder/make_reorder.hpp>
#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

namespace test_packed_record_layout {

using namespace packed_test;

TEST_CASE("record_layout: a field as a layout of its elements") {
    constexpr record packed("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {64, 256});
    STATIC_CHECK(layout_of(packed, "d").offset(8, 0) == 8 * 72);
    STATIC_CHECK(layout_of(packed, "d").offset(9, 40) == 8 * 72 + 72 + 1);
    STATIC_CHECK(layout_of(packed, "q").offset(1, 16) == 2 * (16 + 8) + 1);
    // A record of one field is its layout.
    constexpr record one("ab: w:s8 BA16a64b4a", {70, 100});
    STATIC_CHECK(layout_of(one, "w") == layout({70, 100}, "BA16a64b4a"));
    STATIC_CHECK(layout_of(record("abc: w:f32 acb", {3, 4, 5}), "w") == layout({3, 4, 5}, "acb"));
    STATIC_CHECK(layout_of(record("abc: w:f32 aBc8b", {3, 20, 5}), "w") == layout({3, 20, 5}, "aBc8b"));
    STATIC_CHECK(layout_of(record("ab: w:f32 a /b", {3, 4}), "w") == layout({3, 4}, strides{1, 0}));
}

TEST_CASE("record_layout: an order of digits that no format tag has") {
    constexpr layout marked = layout_of(record("ab: w:u8 aB 2b 4b@2", {3, 16}), "w");
    STATIC_CHECK(marked.offset(1, 1) == 16 + 4);
    STATIC_CHECK(marked.offset(0, 2) == 1);
    STATIC_CHECK(marked.offset(0, 8) == 8);
    std::vector<std::uint8_t> in(48), out(48), wanted(48);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i);
    const layout rows({3, 16}, "ab");
    reference_reorder(rows, in.data(), marked, wanted.data());
    REQUIRE(make_reorder({data_type::u8, rows}, {data_type::u8, marked}).value()(in.data(), out.data()).ok());
    CHECK(out == wanted);
    CHECK(out[20] == 17);
}

TEST_CASE("record_layout: its offsets are the places of the values") {
    int layouts = 0;
    for_each_record([&](const record& r) {
        for (const record_piece& piece : r.pieces) {
            const record_field& field = r.field_of(piece);
            const expected<layout> l = try_layout_of(r, field.name.c_str());
            if (!l) continue;
            ++layouts;
            CAPTURE(r.tag.text().c_str());
            CHECK(check_layout(*l).ok());
            CHECK(l->padded_dims == piece.extents);
            for_each_index(r.dims, [&](const position& at) {
                REQUIRE(l->offset(at) * field.width == r.bit_offset(field.name.c_str(), at));
            });
        }
    });
    CHECK(layouts > 50);
}

TEST_CASE("record_layout: refusals") {
    constexpr auto why = [](std::string_view text, dims extents, std::string_view name) {
        return try_layout_of(parse_record(text, extents).value(), name).error();
    };
    constexpr auto n = [](const char* name) { return detail::short_name(detail::field_name_of(name)); };
    STATIC_CHECK(why("nk: w:u4 nk", {4, 4}, "x") == verdict{reason::field_is_missing, -1, n("x")});
    STATIC_CHECK(why("nk: (w:u4 n[:2] nk, w:u4 n[2:] nk)", {4, 4}, "w") ==
                 verdict{reason::field_is_in_pieces, -1, n("w"), 2});
    STATIC_CHECK(why("nk: N(a:u8 4n /k, w:f32 4n k)", {4, 4}, "w").ok());
    STATIC_CHECK(why("nk: n(a:u8 /k, w:f32 k)", {4, 4}, "w") ==
                 verdict{reason::field_is_not_a_layout, -1, n("w"), 8, 32});
    STATIC_CHECK(why("nk: n(w:f32 k, a:u8 /k)", {4, 4}, "w") ==
                 verdict{reason::field_is_not_a_layout, -1, n("w"), 136, 32});
    STATIC_CHECK(why("nk: N(w:f32 K 4k-n 8n)", {8, 4}, "w") == verdict{reason::field_is_turned, 1, n("w")});
    STATIC_CHECK(why("kn: w:f16 KN <512k 16n", {600, 20}, "w").reason == reason::field_is_in_pieces);
    STATIC_CHECK(why("kn: w:f16 KN <512k 16n", {512, 20}, "w").ok() &&
                 why("kn: w:f16 KN <512k 16n", {3, 20}, "w").ok());
    CHECK_THROWS_AS(static_cast<void>(layout_of(parse_record("nk: w:u4 nk", {4, 4}).value(), "x")), rejection);
}

}  // namespace test_packed_record_layout
