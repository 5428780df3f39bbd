#include <plait/core/axis_letters.hpp>

#include "support/small_layouts.hpp"

#include <plait/algebra/alias_names.hpp>

namespace test_core_axis_letters { namespace {

using namespace plait;
using namespace plait::detail;

constexpr letter_list letters_of(std::string_view text) {
    return letters_of_tag(text.data(), static_cast<int>(text.size()));
}

TEST_CASE("letters_of_tag: letters are in the order of the axes, not of memory; abstract letters are no names") {
    STATIC_CHECK(letters_of("nchw") == "nchw");
    STATIC_CHECK(letters_of("nhwc") == "nchw");
    STATIC_CHECK(letters_of("nChw16c") == "nchw");
    STATIC_CHECK(letters_of("OIhw4i16o4i") == "oihw");
    STATIC_CHECK(letters_of("hwigo") == "goihw");
    STATIC_CHECK(letters_of("cn") == "nc");
    STATIC_CHECK(letters_of("ntc") == "tnc");
    STATIC_CHECK(letters_of("ldgoi") == "ldigo");
    STATIC_CHECK(letters_of("OhwI32o") == "oihw");  // an irregular alias, but its letters name its axes
    STATIC_CHECK(letters_of("acdb").empty());
    STATIC_CHECK(letters_of("aBcd16b").empty());
    STATIC_CHECK(letters_of("any").empty());
    STATIC_CHECK(letters_of("undef").empty());
}

TEST_CASE("letters_of_tag: each axis of a tag in words has a letter, and one more block changes none") {
    for (const char* text :
         {"nc", "ncw", "nchw", "ncdhw", "oi", "wio", "hwio", "goihw", "giohw", "dhwigo", "tnc", "ldnc", "ldgo", "x"}) {
        CAPTURE(text);
        const auto tag = parse_format_tag(text);
        REQUIRE(tag.has_value());
        const letter_list letters = letters_of(text);
        CHECK(letters.size() == tag->ndims());
        // Each letter of the text names the axis at its position in the tag.
        for (int i = 0; i < tag->ndims(); ++i) CHECK(letters[tag->axes[i]] == text[i]);
    }
}

TEST_CASE("letter_list: a type that holds the letters converts back to the list") {
    STATIC_CHECK(std::is_same_v<axis_letters_in<"nchw">, axis_letters<'n', 'c', 'h', 'w'>>);
    STATIC_CHECK(std::is_same_v<axis_letters_in<letter_list{}>, axis_letters<>>);
    STATIC_CHECK(axis_letters<'o', 'i'>::list() == "oi");
    STATIC_CHECK(letter_list("goihw").find('i') == 2);
    STATIC_CHECK(letter_list("goihw").find('x') == -1);
}

TEST_CASE("lettered_tag: a literal has tag and names; a tag has no names") {
    STATIC_CHECK(lettered_tag("nhwc").tag == format_tag("acdb"));
    STATIC_CHECK(lettered_tag("nhwc").letters == "nchw");
    STATIC_CHECK(lettered_tag(axis_names<"bhsd">::tag("bshd")).letters.empty());
}

TEST_CASE("axis_letters_in: converts a list to a type and back") {
    constexpr letter_list nc("nc");
    STATIC_CHECK(std::is_same_v<axis_letters_in<nc>, axis_letters<'n', 'c'>>);
    STATIC_CHECK(axis_letters_in<letter_list("goihw")>::list() == letter_list("goihw"));
    STATIC_CHECK(axis_letters_in<letter_list{}>::list().empty());
}

}}  // namespace test_core_axis_letters
