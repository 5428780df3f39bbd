#pragma once
// Chooses the formats of a graph such that its operations and the reorders between them cost least.

#include <plait/core/expected.hpp>
#include <plait/graph/format_choice.hpp>
#include <plait/graph/format_search.hpp>
#include <plait/graph/memory_peak.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Writes a found choice as a basic_choice: formats, reorders, memory.
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
            for (int p = 0; p < g.operations[i].ports(); ++p)
                out.port_formats.push_back(written(costs.format(i, p, a)));
        }
        for (int t = 0; t < g.tensors.size(); ++t)
            out.tensor_formats.push_back(written(format_needed(t, costs.first_need(g, t, choice))));
        write_reorders();
        write_parts();
        write_zeroings();
        out.peak_bytes = memory_peak<Storage>(g, costs, choice).bytes;
    }
    /// True if all layouts fit into the choice.
    constexpr bool fits() const { return fits_; }

private:
    const basic_graph<Storage>& g_;
    const format_costs& costs_;
    const heap_list<int>& choice_;
    basic_choice<Storage>& out_;
    heap_list<int> numbers_;  // by layout of the solver: its number in the choice, from 1
    bool fits_ = true;

    /// Returns the number of a format in the choice. A layout is added when it is first needed.
    constexpr int written(int format) {
        if (format < max_graph_formats) return format;
        if (numbers_.empty()) numbers_.resize(costs_.forms.layouts(), 0);
        int& number = numbers_[format - max_graph_formats];
        if (number == 0 && out_.layouts.full()) fits_ = false;
        else if (number == 0) {
            out_.layouts.push_back(costs_.forms.layout_at(format));
            number = out_.layouts.size();
        }
        return max_graph_formats + number - 1;
    }
    constexpr int format_needed(int tensor, const format_costs::need& n) const {
        if (n.operation < 0) return g_.tensors[tensor].format;
        return costs_.format(n.operation, n.port, choice_[costs_.variable_of[n.operation]]);
    }
    constexpr dim_t bytes_of(int tensor, int form) const {
        return bytes_of_elements(size_in_bits(g_.tensors[tensor].type), {costs_.forms[form].moved}).value;
    }

    constexpr void write_reorders() {
        for (int t = 0; t < g_.tensors.size(); ++t)
            if (g_.tensors[t].is_constant) write_reorders_of(t);
        for (const bool ahead : {true, false}) write_reorders_behind(ahead);
    }
    constexpr void write_reorders_behind(bool ahead) {
        for (int t = 0; !ahead && t < g_.tensors.size(); ++t)
            if (!g_.tensors[t].is_constant && costs_.order.producer[t] < 0) write_reorders_of(t);
        for (const int i : costs_.order.operations)
            for (int p = g_.operations[i].sources; p < g_.operations[i].ports(); ++p)
                if ((costs_.order.constant[g_.tensor_at(i, p)] != 0) == ahead) write_reorders_of(g_.tensor_at(i, p));
    }
    constexpr void write_reorders_of(int t) {
        heap_list<int> distinct, formats, parent, sequence;
        costs_.collect_from_first(g_, t, choice_, distinct);
        if (distinct.size() < 2) return;
        formats.resize(distinct.size(), -1);
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at)
            for (int k = 0; k < distinct.size(); ++k)
                if (formats[k] < 0 && distinct[k] == costs_.form_of(t, costs_.need_at(at), choice_))
                    formats[k] = format_needed(t, costs_.need_at(at));
        costs_.cost_of_forms(t, distinct, &parent, &sequence);
        for (const int k : sequence)
            basic_graph<Storage>::add(out_.reorders,
                                      graph_reorder{{t},
                                                    g_.tensors[t].type,
                                                    written(formats[parent[k]]),
                                                    written(formats[k]),
                                                    bytes_of(t, distinct[parent[k]]) + bytes_of(t, distinct[k]),
                                                    costs_.order.producer[t],
                                                    costs_.order.constant[t] != 0,
                                                    port_of_whole(t, distinct[k])});
    }

    constexpr void write_zeroings() {
        for (int t = 0; t < g_.tensors.size(); ++t) {
            const int form = costs_.zeroed_form(g_, t, choice_);
            if (form < 0) continue;
            const dim_t padding = costs_.padding_of(g_.tensors[t], form);
            const dim_t bytes = bytes_of_elements(size_in_bits(g_.tensors[t].type), {padding}).value;
            if (bytes == 0) continue;
            out_.zeroings.push_back(
                {{t}, out_.tensor_formats[t], bytes, costs_.order.producer[t], costs_.order.constant[t] != 0});
        }
    }

    /// Returns the port of a concatenation that reads a tensor in this form inside the memory of its result; or -1.
    constexpr int port_of_whole(int t, int form) const {
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at) {
            const format_costs::need& n = costs_.need_at(at);
            if (n.operation < 0 || costs_.form_of(t, n, choice_) != form) continue;
            if (!g_.joins(n.operation) || n.port == g_.whole_port(n.operation)) continue;
            const int port = g_.operations[n.operation].first_port + n.port;
            if (costs_.order.whole_at[t] == port || costs_.forms[form].place >= 0) return port;
        }
        return -1;
    }
    constexpr void write_parts() {
        for (int i = 0; i < g_.operations.size() && !g_.views.empty(); ++i) {
            if (g_.operations[i].view < 0) continue;
            const int whole = g_.whole_port(i);
            const layout l = out_.layout_in({g_.tensor_at(i, whole)}, port_format(i, whole));
            for (int p = 0; p < g_.operations[i].ports(); ++p)
                if (p != whole)
                    basic_graph<Storage>::add(
                        out_.parts, graph_part{i, p, view_of_layout(g_, i, l, p)->span_begin() - l.span_begin()});
        }
    }
    constexpr int port_format(int i, int p) const { return out_.port_formats[g_.operations[i].first_port + p]; }
};

/// Returns the choice for a graph, or the reason why it is refused.
template <class Storage>
constexpr expected<basic_choice<Storage>> make_choice(const basic_graph<Storage>& g, const cost_options& options) {
    const format_costs costs(g, options);
    expected<basic_choice<Storage>> out;
    out.error() = costs.why;
    if (!out) return out;
    const found_formats found = search_formats(g, costs, alternative_sets(costs));
    out->cost = found.cost;
    out->lower_bound = found.lower_bound;
    out->is_optimal = found.cost == found.lower_bound;
    const choice_writer<Storage> written(g, costs, found.choice, *out);
    if (!written.fits()) out.error() = {reason::graph_is_full, -1, out->layouts.size()};
    return out;
}
}  // namespace detail

/// Checks that formats can be chosen for a graph: its parts fit together, each operation has an alternative, and costs
/// do not overflow.
///
/// Refused: tensor_is_unknown, tensor_has_two_producers, tensor_is_given_and_made, graph_has_cycle, port_rank_differs,
/// port_extents_differ, port_cannot_have_format, ports_do_not_match, port_has_no_format, propagation_does_not_apply,
/// hint_does_not_fit, operation_has_no_alternative, in_place_does_not_fit, tensor_format_is_open, costs_overflow,
/// tensor_cost_overflows, cost_option_is_negative; what check_layout refuses for the layout of a tensor;
/// dim_is_dynamic, layout_is_undefined for a tensor without axes or format; layout_is_not_injective for a given layout;
/// view_does_not_fit, data_types_differ for a view
/// Pre:     none; any graph made by the functions of graph.hpp
/// Post:    if ok, try_choose_formats(g, options) has a value, unless the choice is too large for it: graph_is_full
/// Cost:    that of the tables of costs; no search
/// Source:  spec semantics 16
/// Example: check_graph(g).reason == reason::graph_has_cycle
template <class Storage>
constexpr verdict check_graph(const basic_graph<Storage>& g, const cost_options& options = {}) {
    return detail::format_costs(g, options).why;
}

/// Chooses an alternative for each operation such that alternatives and reorders cost least, in bytes.
///
/// A reorder of a tensor is made once for all its readers. Reorders of constants cost their share of a run. The result
/// is the same in a constant expression and at run time.
///
/// Pre:     check_graph(g, options).ok()
/// Post:    cost is the sum of the chosen alternatives' costs and, for each tensor, of a minimum spanning tree over its
///          forms; if is_optimal, the choice is the lexicographically first of those with the least cost
/// Cost:    exact in time n log n in the operations if few tensors cross from one part to another, as in chains and
///          series-parallel graphs, in any order of adding them; else up to most_nodes subproblems
/// Source:  spec semantics 16
/// Example: test/northstar/07_formats.cpp
template <class Storage>
[[nodiscard]] constexpr basic_choice<Storage> choose_formats(const basic_graph<Storage>& g,
                                                             const cost_options& options = {}) {
    return detail::make_choice(g, options).value();
}

/// Returns choose_formats(g, options), or the reason why check_graph refuses it. Also refused: graph_is_full.
///
/// Pre:     none; as check_graph
/// Post:    try_choose_formats(g, options).error() == check_graph(g, options) if that is not ok; otherwise, if there is
///          a value, it is choose_formats(g, options)
/// Cost:    as choose_formats
/// Source:  spec semantics 16
/// Example: if (const auto chosen = try_choose_formats(g)) use(chosen->layout_of(image))
template <class Storage>
[[nodiscard]] constexpr expected<basic_choice<Storage>> try_choose_formats(const basic_graph<Storage>& g,
                                                                           const cost_options& options = {}) {
    return detail::make_choice(g, options);
}

}  // namespace plait
