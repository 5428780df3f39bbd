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

    /// What it costs to make these distinct forms of a tensor from each other: a least spanning tree. `parent` is told
    /// from which each is made; the first is there.
    constexpr dim_t cost_of_forms(const graph_tensor& tensor, const heap_list<int>& distinct,
                                  heap_list<int>* parent = nullptr, heap_list<int>* sequence = nullptr) const {
        const int n = distinct.size();
        dim_t sum = 0;
        if (n == 2 && parent == nullptr) return forms.cost(tensor, distinct[0], distinct[1], options);
        if (n < 2) return 0;
        heap_list<dim_t> nearest(n, most_cost);
        heap_list<int> from(n, 0);
        for (int at = 0, done = 1; done < n; ++done) {
            nearest[at] = -1;  // is there
            int next = -1;
            for (int i = 0; i < n; ++i) {
                if (nearest[i] < 0) continue;
                const dim_t step = forms.cost(tensor, distinct[at], distinct[i], options);
                if (step < nearest[i]) nearest[i] = step, from[i] = at;
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
            sum += cost_of_forms(g.tensors[t], distinct) + cost_of_zeros(g, t, choice);
        }
        return sum;
    }

    /// How many elements of padding a form of a tensor has.
    constexpr dim_t padding_of(const graph_tensor& tensor, int form) const {
        return forms[form].span - volume(tensor.dims);
    }
    /// What zeros written into the padding of a form cost: its bytes; of a constant divided by the number of runs,
    /// rounded up. -1 where it leaves 61 bits.
    ///
    /// Example: f32, {1, 17, 56, 56} in nChw16c: 15 * 56 * 56 * 4 bytes
    constexpr dim_t zeroing(const graph_tensor& tensor, int form) const {
        if (tensor.is_constant && options.runs == 0) return 0;
        const checked_integer bytes = checked_integer{padding_of(tensor, form)} * size_in_bytes(tensor.type);
        if (!bytes.ok() || bytes.value >= most_cost) return -1;
        return tensor.is_constant ? divide_up(bytes.value, options.runs) : bytes.value;
    }
    /// Whether zeros have to be written into the padding of a tensor in the form in which it is made or given: that
    /// padding is unknown, and who reads that form, or wants it, needs zeros. What a reorder makes has them.
    template <class Storage>
    constexpr bool is_zeroed(const basic_graph<Storage>& g, int tensor, const heap_list<int>& choice) const {
        const int begin = needs_begin(tensor), end = needs_end(tensor);
        if (begin == end) return false;
        const graph_tensor& t = g.tensors[tensor];
        const bool is_made = order.producer[tensor] >= 0;
        if (!may_be_unknown(g, tensor)) return false;
        if (is_made && !is_marked(g, needs_[begin], choice, &format_alternative::leaves_unknown)) return false;
        const int made = form_of(tensor, needs_[begin], choice);
        for (int at = begin; at < end; ++at) {
            const need& n = needs_[at];
            const bool needs_zeros = n.operation < 0 ? is_made && t.padding == padding_state::zero
                                                     : is_marked(g, n, choice, &format_alternative::needs_zeros);
            if (needs_zeros && form_of(tensor, n, choice) == made) return true;
        }
        return false;
    }
    template <class Storage>
    constexpr dim_t cost_of_zeros(const basic_graph<Storage>& g, int tensor, const heap_list<int>& choice) const {
        if (worst_zeros_[tensor] == 0 || !is_zeroed(g, tensor, choice)) return 0;
        return zeroing(g.tensors[tensor], form_of(tensor, needs_[needs_begin(tensor)], choice));
    }

private:
    heap_list<int> first_need_, fixed_form_;  // by tensor
    heap_list<need> needs_;
    heap_list<dim_t> worst_zeros_;  // by tensor

    /// Whether what is chosen for an operation has a mark at a port.
    template <class Storage>
    constexpr bool is_marked(const basic_graph<Storage>& g, const need& n, const heap_list<int>& choice,
                             std::uint64_t format_alternative::*which) const {
        int a = g.operations[n.operation].first_alternative;
        for (int k = choice[variable_of[n.operation]]; k > 0 && a >= 0; --k) a = g.alternatives[a].next;
        return a >= 0 && n.port < 64 && (g.alternatives[a].*which >> n.port & 1) != 0;
    }
    /// Whether any choice leaves anything but zeros in the padding of a tensor, where it is made or given.
    template <class Storage>
    constexpr bool may_be_unknown(const basic_graph<Storage>& g, int tensor) const {
        const int producer = order.producer[tensor];
        if (producer < 0) return g.tensors[tensor].padding == padding_state::unknown;
        for (int a = g.operations[producer].first_alternative; a >= 0; a = g.alternatives[a].next)
            if (g.alternatives[a].leaves_unknown != 0) return true;
        return false;
    }

    template <class Storage>
    constexpr void list_needs(const basic_graph<Storage>& g) {
        const int tensors = g.tensors.size();
        fixed_form_.resize(tensors, -1);
        first_need_.resize(tensors + 1, 0);
        for (int t = 0; t < tensors; ++t) {
            const bool fixed = g.tensors[t].format >= 0;
            if (fixed) fixed_form_[t] = forms.form(g, t, g.tensors[t].format);
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
                    const dim_t one = forms.cost(g.tensors[t], all[a], all[b], options);
                    if (one < 0) return {reason::tensor_cost_overflows, -1, t};
                    if (one > worst) worst = one;
                }
            worst_zeros_.push_back(0);
            for (int a = 0; a < all.size() && may_be_unknown(g, t); ++a) {
                const dim_t one = zeroing(g.tensors[t], all[a]);
                if (one < 0) return {reason::tensor_cost_overflows, -1, t};
                if (one > worst_zeros_[t]) worst_zeros_[t] = one;
            }
            const int needs = needs_end(t) - needs_begin(t);
            const int most = (needs < all.size() ? needs : all.size()) - 1;
            if (!add(worst, most < 0 ? 0 : most)) return {reason::tensor_cost_overflows, -1, t};
            if (!add(worst_zeros_[t], 1)) return {reason::tensor_cost_overflows, -1, t};
            worst_term.push_back((most < 0 ? 0 : worst * most) + worst_zeros_[t]);
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
