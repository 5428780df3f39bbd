#pragma once
// The producers and readers of each tensor in a graph, and the forms that they need.

#include <plait/graph/operation_formats.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The needs of tensors: the operations that make and read each, and its given or wanted form.
class format_needs : public operation_formats {
public:
    template <class Storage>
    constexpr explicit format_needs(const basic_graph<Storage>& g) : operation_formats(g) {
        if (!why.ok()) return;
        list_needs(g);
        for (int t = 0; t < g.tensors.size() && why.ok(); ++t) list_forms(t);
        first_form_.push_back(all_forms_.size());
    }

    /// A producer or reader of a tensor: a port of an operation; or operation -1, and the format in `port`.
    struct need {
        int operation = -1;
        int port = 0;
    };
    /// The needs of a tensor: first the producer's or the given form, then readers in the order of operations and
    /// ports, then the wanted form.
    constexpr int needs_begin(int tensor) const { return first_need_[tensor]; }
    constexpr int needs_end(int tensor) const { return first_need_[tensor + 1]; }
    constexpr const need& need_at(int at) const { return needs_[at]; }
    /// Returns the form that a need requires, given the choice for each variable.
    constexpr int form_of(int tensor, const need& n, const heap_list<int>& choice) const {
        return n.operation < 0 ? fixed_form_[tensor] : form(n.operation, n.port, choice[variable_of[n.operation]]);
    }

    /// True if a tensor is given or wanted in a format.
    constexpr bool has_format(int tensor) const { return fixed_form_[tensor] >= 0; }
    /// Collects the distinct forms that a tensor takes, in the order of its needs.
    constexpr void collect_forms(int tensor, const heap_list<int>& choice, heap_list<int>& distinct) const {
        distinct.clear();
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const int f = form_of(tensor, needs_[at], choice);
            if (!is_among(distinct, f)) distinct.push_back(f);
        }
    }
    static constexpr bool is_among(const heap_list<int>& list, int form) {
        bool known = false;
        for (const int other : list) known = known || other == form;
        return known;
    }
    /// Returns the number of distinct forms that a tensor may take under any choice; they begin at forms_of(tensor).
    constexpr int form_count(int tensor) const { return first_form_[tensor + 1] - first_form_[tensor]; }
    constexpr const int* forms_of(int tensor) const { return all_forms_.begin() + first_form_[tensor]; }

private:
    heap_list<int> first_need_, fixed_form_;  // by tensor
    heap_list<need> needs_;
    heap_list<int> first_form_, all_forms_;  // by tensor; grouped by tensor

    constexpr void list_forms(int tensor) {
        const int begin = all_forms_.size();
        first_form_.push_back(begin);
        const auto add = [&](int f) {
            for (int k = begin; k < all_forms_.size(); ++k)
                if (all_forms_[k] == f) return;
            all_forms_.push_back(f);
        };
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const need& n = needs_[at];
            if (n.operation < 0) add(fixed_form_[tensor]);
            else
                for (int a = 0; a < alternatives_of[variable_of[n.operation]]; ++a) add(form(n.operation, n.port, a));
        }
    }
    template <class Storage>
    constexpr void list_needs(const basic_graph<Storage>& g) {
        const int tensors = g.tensors.size();
        fixed_form_.resize(tensors, -1);
        first_need_.resize(tensors + 1, 0);
        for (int t = 0; t < tensors; ++t) {
            const bool fixed = g.tensors[t].format >= 0;
            if (fixed) fixed_form_[t] = forms.form(g, t, g.tensors[t].format);
            if (fixed && fixed_form_[t] < 0) why = {reason::tensor_cost_overflows, -1, t};
            first_need_[t + 1] = first_need_[t] + order.readers[t] + (order.producer[t] >= 0) + fixed;
        }
        needs_.resize(first_need_[tensors]);
        heap_list<int> next = first_need_;
        // Given forms and results come first, then readers, then wanted forms.
        for (int t = 0; t < tensors; ++t)
            if (order.producer[t] < 0 && fixed_form_[t] >= 0) needs_[next[t]++] = {-1, g.tensors[t].format};
        for (const bool results : {true, false})
            for (int i = 0; i < g.operations.size(); ++i) {
                const graph_operation& o = g.operations[i];
                for (int p = results ? o.sources : 0; p < (results ? o.ports() : o.sources); ++p)
                    needs_[next[g.tensor_at(i, p)]++] = {i, p};
            }
        for (int t = 0; t < tensors; ++t)
            if (order.producer[t] >= 0 && fixed_form_[t] >= 0) needs_[next[t]++] = {-1, g.tensors[t].format};
    }
};

}  // namespace plait::detail
