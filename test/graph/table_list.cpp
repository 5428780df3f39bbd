#include <plait/graph/table_list.hpp>

#include "support/static_check.hpp"

#include <initializer_list>

namespace test_graph_table_list {

using namespace plait::detail;

namespace {

/// A table_list whose data is public. `eliminate` only sets the place in the order of elimination.
struct open_tables : table_list {
    using table_list::difference;
    using table_list::entries_;
    using table_list::entry_of;
    using table_list::is_before;
    using table_list::is_live;
    using table_list::links_;
    using table_list::picks_;
    using table_list::tables_;
    using table_list::wide_;

    constexpr void assign(int variable, int value) { value_[variable] = value; }
    constexpr void eliminate(int variable, int place) { gone_[variable] = place; }
    constexpr int add(std::initializer_list<int> scope) {
        heap_list<int> variables;
        for (const int v : scope) variables.push_back(v);
        add_table(variables);
        return tables_.size() - 1;
    }
    constexpr int tables_of(int variable) const { return length(links_[variable]); }
    constexpr int wide_tables_of(int variable) const { return length(wide_[variable]); }

private:
    constexpr int length(int at) const {
        int count = 0;
        for (; at >= 0; at = chain_[at].next) ++count;
        return count;
    }
};

}  // namespace

TEST_CASE("table_list: variables are numbered from 0 and start with value 0") {
    constexpr auto added = [] {
        open_tables tables;
        const int a = tables.add_variable(2, 0), b = tables.add_variable(3, 1), c = tables.add_variable(1, -1);
        const bool numbered = a == 0 && b == 1 && c == 2;
        return numbered && tables.count(a) == 2 && tables.count(b) == 3 && tables.count(c) == 1 &&
               tables.tables_of(a) == 0 && tables.wide_tables_of(a) == 0;
    };
    STATIC_CHECK(added());
}

TEST_CASE("table_list: the entries of a table are in the order of its scope, the last variable fastest") {
    open_tables tables;
    const int a = tables.add_variable(2, 0), b = tables.add_variable(3, 1);
    const int ab = tables.add({a, b});
    for (int i = 0; i < 6; ++i) tables.push_entry(10 + i, i);
    const int ba = tables.add({b, a});
    plait::dim_t* const entries = tables.push_entries(6);
    for (int i = 0; i < 6; ++i) entries[i] = 20 + i;
    const int nobody = tables.add({});
    tables.push_entry(30);

    const auto cost = [&](int table) { return tables.entries_[tables.entry_of(tables.tables_[table])]; };
    CHECK(cost(ab) == 10);
    CHECK(cost(ba) == 20);
    tables.assign(b, 2);
    CHECK(cost(ab) == 10 + 2);
    CHECK(cost(ba) == 20 + 2 * 2);
    tables.assign(a, 1);
    CHECK(cost(ab) == 10 + 3 + 2);
    CHECK(cost(ba) == 20 + 2 * 2 + 1);
    CHECK(cost(nobody) == 30);
    CHECK(tables.picks_.size() == 13);
    CHECK(tables.picks_[5] == 5);
}

TEST_CASE(
    "table_list: a variable links to its tables, and separately to those with other variables of several values") {
    open_tables tables;
    const int a = tables.add_variable(2, 0), b = tables.add_variable(3, 1), one = tables.add_variable(1, -1);
    static_cast<void>(tables.add({a}));
    static_cast<void>(tables.add({a, one}));
    static_cast<void>(tables.add({a, b, one}));
    CHECK(tables.tables_of(a) == 3);
    CHECK(tables.tables_of(b) == 1);
    CHECK(tables.tables_of(one) == 2);
    CHECK(tables.wide_tables_of(a) == 1);    // with b
    CHECK(tables.wide_tables_of(b) == 1);    // with a
    CHECK(tables.wide_tables_of(one) == 2);  // with a, and with a and b
}

TEST_CASE("table_list: a table is live until its first variable is eliminated") {
    open_tables tables;
    const int a = tables.add_variable(2, 0), b = tables.add_variable(2, 1), c = tables.add_variable(2, 2);
    const int ab = tables.add({a, b}), bc = tables.add({b, c}), nobody = tables.add({});
    for (const int table : {ab, bc, nobody}) CHECK(tables.is_live(tables.tables_[table]));
    tables.eliminate(a, 1);
    CHECK(!tables.is_live(tables.tables_[ab]));
    CHECK(tables.is_live(tables.tables_[bc]));
    tables.eliminate(b, 2);
    tables.eliminate(c, 3);
    CHECK(!tables.is_live(tables.tables_[bc]));
    CHECK(tables.is_live(tables.tables_[nobody]));

    CHECK(tables.is_before(ab, a));
    CHECK(!tables.is_before(ab, b));  // a was eliminated first
    CHECK(tables.is_before(bc, b));
    CHECK(!tables.is_before(bc, c));
}

TEST_CASE("table_list: the first difference of two assignments is the one at the smallest rank") {
    using difference = open_tables::difference;
    constexpr auto sum = [](difference a, const difference& b) {
        a.add(b);
        return a;
    };
    STATIC_CHECK(sum({}, {}).rank == -1);
    STATIC_CHECK(sum({}, {2, true}).rank == 2 && sum({}, {2, true}).first_is_smaller);
    STATIC_CHECK(sum({2, true}, {}).rank == 2 && sum({2, true}, {}).first_is_smaller);
    STATIC_CHECK(sum({2, true}, {1, false}).rank == 1 && !sum({2, true}, {1, false}).first_is_smaller);
    STATIC_CHECK(sum({1, true}, {2, false}).rank == 1 && sum({1, true}, {2, false}).first_is_smaller);
    STATIC_CHECK(sum({1, true}, {1, false}).first_is_smaller);    // the first difference remains
    STATIC_CHECK(!sum({-1, true}, {0, false}).first_is_smaller);  // rank -1 does not count
}

}  // namespace test_graph_table_list
