#include <plait/graph/cost_tables.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace test_graph_cost_tables { namespace {

using namespace plait::detail;
using plait::dim_t;

constexpr void add(cost_tables& tables, std::initializer_list<int> scope, std::initializer_list<dim_t> entries) {
    heap_list<int> variables;
    for (const int v : scope) variables.push_back(v);
    tables.add_table(variables);
    for (const dim_t entry : entries) tables.push_entry(entry);
}

/// Minimises the number of equal pairs among variables of two values, whose ranks are given. Each variable is paired
/// with the next one, or with all others.
cost_tables equal_pairs(std::initializer_list<int> ranks, bool with_all) {
    cost_tables tables;
    for (const int rank : ranks) static_cast<void>(tables.add_variable(2, rank));
    const int n = static_cast<int>(ranks.size());
    for (int i = 0; i < n; ++i)
        for (int k = i + 1; k < (with_all ? n : i + 2 < n ? i + 2 : n); ++k) add(tables, {i, k}, {1, 0, 0, 1});
    tables.minimise();
    return tables;
}

/// Returns the values of all variables as the digits of a decimal number.
dim_t digits(const cost_tables& tables, int variables) {
    dim_t out = 0;
    for (int v = 0; v < variables; ++v) out = 10 * out + tables.value(v);
    return out;
}

TEST_CASE(
    "cost_tables: the result is exact if tables have at most 1024 entries; larger tables are split and give a bound") {
    // Pairs of 11 variables: a table over the other 10 has 1024 entries. 6 and 5 equal ones have 15 + 10 equal pairs.
    const cost_tables exact = equal_pairs({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true);
    CHECK(!exact.relaxed());
    CHECK(exact.bound() == 25);
    CHECK(digits(exact, 11) == 11'111);  // six zeros, then five ones
    for (const dim_t sum : exact.least_sums()) CHECK(sum == 25);

    // Of 12, two groups of 6 have 15 + 15 equal pairs.
    const cost_tables split = equal_pairs({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, true);
    CHECK(split.relaxed());
    CHECK(split.split() == 0);  // the first of variables with equally large tables
    CHECK(split.bound() <= 30);
    CHECK(split.bound() >= 0);
}

}}  // namespace test_graph_cost_tables
