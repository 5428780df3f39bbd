#pragma once
// Minimises sums of costs that depend on a few variables each, by eliminating one variable after the other. The result
// is exact if the tables stay small, as in chains and series-parallel graphs; otherwise it is a lower bound.

#include <plait/graph/table_list.hpp>
#include <plait/support/least_first.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
