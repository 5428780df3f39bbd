// The layouts and parts in the test suite of std::mdspan's reference implementation.

#include "data/suite_rows.hpp"
#include "laws/random_layouts.hpp"
#include "support/test_data.hpp"

#include <plait/layouts.hpp>

#include <algorithm>

namespace test_data_mdspan_suite { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::suite_value;

/// Returns the row's layout: layout_left, layout_right, or one with strides.
expected<layout> layout_of(const suite_value& row) {
    const dims extents = row["extents"].numbers<dims>();
    const std::string& which = row["layout"].text;
    if (which == "stride") return try_layout(extents, row["strides"].numbers<strides>());
    format_tag tag = plain_tag(extents.size());
    if (which == "left") std::reverse(tag.axes.begin(), tag.axes.end());
    return try_layout(extents, tag);
}

/// Returns the numbers of a slice such as "p:1:3".
std::vector<dim_t> numbers_of(const std::string& slice) {
    std::vector<dim_t> out;
    for (std::size_t at = slice.find(':'); at != std::string::npos; at = slice.find(':', at + 1))
        out.push_back(std::stoll(slice.substr(at + 1)));
    return out;
}

/// Returns elements `begin` to `end` - 1 of an axis.
expected<layout> range_of(const layout& l, int axis, dim_t begin, dim_t end) {
    dims extents = l.dims;
    position offsets;
    for (int a = 0; a < l.ndims(); ++a) offsets.push_back(a == axis ? begin : 0);
    extents[axis] = end - begin;
    return try_submemory(l, extents, offsets);
}
/// Returns a slice of an axis. A slice with step n takes the first of each n elements.
expected<layout> part_of(const layout& l, int axis, const std::string& slice) {
    const std::vector<dim_t> n = numbers_of(slice);
    if (slice[0] == 'i') return try_slice(l, axis, n[0]);
    if (slice[0] == 'p') return range_of(l, axis, n[0], n[1]);
    const dim_t count = (n[1] + n[2] - 1) / n[2];
    const expected<layout> range = range_of(l, axis, n[0], n[0] + count * n[2]);
    if (!range) return range;
    const expected<layout> split = try_split_axis(*range, axis, {count, n[2]});
    return split ? try_slice(*split, axis + 1, 0) : split;
}

void print(const std::map<std::string, int>& kinds) {
    std::string text = "mdspan:";
    for (const auto& [kind, count] : kinds) text += "\n  " + std::to_string(count) + " " + kind;
    MESSAGE(text);
}

void compare_part(const suite_value& row, std::map<std::string, int>& kinds) {
    expected<layout> made = layout_of(row);
    int axis = 0;
    for (const suite_value& slice : row["slices"].list) {
        if (slice.text == "f") {
            ++axis;
            continue;
        }
        REQUIRE(made.has_value());
        made = part_of(*made, axis, slice.text);
        if (slice.text[0] != 'i') ++axis;
        else if (!made) break;
    }
    if (!made) {
        // A layout has at least one axis, so a slice that would remove the last one is refused.
        CHECK(row["dims"].list.empty());
        ++kinds["refused: no axis is left"];
        return;
    }
    CHECK(made->dims == row["dims"].numbers<dims>());
    dim_t sum = 0;
    for (dim_t i = 0; i < made->volume(); ++i) sum += made->linear_offset(i);
    CHECK(sum == row["sum"].number());
    CHECK(made->linear_offset(0) == row["offset"].number());
    CHECK(made->linear_offset(made->volume() - 1) == row["last"].number());
    ++kinds["right: a part"];
}

void compare_mapping(const suite_value& row, std::map<std::string, int>& kinds) {
    const expected<layout> made = layout_of(row);
    const dims extents = row["extents"].numbers<dims>();
    if (extents.empty()) {
        CHECK((!made || made->kind == format_kind::undef));
        ++kinds["no axes: an undefined layout"];
        return;
    }
    const bool is_empty = volume(extents) == 0;
    if (!made) {
        CHECK(made.error().reason == reason::strides_do_not_nest);
        CHECK(is_empty);
        ++kinds["refused: strides of a layout without elements"];
        return;
    }
    CHECK(static_cast<dim_t>(made->element_span()) == row["answer_span"].number());
    if (!is_empty) CHECK(made->is_dense() == row.is("all_places"));
    for (int a = 0; a < extents.size(); ++a)
        if (!is_empty && extents[a] > 1)
            CHECK(made->strides()[a] == row["steps"].list[static_cast<std::size_t>(a)].number());
    ++kinds[is_empty ? "right: without elements" : "right: a layout"];
}

TEST_CASE("suites: the layouts and parts of mdspan's tests have the offsets of their definition") {
    std::map<std::string, int> kinds;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), "mdspan")) {
        std::string text = row["op"].text + " " + row["layout"].text;
        for (const suite_value& one : row["extents"].list) text += " " + one.text;
        INFO(text);
        if (row["op"].text == "part") compare_part(row, kinds);
        else compare_mapping(row, kinds);
    }
    print(kinds);
    CHECK(kinds["right: a part"] >= 20);
    CHECK(kinds["right: a layout"] >= 25);
}

}}  // namespace test_data_mdspan_suite
