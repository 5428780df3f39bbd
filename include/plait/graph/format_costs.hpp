#pragma once
// What a choice of alternatives costs.

#include <plait/graph/operation_formats.hpp>

namespace plait {

/// What the forms of tensors cost, by who makes and who reads them.
class format_costs : public operation_formats {
public:
    cost_options options;
    heap_list<dim_t> worst_term;  ///< by tensor: no choice costs more

    template <class Storage>
    constexpr format_costs(const basic_graph<Storage>& g, const cost_options& say)
        : operation_formats(g), options(say) {
        if (why.ok()) list_needs(g);
        if (why.ok()) why = bound_all(g);
    }

    /// One who makes or reads a tensor: a port of an operation; or operation -1, and the format in `port`.
    struct need {
        int operation = -1;
        int port = 0;
    };
    /// The needs of a tensor: the producer's or the given form first, then readers in the order of operations and
    /// ports, then the wanted form.
    constexpr int needs_begin(int tensor) const { return first_need_[tensor]; }
    constexpr int needs_end(int tensor) const { return first_need_[tensor + 1]; }
    constexpr const need& need_at(int at) const { return needs_[at]; }
    /// The form that somebody needs, given what is chosen for a variable.
    constexpr int form_of(int tensor, const need& n, const heap_list<int>& choice) const {
        return n.operation < 0 ? fixed_form_[tensor] : form(n.operation, n.port, choice[variable_of[n.operation]]);
    }

    /// What a reorder of a tensor between two forms costs; -1 where it leaves 61 bits.
    constexpr dim_t step(int tensor, int from, int to) const {
        return forms.cost(element_bytes_[tensor], order.constant[tensor] != 0, from, to, options);
    }
    /// What it costs to make these distinct forms of a tensor from each other: a least spanning tree. `parent` is told
    /// from which each is made; the first is there.
    constexpr dim_t cost_of_forms(int tensor, const heap_list<int>& distinct, heap_list<int>* parent = nullptr,
                                  heap_list<int>* sequence = nullptr) const {
        const int n = distinct.size();
        dim_t sum = 0;
        if (n == 2 && parent == nullptr) return step(tensor, distinct[0], distinct[1]);
        if (n < 2) return 0;
        heap_list<dim_t> nearest(n, most_cost);
        heap_list<int> from(n, 0);
        for (int at = 0, done = 1; done < n; ++done) {
            nearest[at] = -1;  // is there
            int next = -1;
            for (int i = 0; i < n; ++i) {
                if (nearest[i] < 0) continue;
                const dim_t more = step(tensor, distinct[at], distinct[i]);
                if (more < nearest[i]) nearest[i] = more, from[i] = at;
                if (next < 0 || nearest[i] < nearest[next]) next = i;
            }
            sum += nearest[next];
            if (sequence != nullptr) sequence->push_back(next);
            at = next;
        }
        if (parent != nullptr) *parent = from;
        return sum;
    }
    /// The distinct forms that a tensor takes, in the order of its needs.
    constexpr void collect_forms(int tensor, const heap_list<int>& choice, heap_list<int>& distinct) const {
        distinct.clear();
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const int f = form_of(tensor, needs_[at], choice);
            bool known = false;
            for (const int other : distinct) known = known || other == f;
            if (!known) distinct.push_back(f);
        }
    }
    /// What all costs, of an alternative for each variable.
    template <class Storage>
    constexpr dim_t total(const basic_graph<Storage>& g, const heap_list<int>& choice) const {
        dim_t sum = 0;
        for (int i = 0; i < g.operations.size(); ++i) sum += cost(i, choice[variable_of[i]]);
        heap_list<int> distinct;
        for (int t = 0; t < g.tensors.size(); ++t) {
            collect_forms(t, choice, distinct);
            sum += cost_of_forms(t, distinct);
        }
        return sum;
    }

private:
    heap_list<int> first_need_, fixed_form_, element_bytes_;  // by tensor
    heap_list<need> needs_;

    template <class Storage>
    constexpr void list_needs(const basic_graph<Storage>& g) {
        const int tensors = g.tensors.size();
        fixed_form_.resize(tensors, -1);
        first_need_.resize(tensors + 1, 0);
        for (int t = 0; t < tensors; ++t) {
            const bool fixed = g.tensors[t].format >= 0;
            element_bytes_.push_back(size_in_bytes(g.tensors[t].type));
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

    /// No choice costs more than the sum of the worst of everything, which has to fit.
    template <class Storage>
    constexpr verdict bound_all(const basic_graph<Storage>& g) {
        checked_integer sum;
        const auto add = [&sum](dim_t cost, int times) {
            sum.add_product(cost, times);
            return cost >= 0 && sum.ok() && sum.value < most_cost;
        };
        for (int i = 0; i < g.operations.size(); ++i) {
            dim_t worst = 0;
            for (int a = 0; a < alternatives_of[variable_of[i]]; ++a)
                if (const dim_t one = cost(i, a); one > worst) worst = one;
            if (!add(worst, 1)) return {reason::costs_overflow, -1, i, worst};
        }
        heap_list<int> all;
        for (int t = 0; t < g.tensors.size(); ++t) {
            all.clear();
            collect_all_forms(t, all);
            dim_t worst = 0;
            for (int a = 0; a < all.size(); ++a)
                for (int b = 0; b < a; ++b) {
                    const dim_t one = step(t, all[a], all[b]);
                    if (one < 0) return {reason::tensor_cost_overflows, -1, t};
                    if (one > worst) worst = one;
                }
            const int needs = needs_end(t) - needs_begin(t);
            const int most = (needs < all.size() ? needs : all.size()) - 1;
            if (!add(worst, most < 0 ? 0 : most)) return {reason::tensor_cost_overflows, -1, t};
            worst_term.push_back(most < 0 ? 0 : worst * most);
        }
        return {};
    }

public:
    /// The forms that a tensor may take, whatever is chosen.
    constexpr void collect_all_forms(int tensor, heap_list<int>& all) const {
        const auto add = [&all](int f) {
            for (const int known : all)
                if (known == f) return;
            all.push_back(f);
        };
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const need& n = needs_[at];
            if (n.operation < 0) add(fixed_form_[tensor]);
            else
                for (int a = 0; a < alternatives_of[variable_of[n.operation]]; ++a) add(form(n.operation, n.port, a));
        }
    }
};

}  // namespace plait
