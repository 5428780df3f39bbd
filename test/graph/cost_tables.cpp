#include <plait/graph/cost_tables.hpp>

#include "support/static_check.hpp"

#include <initializer_list>

namespace test_graph_cost_tables {

using namespace plait::detail;
using plait::dim_t;

namespace {

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

}  // namespace

TEST_CASE("cost_tables: the least sum is 0 without tables, and the least entry of a single table") {
    cost_tables none;
    none.minimise();
    CHECK(none.bound() == 0);
    CHECK(!none.relaxed());
    CHECK(none.split() == -1);
    CHECK(none.least_sums().size() == 0);

    cost_tables one;
    const int free = one.add_variable(3, 0), v = one.add_variable(3, 1), single = one.add_variable(1, -1);
    add(one, {v}, {5, 3, 3});
    add(one, {single}, {100});
    one.minimise();
    CHECK(one.bound() == 103);
    CHECK(one.value(free) == 0);  // no table has this variable
    CHECK(one.value(v) == 1);     // the first of two that cost 3
    CHECK(one.value(single) == 0);
}

TEST_CASE("cost_tables: the least sum over two variables, and the least sum with each value") {
    constexpr auto least = [] {
        cost_tables tables;
        const int a = tables.add_variable(2, 0), b = tables.add_variable(3, 1);
        add(tables, {a}, {0, 4});
        add(tables, {b}, {3, 0, 1});
        add(tables, {a, b}, {0, 5, 9, 9, 0, 1});
        // a = 0: 0 + 3 + 0, 0 + 0 + 5, 0 + 1 + 9. a = 1: 4 + 3 + 9, 4 + 0 + 0, 4 + 1 + 1.
        tables.minimise();
        const heap_list<dim_t> sums = tables.least_sums();
        return !tables.relaxed() && tables.bound() == 3 && tables.value(a) == 0 && tables.value(b) == 0 &&
               sums.size() == 5 && sums[0] == 3 && sums[1] == 4 && sums[2] == 3 && sums[3] == 4 && sums[4] == 6;
    };
    STATIC_CHECK(least());
}

TEST_CASE("cost_tables: in a chain, variables that are eliminated first also get the least sum with each value") {
    cost_tables tables;
    const int a = tables.add_variable(2, 0), b = tables.add_variable(2, 1), c = tables.add_variable(2, 2);
    add(tables, {a, b}, {1, 8, 4, 2});
    add(tables, {b, c}, {7, 3, 1, 9});
    // abc = 000: 8, 001: 4, 010: 9, 011: 17, 100: 11, 101: 7, 110: 3, 111: 11
    tables.minimise();
    CHECK(tables.bound() == 3);
    CHECK(digits(tables, 3) == 110);
    const heap_list<dim_t> sums = tables.least_sums();
    const dim_t by_hand[] = {4, 3, 4, 3, 3, 4};  // a = 0, a = 1, b = 0, ...
    REQUIRE(sums.size() == 6);
    for (int i = 0; i < 6; ++i) {
        CAPTURE(i);
        CHECK(sums[i] == by_hand[i]);
    }
}

TEST_CASE("cost_tables: if assignments cost the same, the result is the first in the order of the ranks") {
    // A chain in which neighbours differ: 0101 and 1010 cost nothing.
    CHECK(digits(equal_pairs({0, 1, 2, 3}, false), 4) == 101);
    CHECK(digits(equal_pairs({3, 2, 1, 0}, false), 4) == 1010);
    CHECK(digits(equal_pairs({2, 0, 1, 3}, false), 4) == 1010);  // the second variable is 0
    CHECK(digits(equal_pairs({-1, 1, 0, 2}, false), 4) == 101);  // the third is 0; the first does not count
    CHECK(digits(equal_pairs({-1, -1, -1, 0}, false), 4) == 1010);
    // Of three variables two are equal, at a cost of 1.
    CHECK(digits(equal_pairs({0, 1, 2}, true), 3) == 1);
    CHECK(digits(equal_pairs({2, 1, 0}, true), 3) == 100);
    CHECK(digits(equal_pairs({1, 0, 2}, true), 3) == 1);
    CHECK(digits(equal_pairs({1, 2, 0}, true), 3) == 10);  // the third is 0, then the first
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

}  // namespace test_graph_cost_tables
