#pragma once
// Searches for the alternatives that cost least. A graph becomes tables of costs, which are minimised; if that gives
// only a bound, branch and bound restricts the alternatives of single variables.

#include <plait/graph/cost_tables.hpp>
#include <plait/graph/format_costs.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// The cost of each set of forms of a tensor, computed once per set.

/// The forms that a tensor may take, numbered from 0, and the cost of having a set of them.
///
/// A reorder costs the same in both directions, so that the cost of a set does not depend on which form exists first.
/// The table of a tensor that three operations of 8 alternatives share has 512 entries, but few sets.
///
/// Cost:    a minimum spanning tree for each set that is used
class form_sets {
public:
    constexpr form_sets(const format_costs& costs, int tensor)
        : costs_(costs), tensor_(tensor), all_(costs.forms_of(tensor)), count_(costs.form_count(tensor)) {
        if (fits()) known_.append(1 << count_);
    }
    /// True if sets are bits of a number small enough for a table of all sets.
    constexpr bool fits() const { return count_ <= 8; }
    constexpr int size() const { return count_; }

    /// Returns the set of one form.
    ///
    /// Pre:     the tensor may take the form
    constexpr int bit_of(int form) const {
        int bit = 1;
        for (const int* known = all_; *known != form; ++known) bit *= 2;
        return bit;
    }
    /// Pre:     fits(), 0 < set < 1 << size()
    constexpr dim_t cost(int set) {
        dim_t* const known = known_.begin() + set;
        if (*known == 0) *known = find_cost(set) + 1;
        return *known - 1;
    }

    /// True if adding a form never makes a set cheaper, so that forms that nobody needs do not help.
    ///
    /// Pre:     fits()
    constexpr bool larger_cost_more() {
        for (int set = 1; set < 1 << count_; ++set)
            for (int more = 1; more < 1 << count_; more *= 2)
                if (cost(set | more) < cost(set)) return false;
        return true;
    }

private:
    const format_costs& costs_;
    int tensor_;
    const int* all_;
    int count_;
    heap_list<int> chosen_;
    heap_list<dim_t> known_;  // by set: the cost plus 1; 0: not computed yet

    /// Most sets are small. Two forms cost one reorder; three cost two: all pairs but the most expensive.
    constexpr dim_t find_cost(int set) {
        int place[8]{}, size = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) place[size++] = __builtin_ctz(static_cast<unsigned>(rest));
        if (size == 1) return 0;
        if (size == 2) return costs_.step_between(tensor_, place[1], place[0]);
        if (size == 3) {
            const dim_t a = costs_.step_between(tensor_, place[1], place[0]),
                        b = costs_.step_between(tensor_, place[2], place[0]),
                        c = costs_.step_between(tensor_, place[2], place[1]);
            return a + b + c - (a > b ? (a > c ? a : c) : (b > c ? b : c));
        }
        chosen_.clear();
        for (int i = 0; i < size; ++i) chosen_.push_back(all_[place[i]]);
        return costs_.cost_of_forms(tensor_, chosen_);
    }
};

// A graph whose operations are restricted to some alternatives, as tables of costs.

/// The remaining alternatives of each variable; one byte each.
class alternative_sets {
public:
    constexpr explicit alternative_sets(const format_costs& costs) {
        for (const int count : costs.alternatives_of) {
            first_.push_back(allowed_.size());
            allowed_.resize(allowed_.size() + count, 1);
        }
        first_.push_back(allowed_.size());
    }
    constexpr bool has(int variable, int alternative) const { return allowed_[first_[variable] + alternative] != 0; }
    constexpr void remove(int variable, int alternative) { allowed_[first_[variable] + alternative] = 0; }
    constexpr void keep_only(int variable, int alternative) {
        for (int i = first_[variable]; i < first_[variable + 1]; ++i) allowed_[i] = i - first_[variable] == alternative;
    }
    constexpr int size(int variable) const {
        int count = 0;
        for (int i = first_[variable]; i < first_[variable + 1]; ++i) count += allowed_[i];
        return count;
    }

private:
    heap_list<int> first_;
    heap_list<char> allowed_;
};

/// One subproblem: the tables of a graph whose variables are restricted to some alternatives.
template <class Storage>
class format_subproblem {
public:
    constexpr format_subproblem(const basic_graph<Storage>& g, const format_costs& costs, const alternative_sets& sets)
        : g_(g), costs_(costs) {
        for (int v = 0; v < costs.alternatives_of.size(); ++v) {
            first_.push_back(alternatives_.size());
            for (int a = 0; a < costs.alternatives_of[v]; ++a)
                if (sets.has(v, a)) alternatives_.push_back(a);
            tables_.add_variable(alternatives_.size() - first_[v], costs.operation_of[v]);
            choice_.push_back(alternatives_[first_[v]]);
        }
        for (int v = 0; v < first_.size(); ++v) add_operations(v);
        for (int t = 0; t < g.tensors.size(); ++t) add_tensor(t);
        tables_.minimise();
        for (int v = 0; v < first_.size(); ++v) choice_[v] = alternatives_[first_[v] + tables_.value(v)];
    }
    constexpr dim_t bound() const { return tables_.bound(); }
    /// True if the choice, whose total cost is `cost`, is the first of the best: it reaches the bound of all sums, and
    /// comes first among the assignments that do.
    constexpr bool is_exact(dim_t cost) const { return !tables_.relaxed() && cost == tables_.bound(); }
    constexpr const heap_list<int>& choice() const { return choice_; }
    /// True if the tables give the exact cost of every choice, not only a bound that is enough to find the best one.
    constexpr bool is_exact_for_all() const {
        if (tables_.relaxed() || leaves_out_) return false;
        for (const int t : by_sets_)
            if (costs_.may_be_zeroed(t) || !form_sets(costs_, t).larger_cost_more()) return false;
        return true;
    }
    /// Returns, for each alternative of each variable, the least cost of a choice that contains it.
    ///
    /// Pre:     is_exact_for_all(); no alternative has been removed
    constexpr heap_list<dim_t> least_costs() const { return tables_.least_sums(); }
    /// Returns the variable to branch on if the bound is not exact; -1 if no variable has two alternatives.
    constexpr int branch() const {
        if (const int v = tables_.split(); v >= 0 && v < first_.size() && tables_.count(v) > 1) return v;
        int most = -1;
        for (int v = 0; v < first_.size(); ++v)
            if (tables_.count(v) > 1 && (most < 0 || needs_of(v) > needs_of(most))) most = v;
        return most;
    }

private:
    const basic_graph<Storage>& g_;
    const format_costs& costs_;
    cost_tables tables_;
    heap_list<int> first_, alternatives_;  // by variable; one after the other
    heap_list<int> choice_;
    heap_list<int> by_sets_;   // tensors with a variable of their own
    bool leaves_out_ = false;  // a tensor has no table
    dim_t penalties_ = 0;      // the sum of all penalties for sets of forms that lack a needed form

    constexpr int needs_of(int v) const {
        const int i = costs_.operation_of[v];
        int sum = 0;
        for (int p = 0; p < g_.operations[i].ports(); ++p) {
            const int t = g_.tensor_at(i, p);
            sum += costs_.needs_end(t) - costs_.needs_begin(t);
        }
        return sum;
    }
    constexpr void add_operations(int v) {
        heap_list<int> scope;
        scope.push_back(v);
        tables_.add_table(scope);
        for (int x = 0; x < tables_.count(v); ++x)
            tables_.push_entry(costs_.variable_cost(v, alternatives_[first_[v] + x]));
    }

    constexpr void add_tensor(int t) {
        if (costs_.worst_term[t] == 0) return;  // one form, or a constant whose reorders are free
        heap_list<int> scope;
        dim_t entries = 1;
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at) {
            const int operation = costs_.need_at(at).operation;
            if (operation < 0) continue;
            const int v = costs_.variable_of[operation];
            bool known = tables_.count(v) == 1;
            for (const int other : scope) known = known || other == v;
            if (known) continue;
            scope.push_back(v);
            entries *= tables_.count(v);
            if (entries > cost_tables::most_entries) return add_by_sets(t);
        }
        add_whole(t, scope);
    }
    /// Adds one table over all operations that make or read the tensor.
    constexpr void add_whole(int t, const heap_list<int>& scope) {
        if (scope.empty()) add_table_of_nobody();
        else tables_.add_table(scope);
        form_sets sets(costs_, t);
        if (sets.fits() && !costs_.may_be_zeroed(t)) add_entries_by_set(t, scope, sets);
        else add_entries(t, scope);
    }
    /// Steps to the next values of the variables, the last fastest. Returns false after the last.
    constexpr bool next(const heap_list<int>& scope, heap_list<int>& digits) const {
        int k = scope.size() - 1;
        for (; k >= 0; digits[k--] = 0)
            if (++digits[k] < tables_.count(scope[k])) return true;
        return false;
    }
    constexpr void add_entries(int t, const heap_list<int>& scope) {
        heap_list<int> digits(scope.size(), 0), distinct;
        do {
            for (int i = 0; i < scope.size(); ++i) choice_[scope[i]] = alternatives_[first_[scope[i]] + digits[i]];
            costs_.collect_forms(t, choice_, distinct);
            tables_.push_entry(costs_.cost_of_forms(t, distinct) + costs_.cost_of_zeros(g_, t, choice_));
        } while (next(scope, digits));
    }
    /// Adds the entries of a table if only the set of forms matters: each value of a variable adds some forms.
    constexpr void add_entries_by_set(int t, const heap_list<int>& scope, form_sets& sets) {
        heap_list<int> begin, added, digits(scope.size(), 0);
        for (const int v : scope) {
            begin.push_back(added.size());
            added.resize(added.size() + tables_.count(v), 0);
        }
        int always = 0;  // the forms of single-valued variables, and the given or wanted form
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at) {
            const format_costs::need& n = costs_.need_at(at);
            const int v = n.operation < 0 ? -1 : costs_.variable_of[n.operation];
            int i = 0;
            while (i < scope.size() && scope[i] != v) ++i;
            if (i == scope.size()) always |= sets.bit_of(costs_.form_of(t, n, choice_));
            else
                for (int x = 0; x < tables_.count(v); ++x)
                    added[begin[i] + x] |= sets.bit_of(costs_.form(n.operation, n.port, alternatives_[first_[v] + x]));
        }
        if (scope.empty()) return tables_.push_entry(sets.cost(always));
        // The last variable has its own loop, because most of the time is spent there.
        heap_list<int> outer = scope;
        outer.pop_back();
        const int last = begin[scope.size() - 1], count = tables_.count(scope.back());
        do {
            int set = always;
            for (int i = 0; i < outer.size(); ++i) set |= added[begin[i] + digits[i]];
            dim_t* const entries = tables_.push_entries(count);
            const int* const more = added.begin() + last;
            for (int x = 0; x < count; ++x) entries[x] = sets.cost(set | more[x]);
        } while (next(outer, digits));
    }
    /// Adds a table over a variable of one value, for costs that no choice changes.
    constexpr void add_table_of_nobody() {
        heap_list<int> scope;
        scope.push_back(tables_.add_variable(1, -1));
        tables_.add_table(scope);
    }

    /// Adds a tensor with too many readers for one table: a variable chooses the set of its forms, and each need must
    /// be in the set. The bound is then not exact: a set may contain a form that nobody needs, if that is cheaper, and
    /// zeros in padding are not counted.
    constexpr void add_by_sets(int t) {
        form_sets forms(costs_, t);
        const bool was_left_out = std::exchange(leaves_out_, true);
        if (!forms.fits()) return;  // the bound then omits this tensor
        // The tensor is also omitted if sums of penalties could exceed 63 bits: 16 readers of a form of cost 2^59.
        const dim_t needs = costs_.needs_end(t) - costs_.needs_begin(t);
        if (costs_.worst_term[t] >= (most_cost - penalties_) / needs) return;
        leaves_out_ = was_left_out;
        by_sets_.push_back(t);
        penalties_ += needs * (costs_.worst_term[t] + 1);
        const int sets = (1 << forms.size()) - 1;
        heap_list<int> scope;
        const int set = tables_.add_variable(sets, -1);
        scope.push_back(set);
        tables_.add_table(scope);
        for (int s = 1; s <= sets; ++s) tables_.push_entry(forms.cost(s));
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at)
            add_need(t, costs_.need_at(at), set, forms);
    }
    constexpr void add_need(int t, const format_costs::need& n, int set, const form_sets& forms) {
        heap_list<int> scope;
        scope.push_back(set);
        const int v = n.operation < 0 ? -1 : costs_.variable_of[n.operation];
        if (v >= 0) scope.push_back(v);
        tables_.add_table(scope);
        for (int s = 1; s <= tables_.count(set); ++s)
            for (int x = 0; x < (v < 0 ? 1 : tables_.count(v)); ++x) {
                if (v >= 0) choice_[v] = alternatives_[first_[v] + x];
                const bool inside = (s & forms.bit_of(costs_.form_of(t, n, choice_))) != 0;
                tables_.push_entry(inside ? 0 : costs_.worst_term[t] + 1);
            }
    }
};

/// An alternative for each variable, the total cost, and a lower bound of all costs.
struct found_formats {
    heap_list<int> choice;  ///< by variable
    dim_t cost = most_cost;
    dim_t lower_bound = 0;
};

/// True if a cost exceeds a bound by at most `percent` hundredths of the bound.
///
/// Pre:     0 <= bound <= cost
/// Post:    (cost - bound) * 100 <= bound * percent, without overflow; a negative percent counts as 0
/// Example: is_within_percent(103, 101, 2), because 2 hundredths of 101 are 2.02
constexpr bool is_within_percent(dim_t cost, dim_t bound, int percent) {
    if (percent < 0) percent = 0;
    // If this exceeds 63 bits, it is more than any cost.
    const checked_integer most = checked_integer{bound / 100} * percent + bound % 100 * percent / 100;
    return !most.ok() || cost - bound <= most.value;
}

/// Runs branch and bound. The subproblem with the least bound is solved first.
///
/// Post:    if the bound reached the cost before most_nodes subproblems, the lexicographically first of the choices with
///          the least cost
template <class Storage>
constexpr found_formats search_formats(const basic_graph<Storage>& g, const format_costs& costs,
                                       const alternative_sets& sets) {
    found_formats best;
    struct node {
        alternative_sets sets;
        dim_t bound;
        int branch;
    };
    heap_list<node*> open;
    int nodes = 0;
    const auto is_before = [](const heap_list<int>& a, const heap_list<int>& b) {
        for (int i = 0; i < a.size(); ++i)
            if (a[i] != b[i]) return a[i] < b[i];
        return false;
    };
    const auto look_at = [&](const alternative_sets& here) {
        ++nodes;
        const format_subproblem<Storage> sub(g, costs, here);
        const dim_t cost = costs.total(g, sub.choice());
        if (cost < best.cost || (cost == best.cost && is_before(sub.choice(), best.choice))) {
            best.cost = cost;
            best.choice = sub.choice();
        }
        const bool exact = sub.is_exact(cost) || sub.branch() < 0;
        if (!exact && sub.bound() <= best.cost) open.push_back(new node{here, sub.bound(), sub.branch()});
    };
    look_at(sets);
    const int most_nodes = costs.options.most_nodes;
    while (!open.empty() && nodes < most_nodes) {
        int least = 0;
        for (int i = 0; i < open.size(); ++i)
            if (open[i]->bound < open[least]->bound) least = i;
        node* const here = open[least];
        if (here->bound < best.cost && is_within_percent(best.cost, here->bound, costs.options.within_percent)) break;
        open[least] = open.back();
        open.pop_back();
        for (int a = 0; here->bound <= best.cost && a < costs.alternatives_of[here->branch]; ++a) {
            if (!here->sets.has(here->branch, a)) continue;
            alternative_sets part = here->sets;
            part.keep_only(here->branch, a);
            look_at(part);
        }
        delete here;
    }
    best.lower_bound = best.cost;
    for (node* const left : open) {
        if (left->bound < best.lower_bound) best.lower_bound = left->bound;
        delete left;
    }
    return best;
}

}  // namespace plait::detail
