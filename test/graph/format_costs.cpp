// The costs of every choice of small graphs are those of an exhaustive search: choose_formats.cpp, random_views.cpp.

#include <plait/graph/format_costs.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_format_costs { namespace {

using namespace plait;
using namespace plait::detail;

/// The extents of tensors of f32. Bytes by format: nchw and nhwc 272; nChw8c 384; nChw16c 512.
constexpr dims shape{1, 17, 2, 2};
constexpr auto unknown = padding_state::unknown;

tensor_id open(large_graph& g, padding_state padding = padding_state::zero) {
    return g.tensor(shape, data_type::f32, "any", padding);
}
heap_list<int> list_of(std::initializer_list<int> values) {
    heap_list<int> out;
    for (const int value : values) out.push_back(value);
    return out;
}
std::vector<int> values(const heap_list<int>& list) { return {list.begin(), list.end()}; }

/// Returns a graph with a tensor given in nchw that one operation reads in nchw, nhwc, nChw16c or nChw8c: forms 0 to 3.
large_graph of_four_forms() {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), result = open(g);
    auto read = g.operation(primitive_kind::convolution, {image}, {result});
    for (const format_tag& format :
         {format_tag("nchw"), format_tag("nhwc"), format_tag("nChw16c"), format_tag("nChw8c")})
        read.accepts({format}, {"nchw"});
    return g;
}

TEST_CASE("format_costs: forms of a tensor are made from each other along a minimum spanning tree from the first") {
    const large_graph g = of_four_forms();
    const format_costs costs(g, {}), cheap_pieces(g, {.percent = {100, 1, 100}});
    REQUIRE(costs.why.ok());
    heap_list<int> forms, parent, sequence;
    CHECK(costs.cost_of_forms(0, forms) == 0);
    for (int k = 0; k < 4; ++k) forms.push_back(costs.form(0, 0, k));
    CHECK(costs.cost_of_forms(0, list_of({forms[2]})) == 0);
    CHECK(costs.step(0, forms[0], forms[1]) == 272 + 272);
    CHECK(costs.step_between(0, 3, 2) == 512 + 384);
    CHECK(costs.cost_of_forms(0, list_of({forms[3], forms[2]})) == 512 + 384);

    CHECK(costs.cost_of_forms(0, forms, &parent, &sequence) == 544 + 784 + 656);
    CHECK(values(parent) == std::vector<int>{0, 0, 0, 0});
    CHECK(values(sequence) == std::vector<int>{1, 3, 2});  // the cheapest first
    // At 1 hundredth nChw8c comes from nhwc and nChw16c from nChw8c: 656 / 100 and 896 / 100, rounded up.
    sequence.clear();
    CHECK(cheap_pieces.cost_of_forms(0, forms, &parent, &sequence) == 544 + 7 + 9);
    CHECK(values(parent) == std::vector<int>{0, 0, 3, 1});
    CHECK(values(sequence) == std::vector<int>{1, 3, 2});
    CHECK(costs.worst_term[0] == 512 + 384);  // one reader: at most one reorder, of the most expensive pair
    CHECK(costs.worst_term[1] == 0);
}

TEST_CASE(
    "format_costs: worst costs may add up to 2^61 - 1; beyond that, a verdict names the operation or the tensor") {
    constexpr dim_t half = most_cost / 2;
    const auto operations = [](dim_t first, dim_t second) {
        large_graph g;
        const tensor_id image = g.tensor(shape, data_type::f32, "nchw");
        for (const dim_t cost : {first, second})
            g.operation(primitive_kind::convolution, {image}, {open(g)})
                .accepts({"nchw"}, {"nchw"}, cost)
                .accepts({"nchw"}, {"nchw"}, 1);
        return format_costs(g, {}).why;
    };
    CHECK(operations(half, half - 1).ok());
    CHECK(operations(half, half) == verdict{reason::costs_overflow, -1, 1, half});
    CHECK(operations(most_cost, 0) == verdict{reason::costs_overflow, -1, 0, most_cost});

    const auto tensors = [](int count, data_type type) {  // a reorder of 2^58 elements of one byte moves 2^59 bytes
        large_graph g;
        for (int k = 0; k < count; ++k) {
            const tensor_id image = g.tensor({dim_t{1} << 29, dim_t{1} << 29}, type, "ab");
            g.operation(primitive_kind::matmul, {image}, {g.tensor({1}, type, "any")}).accepts({"ba"}, {"a"});
        }
        return format_costs(g, {}).why;
    };
    CHECK(tensors(3, data_type::s8).ok());
    CHECK(tensors(4, data_type::s8) == verdict{reason::tensor_cost_overflows, -1, 6});
    CHECK(tensors(1, data_type::f32) == verdict{reason::tensor_cost_overflows, -1, 0});

    const auto zeros = [](dim_t rows) {
        large_graph g;
        const tensor_id image = g.tensor({rows, 1}, data_type::f32, "aB16b", unknown);
        g.operation(primitive_kind::matmul, {image}, {g.tensor({1}, data_type::f32, "any")})
            .accepts({"aB16b"}, {"a"})
            .needs_zero_padding();
        return format_costs(g, {}).why;
    };
    CHECK(zeros(dim_t{1} << 55).ok());
    CHECK(zeros(dim_t{1} << 56) == verdict{reason::tensor_cost_overflows, -1, 0});

    const auto given = [](dim_t elements) {
        large_graph g;
        static_cast<void>(g.tensor({1}, data_type::s8, "a"));
        static_cast<void>(g.tensor({elements}, data_type::s8, "a"));
        return format_costs(g, {}).why;
    };
    CHECK(given(most_cost - 1).ok());
    CHECK(given(most_cost) == verdict{reason::tensor_cost_overflows, -1, 1});
}

}}  // namespace test_graph_format_costs
