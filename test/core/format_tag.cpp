#include <plait/core/format_tag.hpp>

#include "support/small_layouts.hpp"

#include <string>

namespace test_core_format_tag {

using namespace plait;

TEST_CASE("format_tag: a literal is checked when it is compiled, and equals the tag of the same text at run time") {
    STATIC_CHECK(format_tag("nChw16c") == format_tag("aBcd16b"));
    STATIC_CHECK(format_tag("nchw") != format_tag("nhwc"));
    STATIC_CHECK(format_tag("nChw16c") != format_tag("nChw8c"));
    STATIC_CHECK(parse_format_tag("nChw16c") == format_tag("nChw16c"));
    STATIC_CHECK(format_tag("any").kind == format_kind::any);
    STATIC_CHECK(format_tag("undef") == format_tag());
    STATIC_CHECK(parse_format_tag("any") == format_tag("any"));
}

TEST_CASE("parse_format_tag: returns a tag, or the verdict of check_format_tag") {
    for (const char* text : {"nchw", "any", "undef", "x", "", "nchx", "aBcd16", "aa", "nChw"}) {
        CHECK((check_format_tag(text).ok() == parse_format_tag(text).has_value()));
        CHECK((check_format_tag(text) == parse_format_tag(text).error()));
    }
}

TEST_CASE("parse_format_tag: an embedded zero is a character and does not end the text") {
    STATIC_CHECK(check_format_tag(std::string_view("ab\0", 3)) == verdict{reason::tag_character_is_unknown, -1, 3, 0});
    STATIC_CHECK(check_format_tag(std::string_view("any\0", 4)).reason == reason::tag_character_is_unknown);
    STATIC_CHECK(check_format_tag(std::string_view("\0", 1)) == verdict{reason::tag_character_is_unknown, -1, 1, 0});
    STATIC_CHECK(check_format_tag(std::string_view("aB16\0b", 6)).reason == reason::tag_character_is_unknown);
    STATIC_CHECK(check_format_tag(std::string_view("OhwI24o\0", 8)) ==
                 verdict{reason::tag_block_is_malformed, -1, 8, 0});
    STATIC_CHECK(parse_format_tag(std::string_view("abcd", 2)) == format_tag("ab"));
    STATIC_CHECK(check_format_tag(std::string_view()).reason == reason::tag_is_empty);
}

TEST_CASE("parse_format_tag: very long texts are refused with the same reasons as short ones") {
    CHECK((check_format_tag(std::string(100000, 'a')) == verdict{reason::tag_axis_is_doubled, -1, 2, 1}));
    CHECK((check_format_tag("A" + std::string(100000, '9')).reason == reason::tag_block_is_malformed));
    CHECK((check_format_tag("A" + std::string(100000, '0') + "a").reason == reason::tag_block_is_malformed));
    CHECK((check_format_tag("A" + std::string(5000, '1') + "a") == verdict{reason::tag_block_is_malformed, -1, 2, 0}));
    std::string blocks = "A";
    for (int i = 0; i < 5000; ++i) blocks += "2a";
    CHECK((check_format_tag(blocks) == verdict{reason::tag_has_too_many_blocks, -1, 2 + 24, 13}));
}

TEST_CASE("axis_names: a user's letters, numbered in the order of the family") {
    using attention = axis_names<"bhsd">;
    STATIC_CHECK(attention::tag("bshd") == format_tag("acbd"));
    STATIC_CHECK(attention::tag("bhSd16s") == format_tag("abCd16c"));
    // Axes that a tag leaves out do not count.
    STATIC_CHECK(attention::tag("sd") == format_tag("ab"));
    STATIC_CHECK(attention::tag("dbh") == format_tag("cab"));
    STATIC_CHECK(attention::parse_tag("bshd") == attention::tag("bshd"));
    STATIC_CHECK(attention::check_tag("bshd").ok());
    STATIC_CHECK(attention::check_tag("bsxd") == verdict{reason::tag_character_is_unknown, -1, 3, 0});
    STATIC_CHECK(!attention::parse_tag("bsxd").has_value());
    STATIC_CHECK(attention::check_tag("") == verdict{reason::tag_is_empty});
    STATIC_CHECK(attention::check_tag("bb").reason == reason::tag_axis_is_doubled);
    // A family has its own letters only.
    STATIC_CHECK(attention::check_tag("abcd").reason == reason::tag_character_is_unknown);
    STATIC_CHECK(attention::check_tag("any").reason == reason::tag_character_is_unknown);
}

TEST_CASE("axis_names: upper case letters may not be left out") {
    using attention = axis_names<"BhSd">;
    STATIC_CHECK(attention::tag("bshd") == format_tag("acbd"));
    STATIC_CHECK(attention::tag("sb") == format_tag("ba"));
    STATIC_CHECK(attention::tag("bSd8s") == format_tag("aBc8b"));
    STATIC_CHECK(attention::check_tag("bhd") == verdict{reason::tag_axis_is_missing, -1, 4, 's'});
    STATIC_CHECK(attention::check_tag("hd") == verdict{reason::tag_axis_is_missing, -1, 3, 'b'});
}

TEST_CASE("axis_names: more axes than a layout has are refused") {
    using many = axis_names<"abcdefghijklm">;
    STATIC_CHECK(many::tag("bcdefghijklm").ndims() == 12);
    STATIC_CHECK(many::check_tag("abcdefghijklm") == verdict{reason::tag_has_too_many_axes, -1, 13, 13});
}

}  // namespace test_core_format_tag
