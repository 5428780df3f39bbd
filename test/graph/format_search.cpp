// Tests of the tables of a graph, and of the search over them.

#include <plait/graph/format_search.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_format_search { namespace {

using namespace plait;
using namespace plait::detail;

tensor_id open(large_graph& g, const dims& extents) { return g.tensor(extents, data_type::f32, "any"); }
std::vector<int> values(const heap_list<int>& list) { return {list.begin(), list.end()}; }

/// Returns a graph with an image in the format `given`, and readers that accept two formats at a cost.
large_graph read_by(int readers, const dims& shape, const format_tag& given, const format_tag& first, dim_t first_cost,
                    const format_tag& second, dim_t second_cost) {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, given);
    for (int i = 0; i < readers; ++i)
        g.operation(primitive_kind::convolution, {image}, {open(g, {1})})
            .accepts({first}, {"a"}, first_cost)
            .accepts({second}, {"a"}, second_cost);
    return g;
}
/// Returns a graph with an image in nhwc, and 11 readers that accept nChw16c at no cost, or nChw8c for 1000.
///
/// From nhwc to nChw16c costs 784. Through nChw8c it costs 7 + 9, because pieces cost 1 hundredth. Tables that choose
/// sets of forms allow that; a choice cannot have a form that no operation needs.
large_graph with_helping_forms() { return read_by(11, {1, 17, 2, 2}, "nhwc", "nChw16c", 0, "nChw8c", 1000); }
constexpr cost_options cheap_pieces{.percent = {100, 1, 100}};

TEST_CASE("format_subproblem: a tensor with too many readers for a table has a variable for the set of its forms") {
    for (const int readers : {10, 11}) {  // 2^10 entries fit, 2^11 do not
        CAPTURE(readers);
        const large_graph g = read_by(readers, {1, 16, 2, 2}, "nchw", "nchw", 150, "nhwc", 50);
        const format_costs costs(g, {});
        const format_subproblem<heap_storage> found(g, costs, alternative_sets(costs));
        CHECK(found.bound() == 512 + readers * 50);  // less than 150 for each
        CHECK(found.is_exact(costs.total(g, found.choice())));
        REQUIRE(found.is_exact_for_all());
        CHECK(found.least_costs()[0] == 512 + readers * 50 + 100);
    }
}

TEST_CASE(
    "format_subproblem: the bound may be below the cost if forms help each other, or if there are more than eight") {
    const large_graph helping = with_helping_forms();
    const format_costs costs(helping, cheap_pieces);
    const format_subproblem<heap_storage> by_sets(helping, costs, alternative_sets(costs));
    CHECK(by_sets.bound() == 7 + 9);
    CHECK(values(by_sets.choice()) == std::vector<int>(11, 0));
    CHECK(!by_sets.is_exact(784));
    CHECK(!by_sets.is_exact_for_all());

    large_graph many;  // ten forms, of which the readers do not accept the first
    const tensor_id image = many.tensor({2, 3, 4, 5}, data_type::f32, "abcd");
    for (int i = 0; i < 4; ++i) {
        auto read = many.operation(primitive_kind::convolution, {image}, {open(many, {1})});
        static constexpr format_tag others[] = {"abdc", "acbd", "acdb", "adbc", "adcb", "bacd", "badc", "bcad", "bcda"};
        for (const format_tag& format : others) read.accepts({format}, {"a"}, 1);
    }
    const format_costs of_many(many, {});
    const format_subproblem<heap_storage> left_out(many, of_many, alternative_sets(of_many));
    CHECK(left_out.bound() == 4);  // the reorder is not in the tables
    CHECK(of_many.total(many, left_out.choice()) == 4 + 960);
    CHECK(!left_out.is_exact(4 + 960));
    CHECK(!left_out.is_exact_for_all());
}

TEST_CASE("search_formats: a bound below the cost is raised by restricting one operation, unless the search ends") {
    const large_graph g = with_helping_forms();
    const auto found = [&g](int most_nodes, int percent) {
        cost_options options = cheap_pieces;
        options.most_nodes = most_nodes;
        options.within_percent = percent;
        const format_costs costs(g, options);
        const found_formats out = search_formats(g, costs, alternative_sets(costs));
        CHECK(out.cost == 784);
        CHECK(values(out.choice) == std::vector<int>(11, 0));
        return out.lower_bound;
    };
    // With one operation restricted, ten are left, and their table is exact.
    CHECK(found(256, 0) == 784);
    CHECK(found(2, 0) == 784);
    CHECK(found(1, 0) == 16);
    CHECK(found(0, 0) == 16);
    // 784 is 16 and 4800 hundredths of it.
    CHECK(found(256, 4800) == 16);
    CHECK(found(256, 4799) == 784);
}

TEST_CASE(
    "search_formats: if choices cost the same, the result is the first of them, even if another is found before it") {
    // All in nChw16c for 784, or one in nChw8c for 768 and two reorders of 7 and 9.
    const auto found = [](const large_graph& g) {
        const format_costs costs(g, cheap_pieces);
        const found_formats out = search_formats(g, costs, alternative_sets(costs));
        CHECK(out.cost == 784);
        CHECK(out.lower_bound == 784);
        return values(out.choice);
    };
    std::vector<int> one_first(11, 1);
    one_first[0] = 0;
    const dims shape{1, 17, 2, 2};
    CHECK(found(read_by(11, shape, "nhwc", "nChw16c", 0, "nChw8c", 768)) == std::vector<int>(11, 0));
    CHECK(found(read_by(11, shape, "nhwc", "nChw8c", 768, "nChw16c", 0)) == one_first);
}

}}  // namespace test_graph_format_search
