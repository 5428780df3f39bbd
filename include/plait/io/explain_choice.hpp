#pragma once
// The formats chosen for a graph, as text: operations, tensors with the next best choice, reorders, memory.

#include <plait/graph/choose_formats.hpp>
#include <plait/graph/costs_otherwise.hpp>
#include <plait/io/graph_names.hpp>
#include <plait/io/print.hpp>
#include <plait/io/text_table.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns when a tensor is reordered or zeroed: a constant ahead of time, an input before all operations, any other
/// tensor after the operation `behind`.
inline std::string time_of(bool is_ahead, int behind, const graph_names& names) {
    if (is_ahead) return "ahead of time";
    return behind < 0 ? "before all" : "behind operation " + names.operation(behind);
}

/// Returns the formats that were compared: those named in a graph, and the layouts given to it.
std::string formats_compared(const any_graph auto& g, const graph_names& names) {
    std::string text;
    for (const format_tag& tag : g.formats) {
        layout_name name;
        append_tag(name, tag, axis_families[0].letters);
        text += (text.empty() ? "" : ", ") + names.layout(-1, name.c_str());
    }
    if (!g.layouts.empty()) text += (text.empty() ? "" : ", ") + count_of(g.layouts.size(), "layout") + " with strides";
    return text;
}
}  // namespace detail

/// Returns a choice as text: the operations with their formats and costs, the tensors with the extra cost of the next
/// best choice, the zeros written into padding, the reorders in order, and the memory at the peak.
///
/// Pre:     chosen == choose_formats(g, options)
/// Post:    each operation, tensor and reorder has a line; the line of a view states that nothing is copied
/// Cost:    as costs_otherwise; allocates
/// Source:  spec semantics 16
/// Example: test/io/explain_choice.cpp
template <class Storage>
std::string explain(const basic_graph<Storage>& g, const basic_choice<Storage>& chosen,
                    const cost_options& options = {}, const graph_names& names = {}) {
    const detail::format_costs costs(g, options);
    const auto tag = [&](int tensor, int format) {
        return format < 0 ? std::string("any") : names.layout(tensor, to_string(chosen.layout_in({tensor}, format)));
    };
    const std::string least =
        chosen.is_optimal ? "the least there is" : "at least " + std::to_string(chosen.lower_bound);
    std::string out = detail::line_of("cost", detail::count_of(chosen.cost, "byte") + ", " + least +
                                                  " with these formats: " + detail::formats_compared(g, names));
    out += detail::line_of("peak", detail::count_of(chosen.peak_bytes, "byte"));
    detail::text_table operations, tensors, zeroings, reorders;
    for (const int i : chosen.order) {
        const detail::graph_operation& o = g.operations[i];
        std::string ports;
        for (int p = 0; p < o.ports(); ++p)
            ports += (p == 0           ? ""
                      : p == o.sources ? " -> "
                                       : ", ") +
                     names.tensor(g.tensor_at(i, p)) + ' ' +
                     tag(g.tensor_at(i, p), chosen.port_formats[o.first_port + p]);
        const graph_view* const seen = g.view_of(i);
        operations.add_row(
            {names.operation(i), (seen != nullptr ? to_string(seen->kind) : to_string(o.kind)) + std::string(" of"),
             ports, seen != nullptr ? "view" : "alternative " + std::to_string(chosen.alternatives[i]),
             seen != nullptr ? "no copy" : detail::count_of(costs.cost(i, chosen.alternatives[i]), "byte")});
    }
    const detail::heap_list<dim_t> others = detail::costs_otherwise(g, costs, chosen);
    for (int t = 0; t < g.tensors.size(); ++t) {
        const dim_t otherwise = others[t];
        tensors.add_row(
            {names.tensor(t), to_string(g.tensors[t].type) + std::string(" ") + tag(t, chosen.tensor_formats[t]),
             otherwise < 0 ? "no other layout"
                           : "another layout: " + detail::count_of(otherwise - chosen.cost, "byte") + " more"});
    }
    for (const graph_reorder& r : chosen.reorders)
        reorders.add_row({names.tensor(r.tensor.number),
                          tag(r.tensor.number, r.from) + " -> " + tag(r.tensor.number, r.to),
                          detail::count_of(r.bytes, "byte"), detail::time_of(r.is_ahead, r.behind, names)});
    for (const graph_zeroing& z : chosen.zeroings)
        zeroings.add_row({names.tensor(z.tensor.number), "padding of " + tag(z.tensor.number, z.format),
                          detail::count_of(z.bytes, "byte"), detail::time_of(z.is_ahead, z.behind, names)});
    out += operations.text("operation") + tensors.text("tensors");
    if (!chosen.zeroings.empty()) out += zeroings.text("zeros");
    return out + reorders.text("reorders");
}

/// Returns the text of a choice that is a type, for graph_c<g>.
template <class Chosen>
    requires std::same_as<std::remove_cvref_t<decltype(Chosen::value)>, format_choice> std::string explain(
        const graph& g, const Chosen&, const cost_options& options = {}, const graph_names& names = {}) {
        return explain(g, Chosen::value, options, names);
    }

}  // namespace plait
