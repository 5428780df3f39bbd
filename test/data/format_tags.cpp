// All format tags that oneDNN names, and the tag that each alias stands for.

#include "support/small_layouts.hpp"
#include "support/test_data.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/matches_tag.hpp>

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace test_data_format_tags { namespace {

using namespace plait;

struct named_tag {
    std::string name;
    std::string alias_of;  // empty for an abstract tag
};

const std::vector<named_tag>& all_tags() {
    static const std::vector<named_tag> tags = [] {
        std::vector<named_tag> out;
        std::ifstream file(plait_test::data_folder() + "/format_tags.csv");
        std::string line;
        std::getline(file, line);  // the heading
        while (std::getline(file, line)) {
            if (!line.empty() && line.back() == '\r') line.pop_back();
            const std::size_t comma = line.find(',');
            out.push_back({line.substr(0, comma), line.substr(comma + 1)});
        }
        return out;
    }();
    return tags;
}

/// Returns extents with three outer places per axis, the last one padded, so that the strides show the order of the
/// axes.
dims three_places(const format_tag& tag) {
    dims out;
    for (int a = 0; a < tag.ndims(); ++a) out.push_back(2 * tag.block_size(a) + 1);
    return out;
}

TEST_CASE("oneDNN's format tags: all 1623 can be parsed, and each alias equals its abstract tag") {
    CHECK(all_tags().size() == 1623);
    std::set<std::string> abstract;
    for (const named_tag& tag : all_tags())
        if (tag.alias_of.empty()) abstract.insert(tag.name);
    CHECK(abstract.size() == 845);
    for (const named_tag& tag : all_tags()) {
        const expected<format_tag> parsed = parse_format_tag(tag.name);
        if (!parsed || parsed->kind != format_kind::blocked) FAIL_CHECK(tag.name);
        if (tag.alias_of.empty()) continue;
        if (abstract.count(tag.alias_of) == 0 || parsed != parse_format_tag(tag.alias_of)) FAIL_CHECK(tag.name);
    }
}

TEST_CASE("oneDNN's format tags: the layout of an abstract tag has the tag as its name") {
    for (const named_tag& tag : all_tags()) {
        const expected<format_tag> parsed = parse_format_tag(tag.name);
        REQUIRE(parsed.has_value());
        const layout l(three_places(*parsed), *parsed);
        const std::string expected = tag.alias_of.empty() ? tag.name : tag.alias_of;
        if (format_name(l).c_str() != expected || !l.is_dense() || !matches_tag(l, *parsed)) FAIL_CHECK(tag.name);
    }
}

TEST_CASE("oneDNN's format tags: any two abstract tags give different layouts") {
    std::vector<layout> layouts;
    for (const named_tag& tag : all_tags())
        if (tag.alias_of.empty()) {
            const expected<format_tag> parsed = parse_format_tag(tag.name);
            REQUIRE(parsed.has_value());
            layouts.emplace_back(three_places(*parsed), *parsed);
        }
    for (std::size_t i = 0; i < layouts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (layouts[i] == layouts[j]) FAIL_CHECK(format_name(layouts[i]).c_str());
}

}}  // namespace test_data_format_tags
