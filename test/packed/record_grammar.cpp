#include <plait/packed/record.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <random>
#include <string>
#include <vector>

namespace test_packed_record_grammar {

using namespace packed_test;

namespace {

constexpr std::string_view text_of(const detail::record_text& text) {
    return {text.data(), static_cast<std::size_t>(text.size())};
}
/// Returns the canonical text of a tag.
std::string canonical(std::string_view text) {
    const expected<record_tag> tag = parse_record_tag(text);
    return tag ? std::string(text_of(tag->text())) : std::string(describe(tag.error()).c_str());
}

struct refused {
    const char* text;
    reason why;
    int column;
};

}  // namespace

TEST_CASE("record_grammar: each production, and its canonical text") {
    constexpr std::pair<const char*, const char*> spellings[] = {
        // axes, blanks, loops
        {"nk:w:u4 nk", "nk: w:u4 nk"},
        {"nk:  ( w:u4 n k ,x:u4 nk )  ", "nk: (w:u4 nk, x:u4 nk)"},
        {"ab: w:s8 BA16a64b4a", "ab: w:s8 BA 16a 64b 4a"},
        // groups: of one item, in each other, around gaps
        {"nk: (w:u4 nk)", "nk: w:u4 nk"},
        {"nk: n(k(w:u4))", "nk: w:u4 nk"},
        {"nk: n(k(w:u4, s:u4))", "nk: nk(w:u4, s:u4)"},
        {"nk: ((w:u4 nk, s:u4 nk))", "nk: (w:u4 nk, s:u4 nk)"},
        {"nk: n((w:u4 k, s:u4 k))", "nk: n(w:u4 k, s:u4 k)"},
        {"nk: n(_:16,w:u4 k,_:%64)", "nk: n(_:16, w:u4 k, _:%64)"},
        {"nk: (_:4, (w:u4 nk, s:u4 nk))", "nk: (_:4, (w:u4 nk, s:u4 nk))"},
        // fields: names, types, bits, maps
        {"nk: abcdefghijklmno:u16 nk", "nk: abcdefghijklmno:u16 nk"},
        {"nk: w_2: f4_e2m1 nk", "nk: w_2:f4_e2m1 nk"},
        {"nk: (w:u4 nk, w.4:u2 nk)", "nk: (w:u4 nk, w.4:u2 nk)"},
        {"nk: w.0:u4 nk", "nk: w:u4 nk"},
        {"nk: w:u4^15 nk", "nk: w:u4^15 nk"},
        {"nk: w:f32*0.06250 nk", "nk: w:f32*0.0625 nk"},
        {"nk: w:f32*1.0 nk", "nk: w:f32 nk"},
        {"nk: w:bf16*-2 nk", "nk: w:bf16*-2 nk"},
        // shared and fixed digits, ranges
        {"nk: w:u4 n/k", "nk: w:u4 n /k"},
        {"nk: w:u4 NK/4n/8k", "nk: w:u4 NK /4n /8k"},
        {"nk: w:u4 2n@1=1 N 4n k", "nk: w:u4 2n@1=1 N 4n k"},
        {"nk: w:u4 n[0:4]nk", "nk: w:u4 n[:4] nk"},
        {"nk: w:u4 n[%32:%64] nk", "nk: w:u4 n[%32:%64] nk"},
        {"nk: w:u4 n[:] nk", "nk: w:u4 nk"},
        {"kn: w:f16 KN<512k16n", "kn: w:f16 KN <512k 16n"},
        // backwards, turned, padding
        {"nk: w:u4 NK 4n! 2k", "nk: w:u4 NK 4n! 2k"},
        {"nk: w:u4 NK 4n 4k!-n", "nk: w:u4 NK 4n 4k!-n"},
        {"nk: w:u4 nk~n", "nk: w:u4 nk ~n"},
        {"nk: w:u4 nk ~k~n", "nk: w:u4 nk ~n ~k"},
        // sums
        {"nk: (w:u4 nk, s:s32 n /k =sum(w))", "nk: (w:u4 nk, s:s32 n /k =sum(w))"},
        {"nk: (w:u4 nk, s:s32 n /k=+sum(w)*1)", "nk: (w:u4 nk, s:s32 n /k =+sum(w))"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*-1)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*-1)"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*-1izp)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*-izp)"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*16.0izp)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*16izp)"},
        {"nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum(w*d;  4k 2k@8))",
         "nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum(w*d;4k 2k@8))"},
        // marks that the rule gives, and marks of the same steps in another way
        {"nk: NK(q:u4 4k@4 4n@1 4k@1 2k@16)", "nk: q:u4 NK 4k 4n 4k 2k@16"},
        {"nk: NK(q:u4 4k@4 4n 4k@1 2k)", "nk: q:u4 NK 4k 4n 4k 2k@16"},
        {"nk: w:u4 NK 4n@1 4n 4k", "nk: w:u4 NK 4n 4n@4 4k"},
        {"nk: nK(q:u4 2k@128 2k@32 32k@1 2k@64)", "nk: q:u4 nK 2k 2k 32k 2k@64"},
        {"nk: nK(16k@16(s:u4 /16k@1, m:u4 /16k))", "nk: nK 16k(s:u4 /16k, m:u4 /16k)"},
        // the order of marks that have no place
        {"nk: w:u4 /16k N ~k 2n@4=1 K 4n n[:8]", "nk: w:u4 n[:8] 2n@4=1 NK 4n /16k ~k"},
        {"nk: w:u4 /k /n", "nk: w:u4 /n /k"},
    };
    for (const auto& spelling : spellings) {
        const std::string text = spelling.first, wanted = spelling.second;
        CAPTURE(text);
        CHECK(canonical(text) == wanted);
        CHECK(canonical(wanted) == wanted);
    }
    for (const tagged& t : tags) {
        const record_tag tag = parse_record_tag(t.text).value();
        CAPTURE(t.text);
        CHECK(parse_record_tag(text_of(tag.text())) == tag);
    }
    constexpr record_tag literal("nk:NK(q:u4 4k@4 4n 4k 2k@16)");
    STATIC_CHECK(literal == record_tag("nk: q:u4 NK 4k 4n 4k 2k@16"));
    STATIC_CHECK(text_of(literal.text()) == "nk: q:u4 NK 4k 4n 4k 2k@16");
}

TEST_CASE("record_grammar: each production broken, with the reason and the column") {
    using enum reason;
    constexpr refused cases[] = {
        {"", record_is_malformed, 1},
        {" nk: w:u4 nk", record_is_malformed, 1},
        {"Nk: w:u4 nk", record_is_malformed, 1},
        {"nnk: w:u4 nk", record_is_malformed, 2},
        {": w:u4", record_is_malformed, 1},
        {"abcdefghijklm: w:u4", record_is_too_large, 13},
        {"nk:", record_is_malformed, 4},
        {"nk: 2n@4=1 NK(w:u4 4n 8k, x:u4 4n 8k)", record_is_malformed, 5},
        {"nk: NK(2n@4=1 8k(w:u4 4n, x:u4 4n))", record_is_malformed, 8},
        {"nk: nK(w:u4 21111111111111111k@32 32k)", size_overflows, 32},
        {"nk: ()", record_is_malformed, 6},
        {"nk: (w:u4 nk", record_is_malformed, 13},
        {"nk: (w:u4 nk,)", record_is_malformed, 14},
        {"nk: w:u4 nk)", record_is_malformed, 12},
        {"nk: w:u4 nk, x:u4 nk", record_is_malformed, 12},
        {"nk: (((((((((w:u4 nk, x:u4 nk)))))))))", record_is_too_large, 14},
        {"nk: abcdefghijklmnop:u2 nk", record_is_malformed, 20},
        {"nk: w.64:u2 nk", record_is_malformed, 9},
        {"nk: w.:u2 nk", record_is_malformed, 7},
        {"nk: w:", record_type_is_unknown, 7},
        {"nk: w:u17 nk", record_type_is_unknown, 7},
        {"nk: w:u01 nk", record_type_is_unknown, 7},
        {"nk: w:e2m1 nk", record_type_is_unknown, 7},
        {"nk: w:u4^16 nk", record_is_malformed, 10},
        {"nk: w:u4^0 nk", record_is_malformed, 10},
        {"nk: w:u4*2 nk", record_content_does_not_fit, 10},
        {"nk: w:f32*0 nk", record_is_malformed, 11},
        {"nk: w:u4 nx", record_axis_is_unknown, 11},
        {"nk: w:u4 n4", record_is_malformed, 12},
        {"nk: w:u4 NK 1n 2k", record_is_malformed, 13},
        {"nk: w:u4 NK 4K 4n", record_is_malformed, 14},
        {"nk: w:u4 NK 4n@ 4k", record_is_malformed, 16},
        {"nk: w:u4 NK 4n@0 4k", record_is_malformed, 17},
        {"nk: w:u4 nk!", record_is_malformed, 12},
        {"nk: w:u4 NK 4n 4k-x", record_axis_is_unknown, 19},
        {"nk: w:u4 NK 4n 4k-k", record_axis_is_unknown, 19},
        {"nk: w:u4 NK 2n 4k-n", digit_does_not_turn, 16},
        {"nk: w:u4 2n@1=2 N k", record_is_malformed, 16},
        {"nk: w:u4 nk /N", record_is_malformed, 14},
        {"nk: w:u4 n[4] nk", record_is_malformed, 13},
        {"nk: w:u4 n[4: nk", record_is_malformed, 14},
        {"nk: w:u4 n[%0:] nk", record_is_malformed, 14},
        {"nk: w:u4 n[:4] n[2:] nk", record_is_malformed, 16},
        {"kn: w:u4 KN <k 2n", record_is_malformed, 14},
        {"kn: w:u4 k[:4] KN <512k 2n", record_is_malformed, 23},
        {"kn: w:u4 KN <512k 4k 2n", ragged_loop_is_not_outermost, 14},
        {"nk: w:u4 nk ~x", record_axis_is_unknown, 14},
        {"nk: w:u4 nk ~n ~n", record_is_malformed, 17},
        {"nk: w:u4", record_axis_is_missing, 5},
        {"nk: w:u4 n", record_axis_is_missing, 5},
        {"nk: w:u4 nkn", record_axis_is_doubled, 12},
        {"nk: nK(w:u4 k)", record_axis_is_doubled, 13},
        {"nk: w:u4 NK 4n /n k", record_axis_is_doubled, 17},
        {"nk: w:u4 N k", tag_upper_case_axis_has_no_block, 10},
        {"nk: w:u4 nk 4n", tag_blocked_axis_is_not_upper_case, 10},
        {"nk: NK(w:u4 4k, s:u4 4k)", tag_upper_case_axis_has_no_block, 5},
        {"nk: w:u4 NK 4n@2 4k", step_is_not_reached, 13},
        {"nk: NK(w:u4 4k 4n, s:u4 4k 8n)", loops_differ, 5},
        {"nk: (w:u4 nk, _16)", record_is_malformed, 16},
        {"nk: (w:u4 nk, _:0)", record_is_malformed, 18},
        {"nk: (w:u4 nk, _:%0)", record_is_malformed, 19},
        {"nk: (w:u4 nk, s:s32 n /k =min(w))", record_is_malformed, 30},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*)", record_is_malformed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*abcdefghijklmnop)", record_is_malformed, 49},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w) =sum(w))", record_is_malformed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(v))", record_field_is_unknown, 15},
        {"nk: (w:u4 nk, s:u8 n /k =sum(w))", record_content_does_not_fit, 25},
        {"nk: (w:u4 nk, s:s32 n /k =sum(s))", record_content_does_not_fit, 15},
        {"nk: (w:f32 nk, s:s32 n /k =sum(w))", record_content_does_not_fit, 16},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w))", sum_has_no_order, 15},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;4x))", record_axis_is_unknown, 34},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;2k 2k 2k 2k 2k))", record_is_too_large, 47},
    };
    for (const refused& c : cases) {
        INFO(std::string(c.text));
        const verdict why = parse_record_tag(c.text).error();
        CHECK(why.reason == c.why);
        CHECK(why.first == c.column);
    }
    STATIC_CHECK(parse_record_tag("nk: NK(q:u4 2k 8n 8k 2k@9)").error() == verdict{step_is_not_reached, 1, 22, 8, 16});
    STATIC_CHECK(parse_record_tag("nk: w:u4 n 2k@9223372036854775807 k").error().reason == record_is_malformed);
    STATIC_CHECK(parse_record_tag("nk: w:u4 nK 4000000000000000000k 4000000000000000000k").error().reason ==
                 size_overflows);
}

TEST_CASE("record_grammar: more fields, nodes and digits than a record has") {
    std::string fields = "n: (f0:u8 n", nodes = "n: w:u8 N", digits = "n: w:u8 N";
    for (int i = 1; i < 30; ++i) fields += ", f" + std::to_string(i) + ":u8 n";
    for (int i = 0; i < 170; ++i) nodes += " /2n";
    for (int i = 0; i < 13; ++i) digits += " 2n";
    CHECK(parse_record_tag(fields + ")").error().reason == reason::record_is_too_large);
    CHECK(parse_record_tag(nodes).error().reason == reason::record_is_too_large);
    CHECK(parse_record_tag(digits).has_value());
    CHECK(parse_record(digits, {10000}).error().reason == reason::record_is_too_large);
}

TEST_CASE("record_grammar: changed texts are refused, or read again from their canonical text") {
    std::mt19937_64 engine(3);
    int accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
        const tagged& t = tags[static_cast<std::size_t>(engine() % tag_count)];
        const std::string text = changed_text(t.text, engine);
        const expected<record_tag> tag = parse_record_tag(text);
        CAPTURE(text);
        if (!tag) {
            const dim_t column = tag.error().first;
            REQUIRE((column >= 1 || tag.error().reason == reason::size_overflows));
            REQUIRE((column <= static_cast<dim_t>(text.size()) + 1 || tag.error().reason == reason::size_overflows));
            continue;
        }
        ++accepted;
        REQUIRE(parse_record_tag(text_of(tag->text())) == *tag);
        dims extents = t.extents;
        while (extents.size() < tag->ndims()) extents.push_back(3);
        while (extents.size() > tag->ndims()) extents.erase(extents.size() - 1);
        static_cast<void>(try_record(*tag, extents));
    }
    CHECK(accepted > 1000);
}

}  // namespace test_packed_record_grammar
