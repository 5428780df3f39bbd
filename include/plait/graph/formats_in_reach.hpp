#pragma once
// Finds the formats and layouts that may reach an operation without formats of its own: an operation that takes the
// formats of the tensors around it, or a view.

#include <plait/graph/graph_forms.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A set of formats of a graph.
using format_set = std::uint64_t;

/// The formats and layouts, by number, in which a tensor may be.
struct reached_formats {
    format_set tags = 0;
    heap_list<int> layouts;

    constexpr bool has(int number) const {
        if (number < max_graph_formats) return (tags >> number & 1) != 0;
        for (const int known : layouts)
            if (known == number) return true;
        return false;
    }
    /// Adds a format or layout. Returns true if it is new.
    constexpr bool add(int number) {
        if (has(number)) return false;
        if (number < max_graph_formats) tags |= format_set{1} << number;
        else layouts.push_back(number);
        return true;
    }
};

/// The formats that may reach each operation without formats of its own. They start from the formats in which tensors
/// are given or wanted, and from those of kernels at their ports. They pass through operations that follow their
/// tensors, and through views as the algebra transforms layouts. A view that may refuse a layout also gets the plain
/// one, so that each view has an alternative.
template <class Storage>
class formats_in_reach {
public:
    constexpr formats_in_reach(const basic_graph<Storage>& g, const graph_order& order, graph_forms& forms)
        : g_(g), forms_(forms) {
        reach_.resize(g.tensors.size());
        seen_.resize(g.views.size());
        for (int t = 0; t < g.tensors.size(); ++t)
            if (g.tensors[t].format >= 0) reach_[t].add(g.tensors[t].format);
        for (int i = 0; i < g.operations.size(); ++i)
            for (int a = g.operations[i].first_alternative; a >= 0; a = g.alternatives[a].next)
                for (int p = 0; p < g.operations[i].ports(); ++p)
                    reach_[g.tensor_at(i, p)].add(g.port_formats[g.alternatives[a].first_format + p]);
        for (int i = 0; i < g.operations.size() && !g.views.empty(); ++i) add_plain(i);
        follow_all(order);
    }
    constexpr const reached_formats& operator[](int tensor) const { return reach_[tensor]; }
    /// The most layouts that may reach one tensor; beyond that, graph_is_full. Two permutations of 12 axes, applied one
    /// after the other and added, would otherwise produce all 479,001,600 orders of axes.
    static constexpr int most_layouts = 512;
    verdict why;

private:
    const basic_graph<Storage>& g_;
    graph_forms& forms_;
    heap_list<reached_formats> reach_;  // by tensor
    struct looked_through {
        reached_formats from, back;
    };
    heap_list<looked_through> seen_;  // by view
    heap_list<int> grown_;            // tensors with new formats since an operation was last visited

    /// Passes formats through the operations in rounds. A round visits only operations with a tensor that has new
    /// formats, so that no operation passes a format on twice.
    constexpr void follow_all(const graph_order& order) {
        const int n = order.operations.size();
        // For each tensor, the places of the operations that have it at a port and have no formats of their own.
        heap_list<int> first(g_.tensors.size() + 1, 0), places;
        for (const bool counts : {true, false}) {
            heap_list<int> next = first;
            for (int k = 0; k < n; ++k) {
                const graph_operation& o = g_.operations[order.operations[k]];
                if (o.first_alternative >= 0) continue;
                for (int p = 0; p < o.ports(); ++p)
                    if (const int t = g_.tensor_at(order.operations[k], p); counts) ++first[t + 1];
                    else places[next[t]++] = k;
            }
            for (int t = 0; counts && t < g_.tensors.size(); ++t) first[t + 1] += first[t];
            if (counts) places.resize(first[g_.tensors.size()], 0);
        }
        heap_list<int> waits(n, 0);
        least_first<dim_t> next;  // round * n + place
        for (int k = 0; k < n; ++k)
            if (g_.operations[order.operations[k]].first_alternative < 0) next.push(k), waits[k] = 1;
        while (!next.empty() && why.ok()) {
            const dim_t at = next.pop();
            const int here = static_cast<int>(at % n), i = order.operations[here];
            waits[here] = 0;
            grown_.clear();
            if (g_.operations[i].view >= 0) look_through(i);
            else hand_on(i);
            for (const int t : grown_)
                for (int k = first[t]; k < first[t + 1]; ++k) {
                    if (waits[places[k]]++ != 0) continue;
                    next.push(at / n * n + places[k] + (places[k] > here ? 0 : n));
                }
        }
    }
    constexpr void add_plain(int i) {
        const graph_view* const what = g_.view_of(i);
        if (what == nullptr || what->kind == view_kind::permute_axes) return;
        const int t = g_.tensor_at(i, g_.whole_port(i));
        const dims& extents = g_.tensors[t].dims;
        if (const expected<layout> plain = identity_of(extents); plain.has_value()) add(t, *plain);
    }
    constexpr void add(int tensor, const layout& l) {
        if (const int number = forms_.number_of(g_, tensor, l); number >= 0) add(tensor, number);
    }
    constexpr void add(int tensor, int number) {
        reached_formats& here = reach_[tensor];
        if (here.layouts.size() >= most_layouts && !here.has(number)) why = {reason::graph_is_full, -1, most_layouts};
        else if (here.add(number)) grown_.push_back(tensor);
    }
    constexpr void add_tags(int tensor, format_set tags) {
        if ((reach_[tensor].tags | tags) == reach_[tensor].tags) return;
        reach_[tensor].tags |= tags;
        grown_.push_back(tensor);
    }
    /// Passes formats to all ports of an operation that follows. A layout only goes to tensors of its extents.
    constexpr void hand_on(int i) {
        const int ports = g_.operations[i].ports();
        reached_formats all;
        for (int p = 0; p < ports; ++p) {
            all.tags |= reach_[g_.tensor_at(i, p)].tags;
            for (const int l : reach_[g_.tensor_at(i, p)].layouts) all.add(l);
        }
        for (int p = 0; p < ports; ++p) {
            const int t = g_.tensor_at(i, p);
            add_tags(t, all.tags);
            for (const int l : all.layouts)
                if (forms_.layout_at(l).dims == g_.tensors[t].dims) add(t, l);
        }
    }
    /// Passes formats through a view in both directions. From parts to their whole, only formats without strides pass.
    constexpr void look_through(int i) {
        const graph_operation& o = g_.operations[i];
        const bool joins = g_.joins(i);
        const int from = g_.tensor_at(i, g_.whole_port(i)), to = g_.tensor_at(i, joins ? 0 : 1);
        for (const bool back : {false, true}) {
            if (back && joins) continue;
            reached_formats& done = back ? seen_[o.view].back : seen_[o.view].from;
            const reached_formats known = reach_[back ? to : from];
            const int numbers = max_graph_formats + forms_.layouts();
            for (int f = 0; f < numbers; ++f) {
                if (!known.has(f) || !done.add(f)) continue;
                const expected<layout> here = layout_in(back ? to : from, f);
                if (!here) continue;
                for (int p = joins ? 0 : 1; p < (joins ? o.sources : 2); ++p) {
                    const expected<layout> other =
                        back ? source_of_view(g_, i, *here) : view_of_layout(g_, i, *here, p);
                    if (other.has_value()) add(back ? from : g_.tensor_at(i, p), *other);
                }
            }
        }
        // A whole may have the formats of its parts.
        const bool parts = joins || g_.view_of(i)->kind == view_kind::submemory;
        for (int p = joins ? 0 : 1; parts && p < (joins ? o.sources : 2); ++p) {
            add_tags(from, reach_[g_.tensor_at(i, p)].tags);
        }
    }

public:
    /// Returns the layout of a tensor in a format of its rank, or the layout with this number.
    constexpr expected<layout> layout_in(int tensor, int format) const {
        const dims& extents = g_.tensors[tensor].dims;
        if (format >= max_graph_formats) return {forms_.layout_at(format), {}};
        if (g_.formats[format].ndims() != extents.size())
            return ranks_differ(counted::format_tag, g_.formats[format].ndims(), counted::tensor, extents.size());
        return make_layout(extents, g_.formats[format]);
    }
};

}  // namespace plait::detail
