#include <plait/packed/record.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <random>
#include <string>
#include <vector>

namespace test_packed_record_grammar { namespace {

using namespace packed_test;

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
        {"nk: w:u8-032 nk", "nk: w:u8-32 nk"},
        {"nk: w:s8-255 nk", "nk: w:s8-255 nk"},
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
        {"nk: w:u4 nk~k=08", "nk: w:u4 nk ~k=8"},
        {"nk: w:u4 nk~k=8~n", "nk: w:u4 nk ~n ~k=8"},
        {"nk: w:u4 nk~k=8~n=8", "nk: w:u4 nk ~n=8 ~k=8"},
        {"nk: w:s8 nk~k=-128", "nk: w:s8 nk ~k=-128"},
        // values of padding that are stored as zeros, as padding is
        {"nk: w:u4 nk~k=0", "nk: w:u4 nk"},
        {"nk: w:u4^8 nk~k=8", "nk: w:u4^8 nk"},
        {"nk: w:u4^8 nk~k=0", "nk: w:u4^8 nk ~k=0"},
        {"nk: w:u8-32 nk ~n~k=32", "nk: w:u8-32 nk ~n"},
        {"nk: (w:u4 nk ~k=18, w.4:u2 nk ~k=18)", "nk: (w:u4 nk ~k=18, w.4:u2 nk ~k=18)"},
        {"nk: (w:u4 nk ~k=3, w.4:u2 nk ~k=3)", "nk: (w:u4 nk ~k=3, w.4:u2 nk)"},
        // sums
        {"nk: (w:u4 nk, s:s32 n /k =sum(w))", "nk: (w:u4 nk, s:s32 n /k =sum(w))"},
        {"nk: (w:u4 nk, s:s32 n /k=+sum(w)*1)", "nk: (w:u4 nk, s:s32 n /k =+sum(w))"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*-1)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*-1)"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*-1izp)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*-izp)"},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*16.0izp)", "nk: (w:u4 nk, s:s32 n /k =sum(w)*16izp)"},
        {"nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum(w*d;  4k 2k@8))",
         "nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum(w*d;4k 2k@8))"},
        {"nk: (w:u4 nk, s:s32 n /k = sum( w - 8 ) * 2)", "nk: (w:u4 nk, s:s32 n /k =sum(w-8)*2)"},
        {"nk: (w:u4 nk, s:s32 n /k =+sum((w-007)))", "nk: (w:u4 nk, s:s32 n /k =+sum(w-7))"},
        {"nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum( (w-8) * d ;4k))",
         "nk: (w:u4 nk, d:f32 nk, s:f32 n /k =sum((w-8)*d;4k))"},
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
        {"nk: w:u4*2 nk", factor_needs_fractions, 10},
        {"nk: w:f32*0 nk", record_is_malformed, 11},
        {"nk: w:u4- nk", stored_constant_is_malformed, 10},
        {"nk: w:u4-0 nk", stored_constant_is_malformed, 10},
        {"nk: w:u4-16 nk", stored_constant_is_malformed, 10},
        {"nk: w:s32-65536 nk", stored_constant_is_malformed, 11},
        {"nk: w:u4^8-8 nk", constant_needs_whole_values, 5},
        {"nk: w:f32-8 nk", constant_needs_whole_values, 5},
        {"nk: w:boolean-1 nk", constant_needs_whole_values, 5},
        {"nk: (w:u4 nk, w.4:u2-1 nk)", constant_needs_whole_values, 15},
        {"nk: (w:u4-1 nk, w.4:u2 nk)", constant_needs_whole_values, 6},
        {"nk: (w:u4 nk, s:s32-1 n /k =sum(w))", constant_needs_whole_values, 15},
        {"nk: (w:u4-1 nk, s:s32 n /k =sum(w))", sum_of_a_difference, 17},
        {"nk: w:u4 nk ~k=", record_is_malformed, 16},
        {"nk: w:u4 nk ~k=n", record_is_malformed, 16},
        {"nk: w:u4 nk ~k ~k=1", record_is_malformed, 17},
        {"nk: w:u4 nk ~k=1 ~k", record_is_malformed, 19},
        {"nk: w:u4 nk ~k=16", padding_does_not_fit, 5},
        {"nk: w:u4 nk ~k=-1", padding_does_not_fit, 5},
        {"nk: w:s4 nk ~k=8", padding_does_not_fit, 5},
        {"nk: w:s8 nk ~k=-129", padding_does_not_fit, 5},
        {"nk: (w:u4 nk ~k=64, w.4:u2 nk)", padding_does_not_fit, 6},
        {"nk: w:u4 nk ~k=1 ~n=2", paddings_differ, 21},
        {"nk: w:f16 nk ~k=1", padding_needs_integers, 5},
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
        {"nk: nK(q:u4 32k, d:f16 4k)", loops_differ, 6},
        {"nk: (w:u4 nk, _16)", record_is_malformed, 16},
        {"nk: (w:u4 nk, _:0)", record_is_malformed, 18},
        {"nk: (w:u4 nk, _:%0)", record_is_malformed, 19},
        {"nk: (w:u4 nk, s:s32 n /k =min(w))", content_is_no_sum, 27},
        {"nk: (w:u4 nk, s:s32 n /k =)", content_is_no_sum, 27},
        {"nk: (w:u4 nk, s:s32 n /k =+ sum w)", content_is_no_sum, 29},
        {"nk: (w:u4 nk, s:s32 n /k =sum())", sum_names_no_field, 31},
        {"nk: (w:u4 nk, s:s32 n /k =sum(8k))", sum_names_no_field, 31},
        {"nk: (w:u4 nk, s:s32 n /k =sum(abcdefghijklmnop))", sum_names_no_field, 31},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w* ;8k))", sum_names_no_field, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w,w))", sum_is_not_closed, 32},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w 8k))", sum_is_not_closed, 33},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w*w 8k))", sum_is_not_closed, 35},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w*w*w;8k))", sum_is_not_closed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w", sum_is_not_closed, 32},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w-))", sum_constant_is_malformed, 33},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w-0))", sum_constant_is_malformed, 33},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w-65536))", sum_constant_is_malformed, 33},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w- z))", sum_constant_is_malformed, 34},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w-8*w;8k))", sum_constant_is_not_closed, 34},
        {"nk: (w:u4 nk, s:f32 n /k =sum((w-8*w;8k))", sum_constant_is_not_closed, 35},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;k))", sum_digit_is_malformed, 33},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;8k 1k))", sum_digit_is_malformed, 36},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;8))", sum_digit_is_malformed, 33},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;8k@))", sum_digit_is_malformed, 33},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;8k@0))", sum_digit_is_malformed, 33},
        {"nk: (w:u4 nk, s:f32 n /k =sum(w;8k", sum_digit_is_malformed, 35},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*)", sum_factor_is_malformed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*+2)", sum_factor_is_malformed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*abcdefghijklmnop)", sum_factor_is_malformed, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w) =sum(w))", content_is_doubled, 34},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w)*0.5)", sum_factor_is_not_whole, 15},
        {"nk: (w:u4 nk, s:s32 n /k =sum(w;8k))", sum_is_exact, 15},
        {"nk: (w:u4 nk, d:f32 nk, s:s32 n /k =sum(w*d))", sum_is_exact, 25},
        {"nk: (w.4:u4 nk, w:u4 nk, s:s32 n /k =sum(w))", sum_of_upper_bits, 26},
        {"nk: (w:u4 nk, d:s32 n /k =sum(w), s:f32 n /k =sum(w*d;8k))", sum_of_a_sum, 35},
        {"nk: (w:u4 nk, s:s32 n /k =sum(v))", record_field_is_unknown, 15},
        {"nk: (w:u4 nk, s:u8 n /k =sum(w))", record_content_does_not_fit, 25},
        {"nk: (w:u4 nk, s:s32 n /k =sum(s))", sum_of_a_sum, 15},
        {"nk: (w:f32 nk, s:s32 n /k =sum(w))", sum_of_fractions, 16},
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

TEST_CASE("record_grammar: a field without a share is named, with the share, in any order of the fields") {
    constexpr std::pair<const char*, const char*> sentences[] = {
        {"nk: nK(d:f16, q:u4 32k)",
         "field d at column 8 of the record's tag has no digit of axis k in blocks of 32: write "
         "/32k if a block has one value, or 32k if each index has its own"},
        {"nk: nK(q:u4 32k, d:f16)",
         "field d at column 18 of the record's tag has no digit of axis k in blocks of 32: "
         "write /32k if a block has one value, or 32k if each index has its own"},
        {"nk: nK(d:f16, m:f16 /32k, q:u4 16k 2k@16)",
         "field d at column 8 of the record's tag has no digit of axis k in "
         "blocks of 32: write /32k if a block has one value, or 32k if each "
         "index has its own"},
        {"nk: NK(q:u4 4n 8k, d:f16 /8k)",
         "field d at column 20 of the record's tag has no digit of axis n in blocks of "
         "4: write /4n if a block has one value, or 4n if each index has its own"},
        {"nk: nK(16k(s:u4 /16k, m:u4), q:u2 256k)",
         "field m at column 23 of the record's tag has no digit of axis k in "
         "blocks of 16: write /16k if a block has one value, or 16k if each "
         "index has its own"},
        {"nk: nK(16k(m:u4, s:u4 /16k), q:u2 256k)",
         "field m at column 12 of the record's tag has no digit of axis k in "
         "blocks of 16: write /16k if a block has one value, or 16k if each "
         "index has its own"},
        {"nk: nK(2k@16(s:u4, m:u4 /16k), q:u2 32k)",
         "field s at column 14 of the record's tag has no digit of axis k in "
         "blocks of 16: write /16k if a block has one value, or 16k if each "
         "index has its own"},
        {"nk: nK(2k@128 2k@16 4k@32(s:u4, m:u4 /16k), q:u2 256k)",
         "field s at column 27 of the record's tag has no digit of axis k in blocks of 16: write /16k if a block has "
         "one "
         "value, or 16k if each index has its own"},
        {"nk: N(d:f16 8n, K(q:u4 8n 32k))",
         "field d at column 7 of the record's tag has no loop over axis k: write k, or /k if all of it has one value"},
        {"nk: (w:u4 nk, scales:f16 n 4k)",
         "field scales at column 15 of the record's tag has no loop over axis k: write "
         "K, or /k if all of it has one value"},
    };
    for (const auto& each : sentences) {
        const std::string text = each.first, sentence = each.second;
        CAPTURE(text);
        const std::string said = describe(parse_record_tag(text).error()).c_str();
        CHECK(said.substr(said.find(": ") + 2) == sentence);
    }
    // Both remedies of the first, and the remedies of the last two.
    CHECK(parse_record_tag("nk: nK(d:f16 /32k, q:u4 32k)").has_value());
    CHECK(parse_record_tag("nk: nK(d:f16 32k, q:u4 32k)").has_value());
    CHECK(parse_record_tag("nk: nK(2k@128 2k@16 4k@32(s:u4 /16k, m:u4 /16k), q:u2 256k)").has_value());
    CHECK(parse_record_tag("nk: N(d:f16 8n k, e:f16 8n /k)").has_value());
    CHECK(parse_record_tag("nk: (w:u4 nk, s:f16 nK 4k, t:f16 n 4k /k)").has_value());
    // No field has a block.
    CHECK(parse_record_tag("nk: nK(d:f16, q:u4)").error() == verdict{reason::tag_upper_case_axis_has_no_block, -1, 6});
    // The letter is wrong, whichever field is first.
    CHECK(parse_record_tag("nk: nk(d:f16, q:u4 32k)").error().reason == reason::tag_blocked_axis_is_not_upper_case);
    CHECK(parse_record_tag("nk: nk(q:u4 32k, d:f16)").error().reason == reason::tag_blocked_axis_is_not_upper_case);
}

TEST_CASE("record_grammar: the name of a type that is another one elsewhere") {
    constexpr std::pair<const char*, const char*> hints[] = {
        {"s2",
         "record_type_has_a_sign: column 7 of the record's tag is no element type; a number of 2 bits with a sign "
         "is written u2^2"},
        {"int6",
         "record_type_has_a_sign: column 7 of the record's tag is no element type; a number of 6 bits with a sign "
         "is written u6^32"},
        {"i16",
         "record_type_has_a_sign: column 7 of the record's tag is no element type; a number of 16 bits with a sign "
         "is written u16^32768"},
        {"i4", "s4"},
        {"int4", "s4"},
        {"int8_t", "s8"},
        {"i32", "s32"},
        {"S4", "s4"},
        {"uint4", "u4"},
        {"U3", "u3"},
        {"uint16", "u16"},
        {"half", "f16"},
        {"float", "f32"},
        {"bfloat16", "bf16"},
        {"e2m1", "f4_e2m1"},
        {"float8_e4m3fn", "f8_e4m3"},
        {"float8_e8m0fnu", "e8m0"},
        {"bool", "boolean"},
        {"float8_e4m3fnuz", ""},
        {"u17", ""},
        {"u04", ""},
        {"s17", ""},
        {"undef", ""},
        {"int", "s32"},
        {"byte", "u8"},
        {"fp4", "f4_e2m1"},
    };
    for (const auto& [type, hint] : hints) {
        const std::string text = hint,
                          said = describe(parse_record_tag("nk: w:" + std::string(type) + " nk").error()).c_str();
        CAPTURE(said);
        const std::string unknown =
            "record_type_is_unknown: column 7 of the record's tag is not an element type, nor u1 "
            "to u16";
        CHECK(said == (text.find(' ') != text.npos ? text
                       : text.empty()              ? unknown
                                                   : unknown + "; the nearest is " + text));
        if (!text.empty() && text.find(' ') == text.npos) CHECK(parse_record_tag("nk: w:" + text + " nk").has_value());
    }
    for (const char* type : {"u2^2", "u6^32", "u16^32768"})
        CHECK(parse_record_tag("nk: (w:" + std::string(type) + " nk, s:s32 n /k =sum(w))").has_value());
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

}}  // namespace test_packed_record_grammar
