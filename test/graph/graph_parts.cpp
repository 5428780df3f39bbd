// The parts of a graph and of a choice: tensors, operations, views, reorders.

#include <plait/graph/graph.hpp>

#include <plait/graph/format_choice.hpp>

#include "support/static_check.hpp"

#include <string_view>

namespace test_graph_graph_parts {

using namespace plait;

TEST_CASE("graph_view: each kind has its name, and the numbers of a permutation are its places") {
    STATIC_CHECK(to_string(view_kind::permute_axes) == std::string_view("permute_axes"));
    STATIC_CHECK(to_string(view_kind::reshape) == std::string_view("reshape"));
    STATIC_CHECK(to_string(view_kind::view) == std::string_view("view"));
    STATIC_CHECK(to_string(view_kind::submemory) == std::string_view("submemory"));
    STATIC_CHECK(to_string(view_kind::concatenate) == std::string_view("concatenate"));
    constexpr graph_view permuted{view_kind::permute_axes, {0, 3, 1, 2}};
    STATIC_CHECK(permuted.axes() == permutation{0, 3, 1, 2});
    STATIC_CHECK(graph_view{}.axes().empty());
    STATIC_CHECK(permuted != graph_view{view_kind::permute_axes, {0, 3, 2, 1}});
    STATIC_CHECK(permuted != graph_view{view_kind::submemory, {0, 3, 1, 2}});
}

TEST_CASE("format_choice: a number below max_graph_formats is a format, and others are layouts of the choice") {
    constexpr auto choice = [] {
        format_choice out;
        out.tensors.push_back({{2, 3}, data_type::f32});
        out.tensors.push_back({{2, 5}, data_type::f32});
        out.formats.push_back("ab");
        out.formats.push_back("ba");
        out.layouts.push_back(layout({2, 3}, strides{8, 1}));
        out.layouts.push_back(layout({2, 5}, strides{16, 2}));
        out.tensor_formats.push_back(max_graph_formats);
        out.tensor_formats.push_back(1);
        out.reorders.push_back({.tensor = {1}, .from = 1, .to = max_graph_formats + 1, .bytes = 80});
        return out;
    }();
    STATIC_CHECK(choice.layout_of({0}) == layout({2, 3}, strides{8, 1}));
    STATIC_CHECK(choice.layout_of({1}) == layout({2, 5}, "ba"));
    STATIC_CHECK(choice.layout_in({0}, 0) == layout({2, 3}, "ab"));
    STATIC_CHECK(choice.from(choice.reorders[0]) == layout({2, 5}, "ba"));
    STATIC_CHECK(choice.to(choice.reorders[0]) == layout({2, 5}, strides{16, 2}));
}

TEST_CASE("format_choice: the bytes moved are those of all reorders except those that run ahead of time") {
    format_choice choice;
    CHECK(choice.bytes_moved() == 0);
    choice.reorders.push_back({.tensor = {0}, .bytes = 100, .is_ahead = true});
    CHECK(choice.bytes_moved() == 0);
    choice.reorders.push_back({.tensor = {0}, .bytes = 20});
    choice.reorders.push_back({.tensor = {1}, .bytes = 3});
    CHECK(choice.bytes_moved() == 23);
    CHECK(choice == format_choice(choice));
    CHECK(choice != format_choice());
}

}  // namespace test_graph_graph_parts
