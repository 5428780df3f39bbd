#include <plait/graph/choose_formats.hpp>

#include "support/static_check.hpp"

#include <cstdint>
#include <limits>

namespace test_graph_large_graphs { namespace {

using namespace plait;
using namespace plait::detail;

/// Returns a network with a given number of operations: kernels with their own formats and costs, operations that
/// follow, and results that are read again a few operations later.
large_graph network(int operations, std::uint64_t seed, int reach) {
    std::uint64_t state = seed;
    const auto below = [&state](int n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
    };
    large_graph g;
    const dims shape{1, 32, 14, 14};
    heap_list<tensor_id> made;
    made.push_back(g.tensor(shape, data_type::f32, "nhwc"));
    for (int i = 0; i < operations; ++i) {
        const tensor_id before = made.back();
        const int back = 1 + below(reach);
        const tensor_id earlier = made[made.size() > back ? made.size() - 1 - back : 0];
        const tensor_id after = g.tensor(shape, data_type::f32, i == operations - 1 ? format_tag("nhwc") : "any");
        const int kind = below(4);
        if (kind == 0) g.operation(primitive_kind::eltwise, {before}, {after});
        else if (kind == 1) g.operation(primitive_kind::sum, {before, earlier}, {after});
        else
            g.operation(primitive_kind::convolution, {before}, {after})
                .accepts({"nhwc"}, {"nhwc"}, below(60'000))
                .accepts({"nchw"}, {"nchw"}, below(60'000))
                .accepts({"nChw8c"}, {"nChw8c"}, below(60'000))
                .accepts({"nChw16c"}, {"nChw16c"}, below(60'000));
        made.push_back(after);
    }
    return g;
}

TEST_CASE("choose_formats: the cost for 1,000 operations is within 1 % of the lower bound") {
    for (const int reach : {3, 6}) {
        const auto chosen = choose_formats(network(1000, 5, reach));
        CAPTURE(reach);
        CHECK(chosen.cost - chosen.lower_bound <= chosen.cost / 100);
        CHECK(chosen.reorders.size() > 0);
        CHECK(chosen.is_optimal == (chosen.cost == chosen.lower_bound));
        if (reach == 3) CHECK(chosen.is_optimal);
    }
}

TEST_CASE("choose_formats: ends within the given percentage of the lower bound, and reports the gap") {
    const large_graph g = network(1000, 5, 20);
    const auto close = choose_formats(g, {.within_percent = 1}), better = choose_formats(g, {.most_nodes = 2});
    CHECK(!close.is_optimal);  // the first bound does not prove the least cost of this graph
    CHECK(close.lower_bound <= better.lower_bound);
    CHECK(close.cost > better.cost);
    CHECK(close.cost - close.lower_bound <= close.lower_bound / 100);
}

TEST_CASE("is_within_percent: compares with hundredths of the bound, without overflow for large numbers") {
    STATIC_CHECK(is_within_percent(103, 101, 2) && !is_within_percent(104, 101, 2));
    STATIC_CHECK(is_within_percent(7, 7, 0) && !is_within_percent(8, 7, 0) && is_within_percent(7, 7, -1) &&
                 !is_within_percent(8, 7, -1));
    STATIC_CHECK(is_within_percent(150, 100, 50) && !is_within_percent(150, 99, 50));
    // 2^31 - 1 hundredths of 2^60 do not fit in 63 bits. 2^31 - 1 hundredths of 99 are 2126008810.
    constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
    STATIC_CHECK(is_within_percent(most_cost, most_cost / 2, most) &&
                 !is_within_percent(most_cost, most_cost / 2, least));
    STATIC_CHECK(is_within_percent(2'126'008'909, 99, most) && !is_within_percent(2'126'008'910, 99, most));
    STATIC_CHECK(!is_within_percent(most_cost, 0, most));
    STATIC_CHECK(is_within_percent(most_cost - 1, most_cost / 2, 100) &&
                 !is_within_percent(most_cost, most_cost / 2 - 1, 100));
    const large_graph g = network(100, 5, 20);
    CHECK(choose_formats(g, {.within_percent = most}).lower_bound <= choose_formats(g, {.most_nodes = 2}).cost);
}

TEST_CASE("choose_formats: a result that 40 operations read in different formats is reordered once") {
    large_graph g;
    const dims shape{1, 32, 14, 14};
    const tensor_id image = g.tensor(shape, data_type::f32, "nhwc"), wide = g.tensor(shape, data_type::f32, "any");
    g.operation(primitive_kind::convolution, {image}, {wide})
        .accepts({"nhwc"}, {"nhwc"}, 40'000)
        .accepts({"nChw16c"}, {"nChw16c"}, 10'000);
    for (int i = 0; i < 40; ++i)
        g.operation(primitive_kind::convolution, {wide}, {g.tensor(shape, data_type::f32, "any")})
            .accepts({"nhwc"}, {"nhwc"}, 2000 + 10 * i)
            .accepts({"nChw16c"}, {"nChw16c"}, 1000);
    const auto chosen = choose_formats(g);
    // One reorder of the image into blocks, 2 * 25088 bytes, costs less than 1000 more for each reader and 30000 once.
    CHECK(chosen.is_optimal);
    CHECK(chosen.cost == 2 * 25'088 + 10'000 + 40 * 1000);
    CHECK(chosen.reorders.size() == 1);
}

TEST_CASE("choose_formats: bounds hold for a tensor with many readers whose costs add up to nearly 63 bits") {
    // 2^50 x 64 f32 are 2^58 bytes, and a reorder costs 2^59. Sixteen readers accept only ba, so the cost is at least
    // 2^59.
    large_graph g;
    const tensor_id source = g.tensor({dim_t{1} << 50, 64}, data_type::f32, "ab");
    for (int i = 0; i < 70; ++i) {
        auto read = g.operation(primitive_kind::matmul, {source}, {g.tensor({2}, data_type::f32, "any")});
        if (i >= 16) read.accepts({"ab"}, {"a"}, 1);
        read.accepts({"ba"}, {"a"});
    }
    const auto chosen = choose_formats(g);
    CHECK(chosen.lower_bound >= 0);
    CHECK(chosen.lower_bound <= dim_t{1} << 59);
    CHECK(chosen.cost == dim_t{1} << 59);
}

}}  // namespace test_graph_large_graphs
