#include <plait/core/tag_grammar.hpp>

#include "support/small_layouts.hpp"

namespace test_core_tag_grammar { namespace {

using namespace plait;
using namespace plait::detail;

constexpr tag_reading read(const char* text) {
    int size = 0;
    while (text[size] != 0) ++size;
    return read_tag(text, size);
}

struct alias {
    const char* name;
    const char* meaning;
};

template <int N>
constexpr bool all_mean(const alias (&table)[N]) {
    for (const alias& entry : table) {
        const tag_reading name = read(entry.name), meaning = read(entry.meaning);
        if (!name.why.ok() || !meaning.why.ok() || name.tag != meaning.tag) return false;
    }
    return true;
}

struct refusal {
    const char* text;
    reason which;
    dim_t column;
    dim_t second = 0;
};

template <int N>
constexpr bool all_refused(const refusal (&table)[N]) {
    for (const refusal& entry : table) {
        const tag_reading got = read(entry.text);
        if (got.why != verdict{entry.which, -1, entry.column, entry.second} || got.tag != format_tag()) return false;
    }
    return true;
}

TEST_CASE("tag grammar: outer letters are the order of the axes, numbers the inner blocks") {
    constexpr format_tag tag("BAcd4b16a2b");
    STATIC_CHECK(tag.kind == format_kind::blocked);
    STATIC_CHECK(tag.ndims() == 4);
    STATIC_CHECK(tag.axes[0] == 1);
    STATIC_CHECK(tag.axes[1] == 0);
    STATIC_CHECK(tag.axes[3] == 3);
    STATIC_CHECK(tag.blocks.size() == 3);
    STATIC_CHECK(tag.blocks[0] == inner_block{1, 4});
    STATIC_CHECK(tag.blocks[1] == inner_block{0, 16});
    STATIC_CHECK(tag.block_size(0) == 16);
    STATIC_CHECK(tag.block_size(1) == 8);
    STATIC_CHECK(tag.block_size(2) == 1);
}

TEST_CASE("tag grammar: accepts tags that are not in oneDNN's list") {
    STATIC_CHECK([] {
        for (const char* text :
             {"a", "dbca", "aBcd24b", "AB32a32b8a4b", "ABcd8b8a4b", "Ab24a", "aBCd8c8b4c", "cBa16b", "acdefb",
              "lkjihgfedcba", "A2a2a2a2a2a2a2a2a2a2a2a2a", "A3a", "A9223372036854775807a", "X16x"})
            if (!read(text).why.ok()) return false;
        return true;
    }());
}

TEST_CASE("tag grammar: aliases follow from the letter orders of their families") {
    static constexpr alias table[] = {
        {"x", "a"},
        {"X16x", "A16a"},
        {"nc", "ab"},
        {"cn", "ba"},
        {"ncw", "abc"},
        {"nwc", "acb"},
        {"nchw", "abcd"},
        {"nhwc", "acdb"},
        {"chwn", "bcda"},
        {"ncdhw", "abcde"},
        {"ndhwc", "acdeb"},
        {"nChw16c", "aBcd16b"},
        {"NChw32n16c", "ABcd32a16b"},
        {"oi", "ab"},
        {"io", "ba"},
        {"oihw", "abcd"},
        {"hwio", "cdba"},
        {"ohwi", "acdb"},
        {"ihwo", "bcda"},
        {"iohw", "bacd"},
        {"oidhw", "abcde"},
        {"dhwio", "cdeba"},
        {"OIhw16i16o", "ABcd16b16a"},
        {"OIhw4i16o4i", "ABcd4b16a4b"},
        {"Ohwi8o", "Acdb8a"},
        {"goiw", "abcd"},
        {"goihw", "abcde"},
        {"hwigo", "decab"},
        {"goidhw", "abcdef"},
        {"Goihw16g", "Abcde16a"},
        {"gOIhw4i16o4i", "aBCde4c16b4c"},
        {"tn", "ab"},
        {"nt", "ba"},
        {"tnc", "abc"},
        {"ntc", "bac"},
        {"ldnc", "abcd"},
        {"ldigo", "abcde"},
        {"ldgoi", "abdec"},
        {"ldio", "abcd"},
        {"ldoi", "abdc"},
        {"ldgo", "abcd"},
        {"ldOi16o", "abDc16d"},
        {"ldgOI32o4i", "abdEC32e4c"},
    };
    STATIC_CHECK(all_mean(table));
}

TEST_CASE("format_tag: the six irregular aliases") {
    static constexpr alias table[] = {
        {"gIOhw2i8o16i2o", "aBCde2c8b16c2b"},
        {"gIOdhw2i8o16i2o", "aBCdef2c8b16c2b"},
        {"OhwI24o", "Acdb24a"},
        {"OhwI32o", "Acdb32a"},
        {"gOhwI24o", "aBdec24b"},
        {"gOhwI32o", "aBdec32b"},
    };
    STATIC_CHECK(all_mean(table));
    // Similar names follow the grammar.
    STATIC_CHECK(read("gIOw2i8o16i2o").tag == read("aCBd2c8b16c2b").tag);
    STATIC_CHECK(read("OhwI16o").why == verdict{reason::tag_upper_case_axis_has_no_block, -1, 4, 0});
    STATIC_CHECK(read("OhwI24").why.reason == reason::tag_block_is_malformed);
}

TEST_CASE("tag grammar: axes that are unknown, doubled or missing are refused with the column") {
    static constexpr refusal table[] = {
        {"", reason::tag_is_empty, 0},
        {"?", reason::tag_character_is_unknown, 1},
        {"ab-c", reason::tag_character_is_unknown, 3},
        {"nchw ", reason::tag_character_is_unknown, 5},
        {" nchw", reason::tag_character_is_unknown, 1},
        {"anyx", reason::tag_character_is_unknown, 2},
        {"ANY", reason::tag_character_is_unknown, 2},
        {"abcdefghijklm", reason::tag_character_is_unknown, 13},
        {"nChw16x", reason::tag_character_is_unknown, 7},
        {"aBcd16e", reason::tag_character_is_unknown, 7},
        {"16a", reason::tag_character_is_unknown, 3},
        {"aa", reason::tag_axis_is_doubled, 2, 1},
        {"nchwc", reason::tag_axis_is_doubled, 5, 2},
        {"aBcdA16b", reason::tag_axis_is_doubled, 5, 1},
        {"b", reason::tag_axis_is_missing, 2, 'a'},
        {"abd", reason::tag_axis_is_missing, 4, 'c'},
        {"aCd16c", reason::tag_axis_is_missing, 4, 'b'},
        {"nhw", reason::tag_axis_is_missing, 4, 'c'},
        {"goh", reason::tag_axis_is_missing, 4, 'i'},
    };
    STATIC_CHECK(all_refused(table));
}

TEST_CASE("tag grammar: blocks that are too small, malformed or too many are refused with the column") {
    static constexpr refusal table[] = {
        {"aBcd1b", reason::tag_block_is_too_small, 5, 1},
        {"aBcd0b", reason::tag_block_is_too_small, 5, 0},
        {"aBcd16b1b", reason::tag_block_is_too_small, 8, 1},
        {"aBcd", reason::tag_upper_case_axis_has_no_block, 2},
        {"ABcd16b", reason::tag_upper_case_axis_has_no_block, 1},
        {"abcD16b16d", reason::tag_blocked_axis_is_not_upper_case, 2, 7},
        {"aBcd16", reason::tag_block_is_malformed, 5},
        {"aBcd016b", reason::tag_block_is_malformed, 5},
        {"aBcd00b", reason::tag_block_is_malformed, 5},
        {"aBcd16B", reason::tag_block_is_malformed, 5},
        {"aBcd16bb", reason::tag_block_is_malformed, 8},
        {"aBcd16b16", reason::tag_block_is_malformed, 8},
        {"aBcd16b-2b", reason::tag_block_is_malformed, 8},
        {"A9223372036854775808a", reason::tag_block_is_malformed, 2},
        {"A4294967296a4294967296a", reason::tag_block_is_malformed, 13},
        {"A2a2a2a2a2a2a2a2a2a2a2a2a2a", reason::tag_has_too_many_blocks, 26, 13},
    };
    STATIC_CHECK(all_refused(table));
}

TEST_CASE("tag grammar: the family that matched most columns gives the refusal, wherever the wrong letter is") {
    // The families of recurrent networks know n and c, but not h: they stop at column 3.
    const verdict lower = read("nchw16c").why, upper = read("nChw").why;
    CHECK((lower == verdict{reason::tag_blocked_axis_is_not_upper_case, -1, 2, 7}));
    CHECK((upper == verdict{reason::tag_upper_case_axis_has_no_block, -1, 2, 0}));
}

}}  // namespace test_core_tag_grammar
