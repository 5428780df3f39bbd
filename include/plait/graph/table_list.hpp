#pragma once
// Tables of costs over a few variables each, and the order of assignments that cost the same.

#include <plait/core/axis.hpp>
#include <plait/support/heap_list.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Variables, tables over them, and the tables of each variable: the data that cost_tables works on.
class table_list {
public:
    /// Adds a variable with `count` values. Of assignments with equal sums, the first is the one with the smaller value
    /// at the smallest rank where they differ. Variables of rank -1 do not count.
    constexpr int add_variable(int count, int rank) {
        counts_.push_back(count);
        ranks_.push_back(rank);
        links_.push_back(-1);
        wide_.push_back(-1);
        value_.push_back(0);
        gone_.push_back(0);
        return counts_.size() - 1;
    }
    constexpr int count(int variable) const { return counts_[variable]; }
    /// Begins a table over distinct variables. Its entries are pushed afterwards, the last variable fastest. `gone` is
    /// the variable whose elimination produced the table.
    constexpr void add_table(const heap_list<int>& scope, int gone = -1) {
        const int here = tables_.size();
        tables_.push_back({scopes_.size(), scope.size(), entries_.size(), gone});
        int wide = 0;
        for (const int v : scope) wide += counts_[v] > 1;
        for (const int v : scope) {
            scopes_.push_back(v);
            chain_.push_back({here, links_[v]});
            links_[v] = chain_.size() - 1;
            if (wide - (counts_[v] > 1) == 0) continue;
            chain_.push_back({here, wide_[v]});
            wide_[v] = chain_.size() - 1;
        }
    }
    constexpr void push_entry(dim_t cost, int pick = 0) {
        entries_.push_back(cost);
        picks_.push_back(pick);
    }

    /// Appends `count` entries to the last table, and returns a pointer through which to write them.
    constexpr dim_t* push_entries(int count) {
        static_cast<void>(picks_.append(count));
        return entries_.append(count);
    }

protected:
    struct table {
        int scope = 0;
        int size = 0;  ///< number of variables in the scope
        int first = 0;
        int gone = -1;           ///< the variable whose elimination produced it, or -1
        bool is_nested = false;  ///< made of tables that elimination produced
    };
    struct link {
        int table = 0;
        int next = -1;
    };
    heap_list<int> counts_, ranks_, links_, value_;  // by variable
    heap_list<int> wide_;  // by variable: the links to live tables that have other variables of several values
    heap_list<table> tables_;
    heap_list<int> scopes_, picks_;
    heap_list<dim_t> entries_;
    heap_list<link> chain_;
    heap_list<int> gone_;  // by variable: its place in the order of elimination, from 1

    // A table is no longer live once one of its variables has been eliminated.
    constexpr bool is_live(const table& t) const {
        for (int i = 0; i < t.size; ++i)
            if (gone_[scopes_[t.scope + i]] != 0) return false;
        return true;
    }
    /// Returns the entry of a table for the current values of its variables.
    constexpr int entry_of(const table& t) const {
        int place = 0;
        for (int i = 0; i < t.size; ++i) place = place * counts_[scopes_[t.scope + i]] + value_[scopes_[t.scope + i]];
        return t.first + place;
    }
    /// True if a table was live when v was eliminated: none of its variables had been eliminated before.
    constexpr bool is_before(int which, int v) const {
        const table& t = tables_[which];
        for (int i = 0; i < t.size; ++i) {
            const int u = scopes_[t.scope + i];
            if (u != v && gone_[u] < gone_[v]) return false;
        }
        return true;
    }

    /// The first difference of two assignments: its rank, and which of them has the smaller value there.
    struct difference {
        int rank = -1;
        bool first_is_smaller = false;
        constexpr void add(const difference& other) {
            if (other.rank >= 0 && (rank < 0 || other.rank < rank)) *this = other;
        }
    };
    /// True if value x of v comes before value y, including all values that follow from the choice.
    constexpr bool is_first(int v, const heap_list<int>& group, const heap_list<int>& at, const heap_list<int>& strides,
                            int width, int x, int y) {
        difference found{ranks_[v], x < y};
        const int n = group.size();
        for (int g = 0; g < n; ++g) {
            const int step = strides[width * n + g];
            found.add(compare({group[g], at[g] + x * step, at[g] + y * step}));
        }
        return found.first_is_smaller;
    }

private:
    /// Two entries of one table.
    struct entry_pair {
        int table = 0, a = 0, b = 0;
    };
    /// A comparison that waits for the comparisons of inner tables, and the difference found so far.
    struct open_comparison {
        entry_pair of;
        int link = 0;  // the next table of the eliminated variable
        difference found;
    };
    /// The difference of two entries, stored by their hash.
    struct known_pair {
        int a = -1, b = -1;
        difference found;
    };
    heap_list<known_pair> known_;
    int known_count_ = 0;

    constexpr known_pair& place_of(const entry_pair& p) {
        const std::uint64_t both =
            static_cast<std::uint64_t>(p.a) << 32 ^ static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.b));
        const int mask = known_.size() - 1;
        int at = static_cast<int>((both * 0x9e3779b97f4a7c15u) >> 33) & mask;
        while (known_[at].a >= 0 && (known_[at].a != p.a || known_[at].b != p.b)) at = (at + 1) & mask;
        return known_[at];
    }
    constexpr void remember(const entry_pair& p, const difference& found) {
        if (4 * known_count_ >= known_.size()) {
            heap_list<known_pair> before = known_;
            known_.clear();
            known_.resize(before.empty() ? 16 : 4 * before.size(), known_pair{});
            for (const known_pair& one : before)
                if (one.a >= 0) place_of({0, one.a, one.b}) = one;
        }
        place_of(p) = {p.a, p.b, found};
        ++known_count_;
    }
    /// True if the difference of two entries is known: they are equal, follow from given tables, or were compared.
    constexpr bool is_known(const entry_pair& p, difference& found) {
        const table& t = tables_[p.table];
        if (p.a == p.b || t.gone < 0) return true;
        if (!t.is_nested) {
            if (picks_[p.a] != picks_[p.b]) found = {ranks_[t.gone], picks_[p.a] < picks_[p.b]};
            return true;
        }
        if (known_.empty()) return false;
        const known_pair& known = place_of(p);
        found = known.found;
        return known.a >= 0;
    }
    constexpr open_comparison begin(const entry_pair& p) const {
        const int v = tables_[p.table].gone, x = picks_[p.a], y = picks_[p.b];
        return {p, links_[v], x != y ? difference{ranks_[v], x < y} : difference{}};
    }
    /// Finds the next pair of entries that a comparison depends on; false if there is none.
    constexpr bool next_inside(open_comparison& open, entry_pair& inside) const {
        const table& t = tables_[open.of.table];
        while (open.link >= 0) {
            const int which = chain_[open.link].table;
            open.link = chain_[open.link].next;
            const table& inner = tables_[which];
            if (inner.gone < 0 || !is_inside(inner, t, t.gone)) continue;
            inside = {which, entry_in(inner, t, open.of.a - t.first, t.gone, picks_[open.of.a]),
                      entry_in(inner, t, open.of.b - t.first, t.gone, picks_[open.of.b])};
            return true;
        }
        return false;
    }
    /// Returns the first difference of the assignments of two entries. Each pair is compared once, so that a chain
    /// takes linear time, although the assignment of an entry is as long as the chain. Not recursive: chains are long.
    constexpr difference compare(const entry_pair& p) {
        difference found;
        if (is_known(p, found)) return found;
        heap_list<open_comparison> open;
        open.push_back(begin(p));
        while (true) {
            open_comparison& top = open[open.size() - 1];
            entry_pair inside;
            if (next_inside(top, inside)) {
                difference other;
                if (is_known(inside, other)) top.found.add(other);
                else open.push_back(begin(inside));
                continue;
            }
            const open_comparison done = top;
            remember(done.of, done.found);
            open.pop_back();
            if (open.empty()) return done.found;
            open[open.size() - 1].found.add(done.found);
        }
    }
    constexpr bool is_inside(const table& inner, const table& outer, int v) const {
        for (int i = 0; i < inner.size; ++i) {
            const int u = scopes_[inner.scope + i];
            bool known = u == v;
            for (int k = 0; k < outer.size; ++k) known = known || scopes_[outer.scope + k] == u;
            if (!known) return false;
        }
        return true;
    }
    /// Returns the entry of an inner table that belongs to an entry of an outer table if v has the value x.
    constexpr int entry_in(const table& inner, const table& outer, int entry, int v, int x) const {
        int place = 0;
        for (int i = 0; i < inner.size; ++i) {
            const int u = scopes_[inner.scope + i];
            int value = x;
            if (u != v) {
                int rest = entry;
                for (int k = outer.size - 1; scopes_[outer.scope + k] != u; --k)
                    rest /= counts_[scopes_[outer.scope + k]];
                value = rest % counts_[u];
            }
            place = place * counts_[u] + value;
        }
        return inner.first + place;
    }
};

}  // namespace plait::detail
