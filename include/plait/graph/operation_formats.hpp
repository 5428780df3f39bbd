#pragma once
// A graph as variables: the alternatives of each operation, including those that follow from the rules of its kind.

#include <plait/graph/formats_in_reach.hpp>
#include <plait/graph/graph_forms.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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

    template <class Storage>
    constexpr explicit operation_formats(const basic_graph<Storage>& g) : order(order_of(g)), forms(g) {
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
    template <class Storage>
    constexpr void add_given(const basic_graph<Storage>& g, int i) {
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
    template <class Storage>
    constexpr void add_uniform(const basic_graph<Storage>& g, int i, int format) {
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
    template <class Storage>
    constexpr void add_followed(const basic_graph<Storage>& g, int i, const reached_formats& reach) {
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
    template <class Storage>
    constexpr void add_those_of_the_hint(const basic_graph<Storage>& g, int i, int count) {
        for (int a = 0; a < count; ++a) add_uniform(g, i, format(g.operations[i].hint, 0, a));
    }
};

}  // namespace plait::detail
