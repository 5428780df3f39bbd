#pragma once
// The cost of a choice of alternatives, from what the producer and the readers of each tensor need.

#include <plait/graph/operation_formats.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// The producers and readers of each tensor in a graph, and the forms that they need.

/// The needs of tensors: the operations that make and read each, and its given or wanted form.
class format_needs : public operation_formats {
public:
    constexpr explicit format_needs(const any_graph auto& g) : operation_formats(g) {
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
    constexpr void list_needs(const any_graph auto& g) {
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

/// The costs of the forms of tensors, given the operations that make and read them.
class format_costs : public format_needs {
public:
    cost_options options;
    heap_list<dim_t> worst_term;  ///< by tensor: the most that any choice costs

    constexpr format_costs(const any_graph auto& g, const cost_options& say) : format_needs(g), options(say) {
        for (const graph_tensor& tensor : g.tensors) element_bits_.push_back(size_in_bits(tensor.type));
        if (why.ok()) why = check_cost_options(options);
        if (why.ok()) find_unknown_padding(g);
        if (why.ok()) why = bound_all(g);
    }

    /// Returns the cost of a reorder of a tensor between two forms; -1 if it exceeds 61 bits.
    constexpr dim_t step(int tensor, int from, int to) const {
        return forms.cost(element_bits_[tensor], order.constant[tensor] != 0, from, to, options);
    }
    /// Returns the cost of a reorder between two forms of a tensor, which are given by index.
    ///
    /// Pre:     b < a < form_count(tensor)
    constexpr dim_t step_between(int tensor, int a, int b) const {
        return pairs_[first_pair_[tensor] + a * (a - 1) / 2 + b];
    }
    /// Returns the cost of making these distinct forms of a tensor from each other: a minimum spanning tree. Writes to
    /// `parent` the form from which each is made. The first form exists already.
    constexpr dim_t cost_of_forms(int tensor, const heap_list<int>& distinct, heap_list<int>* parent = nullptr,
                                  heap_list<int>* sequence = nullptr) const {
        const int n = distinct.size();
        dim_t sum = 0;
        if (n == 2 && parent == nullptr) return step(tensor, distinct[0], distinct[1]);
        if (n < 2) return 0;
        heap_list<dim_t> nearest(n, most_cost);
        heap_list<int> from(n, 0);
        for (int at = 0, done = 1; done < n; ++done) {
            nearest[at] = -1;  // exists already
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
    /// Returns the cost of a choice, which has an alternative for each variable.
    constexpr dim_t total(const any_graph auto& g, const heap_list<int>& choice) const {
        dim_t sum = 0;
        for (int i = 0; i < g.operations.size(); ++i) sum += cost(i, choice[variable_of[i]]);
        heap_list<int> distinct;
        for (int t = 0; t < g.tensors.size(); ++t) {
            collect_forms(t, choice, distinct);
            sum += cost_of_forms(t, distinct) + cost_of_zeros(g, t, choice);
        }
        return sum;
    }

    /// Returns the cost of writing zeros into the padding of a form: its bytes; for a constant, divided by the number
    /// of runs and rounded up. -1 if it exceeds 61 bits.
    ///
    /// Example: f32, {1, 17, 56, 56} in nChw16c: 15 * 56 * 56 * 4 bytes
    constexpr dim_t zeroing(const graph_tensor& tensor, int form, bool is_constant) const {
        if (is_constant && options.runs == 0) return 0;
        const checked_integer bytes = bytes_of_elements(size_in_bits(tensor.type), {padding_of(tensor, form)});
        if (!bytes.ok() || bytes.value >= most_cost) return -1;
        return is_constant ? divide_up(bytes.value, options.runs) : bytes.value;
    }
    /// Returns the number of elements of padding in a form of a tensor.
    constexpr dim_t padding_of(const graph_tensor& tensor, int form) const {
        return forms[form].moved - volume(tensor.dims);
    }
    /// Returns the form in which a tensor is made or given if zeros must be written into its padding, else -1. That is
    /// so if the padding is unknown, and a reader of that form, or the graph, requires zeros. Reorders write them.
    constexpr int zeroed_form(const any_graph auto& g, int tensor, const heap_list<int>& choice) const {
        const int begin = needs_begin(tensor);
        if (begin == needs_end(tensor) || may_be_unknown_[tensor] == 0) return -1;
        const int producer = order.producer[tensor];
        if (producer >= 0 && g.operations[producer].view < 0 &&
            !is_marked(g, need_at(begin), choice, &format_alternative::leaves_unknown))
            return -1;
        if (may_be_unknown_[tensor] == by_parts && !leaves_padding_out(g, producer, choice[variable_of[producer]]))
            return -1;
        const int first = form_of(tensor, first_need(g, tensor, choice), choice);
        return needs_zeros_in(g, tensor, first, choice) ? first : -1;
    }
    /// Returns the need whose form exists first: the producer's or the given one. A tensor given in any format is given
    /// in the form of a reader. If its padding is unknown, this is the form that needs the fewest zeros.
    constexpr need first_need(const any_graph auto& g, int tensor, const heap_list<int>& choice) const {
        int first = needs_begin(tensor);
        if (order.producer[tensor] >= 0 || has_format(tensor) || may_be_unknown_[tensor] == 0) return need_at(first);
        dim_t least = -1;
        heap_list<int> known;
        for (int at = first; at < needs_end(tensor); ++at) {
            const int form = form_of(tensor, need_at(at), choice);
            if (is_among(known, form)) continue;
            known.push_back(form);
            const dim_t zeros = needs_zeros_in(g, tensor, form, choice) ? padding_of(g.tensors[tensor], form) : 0;
            if (least < 0 || zeros < least) least = zeros, first = at;
        }
        return need_at(first);
    }
    /// Collects the distinct forms that a tensor takes, beginning with the one that exists first.
    constexpr void collect_from_first(const any_graph auto& g, int tensor, const heap_list<int>& choice,
                                      heap_list<int>& distinct) const {
        collect_forms(tensor, choice, distinct);
        if (distinct.size() < 2) return;
        const int first = form_of(tensor, first_need(g, tensor, choice), choice);
        for (int k = 1; k < distinct.size(); ++k)
            if (distinct[k] == first) distinct[k] = distinct[0], distinct[0] = first;
    }
    /// True if some choice writes zeros into the padding of a tensor, at a cost.
    constexpr bool may_be_zeroed(int tensor) const { return worst_zeros_[tensor] > 0; }
    constexpr dim_t cost_of_zeros(const any_graph auto& g, int tensor, const heap_list<int>& choice) const {
        const int form = may_be_zeroed(tensor) ? zeroed_form(g, tensor, choice) : -1;
        return form < 0 ? 0 : zeroing(g.tensors[tensor], form, order.constant[tensor] != 0);
    }

private:
    heap_list<int> element_bits_;                // by tensor
    heap_list<int> first_pair_;                  // by tensor
    heap_list<dim_t> pairs_;                     // by pair of forms of a tensor: the cost of a reorder
    heap_list<dim_t> worst_zeros_;               // by tensor
    heap_list<std::uint8_t> may_be_unknown_;     // by tensor: 1 if its padding may be unknown
    static constexpr std::uint8_t by_parts = 2;  // unknown only if the parts of a concatenation leave padding out

    /// True if an operation reads a tensor in this form, or the graph wants it so, with zeros in its padding.
    constexpr bool needs_zeros_in(const any_graph auto& g, int tensor, int form, const heap_list<int>& choice) const {
        const bool wants = order.producer[tensor] >= 0 && g.tensors[tensor].padding == padding_state::zero;
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const need& n = need_at(at);
            if (!(n.operation < 0 ? wants : is_marked(g, n, choice, &format_alternative::needs_zeros))) continue;
            if (form_of(tensor, n, choice) == form) return true;
        }
        return false;
    }
    /// True if the chosen alternative of an operation has a mark at a port.
    constexpr bool is_marked(const any_graph auto& g, const need& n, const heap_list<int>& choice,
                             std::uint64_t format_alternative::*which) const {
        int a = g.operations[n.operation].first_alternative;
        for (int k = choice[variable_of[n.operation]]; k > 0 && a >= 0; --k) a = g.alternatives[a].next;
        return a >= 0 && n.port < 64 && (g.alternatives[a].*which >> n.port & 1) != 0;
    }
    /// Finds tensors whose padding may be unknown: those that are given so, those that an alternative leaves so, and
    /// views of them. Zeros written for a tensor do not count for a view that shares its memory, or the reverse.
    constexpr void find_unknown_padding(const any_graph auto& g) {
        may_be_unknown_.resize(g.tensors.size(), 0);
        for (int t = 0; t < g.tensors.size(); ++t)
            may_be_unknown_[t] = order.producer[t] < 0 && g.tensors[t].padding == padding_state::unknown ? 1 : 0;
        for (const int i : order.operations) {
            const graph_operation& o = g.operations[i];
            std::uint8_t seen = 0;
            for (int p = 0; o.view >= 0 && p < o.sources; ++p) seen |= may_be_unknown_[g.tensor_at(i, p)];
            for (int p = o.sources; p < o.ports(); ++p) {
                std::uint8_t& unknown = may_be_unknown_[g.tensor_at(i, p)];
                unknown = seen != 0;
                for (int a = o.first_alternative; a >= 0; a = g.alternatives[a].next)
                    if (p < 64 && (g.alternatives[a].leaves_unknown >> p & 1) != 0) unknown = 1;
                for (int a = 0; o.view >= 0 && unknown == 0 && a < alternatives_of[variable_of[i]]; ++a)
                    if (leaves_padding_out(g, i, a)) unknown = by_parts;
            }
        }
    }
    /// True if no part of a concatenation contains some of its padding, so that nobody writes it. Example: 3 and 5
    /// channels in nChw16c begin at 0 and 3, within one block, and neither part contains the other 8.
    constexpr bool leaves_padding_out(const any_graph auto& g, int i, int alternative) const {
        const graph_operation& o = g.operations[i];
        if (!g.joins(i)) return false;
        dim_t left = forms[form(i, o.sources, alternative)].moved;
        for (int p = 0; p < o.sources; ++p) left -= forms[form(i, p, alternative)].moved;
        return left > 0;
    }
    /// True if a choice may need zeros in unknown padding of a tensor, even if they cost nothing.
    constexpr bool may_need_zeros(const any_graph auto& g, int tensor) const {
        if (may_be_unknown_[tensor] == 0) return false;
        if (order.producer[tensor] >= 0 && has_format(tensor) && g.tensors[tensor].padding == padding_state::zero)
            return true;
        for (int at = needs_begin(tensor); at < needs_end(tensor); ++at) {
            const need& n = need_at(at);
            if (n.operation < 0) continue;
            for (int a = g.operations[n.operation].first_alternative; a >= 0; a = g.alternatives[a].next)
                if (g.alternatives[a].needs_zeros != 0) return true;
        }
        return false;
    }

    /// Checks that the sum of the worst costs of everything, which bounds every choice, does not overflow.
    constexpr verdict bound_all(const any_graph auto& g) {
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
        for (int t = 0; t < g.tensors.size(); ++t) {
            const int* const all = forms_of(t);
            const int count = form_count(t);
            dim_t worst = 0;
            first_pair_.push_back(pairs_.size());
            for (int a = 0; a < count; ++a)
                for (int b = 0; b < a; ++b) {
                    const dim_t one = step(t, all[a], all[b]);
                    if (one < 0) return {reason::tensor_cost_overflows, -1, t};
                    if (one > worst) worst = one;
                    pairs_.push_back(one);
                }
            worst_zeros_.push_back(0);
            for (int a = 0; a < count && may_need_zeros(g, t); ++a) {
                const dim_t one = zeroing(g.tensors[t], all[a], order.constant[t] != 0);
                if (one < 0) return {reason::tensor_cost_overflows, -1, t};
                if (one > worst_zeros_[t]) worst_zeros_[t] = one;
            }
            const int needs = needs_end(t) - needs_begin(t), most = needs < count ? needs : count;
            const int reorders = most > 0 ? most - 1 : 0;
            if (!add(worst, reorders) || !add(worst_zeros_[t], 1)) return {reason::tensor_cost_overflows, -1, t};
            worst_term.push_back(worst * reorders + worst_zeros_[t]);
        }
        return {};
    }
};

}  // namespace plait::detail
