#pragma once
// The formats chosen for a graph, as a picture.

#include <plait/graph/choose_formats.hpp>
#include <plait/io/drawing_options.hpp>
#include <plait/io/graph_names.hpp>
#include <plait/io/layered_drawing.hpp>
#include <plait/io/print.hpp>
#include <plait/io/text_table.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Draws a graph and its choice as boxes: tensors with their layout, reorders with their bytes, operations with their
/// cost, and views, which copy nothing.
template <class Storage>
class choice_drawing {
public:
    choice_drawing(const basic_graph<Storage>& g, const basic_choice<Storage>& chosen, const graph_names& names)
        : g_(g), chosen_(chosen), names_(names) {
        for (int t = 0; t < g.tensors.size(); ++t) tensors_.push_back(add_tensor(t));
        for (int i = 0; i < g.operations.size(); ++i) operations_.push_back(add_operation(i));
        for (int r = 0; r < chosen.reorders.size(); ++r) reorders_.push_back(add_reorder(r));
        for (int r = 0; r < chosen.reorders.size(); ++r)
            drawing_.connect(find(chosen.reorders[r].tensor.number, chosen.reorders[r].from, -1, r),
                             reorders_[static_cast<std::size_t>(r)], chosen.reorders[r].is_ahead ? "dashed" : "");
        for (int i = 0; i < g.operations.size(); ++i) connect_ports(i);
    }
    std::string svg() {
        return drawing_.svg(
            grouped(chosen_.cost, "byte") +
            (chosen_.is_optimal ? ", the least there is; " : ", at least " + grouped(chosen_.lower_bound) + "; ") +
            grouped(chosen_.peak_bytes, "byte") + " at the peak");
    }

private:
    const basic_graph<Storage>& g_;
    const basic_choice<Storage>& chosen_;
    const graph_names& names_;
    layered_drawing drawing_;
    std::vector<int> tensors_, operations_, reorders_;  // numbers of their boxes

    std::string format(int tensor, int number) const {
        return format_text(names_.layout(tensor, to_string(chosen_.layout_in({tensor}, number))));
    }
    static std::string format_text(const std::string& text) { return text.substr(0, text.find(' ')); }
    int add_tensor(int t) {
        const graph_tensor& tensor = g_.tensors[t];
        return drawing_.add(
            "tensor", {"tensor " + names_.tensor(t), to_string(tensor.type) + std::string(" ") + to_string(tensor.dims),
                       format(t, chosen_.tensor_formats[t]) + (tensor.is_constant ? ", constant" : "")});
    }
    /// Returns e.g. "eltwise relu1"; if the name of the operation is its kind, it appears only once.
    std::string called(const std::string& kind, int i) const {
        return kind == names_.operation(i) ? kind : kind + ' ' + names_.operation(i);
    }
    int add_operation(int i) {
        const graph_operation& o = g_.operations[i];
        if (const graph_view* const what = g_.view_of(i))
            return drawing_.add("view", {called(to_string(what->kind), i), "no copy"});
        return drawing_.add("operation",
                            {called(to_string(o.kind), i), "alternative " + std::to_string(chosen_.alternatives[i])});
    }
    int add_reorder(int r) {
        const graph_reorder& one = chosen_.reorders[r];
        return drawing_.add("reorder", {format(one.tensor.number, one.from) + " → " + format(one.tensor.number, one.to),
                                        grouped(one.bytes, "byte") + (one.is_ahead ? ", ahead" : "")});
    }
    /// Returns the box of a tensor in a format: that of a reorder before `before`, otherwise the tensor's own.
    int find(int tensor, int number, int port, int before) const {
        for (int r = before - 1; r >= 0; --r) {
            const graph_reorder& one = chosen_.reorders[r];
            if (one.tensor.number != tensor) continue;
            const bool fits = one.into >= 0 && port >= 0 && g_.operations[operation_at(port)].view >= 0
                                  ? one.into == port
                                  : is_same(tensor, one.to, number) && !is_same(tensor, one.from, one.to);
            if (fits) return reorders_[static_cast<std::size_t>(r)];
        }
        return tensors_[static_cast<std::size_t>(tensor)];
    }
    int operation_at(int port) const {
        int i = 0;
        while (g_.operations[i].first_port + g_.operations[i].ports() <= port) ++i;
        return i;
    }
    bool is_same(int tensor, int one, int other) const {
        layout a = chosen_.layout_in({tensor}, one), b = chosen_.layout_in({tensor}, other);
        for (layout* l : {&a, &b}) l->offset0 -= l->span_begin();
        return one == other || (same_memory(a, b) && a.element_span() == b.element_span());
    }
    void connect_ports(int i) {
        const graph_operation& o = g_.operations[i];
        const int box = operations_[static_cast<std::size_t>(i)];
        for (int p = 0; p < o.sources; ++p)
            drawing_.connect(find(g_.tensor_at(i, p), chosen_.port_formats[o.first_port + p], o.first_port + p,
                                  chosen_.reorders.size()),
                             box);
        for (int p = o.sources; p < o.ports(); ++p)
            drawing_.connect(box, tensors_[static_cast<std::size_t>(g_.tensor_at(i, p))]);
    }
};
}  // namespace detail

/// Returns the picture of a choice as SVG, with colours for light and dark pages.
///
/// Pre:     chosen == choose_formats(g, options) for some options
/// Post:    each tensor, operation and reorder has a box; the same choice gives the same text
/// Cost:    allocates
/// Source:  SVG 1.1; for the content, spec semantics 16
/// Example: test/io/draw_choice.cpp
template <class Storage>
std::string draw(const basic_graph<Storage>& g, const basic_choice<Storage>& chosen, const graph_names& names = {}) {
    return detail::choice_drawing<Storage>(g, chosen, names).svg();
}

}  // namespace plait
