#pragma once
// Searches for the alternatives that cost least. Tables of costs are minimised; if that gives only a bound, branch and
// bound restricts the alternatives of single variables.

#include <plait/graph/format_subproblem.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
