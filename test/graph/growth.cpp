// Tests of large graphs: chains in any order, and tensors with many readers. One search computes the cost of each
// tensor in another layout, and a separate search for each tensor finds equal costs.

#include "graph/random_views.hpp"
#include "support/number_from_environment.hpp"

#include <plait/graph/choose_formats.hpp>
#include <plait/graph/costs_otherwise.hpp>

#include <doctest/doctest.h>

namespace test_graph_growth { namespace {

using namespace plait;
using namespace plait::detail;

const dims shape{1, 8, 2, 2};
const format_tag any("any"), nchw("nchw"), nhwc("nhwc");

/// Returns a chain of n operations between two given formats. The k-th added operation is at place at(k) of the chain.
template <class Place>
large_graph chain(int n, Place at, bool with_kernels = false) {
    large_graph g;
    heap_list<tensor_id> t;
    for (int i = 0; i <= n; ++i) t.push_back(g.tensor(shape, data_type::f32, i == 0 ? nchw : i == n ? nhwc : any));
    for (int k = 0; k < n; ++k) {
        auto added = g.operation(primitive_kind::eltwise, {t[at(k)]}, {t[at(k) + 1]});
        if (!with_kernels) continue;
        added.accepts({"nchw"}, {"nchw"}, 5).accepts({"nhwc"}, {"nhwc"}, 3).accepts({"nChw8c"}, {"nChw8c"}, 3);
    }
    return g;
}
large_graph forward(int n) {
    return chain(n, [](int k) { return k; });
}
large_graph backward(int n) {
    return chain(n, [n](int k) { return n - 1 - k; });
}
large_graph shuffled(int n) {
    return chain(n, [n](int k) { return static_cast<int>(k * std::int64_t{7919} % n); });
}
large_graph of_kernels(int n) {
    return chain(
        n, [](int k) { return k; }, true);
}

/// Returns a graph with one tensor that n operations read. Every second result is in another format.
large_graph read_by_many(int n, bool with_kernels) {
    large_graph g;
    const tensor_id source = g.tensor(shape, data_type::f32, "nchw");
    for (int i = 0; i < n; ++i) {
        auto added =
            g.operation(primitive_kind::eltwise, {source}, {g.tensor(shape, data_type::f32, i % 2 == 0 ? nchw : nhwc)});
        if (with_kernels) added.accepts({"nchw"}, {"nchw"}, 5).accepts({"nhwc"}, {"nhwc"}, 3);
    }
    return g;
}
/// Returns a chain in reverse order with n / 2 operations, whose middle tensor n / 2 other operations read.
large_graph read_at_the_end(int n) {
    large_graph g = backward(n / 2);
    for (int k = 0; k < n / 2; ++k)
        g.operation(primitive_kind::eltwise, {tensor_id{n / 4}},
                    {g.tensor(shape, data_type::f32, k % 2 == 0 ? nchw : nhwc)});
    return g;
}

TEST_CASE("choose_formats: finds the least cost of 4,000 operations, in any order and with many readers") {
    const int n = static_cast<int>(plait_test::number_from_environment("PLAIT_GROWTH", 4000));
    const auto is_chosen = [](const char* what, const large_graph& g) {
        CAPTURE(what);
        const auto chosen = choose_formats(g);
        CHECK(chosen.is_optimal);
        CHECK(costs_otherwise(g, format_costs(g, {}), chosen).size() == g.tensors.size());
        return chosen;
    };
    // A chain needs one reorder, and the cost of its forms does not depend on the order of the operations.
    const auto chosen = is_chosen("a chain", forward(n));
    CHECK(chosen.reorders.size() == 1);
    CHECK(is_chosen("a chain in reverse order", backward(n)).cost == chosen.cost);
    CHECK(is_chosen("a chain in no order", shuffled(n)).cost == chosen.cost);
    // nhwc and nChw8c cost 3, nchw costs 5: one reorder to nhwc at the beginning.
    CHECK(is_chosen("a chain of kernels", of_kernels(n)).cost == chosen.cost + 3 * n);
    // Every second result is in nhwc, and one reorder serves all of them.
    CHECK(is_chosen("one tensor for all", read_by_many(n, false)).reorders.size() == 1);
    is_chosen("one tensor for all kernels", read_by_many(n, true));
    is_chosen("a chain in reverse order, and a tensor of it for many", read_at_the_end(n));
}

TEST_CASE("choose_formats: finds the least cost of a chain of 100,000 operations") {
    const auto chosen = choose_formats(backward(100'000));
    CHECK(chosen.is_optimal);
    CHECK(chosen.reorders.size() == 1);
    CHECK(chosen.order.size() == 100'000);
    CHECK(chosen.order[0] == 99'999);
}

TEST_CASE("costs_otherwise: on random graphs, the costs equal those of a separate search for each tensor") {
    const std::uint64_t seed = plait_test::number_from_environment("PLAIT_GRAPH_SEED", 29);
    plait_test::random_views graphs(seed);
    int with_others = 0, exact = 0;
    for (int i = 0; i < 400; ++i) {
        graphs.with_padding = i % 3 == 0;
        const large_graph g = graphs.make(1 + graphs.below(9));
        cost_options options;
        if (i % 4 == 0) options.runs = 1 + graphs.below(5);
        if (i % 5 == 0) options.percent[0] = 90, options.percent[1] = 133, options.percent[2] = 250;
        const auto chosen = try_choose_formats(g, options);
        if (!chosen) continue;
        const format_costs costs(g, options);
        const heap_list<dim_t> others = costs_otherwise(g, costs, *chosen);
        exact += format_subproblem<heap_storage>(g, costs, alternative_sets(costs)).is_exact_for_all();
        for (int t = 0; t < g.tensors.size(); ++t) {
            CAPTURE(i);
            CAPTURE(t);
            REQUIRE(others[t] == cost_otherwise(g, costs, *chosen, t));
            with_others += others[t] >= 0;
        }
    }
    CHECK(exact > 250);
    CHECK(with_others > 300);
}

TEST_CASE("costs_otherwise: kernels that share a tensor have the costs of a separate search for each tensor") {
    // Twelve readers with four formats are too many for one table. If pieces cost 1 hundredth, a form that no operation
    // reads may make other forms cheaper, and then each tensor has its own search.
    for (const dim_t pieces : {100, 1})
        for (int round = 0; round < 4; ++round) {
            large_graph g;
            const tensor_id source = g.tensor({1, 16, 4, 4}, data_type::f32, "nchw");
            const tensor_id middle = g.tensor({1, 16, 4, 4}, data_type::f32, "any");
            g.operation(primitive_kind::convolution, {source}, {middle})
                .accepts({"nchw"}, {"nchw"}, 900)
                .accepts({"nhwc"}, {"nhwc"}, 1500 * round);
            for (int i = 0; i < 12; ++i)
                g.operation(primitive_kind::convolution, {middle}, {g.tensor({1, 16, 4, 4}, data_type::f32, "any")})
                    .accepts({"nchw"}, {"nchw"}, 700 * (i % 3))
                    .accepts({"nhwc"}, {"nhwc"}, 500 * (i % 4))
                    .accepts({"nChw8c"}, {"nChw8c"}, 800 * (i % 2))
                    .accepts({"nChw16c"}, {"nChw16c"}, 300 * (i % 5));
            const cost_options options{.percent = {100, pieces, 100}};
            const format_costs costs(g, options);
            const auto chosen = choose_formats(g, options);
            const heap_list<dim_t> others = costs_otherwise(g, costs, chosen);
            for (int t = 0; t < g.tensors.size(); ++t) CHECK(others[t] == cost_otherwise(g, costs, chosen, t));
        }
}

}}  // namespace test_graph_growth
