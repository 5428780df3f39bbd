#pragma once
// The formats of a graph, chosen such that its operations and the reorders between them cost least.

#include <plait/core/expected.hpp>
#include <plait/graph/format_search.hpp>

namespace plait {

/// A reorder of one tensor, behind the operation that makes it; or ahead of time.
struct graph_reorder {
    tensor_id tensor;
    data_type type = data_type::undef;
    int from = -1, to = -1;  ///< formats of the graph
    dim_t bytes = 0;         ///< read and written
    int behind = -1;         ///< the operation whose result it is; -1 of what is given
    bool is_ahead = false;   ///< of a constant: once, ahead of time
    constexpr bool operator==(const graph_reorder&) const = default;
};

/// Zeros to be written into the padding of a tensor, in the form in which it is made or given.
struct graph_zeroing {
    tensor_id tensor;
    int format = -1;        ///< of the graph
    dim_t bytes = 0;        ///< of padding
    int behind = -1;        ///< the operation whose result it is; -1 of what is given
    bool is_ahead = false;  ///< of a constant: once, ahead of time
    constexpr bool operator==(const graph_zeroing&) const = default;
};

/// What was chosen for a graph: a structural value, as the graph is.
///
/// Post:    lower_bound <= the least cost <= cost; is_optimal == (lower_bound == cost)
template <class Storage>
struct basic_choice {
    template <class T, int Capacity>
    using list = typename Storage::template list<T, Capacity>;

    bool is_optimal = false;
    dim_t cost = 0;                     ///< alternatives and reorders, in bytes
    dim_t lower_bound = 0;              ///< no choice costs less
    dim_t peak_bytes = 0;               ///< of all tensors that are there at once
    list<int, 64> alternatives;         ///< by operation, counted from 0
    list<int, 320> port_formats;        ///< by port of the graph: the format that the operation has there
    list<int, 160> tensor_formats;      ///< by tensor: that in which it is made or given
    list<graph_tensor, 160> tensors;    ///< those of the graph
    list<graph_reorder, 256> reorders;  ///< in the order in which they are made, constants first
    list<graph_zeroing, 160> zeroings;  ///< before the reorders of the same tensor
    list<int, 64> order;                ///< the operations in the order in which they run
    inline_list<format_tag, max_graph_formats> formats;

    /// The layout in which a tensor is made by its operation, or given.
    constexpr layout layout_of(tensor_id t) const { return layout_in(t, tensor_formats[t.number]); }
    /// The layout of a tensor in a format of the graph.
    constexpr layout layout_in(tensor_id t, int format) const {
        return layout(tensors[t.number].dims, formats[format]);
    }
    constexpr layout from(const graph_reorder& r) const { return layout_in(r.tensor, r.from); }
    constexpr layout to(const graph_reorder& r) const { return layout_in(r.tensor, r.to); }
    /// All that the reorders read and write, in bytes; without those that are made ahead of time.
    constexpr dim_t bytes_moved() const {
        dim_t sum = 0;
        for (const graph_reorder& r : reorders) sum += r.is_ahead ? 0 : r.bytes;
        return sum;
    }
    constexpr bool operator==(const basic_choice&) const = default;
};

using format_choice = basic_choice<inline_storage>;

/// Writes down what a choice means: formats, reorders, memory.
template <class Storage>
class choice_writer {
public:
    constexpr choice_writer(const basic_graph<Storage>& g, const format_costs& costs, const heap_list<int>& choice,
                            basic_choice<Storage>& out)
        : g_(g), costs_(costs), choice_(choice), out_(out) {
        for (const graph_tensor& tensor : g.tensors) out.tensors.push_back(tensor);
        out.formats = g.formats;
        for (const int i : costs.order.operations) out.order.push_back(i);
        for (int i = 0; i < g.operations.size(); ++i) {
            const int a = choice[costs.variable_of[i]];
            out.alternatives.push_back(a);
            for (int p = 0; p < g.operations[i].ports(); ++p) out.port_formats.push_back(costs.format(i, p, a));
        }
        for (int t = 0; t < g.tensors.size(); ++t) out.tensor_formats.push_back(format_needed(t, costs.needs_begin(t)));
        write_reorders();
        write_zeroings();
        measure_peak();
    }

private:
    const basic_graph<Storage>& g_;
    const format_costs& costs_;
    const heap_list<int>& choice_;
    basic_choice<Storage>& out_;

    constexpr int format_needed(int tensor, int at) const {
        const format_costs::need& n = costs_.need_at(at);
        if (n.operation < 0) return g_.tensors[tensor].format;
        return costs_.format(n.operation, n.port, choice_[costs_.variable_of[n.operation]]);
    }
    constexpr dim_t bytes_of(int tensor, int form) const {
        return costs_.forms[form].span * size_in_bytes(g_.tensors[tensor].type);
    }

    constexpr void write_reorders() {
        for (int t = 0; t < g_.tensors.size(); ++t)
            if (g_.tensors[t].is_constant) write_reorders_of(t);
        for (int t = 0; t < g_.tensors.size(); ++t)
            if (!g_.tensors[t].is_constant && costs_.order.producer[t] < 0) write_reorders_of(t);
        for (const int i : costs_.order.operations)
            for (int p = g_.operations[i].sources; p < g_.operations[i].ports(); ++p)
                write_reorders_of(g_.tensor_at(i, p));
    }
    constexpr void write_reorders_of(int t) {
        heap_list<int> distinct, formats, parent, sequence;
        costs_.collect_forms(t, choice_, distinct);
        if (distinct.size() < 2) return;
        formats.resize(distinct.size(), -1);
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at)
            for (int k = 0; k < distinct.size(); ++k)
                if (formats[k] < 0 && distinct[k] == costs_.form_of(t, costs_.need_at(at), choice_))
                    formats[k] = format_needed(t, at);
        costs_.cost_of_forms(g_.tensors[t], distinct, &parent, &sequence);
        for (const int k : sequence)
            basic_graph<Storage>::add(out_.reorders,
                                      graph_reorder{{t},
                                                    g_.tensors[t].type,
                                                    formats[parent[k]],
                                                    formats[k],
                                                    bytes_of(t, distinct[parent[k]]) + bytes_of(t, distinct[k]),
                                                    costs_.order.producer[t],
                                                    g_.tensors[t].is_constant});
    }

    constexpr void write_zeroings() {
        for (int t = 0; t < g_.tensors.size(); ++t) {
            if (!costs_.is_zeroed(g_, t, choice_)) continue;
            const int form = costs_.form_of(t, costs_.need_at(costs_.needs_begin(t)), choice_);
            const dim_t bytes = costs_.padding_of(g_.tensors[t], form) * size_in_bytes(g_.tensors[t].type);
            if (bytes == 0) continue;
            out_.zeroings.push_back(
                {{t}, out_.tensor_formats[t], bytes, costs_.order.producer[t], g_.tensors[t].is_constant});
        }
    }

    /// Time 0 is before all, 2 k + 1 when the operation at place k runs, 2 k + 2 when its results are reordered. A form
    /// is there from when it is made until it is read for the last time; constants in the forms that are read, and what
    /// is wanted or read by nobody, until the end.
    constexpr void measure_peak() {
        const int n = g_.operations.size();
        heap_list<dim_t> change(2 * n + 2, 0);
        heap_list<int> runs_at(n, 0);
        for (int k = 0; k < n; ++k) runs_at[costs_.order.operations[k]] = 2 * k + 1;
        heap_list<int> distinct;
        for (int t = 0; t < g_.tensors.size(); ++t) {
            costs_.collect_forms(t, choice_, distinct);
            for (int k = 0; k < distinct.size(); ++k)
                add_interval(t, distinct[k], k == 0, distinct.size() > 1, runs_at, change);
        }
        dim_t there = 0;
        for (const dim_t step : change) {
            there += step;
            if (there > out_.peak_bytes) out_.peak_bytes = there;
        }
    }
    constexpr void add_interval(int t, int form, bool is_first, bool is_reordered, const heap_list<int>& runs_at,
                                heap_list<dim_t>& change) const {
        const int last = change.size() - 2, producer = costs_.order.producer[t];
        const int made = producer < 0 ? 0 : runs_at[producer];
        const int begin = is_first || producer < 0 ? made : made + 1;
        int end = is_reordered && producer >= 0 ? made + 1 : begin;
        bool is_read = false, is_taken_over = false;
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at) {
            const format_costs::need& n = costs_.need_at(at);
            if (costs_.form_of(t, n, choice_) != form) continue;
            if (n.operation < 0) {
                if (producer >= 0) end = last;  // wanted
            } else if (n.port < g_.operations[n.operation].sources) {
                is_read = true;
                if (runs_at[n.operation] > end) end = runs_at[n.operation];
                is_taken_over = is_taken_over || g_.operations[n.operation].in_place == n.port;
            }
        }
        const bool is_constant = g_.tensors[t].is_constant;
        if (is_constant && !is_read) return;  // left behind ahead of time
        if (is_constant || costs_.order.readers[t] == 0) end = last;
        change[begin] += bytes_of(t, form);
        change[is_taken_over ? end : end + 1] -= bytes_of(t, form);  // its memory is the result's from then on
    }
};

template <class Storage>
constexpr expected<basic_choice<Storage>> make_choice(const basic_graph<Storage>& g, const cost_options& options) {
    const format_costs costs(g, options);
    expected<basic_choice<Storage>> out;
    out.why = costs.why;
    if (!out.why.ok()) return out;
    const found_formats found = search_formats(g, costs, alternative_sets(costs));
    out.made.cost = found.cost;
    out.made.lower_bound = found.lower_bound;
    out.made.is_optimal = found.cost == found.lower_bound;
    const choice_writer<Storage> written(g, costs, found.choice, out.made);
    return out;
}

/// Whether formats can be chosen for a graph: its parts fit together, each operation has an alternative, costs fit.
///
/// Refused: tensor_is_unknown, tensor_has_two_producers, tensor_is_given_and_made, graph_has_cycle, port_rank_differs,
/// port_cannot_have_format, ports_do_not_match, port_has_no_format, propagation_does_not_apply, hint_does_not_fit,
/// operation_has_no_alternative, in_place_does_not_fit, tensor_format_is_open, costs_overflow, tensor_cost_overflows;
/// what check_layout says against the layout of a tensor
/// Example: check_graph(g).reason == reason::graph_has_cycle
template <class Storage>
constexpr verdict check_graph(const basic_graph<Storage>& g, const cost_options& options = {}) {
    return format_costs(g, options).why;
}

/// Chooses an alternative for each operation such that alternatives and reorders cost least, in bytes.
///
/// A tensor's reorders are made once, whoever needs them; those of constants cost their share of a run. The same code
/// runs in a constant expression and at run time, with the same answer.
///
/// Pre:     check_graph(g, options).ok()
/// Post:    cost is the sum of the chosen alternatives' costs and, for each tensor, of a least spanning tree over the
///          forms that it takes; where is_optimal, of the choices with the least cost the lexicographically first
/// Cost:    exact in time linear in the operations where few tensors cross from one part to another, as in chains and
///          series-parallel graphs; else up to most_nodes subproblems
/// Source:  spec semantics 16
/// Example: test/graph/northstar.cpp
template <class Storage>
[[nodiscard]] constexpr basic_choice<Storage> choose_formats(const basic_graph<Storage>& g,
                                                             const cost_options& options = {}) {
    expected<basic_choice<Storage>> made = make_choice(g, options);
    require(made.why);
    return std::move(made.made);
}

/// choose_formats(g, options), or what check_graph says against it.
template <class Storage>
[[nodiscard]] constexpr expected<basic_choice<Storage>> try_choose_formats(const basic_graph<Storage>& g,
                                                                           const cost_options& options = {}) {
    return make_choice(g, options);
}

}  // namespace plait
