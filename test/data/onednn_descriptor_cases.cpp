// Each recorded result of oneDNN equals plait's, or differs by a rule of the semantics that is named here. A rule
// decides from the arguments alone which cases it claims and what their result is. The test fails if no rule claims a
// difference, if a claimed case has another result than the rule's, or if a rule never makes a difference.

#include "data/recorded_rules.hpp"
#include "laws/stride_rules.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/permute_axes.hpp>

#include <algorithm>
#include <vector>

namespace test_data_onednn_descriptor_cases { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::for_each_recorded, plait_test::has, plait_test::known_axes_nest, plait_test::name_of;
using plait_test::recorded_case, plait_test::row_major, plait_test::rule, plait_test::same_fields;

bool same_density(const layout& l, const recorded_case& recorded) {
    if (!recorded.has("dense")) return true;
    return recorded.flag("dense_padded") == l.is_dense() && recorded.flag("dense") == (l.is_dense() && !l.is_padded());
}

std::string tag_in(const layout& l) {
    const std::string name = format_name(l).c_str();
    return name.substr(0, name.find(':'));
}

bool same_name_and_density(const layout& l, const recorded_case& recorded) {
    return tag_in(l) == recorded.word("tag_str") && same_density(l, recorded);
}

/// Implements semantics 10 directly. Axes are ordered by stride, outermost first, with stride 0 before all others.
/// Equal strides are ordered by the number of outer places, the larger first, and then by the axis. A part of one block
/// counts as one place.
std::string tag_of_semantics(const layout& l) {
    std::vector<int> order;
    for (int a = 0; a < l.ndims(); ++a) order.push_back(a);
    const auto places = [&](int a) { return divide_up(l.padded_dims[a], l.block_size(a)); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const dim_t x = l.strides()[a], y = l.strides()[b];
        return x == y ? places(a) > places(b) : y != 0 && (x == 0 || x > y);
    });
    std::string out;
    for (int a : order) out += static_cast<char>((l.block_size(a) == 1 ? 'a' : 'A') + a);
    for (const inner_block& block : l.inner_blocks())
        out += std::to_string(block.size) + static_cast<char>('a' + block.axis);
    return out;
}

/// Implements semantics 4 directly: the padded elements use each place from the first to the last once.
bool fills_its_places(const layout& l) {
    std::vector<dim_t> offsets;
    for (dim_t i = 0; i < l.padded_volume(); ++i) offsets.push_back(l.padded_linear_offset(i));
    std::sort(offsets.begin(), offsets.end());
    for (std::size_t i = 0; i < offsets.size(); ++i)
        if (offsets[i] != l.offset0 + static_cast<dim_t>(i)) return false;
    return !offsets.empty();
}

bool is_part_of_a_block(const layout& l, int axis) { return l.padded_dims[axis] < l.block_size(axis); }

TEST_CASE("oneDNN's recorded cases: descriptors made from tags are equal") {
    const int count = for_each_recorded("init_by_tag", [](const recorded_case& recorded) {
        const auto extents = recorded.list<dims>("dims");
        const expected<format_tag> tag = parse_format_tag(recorded.word("tag"));
        const expected<layout> made = tag.and_then([&](const format_tag& t) { return try_layout(extents, t); });
        if (!made || recorded.word("status") != "success" || !same_fields(*made, recorded, "md") ||
            !same_name_and_density(*made, recorded))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 2522);
}

TEST_CASE("oneDNN's recorded cases: descriptors made from strides are equal, or differ by a rule") {
    rule all_are_checked("semantics 3: zero and dynamic extents do not switch the stride rule off");
    rule only_read("semantics 3: what is only read may have elements that share places, or lie interleaved");
    rule backwards("semantics 3: a negative stride is read as it is, from an offset0 that is high enough");
    rule sorted_as_numbers("semantics 10: a negative stride (of an axis with one element) sorts as a number");
    rule null_is_dense("semantics 3: null strides are those of the tag abc...");
    const int count = for_each_recorded("init_by_strides", [&](const recorded_case& recorded) {
        const auto extents = recorded.list<dims>("dims");
        const std::string_view expected = recorded.word("status");
        if (recorded.word("strides") == "null") {
            const layout made(extents, plait_test::plain_order(identity_permutation(extents.size())));
            const bool same =
                expected == "success" && same_fields(made, recorded, "md") && same_name_and_density(made, recorded);
            const bool ours = has(extents, 0) || has(extents, dynamic);
            if (ours) null_is_dense.claims(!same);
            if (ours ? made.strides() != row_major(extents) : !same) FAIL_CHECK(recorded.line());
            return;
        }
        const auto steps = recorded.list<strides>("strides");
        const auto made = try_layout(extents, steps);
        const status got = check_layout(extents, steps).status();
        const bool same = name_of(got) == expected &&
                          (!made || (same_fields(*made, recorded, "md") && same_density(*made, recorded)));
        bool unchecked_there = has(extents, 0) || has(extents, dynamic), goes_backwards = false;
        for (int a = 0; a < steps.size(); ++a) {
            unchecked_there = unchecked_there || steps[a] == dynamic;
            goes_backwards = goes_backwards || (extents[a] > 1 && steps[a] < 0 && steps[a] != dynamic);
        }
        // If elements share places, plait makes a layout, which can be read.
        const bool is_read_only = !goes_backwards && !known_axes_nest(extents, steps);
        if (is_read_only) only_read.claims(!same);
        const bool ours = unchecked_there && goes_backwards;
        if (goes_backwards) (ours ? all_are_checked : backwards).claims(!same);
        if (is_read_only || goes_backwards ? !made || !check_layout(*made).ok() : !same) FAIL_CHECK(recorded.line());
        if (!made || ((is_read_only || goes_backwards) && !same)) return;
        const bool same_name = tag_in(*made) == recorded.word("tag_str");
        const bool negative =
            std::any_of(steps.begin(), steps.end(), [](dim_t step) { return step < 0 && step != dynamic; });
        const bool named_by_us = negative && !made->is_dynamic();
        if (named_by_us) sorted_as_numbers.claims(!same_name);
        if (named_by_us ? tag_in(*made) != tag_of_semantics(*made) : !same_name) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 1485);
}

TEST_CASE("oneDNN's recorded cases: permuted descriptors are equal") {
    const int count = for_each_recorded("permute_axes", [](const recorded_case& recorded) {
        const layout l = recorded.descriptor("md");
        const expected<layout> out = try_permute_axes(l, recorded.list<permutation>("perm"));
        if (!check_layout(l).ok() || !out || recorded.word("status") != "success" ||
            !same_fields(*out, recorded, "out"))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 5961);
}

TEST_CASE("oneDNN's recorded cases: offsets, names and density are equal, or differ by a rule") {
    rule one_place("semantics 10: in a name, a view of a part of one block has one outer place, not none");
    rule unit_broadcast(
        "semantics 4: an axis with one element and stride 0 shares no place, so the layout may be dense");
    rule dense_part("semantics 4: a view of a part of one block is dense where its elements are");
    const int count = for_each_recorded("offsets", [&](const recorded_case& recorded) {
        const layout l = recorded.descriptor("md");
        const auto numbers = recorded.list<std::vector<dim_t>>("l"),
                   offsets = recorded.list<std::vector<dim_t>>("off_l");
        bool same = check_layout(l).ok() && numbers.size() == offsets.size();
        for (std::size_t i = 0; i < numbers.size(); ++i) same = same && l.linear_offset(numbers[i]) == offsets[i];
        if (!same) FAIL_CHECK(recorded.line());

        bool tie_of_a_part = false, part = false, unit_of_stride_0 = false;
        for (int a = 0; a < l.ndims(); ++a) {
            part = part || is_part_of_a_block(l, a);
            unit_of_stride_0 = unit_of_stride_0 || (l.padded_dims[a] == 1 && l.strides()[a] == 0);
            for (int b = 0; b < l.ndims(); ++b)
                tie_of_a_part =
                    tie_of_a_part || (a != b && is_part_of_a_block(l, a) && l.strides()[a] == l.strides()[b]);
        }
        const bool same_tag = tag_in(l) == recorded.word("tag_str");
        if (tie_of_a_part) one_place.claims(!same_tag);
        if (tie_of_a_part ? tag_in(l) != tag_of_semantics(l) : !same_tag) FAIL_CHECK(recorded.line());
        if (part) dense_part.claims(!same_density(l, recorded));
        else if (unit_of_stride_0) unit_broadcast.claims(!same_density(l, recorded));
        if (part || unit_of_stride_0 ? l.is_dense() != fills_its_places(l) : !same_density(l, recorded))
            FAIL_CHECK(recorded.line());

        // oneDNN's line is name:type:flags:kind:tag:strides:extra. plait's name is tag:strides, or only the tag if
        // dense.
        if (tie_of_a_part || part || unit_of_stride_0) return;
        std::string_view line = recorded.word("fmt_str");
        line = line.substr(line.find(":blocked:") + 9);
        line = line.substr(0, line.rfind(':'));
        if (line.back() == ':') line.remove_suffix(1);
        if (line != format_name(l).c_str()) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 1977);
}

TEST_CASE("oneDNN's recorded cases: matches_tag gives the recorded result") {
    const int count = for_each_recorded("matches_tag", [](const recorded_case& recorded) {
        const layout l = recorded.descriptor("md");
        const expected<format_tag> tag = parse_format_tag(recorded.word("tag"));
        if (!check_layout(l).ok() || !tag || matches_tag(l, *tag) != recorded.flag("match"))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 2017);
}

TEST_CASE("oneDNN's recorded cases: comparing two descriptors gives the recorded result") {
    const int count = for_each_recorded("equal", [](const recorded_case& recorded) {
        const expected<format_tag> first = parse_format_tag(recorded.word("a.tag")),
                                   second = parse_format_tag(recorded.word("b.tag"));
        REQUIRE((first && second));
        const layout a(recorded.list<dims>("a.dims"), *first), b(recorded.list<dims>("b.dims"), *second);
        if ((a == b) != recorded.flag("equal") || matches_tag(a, *second) != recorded.flag("a_matches_t2"))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 1516);
}

}}  // namespace test_data_onednn_descriptor_cases
