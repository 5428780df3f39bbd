#pragma once
// The least cost of a graph if a tensor were made in another layout.

#include <plait/graph/format_choice.hpp>
#include <plait/graph/format_search.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the port at which an operation writes a tensor.
///
/// Pre:     the operation writes it
constexpr int port_of_result(const any_graph auto& g, int operation, int tensor) {
    int port = g.operations[operation].sources;
    while (g.tensor_at(operation, port) != tensor) ++port;
    return port;
}

/// Returns the least cost if a tensor is made in another layout than the chosen one, found by a separate search.
/// Returns -1 if there is no other layout: the tensor is given, or all its operation's alternatives make it like this.
///
/// Cost:    that of choose_formats
template <class Storage>
constexpr dim_t cost_otherwise(const basic_graph<Storage>& g, const format_costs& costs,
                               const basic_choice<Storage>& chosen, int tensor) {
    const int producer = costs.order.producer[tensor];
    if (producer < 0) return -1;
    const int port = port_of_result(g, producer, tensor), v = costs.variable_of[producer];
    const int now = costs.form(producer, port, chosen.alternatives[producer]);
    alternative_sets sets(costs);
    for (int a = 0; a < costs.alternatives_of[v]; ++a)
        if (costs.form(producer, port, a) == now) sets.remove(v, a);
    return sets.size(v) == 0 ? -1 : search_formats(g, costs, sets).cost;
}

/// Returns cost_otherwise of each tensor: the cost of the graph if that tensor is made in another layout.
///
/// Pre:     chosen is choose_formats(g), and costs are those that it was chosen by
/// Post:    result[t] == cost_otherwise(g, costs, chosen, t)
/// Cost:    that of choose_formats if the costs of all choices fit in tables, as in chains, series-parallel graphs, and
///          tensors with many readers; else a search for each tensor
/// Source:  plait's own: one pass of elimination forward, and one back
/// Example: io/explain_choice.hpp
template <class Storage>
constexpr heap_list<dim_t> costs_otherwise(const basic_graph<Storage>& g, const format_costs& costs,
                                           const basic_choice<Storage>& chosen) {
    heap_list<dim_t> out(g.tensors.size(), -1), least;
    const format_subproblem<Storage> all(g, costs, alternative_sets(costs));
    const bool is_exact = all.is_exact_for_all();
    if (is_exact) least = all.least_costs();
    heap_list<int> first;  // by variable
    for (int v = 0, next = 0; v < costs.alternatives_of.size(); next += costs.alternatives_of[v++])
        first.push_back(next);
    for (int t = 0; t < g.tensors.size(); ++t) {
        const int producer = costs.order.producer[t];
        if (!is_exact) out[t] = cost_otherwise(g, costs, chosen, t);
        if (!is_exact || producer < 0) continue;
        const int port = port_of_result(g, producer, t), v = costs.variable_of[producer];
        const int now = costs.form(producer, port, chosen.alternatives[producer]);
        for (int a = 0; a < costs.alternatives_of[v]; ++a)
            if (costs.form(producer, port, a) != now && (out[t] < 0 || least[first[v] + a] < out[t]))
                out[t] = least[first[v] + a];
    }
    return out;
}

}  // namespace plait::detail
