#include <plait/graph/costs_otherwise.hpp>

#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace test_graph_costs_otherwise { namespace {

using namespace plait;
using namespace plait::detail;

constexpr dims shape{1, 16, 2, 2};
tensor_id open(large_graph& g, const dims& extents = shape) { return g.tensor(extents, data_type::f32, "any"); }
TEST_CASE(
    "costs_otherwise: each tensor has the least cost with it in another layout, or -1 if it has no other layout") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), middle = open(g), result = open(g), last = open(g);
    g.operation(primitive_kind::convolution, {image}, {middle})
        .accepts({"nchw"}, {"nchw"}, 10)
        .accepts({"nhwc"}, {"nhwc"}, 50);
    g.operation(primitive_kind::convolution, {middle}, {result})
        .accepts({"nhwc"}, {"nhwc"}, 0)
        .accepts({"nchw"}, {"nchw"}, 3)
        .accepts({"nchw"}, {"nChw8c"}, 4000);
    g.operation(primitive_kind::convolution, {result}, {last})
        .accepts({"nchw"}, {"nchw"}, 100)
        .accepts({"nhwc"}, {"nchw"}, 200);
    const format_costs costs(g, {});
    const auto chosen = choose_formats(g);
    REQUIRE(chosen.cost == 10 + 3 + 100);
    const heap_list<dim_t> others = costs_otherwise(g, costs, chosen);
    REQUIRE(others.size() == 4);
    CHECK(others[image.number] == -1);                   // given
    CHECK(others[middle.number] == 512 + 50 + 0 + 200);  // the image is reordered, and all others are in nhwc
    CHECK(others[result.number] == 10 + 512 + 0 + 200);  // `middle` is reordered, at less cost
    CHECK(others[last.number] == -1);                    // both alternatives make nchw
    for (int t = 0; t < 4; ++t) CHECK(others[t] == cost_otherwise(g, costs, chosen, t));
}

TEST_CASE("costs_otherwise: formats in the same memory are one layout") {
    large_graph g;
    const dims pixel{1, 16, 1, 1};
    const tensor_id image = g.tensor(pixel, data_type::f32, "nchw"), made = open(g, pixel);
    g.operation(primitive_kind::convolution, {image}, {made})
        .accepts({"nchw"}, {"nchw"}, 1)
        .accepts({"nchw"}, {"nhwc"}, 2)
        .accepts({"nchw"}, {"nChw8c"}, 3);
    const format_costs costs(g, {});
    CHECK(costs_otherwise(g, costs, choose_formats(g))[made.number] == -1);
}

TEST_CASE("costs_otherwise: if the tables only give a bound, each tensor has its own search") {
    // From nhwc to nChw16c costs 784. The tables have 7 + 9 through nChw8c, which no operation needs.
    large_graph g;
    const dims large{1, 17, 2, 2};
    const tensor_id given = g.tensor(shape, data_type::f32, "nchw"), image = open(g, large);
    g.operation(primitive_kind::convolution, {given}, {image})
        .accepts({"nchw"}, {"nhwc"}, 0)
        .accepts({"nchw"}, {"nChw16c"}, 100);
    for (int i = 0; i < 11; ++i)
        g.operation(primitive_kind::convolution, {image}, {open(g, {2, 2})})
            .accepts({"nChw16c"}, {"ab"}, 0)
            .accepts({"nChw8c"}, {"ba"}, i == 0 ? 900 : 1000);
    const cost_options options{.percent = {100, 1, 100}};
    const format_costs costs(g, options);
    const auto chosen = choose_formats(g, options);
    REQUIRE(chosen.cost == 100);
    REQUIRE(!format_subproblem<heap_storage>(g, costs, alternative_sets(costs)).is_exact_for_all());
    const heap_list<dim_t> others = costs_otherwise(g, costs, chosen);
    CHECK(others[given.number] == -1);
    CHECK(others[image.number] == 784);
    // A result in ba needs the image in nChw8c. Made in nhwc, it gets there for 7, and on to nChw16c for 9.
    CHECK(others[2] == 900 + 7 + 9);
    CHECK(others[3] == 1000 + 7 + 9);
}

}}  // namespace test_graph_costs_otherwise
