#pragma once
// Minimises sums of costs that depend on a few variables each, by eliminating one variable after the other. The result
// is exact if the tables stay small, as in chains and series-parallel graphs; otherwise it is a lower bound.

#include <plait/core/axis.hpp>
#include <plait/support/heap_list.hpp>
#include <plait/support/least_first.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// Tables of costs over a few variables each, and the order of assignments that cost the same.

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

/// Tables of costs over variables, and their least sum.
///
/// Post:    if !relaxed(), bound() is the least sum, and the values are those of the first assignment that has it, in
///          the order of the variables' ranks; else bound() is at most the least sum, and the values are a guess
/// Cost:    one table over the neighbours of each variable, of at most `most_entries`; larger ones are split
class cost_tables : public table_list {
public:
    static constexpr int most_entries = 1024;

    constexpr void minimise() {
        const int n = counts_.size();
        mark_.resize(n, 0);
        made_.resize(n, 0);
        made_count_.resize(n, 0);
        heap_list<dim_t> size(n, 0);
        least_first<candidate> next;
        for (int v = 0; v < n; ++v) next.push({size[v] = size_without(v), v});
        while (!next.empty()) {
            const candidate least = next.pop();
            const int v = least.variable;
            if (gone_[v] != 0 || size[v] != least.size) continue;  // the size has changed since it was pushed
            for (const int neighbour : eliminate(v))
                if (const dim_t now = size_without(neighbour); now != size[neighbour])
                    next.push({size[neighbour] = now, neighbour});
        }
        for (int i = order_.size() - 1; i >= 0; --i) value_[order_[i]] = best_value(order_[i]);
    }
    constexpr dim_t bound() const { return bound_; }
    constexpr bool relaxed() const { return split_ >= 0; }
    /// Returns the first variable whose tables were split.
    constexpr int split() const { return split_; }
    constexpr int value(int variable) const { return value_[variable]; }
    /// Returns, for each value of each variable, the least sum of all assignments that have this value.
    ///
    /// minimise() passes the cost of a variable's tables on to the remaining variables. This function goes the other
    /// way: variables eliminated last pass the cost of everything else to those eliminated before them.
    ///
    /// Pre:     minimise() was called, !relaxed()
    /// Post:    for each variable, the least of its sums is bound()
    /// Cost:    that of minimise
    constexpr heap_list<dim_t> least_sums() const {
        heap_list<int> first;
        heap_list<dim_t> sums,
            outside(entries_.size(), -1);  // by entry of a produced table: the cost of everything else
        for (int v = 0; v < counts_.size(); ++v) {
            first.push_back(sums.size());
            sums.resize(sums.size() + counts_[v], -1);
        }
        for (int i = order_.size() - 1; i >= 0; --i) hand_back(order_[i], &sums[first[order_[i]]], outside);
        return sums;
    }

private:
    /// A variable to eliminate: the one with the fewest entries around it is next; of equal ones, the first.
    struct candidate {
        dim_t size = 0;
        int variable = 0;
        constexpr bool operator<(const candidate& other) const {
            return size != other.size ? size < other.size : variable < other.variable;
        }
    };
    heap_list<int> mark_, made_, made_count_;  // by variable: visited; tables made by its elimination
    heap_list<int> around_, order_, bucket_;
    int stamp_ = 0, split_ = -1;
    dim_t bound_ = 0;

    /// Collects the live tables of v, and their other variables until these have too many entries.
    constexpr void collect_bucket(int v) {
        bucket_.clear();
        around_.clear();
        ++stamp_;
        dim_t size = 1;
        for (int at = links_[v]; at >= 0; at = chain_[at].next) {
            if (!is_live(tables_[chain_[at].table])) continue;
            bucket_.push_back(chain_[at].table);
            if (size < most_entries * dim_t{most_entries}) size *= widen(around_, tables_[bucket_.back()], v);
        }
    }
    /// Adds the other variables of a table to a scope. Returns the factor by which the number of entries grows.
    constexpr dim_t widen(heap_list<int>& scope, const table& t, int without) {
        dim_t factor = 1;
        for (int i = 0; i < t.size; ++i) {
            const int u = scopes_[t.scope + i];
            if (u == without || mark_[u] == stamp_) continue;
            mark_[u] = stamp_;
            scope.push_back(u);
            if (factor < most_entries * dim_t{most_entries}) factor *= counts_[u];
        }
        return factor;
    }
    /// Returns the number of entries of the table that eliminating v would make. If it is too large, any number above
    /// the limit is returned. Skips tables that do not matter: not live, or over v alone.
    constexpr dim_t size_without(int v) {
        around_.clear();
        ++stamp_;
        dim_t size = 1;
        for (int* at = &wide_[v]; *at >= 0 && size < most_entries * dim_t{most_entries};) {
            const link& here = chain_[*at];
            if (is_live(tables_[here.table])) {
                size *= widen(around_, tables_[here.table], v);
                at = &chain_[*at].next;
            } else {
                *at = here.next;
            }
        }
        return size;
    }
    /// Eliminates a variable. Returns the other variables of its tables.
    constexpr heap_list<int> eliminate(int v) {
        const bool fits = size_without(v) <= most_entries;
        collect_bucket(v);
        const heap_list<int> bucket = bucket_, around = around_;
        order_.push_back(v);
        if (!fits && split_ < 0) split_ = v;
        heap_list<int> group, scope;
        for (int from = 0; from < bucket.size() || from == 0;) {
            group.clear();
            scope.clear();
            ++stamp_;
            dim_t size = 1;
            for (; from < bucket.size(); ++from) {
                heap_list<int> wider = scope;
                size *= widen(wider, tables_[bucket[from]], v);
                if (!group.empty() && size > most_entries) break;
                group.push_back(bucket[from]);
                scope = wider;
            }
            take_away(v, group, scope);
            if (from == 0) break;  // no table has this variable: any value will do
        }
        gone_[v] = order_.size();
        return around;
    }

    /// Returns each table's stride between neighbouring values, for each variable of the scope and for v.
    constexpr heap_list<int> strides_of(int v, const heap_list<int>& group, const heap_list<int>& scope) const {
        heap_list<int> strides(group.size() * (scope.size() + 1), 0);
        for (int g = 0; g < group.size(); ++g) {
            const table& t = tables_[group[g]];
            int step = 1;
            for (int i = t.size - 1; i >= 0; --i) {
                const int u = scopes_[t.scope + i];
                int place = scope.size();
                for (int k = 0; k < scope.size(); ++k)
                    if (scope[k] == u) place = k;
                if (u == v || place < scope.size()) strides[place * group.size() + g] = step;
                step *= counts_[u];
            }
        }
        return strides;
    }

    /// Makes one table over the scope: the least sum of the group over the values of v.
    constexpr void take_away(int v, const heap_list<int>& group, const heap_list<int>& scope) {
        const int n = group.size(), width = scope.size(), values = counts_[v];
        const heap_list<int> strides = strides_of(v, group, scope);
        heap_list<int> at(n, 0), digits(width, 0);
        for (int g = 0; g < n; ++g) at[g] = tables_[group[g]].first;
        if (made_count_[v]++ == 0) made_[v] = tables_.size();
        add_table(scope, v);
        for (const int t : group)
            if (tables_[t].gone >= 0) tables_[made_[v] + made_count_[v] - 1].is_nested = true;
        const int* const last = strides.begin() + width * n;  // the strides of v
        int* const places = at.begin();
        while (true) {
            dim_t least = 0;
            int pick = -1;
            const dim_t* const entries = entries_.begin();
            for (int x = 0; x < values; ++x) {
                dim_t sum = n % 2 == 0 ? 0 : entries[places[n - 1] + x * last[n - 1]];
                for (int g = 1; g < n; g += 2)  // two per step: constant expressions are limited in steps
                    sum += entries[places[g - 1] + x * last[g - 1]] + entries[places[g] + x * last[g]];
                if (pick >= 0 && sum >= least && (sum > least || n == 0)) continue;
                if (pick < 0 || sum < least || is_first(v, group, at, strides, width, x, pick)) least = sum, pick = x;
            }
            if (width == 0) bound_ += least;
            push_entry(least, pick);
            if (!next_entry(scope, n, strides, digits, places)) break;
        }
    }
    /// Steps to the next values of a scope, the last variable fastest, and to the entries that belong to them in all
    /// tables of a group. Returns false after the last.
    constexpr bool next_entry(const heap_list<int>& scope, int n, const heap_list<int>& strides, heap_list<int>& digits,
                              int* places) const {
        for (int k = scope.size() - 1; k >= 0; --k) {
            if (++digits[k] < counts_[scope[k]]) {
                for (int g = 0; g < n; ++g) places[g] += strides[k * n + g];
                return true;
            }
            digits[k] = 0;
            for (int g = 0; g < n; ++g) places[g] -= strides[k * n + g] * (counts_[scope[k]] - 1);
        }
        return false;
    }

    /// Computes the cost of everything except the tables of v, for each value of v, and the cost of everything except
    /// each table that was produced before, for each of its entries.
    constexpr void hand_back(int v, dim_t* sums, heap_list<dim_t>& outside) const {
        const table& made = tables_[made_[v]];
        heap_list<int> group, scope, places;
        for (int at = links_[v]; at >= 0; at = chain_[at].next)
            if (is_before(chain_[at].table, v)) group.push_back(chain_[at].table);
        for (int k = 0; k < made.size; ++k) scope.push_back(scopes_[made.scope + k]);
        if (scope.empty()) outside[made.first] = bound_ - entries_[made.first];
        const int n = group.size();
        const heap_list<int> strides = strides_of(v, group, scope);
        for (const int t : group) places.push_back(tables_[t].first);
        heap_list<int> digits(scope.size(), 0);
        const auto lower = [](dim_t& least, dim_t sum) { least = least < 0 || sum < least ? sum : least; };
        int entry = made.first;
        do {
            for (int x = 0; x < counts_[v]; ++x) {
                const auto place = [&](int g) { return places[g] + x * strides[scope.size() * n + g]; };
                dim_t sum = outside[entry];
                for (int g = 0; g < n; ++g) sum += entries_[place(g)];
                lower(sums[x], sum);
                for (int g = 0; g < n; ++g)
                    if (tables_[group[g]].gone >= 0) lower(outside[place(g)], sum - entries_[place(g)]);
            }
            ++entry;
        } while (next_entry(scope, n, strides, digits, places.begin()));
    }

    /// Returns the best value of v, given the values of the variables that were eliminated after it.
    constexpr int best_value(int v) {
        if (made_count_[v] == 1) return picks_[entry_of(tables_[made_[v]])];
        dim_t least = -1;
        int best = 0;
        for (int x = 0; x < counts_[v]; ++x) {
            value_[v] = x;
            dim_t sum = 0;
            for (int at = links_[v]; at >= 0; at = chain_[at].next)
                if (is_before(chain_[at].table, v)) sum += entries_[entry_of(tables_[chain_[at].table])];
            if (least < 0 || sum < least) least = sum, best = x;
        }
        return best;
    }
};

}  // namespace plait::detail
