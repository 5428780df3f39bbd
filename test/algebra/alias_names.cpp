#include <plait/algebra/alias_names.hpp>

#include "laws/random_layouts.hpp"
#include "support/test_data.hpp"

#include <fstream>
#include <string>

namespace test_algebra_alias_names { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr axis_family activations = axis_families[1], weights = axis_families[2];

constexpr bool is_named(const layout& l, const axis_family& family, const char* name) {
    const std::optional<layout_name> got = alias_name(l, family);
    return got.has_value() && *got == name;
}

constexpr bool has_alias(const layout& l, const char* name) {
    for (const layout_name& alias : alias_names(l))
        if (alias == name) return true;
    return false;
}

std::string_view tag_in(const layout_name& name) {
    const std::string_view all(name.c_str(), static_cast<std::size_t>(name.size()));
    return all.substr(0, all.find(':'));
}

/// Checks that each alias parses to the tag of format_name, has the same strides, and occurs once.
bool aliases_say_the_same(const layout& l) {
    const layout_name name = format_name(l);
    const alias_list aliases = alias_names(l);
    const std::string_view strides = std::string_view(name.c_str()).substr(tag_in(name).size());
    for (const layout_name& alias : aliases) {
        const expected<format_tag> tag = parse_format_tag(tag_in(alias));
        if (!tag || tag != parse_format_tag(tag_in(name)) || tag != tag_of(l)) return false;
        if (std::string_view(alias.c_str()).substr(tag_in(alias).size()) != strides) return false;
        int there = 0;
        for (const layout_name& other : aliases) there += other == alias;
        if (there != 1) return false;
    }
    for (const axis_family& family : axis_families)
        if (const std::optional<layout_name> alias = alias_name(l, family))
            if (parse_format_tag(tag_in(*alias)) != tag_of(l)) return false;
    return true;
}

TEST_CASE("alias_name: the tag in the letters of a family") {
    STATIC_CHECK(is_named(layout({2, 17, 5, 4}, "aBcd8b"), activations, "nChw8c"));
    STATIC_CHECK(is_named(layout({2, 16, 5, 4}, "acdb"), activations, "nhwc"));
    STATIC_CHECK(is_named(layout({2, 16, 5}, "abc"), activations, "ncw"));
    STATIC_CHECK(is_named(layout({2, 16}, "ab"), activations, "nc"));
    STATIC_CHECK(is_named(layout({2, 16, 3, 5, 4}, "abcde"), activations, "ncdhw"));
    STATIC_CHECK(is_named(layout({33, 33, 3, 3}, "ABcd4b16a4b"), weights, "OIhw4i16o4i"));
    STATIC_CHECK(is_named(layout({2, 33, 33, 3, 3, 2}, "aBCdef4c16b4c"), weights, "gOIdhw4i16o4i"));
    STATIC_CHECK(is_named(layout({5}, "a"), axis_families[6], "x"));
    STATIC_CHECK(is_named(layout({2, 3, 4}, "abc"), axis_families[3], "tnc"));
    STATIC_CHECK(is_named(layout({2, 3, 4, 5}, "abdc"), axis_families[4], "ldcn"));
    STATIC_CHECK(is_named(layout({2, 3}, "ba"), axis_families[0], "ba"));
}

TEST_CASE("alias_name: a user's letters") {
    using attention = axis_names<"bhsd">;
    STATIC_CHECK(is_named(layout({2, 8, 128, 64}, attention::tag("bshd")), attention::family(), "bshd"));
    STATIC_CHECK(is_named(layout({2, 8, 128, 64}, attention::tag("bhSd32s")), attention::family(), "bhSd32s"));
    // If there are fewer axes, the last letters.
    STATIC_CHECK(is_named(layout({128, 64}, "ba"), attention::family(), "ds"));
    STATIC_CHECK(attention::parse_tag("ds") == parse_format_tag("ba"));
    STATIC_CHECK(!alias_name(layout({2, 2, 2, 2, 2}, "abcde"), attention::family()).has_value());
    // Optional letters before a required one.
    using expert = axis_names<"egK">;
    STATIC_CHECK(is_named(layout({7}, "a"), expert::family(), "k"));
    STATIC_CHECK(is_named(layout({7, 8}, "ba"), expert::family(), "kg"));
    STATIC_CHECK(is_named(layout({7, 8, 9}, "Cab2c"), expert::family(), "Keg2k"));
}

TEST_CASE("alias_name: followed by the strides if the tag does not imply them") {
    STATIC_CHECK(
        is_named(layout({2, 32, 4, 4}, "nChw16c", strides{1024, 256, 64, 16}), activations, "nChw16c:1024x256x64x16"));
    STATIC_CHECK(has_alias(layout({2, 3}, strides{4, 1}), "nc:4x1"));
}

TEST_CASE("alias_name: empty if the family has other axes or the layout has no tag") {
    STATIC_CHECK(!alias_name(layout({2}, "a"), activations).has_value());
    STATIC_CHECK(!alias_name(layout({2, 2, 2, 2, 2, 2}, "abcdef"), activations).has_value());
    STATIC_CHECK(!alias_name(layout(), activations).has_value());
    STATIC_CHECK(!alias_name(layout({2, 3}, "any"), activations).has_value());
    STATIC_CHECK(!alias_name(plait_test::opaque_layout({2, 3}), activations).has_value());
    STATIC_CHECK(!alias_name(layout({2, dynamic}, "ab"), activations).has_value());
    STATIC_CHECK(alias_names(layout({2, dynamic}, "ab")).empty());
    STATIC_CHECK(alias_names(layout()).empty());
    layout views = by_hand({2, 8}, {2, 8}, {32, 8}, {{1, 4}});
    views.digits[2].stride = 2;
    CHECK(!alias_name(views, activations).has_value());
    views.digits.count = 1;
    CHECK(alias_names(views).empty());
    // In these letters it would parse as an irregular name.
    STATIC_CHECK(!alias_name(layout({7, 33, 33, 3, 3, 3}, "aCBdef2c8b16c2b"), weights).has_value());
}

TEST_CASE("alias_names: all families, and the irregular ones") {
    STATIC_CHECK(alias_names(layout({2, 17, 5, 4}, "aBcd8b")).size() >= 2);
    STATIC_CHECK(has_alias(layout({2, 17, 5, 4}, "aBcd8b"), "nChw8c"));
    STATIC_CHECK(has_alias(layout({2, 17, 5, 4}, "aBcd8b"), "oIhw8i"));
    STATIC_CHECK(has_alias(layout({2, 3, 4, 5, 6}, "abcde"), "goihw"));
    STATIC_CHECK(has_alias(layout({2, 3, 4, 5, 6}, "abcde"), "oidhw"));
    STATIC_CHECK(has_alias(layout({2, 3, 4, 5}, "abcd"), "ldgo"));
    STATIC_CHECK(has_alias(layout({2, 3, 4, 5}, "abcd"), "ldio"));
    STATIC_CHECK(has_alias(layout({7, 33, 33, 3, 2}, "aBCde2c8b16c2b"), "gIOhw2i8o16i2o"));
    STATIC_CHECK(has_alias(layout({48, 3, 2, 3}, "Acdb24a"), "OhwI24o"));
    STATIC_CHECK(has_alias(layout({48, 3, 2, 3}, "Acdb24a"), "Ohwi24o"));
}

TEST_CASE("alias_names: each parses to the tag of format_name") {
    for (const layout& l : plait_test::varied_layouts) CHECK(aliases_say_the_same(l));
    plait_test::random_source random(9);
    for (int i = 0; i < 2000; ++i)
        if (const layout l = random.small_layout(); !aliases_say_the_same(l)) FAIL_CHECK(format_name(l).c_str());
}

TEST_CASE("alias_names: every alias of oneDNN is a name of the layout that it makes") {
    std::ifstream file(plait_test::data_folder() + "/format_tags.csv");
    std::string line;
    std::getline(file, line);
    int aliases = 0;
    while (std::getline(file, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::size_t comma = line.find(',');
        if (comma + 1 >= line.size()) continue;
        const std::string name = line.substr(0, comma);
        const expected<format_tag> tag = parse_format_tag(name);
        dims extents;
        for (int a = 0; a < tag->ndims(); ++a) extents.push_back(2 * tag->block_size(a) + 1);
        const layout l(extents, *tag);
        ++aliases;
        if (!has_alias(l, name.c_str()) || !aliases_say_the_same(l)) FAIL_CHECK(name);
    }
    CHECK(aliases == 778);
}

}}  // namespace test_algebra_alias_names
