#pragma once
// Tables of costs over a few variables each, and which of two assignments that cost the same comes first.

#include <plait/core/axis.hpp>
#include <plait/support/heap_list.hpp>

namespace plait {

/// Variables, tables over them, and for each variable the tables that it is in; what cost_tables works on.
class table_list {
public:
    /// A variable with so many values. Of equal sums that one is first which has the smaller value where the rank is
    /// smallest; rank -1 does not count.
    constexpr int add_variable(int count, int rank) {
        counts_.push_back(count);
        ranks_.push_back(rank);
        links_.push_back(-1);
        value_.push_back(0);
        gone_.push_back(0);
        return counts_.size() - 1;
    }
    constexpr int count(int variable) const { return counts_[variable]; }
    /// Begins a table over distinct variables; its entries are then pushed, the last variable fastest. `gone` is the
    /// variable that was taken away to make it.
    constexpr void add_table(const heap_list<int>& scope, int gone = -1) {
        const int here = tables_.size();
        tables_.push_back({scopes_.size(), scope.size(), entries_.size(), gone});
        for (const int v : scope) {
            scopes_.push_back(v);
            chain_.push_back({here, links_[v]});
            links_[v] = chain_.size() - 1;
        }
    }
    constexpr void push_entry(dim_t cost, int pick = 0) {
        entries_.push_back(cost);
        picks_.push_back(pick);
    }

    /// So many entries of the table begun last, to be written through what is answered.
    constexpr dim_t* push_entries(int count) {
        static_cast<void>(picks_.append(count));
        return entries_.append(count);
    }

protected:
    struct table {
        int scope = 0;
        int size = 0;  ///< of the scope
        int first = 0;
        int gone = -1;  ///< the variable that was taken away to make it, or -1
    };
    struct link {
        int table = 0;
        int next = -1;
    };
    heap_list<int> counts_, ranks_, links_, value_;  // by variable
    heap_list<table> tables_;
    heap_list<int> scopes_, picks_;
    heap_list<dim_t> entries_;
    heap_list<link> chain_;
    heap_list<int> gone_;  // by variable: when it was taken away, counted from 1

    // A table is used up when one of its variables has gone.
    constexpr bool is_live(const table& t) const {
        for (int i = 0; i < t.size; ++i)
            if (gone_[scopes_[t.scope + i]] != 0) return false;
        return true;
    }
    /// The entry of a table for the values that its variables have.
    constexpr int entry_of(const table& t) const {
        int place = 0;
        for (int i = 0; i < t.size; ++i) place = place * counts_[scopes_[t.scope + i]] + value_[scopes_[t.scope + i]];
        return t.first + place;
    }
    /// Whether a table was there when v went: none of its variables had gone.
    constexpr bool is_before(int which, int v) const {
        const table& t = tables_[which];
        for (int i = 0; i < t.size; ++i) {
            const int u = scopes_[t.scope + i];
            if (u != v && gone_[u] < gone_[v]) return false;
        }
        return true;
    }

    /// Where two assignments first differ: the rank, and which of them has the smaller value there.
    struct difference {
        int rank = -1;
        bool first_is_smaller = false;
        constexpr void add(const difference& other) {
            if (other.rank >= 0 && (rank < 0 || other.rank < rank)) *this = other;
        }
    };
    /// Whether x comes before y as the value of v, all that follows from it considered.
    constexpr bool is_first(int v, const heap_list<int>& group, const heap_list<int>& at, const heap_list<int>& strides,
                            int width, int x, int y) const {
        difference found{ranks_[v], x < y};
        const int n = group.size();
        for (int g = 0; g < n; ++g) {
            const int step = strides[width * n + g];
            found.add(compare(group[g], at[g] + x * step, at[g] + y * step));
        }
        return found.first_is_smaller;
    }
    constexpr difference compare(int which, int a, int b) const {
        const table& t = tables_[which];
        if (a == b || t.gone < 0) return {};
        difference found;
        const int v = t.gone, x = picks_[a], y = picks_[b];
        if (x != y) found = {ranks_[v], x < y};
        for (int at = links_[v]; at >= 0; at = chain_[at].next) {
            const table& inner = tables_[chain_[at].table];
            if (inner.gone < 0 || !is_inside(inner, t, v)) continue;
            found.add(compare(chain_[at].table, entry_in(inner, t, a - t.first, v, x),
                              entry_in(inner, t, b - t.first, v, y)));
        }
        return found;
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
    /// The entry of a table that belongs to an entry of another, v having the value x.
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

}  // namespace plait
