#pragma once
// A graph as variables: the alternatives of each operation, including those that follow from the rules of its kind,
// and the formats that may reach an operation without formats of its own.

#include <plait/graph/graph_forms.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// Finds the formats and layouts that may reach an operation without formats of its own: an operation that takes the
// formats of the tensors around it, or a view.

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

/// The graph as numbers. A variable is the choice for an operation. A backward operation that follows shares the
/// variable of its hint.
class operation_formats {
public:
    verdict why;
    graph_order order;
    graph_forms forms;
    heap_list<int> variable_of;      ///< by operation
    heap_list<int> operation_of;     ///< by variable: the first operation that it applies to
    heap_list<int> alternatives_of;  ///< by variable: the number of alternatives

    constexpr explicit operation_formats(const any_graph auto& g) : order(order_of(g)), forms(g) {
        why = order.why;
        if (why.ok()) list_alternatives(g);
    }

    /// Returns the format of a port in an alternative of its operation; `form` returns its form.
    constexpr int format(int operation, int port, int alternative) const {
        return formats_[first_[operation] + alternative * ports_[operation] + port];
    }
    constexpr int form(int operation, int port, int alternative) const {
        return forms_[first_[operation] + alternative * ports_[operation] + port];
    }
    constexpr dim_t cost(int operation, int alternative) const { return costs_[first_cost_[operation] + alternative]; }

    /// Returns the cost of an alternative, summed over all operations that share the variable.
    constexpr dim_t variable_cost(int variable, int alternative) const {
        dim_t sum = 0;
        for (int i = operation_of[variable]; i >= 0; i = next_shared_[i]) sum += cost(i, alternative);
        return sum;
    }

private:
    heap_list<int> first_, ports_, first_cost_;  // by operation
    heap_list<int> next_shared_;                 // by operation: the next one with the same variable, or -1
    heap_list<int> formats_, forms_;             // by operation, alternative and port
    heap_list<dim_t> costs_;                     // by operation and alternative

    template <class Storage>
    constexpr void list_alternatives(const basic_graph<Storage>& g) {
        const formats_in_reach<Storage> reach(g, order, forms);
        why = reach.why;
        heap_list<int> count;
        for (int i = 0; i < g.operations.size() && why.ok(); ++i) {
            const graph_operation& o = g.operations[i];
            first_.push_back(formats_.size());
            ports_.push_back(o.ports());
            first_cost_.push_back(costs_.size());
            const bool tied = o.hint >= 0 && format_rule(o.kind, o.direction).follows();
            if (o.view >= 0) add_views(g, i, reach);
            else if (o.first_alternative >= 0) add_given(g, i);
            else if (tied) add_those_of_the_hint(g, i, count[o.hint]);
            else if (o.ports() > 0 && format_rule(o.kind, o.direction).follows())
                add_followed(g, i, reach[g.tensor_at(i, 0)]);
            count.push_back(costs_.size() - first_cost_[i]);
            if (why.ok() && count[i] == 0) why = {reason::operation_has_no_alternative, -1, i, o.ports()};
            if (why.ok() && tied && count[i] != count[o.hint]) why = {reason::hint_does_not_fit, -1, i, o.hint};
            if (!tied) {
                operation_of.push_back(i);
                alternatives_of.push_back(count[i]);
            }
            next_shared_.push_back(-1);
            if (tied) {
                next_shared_[i] = next_shared_[g.operations[i].hint];
                next_shared_[g.operations[i].hint] = i;
            }
            variable_of.push_back(tied ? variable_of[o.hint] : operation_of.size() - 1);
        }
    }
    constexpr void add_given(const any_graph auto& g, int i) {
        for (int a = g.operations[i].first_alternative; a >= 0; a = g.alternatives[a].next) {
            costs_.push_back(g.alternatives[a].cost);
            for (int p = 0; p < ports_[i]; ++p) {
                const int format = g.port_formats[g.alternatives[a].first_format + p];
                formats_.push_back(format);
                forms_.push_back(forms.form(g, g.tensor_at(i, p), format));
                if (forms_.back() < 0) why = {reason::port_cannot_have_format, p, i, format, g.tensor_at(i, p)};
            }
        }
    }
    /// Adds an alternative with one format at all ports. Ports of another rank than the first keep their own format.
    constexpr void add_uniform(const any_graph auto& g, int i, int format) {
        const int begin = formats_.size();
        bool fits = true;
        for (int p = 0; p < ports_[i] && fits; ++p) {
            const graph_tensor& tensor = g.tensors[g.tensor_at(i, p)];
            const bool same_rank = tensor.dims.size() == g.tensors[g.tensor_at(i, 0)].dims.size();
            const int here = same_rank ? format : tensor.format;
            fits = here >= max_graph_formats || (here >= 0 && g.formats[here].ndims() == tensor.dims.size());
            formats_.push_back(here);
            forms_.push_back(fits ? forms.form(g, g.tensor_at(i, p), here) : -1);
            fits = fits && forms_.back() >= 0;
        }
        if (fits) costs_.push_back(0);
        else formats_.resize(begin), forms_.resize(begin);
    }
    constexpr void add_followed(const any_graph auto& g, int i, const reached_formats& reach) {
        for (int format = 0; format < g.formats.size(); ++format)
            if (reach.has(format)) add_uniform(g, i, format);
        for (int k = 0; !reach.layouts.empty() && k < forms.layouts(); ++k)
            if (reach.has(max_graph_formats + k)) add_uniform(g, i, max_graph_formats + k);
    }
    /// Adds a free alternative for each format of the source of which the algebra has a view. For a concatenation, adds
    /// one for each format of the result of which all sources are parts.
    template <class Storage>
    constexpr void add_views(const basic_graph<Storage>& g, int i, const formats_in_reach<Storage>& reach) {
        const graph_operation& o = g.operations[i];
        const bool joins = g.joins(i);
        const int key = g.whole_port(i);
        const int numbers = max_graph_formats + forms.layouts();
        for (int format = 0; format < numbers; ++format) {
            if (!reach[g.tensor_at(i, key)].has(format)) continue;
            const expected<layout> here = reach.layout_in(g.tensor_at(i, key), format);
            const int begin = formats_.size();
            bool fits = here.has_value();
            for (int p = 0; p < ports_[i]; ++p) {
                int number = format;
                if (p != key && fits) {
                    const expected<layout> there = view_of_layout(g, i, *here, p);
                    number = there.has_value() ? forms.number_of(g, g.tensor_at(i, p), *there) : -1;
                }
                int f = fits && number >= 0 ? forms.form(g, g.tensor_at(i, p), number) : -1;
                fits = fits && f >= 0;
                if (fits && joins && p < key && order.whole_at[g.tensor_at(i, p)] != o.first_port + p)
                    f = forms.copy_for(f, o.first_port + p);
                formats_.push_back(number);
                forms_.push_back(f);
            }
            if (fits) costs_.push_back(0);
            else formats_.resize(begin), forms_.resize(begin);
        }
    }
    constexpr void add_those_of_the_hint(const any_graph auto& g, int i, int count) {
        for (int a = 0; a < count; ++a) add_uniform(g, i, format(g.operations[i].hint, 0, a));
    }
};

}  // namespace plait::detail
