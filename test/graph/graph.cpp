#include <plait/graph/choose_formats.hpp>
#include <plait/graph/format_choice.hpp>
#include <plait/graph/graph.hpp>

#include "support/static_check.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace test_graph_graph {

using namespace plait;

namespace {

const dims shape{1, 16, 2, 2};
tensor_id open(large_graph& g) { return g.tensor(shape, data_type::f32, "any"); }
TEST_CASE("choose_formats: the message of a refusal at run time names the operation and the port") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw");
    g.operation(primitive_kind::convolution, {image}, {open(g)}).accepts({"nchw"}, {"nwc"});
    const auto refused = try_choose_formats(g);
    CHECK(refused.error() == verdict{reason::port_rank_differs, 1, 0, 3, 4});
    CHECK(std::string(describe(refused.error()).c_str()) ==
          "port_rank_differs: port 1 of operation 0 is given a format of 3 axes, but its tensor has 4");
    CHECK(check_graph(g) == refused.error());
    CHECK_THROWS_AS(static_cast<void>(choose_formats(g)), rejection);

    large_graph circle;
    const tensor_id a = open(circle), b = open(circle);
    circle.operation(primitive_kind::eltwise, {a}, {b});
    circle.operation(primitive_kind::eltwise, {b}, {a});
    CHECK(check_graph(circle) == verdict{reason::graph_has_cycle, -1, 0, 1});
}

TEST_CASE("check_graph: kinds that keep extents require them in the result; pooling, binary and kernels do not") {
    const auto check = [](primitive_kind kind, const dims& result, propagation direction) {
        large_graph g;
        g.operation(kind, direction, std::initializer_list<tensor_id>{g.tensor(shape, data_type::f32, "nchw")},
                    {g.tensor(result, data_type::f32, "any")});
        return check_graph(g);
    };
    using enum primitive_kind;
    for (const primitive_kind kind : {layer_normalization, batch_normalization, lrn, eltwise, shuffle, softmax})
        for (const propagation direction : {propagation::forward, propagation::backward}) {
            CAPTURE(to_string(kind));
            CHECK(check(kind, shape, direction).ok());
            CHECK(check(kind, {1, 16, 2, 3}, direction) == verdict{reason::port_extents_differ, 3, 0, 3, 2});
            CHECK(check(kind, {1, 16, 4}, direction) == verdict{reason::port_extents_differ, -1, 0, 3, 4});
        }
    for (const primitive_kind kind : {reorder, sum}) {
        CHECK(check(kind, shape, propagation::none).ok());
        CHECK(check(kind, {2, 16, 2, 2}, propagation::none) == verdict{reason::port_extents_differ, 0, 0, 2, 1});
    }
    CHECK(check(pooling, {1, 16, 1, 1}, propagation::forward).ok());
    CHECK(check(binary, {4, 16, 2, 2}, propagation::none).ok());
    CHECK(std::string(describe(check(eltwise, {1, 17, 2, 2}, propagation::forward)).c_str()) ==
          "port_extents_differ: operation 0 has a kind that keeps extents, but its first result has 17 along axis 1 "
          "where its first source has 16 (elements, or axes)");
}

TEST_CASE("choose_formats: backward takes the formats of forward, its hint, even if others cost less") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), result = g.tensor(shape, data_type::f32, "nchw");
    const tensor_id gradient = g.tensor(shape, data_type::f32, "nhwc"), back = g.tensor(shape, data_type::f32, "nhwc");
    const auto forward = g.operation(primitive_kind::pooling, {image}, {result});
    auto backward = g.operation(primitive_kind::pooling, propagation::backward, {gradient, image}, {back});
    const dim_t free = choose_formats(g).cost;
    CHECK(free == 512);  // one reorder of the image into nhwc
    backward.hint(forward);
    const auto chosen = choose_formats(g);
    CHECK(chosen.alternatives[0] == chosen.alternatives[1]);
    CHECK(chosen.cost == 1024);  // one of the two operations reorders its source and its result
}

TEST_CASE("choose_formats: reorders of constants are free, or cost their share of the runs, rounded up") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), result = open(g);
    const tensor_id weights = g.constant(shape, data_type::f32, "nchw");
    g.operation(primitive_kind::convolution, {image, weights}, {result}).accepts({"nchw", "nhwc"}, {"nchw"});
    CHECK(choose_formats(g).cost == 0);
    CHECK(choose_formats(g, {.runs = 1}).cost == 512);
    CHECK(choose_formats(g, {.runs = 100}).cost == 6);
    CHECK(choose_formats(g).reorders[0].is_ahead);
    CHECK(choose_formats(g).bytes_moved() == 0);
}

TEST_CASE("check_graph: refuses a negative option with its number and value") {
    graph g;
    const auto a = g.tensor({4, 2}, data_type::f32, "ab");
    const auto b = g.tensor({4, 2}, data_type::f32, "any");
    g.operation(primitive_kind::matmul, {a}, {b}).accepts({"ba"}, {"ba"});
    const auto refused = [&](const cost_options& options, dim_t number) {
        const verdict why{reason::cost_option_is_negative, -1, number, -1};
        return check_graph(g, options) == why && try_choose_formats(g, options).error() == why;
    };
    CHECK(check_graph(g, cost_options{.percent = {0, 0, 0}, .runs = 0, .most_nodes = 0, .within_percent = 0}).ok());
    CHECK(refused({.percent = {-1, 100, 100}}, 0));
    CHECK(refused({.percent = {100, -1, 100}}, 1));
    CHECK(refused({.percent = {100, 100, -1}}, 2));
    CHECK(refused({.runs = -1}, 3));
    CHECK(refused({.most_nodes = -1}, 4));
    CHECK(refused({.within_percent = -1}, 5));
    CHECK(std::string_view(describe(check_graph(g, cost_options{.runs = -7})).c_str()) ==
          "cost_option_is_negative: number 3 of the cost options is -7 (0 to 2: percent; 3: runs; 4: most_nodes; 5: "
          "within_percent)");
}

TEST_CASE("graph: a concatenation takes its sources as any container") {
    graph g;
    const auto a = g.tensor({1, 2}, data_type::f32, "ab"), b = g.tensor({3, 2}, data_type::f32, "ab");
    const auto whole = g.tensor({4, 2}, data_type::f32, "ab");
    plait::detail::heap_list<tensor_id> sources;
    sources.push_back(a);
    sources.push_back(b);
    const int number = g.add_view(sources, {view_kind::concatenate, {0}}, whole);
    CHECK(g.operations[number].sources == 2);
    CHECK(g.operations[number].results == 1);
    CHECK(check_graph(g).ok());
}

TEST_CASE("choose_formats: in place, the result takes over the memory of its source; a second reader is refused") {
    const auto make = [](bool in_place, bool read_again) {
        large_graph g;
        const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), middle = open(g), result = open(g);
        g.operation(primitive_kind::convolution, {image}, {middle}).accepts({"nchw"}, {"nchw"});
        auto last = g.operation(primitive_kind::eltwise, {middle}, {result});
        if (in_place) last.in_place();
        if (read_again) g.operation(primitive_kind::eltwise, {middle}, {open(g)});
        return g;
    };
    CHECK(choose_formats(make(false, false)).peak_bytes == 512);
    CHECK(choose_formats(make(true, false)).peak_bytes == 512);  // the image and `middle`
    CHECK(check_graph(make(true, true)) == verdict{reason::in_place_does_not_fit, -1, 1, 0, 1});
    CHECK(check_graph(make(false, true)).ok());
}

TEST_CASE("check_graph: refuses dynamic extents, negative extents, no axes and no format, without an exception") {
    const auto why = [](const dims& extents, const format_tag& format) {
        large_graph g;
        const tensor_id given = g.tensor(extents, data_type::f32, format);
        g.reshape(given, g.tensor(extents, data_type::f32, "any"));
        return try_choose_formats(g).error();
    };
    CHECK(why({2, dynamic}, "ab") == verdict{reason::dim_is_dynamic, 1});
    CHECK(why({2, dynamic}, "any") == verdict{reason::dim_is_dynamic, 1});
    CHECK(why({-1, 2}, "any") == verdict{reason::dim_is_negative, 0, -1, 0});
    CHECK(why({}, "any") == verdict{reason::layout_is_undefined});
    CHECK(why({2, 2}, format_tag()) == verdict{reason::layout_is_undefined});
    CHECK(why({2, 2}, "ab").ok());
}

}  // namespace

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

}  // namespace test_graph_graph
