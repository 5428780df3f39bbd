#pragma once
// A model of costs by exhaustive search: it tries every combination of alternatives and, for each tensor, every way to
// make its forms from each other. The model shares only layouts and their algebra with the tested code.

#include "graph/every_format.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace plait_test {

/// The alternatives of each operation: the forms in which it reads and makes its tensors, and the padding that it needs
/// or leaves.
struct every_alternative {
    const plait::large_graph& g;
    explicit every_alternative(const plait::large_graph& graph) : g(graph), formats(graph) {}

    struct alternative {
        plait::dim_t cost;
        std::vector<int> forms;
        std::uint64_t needs_zeros = 0, leaves_unknown = 0;  // by port
    };
    std::vector<std::vector<alternative>> alternatives{};

    /// Lists the alternatives.
    void prepare() { list_alternatives(); }
    double combinations() const {
        double product = 1;
        for (const auto& list : alternatives) product *= static_cast<double>(list.size());
        return product;
    }

    every_format formats;
    int form_of_given(int tensor) {
        return g.tensors[tensor].format < 0 ? -1 : form_of(formats.layout_in(tensor, g.tensors[tensor].format));
    }

protected:
    // Each form is a layout and the port of the concatenation that it is a copy for, or -1. Layouts in the same memory
    // are one form.
    std::vector<std::pair<plait::layout, int>> forms_{};
    int form_of(plait::layout l, int copy = -1) {
        l.offset0 = 0;
        for (std::size_t k = 0; k < forms_.size(); ++k)
            if (forms_[k].second == copy && is_same_form(forms_[k].first, l)) return static_cast<int>(k);
        forms_.emplace_back(l, copy);
        return static_cast<int>(forms_.size()) - 1;
    }

    bool is_constant(int tensor) const {
        if (g.tensors[tensor].is_constant) return true;
        for (int i = 0; i < g.operations.size(); ++i) {
            if (g.operations[i].view < 0 || g.tensor_at(i, g.operations[i].sources) != tensor) continue;
            bool all = true;
            for (int p = 0; p < g.operations[i].sources; ++p) all = all && is_constant(g.tensor_at(i, p));
            return all;
        }
        return false;
    }

    bool joins(int i) const { return g.operations[i].view >= 0 && g.view_of(i)->kind == plait::view_kind::concatenate; }
    bool has_unknown_part(int i) const {
        bool unknown = false;
        for (int p = 0; p < g.operations[i].sources; ++p) unknown = unknown || may_be_unknown(g.tensor_at(i, p));
        return unknown;
    }
    // True if a whole has padding that is in none of its parts, so that no operation writes it.
    bool leaves_padding_out(int i, const alternative& a) const {
        if (!joins(i)) return false;
        plait::dim_t parts = 0;
        for (int p = 0; p < g.operations[i].sources; ++p)
            parts += forms_[static_cast<std::size_t>(a.forms[static_cast<std::size_t>(p)])].first.padded_volume();
        return parts < forms_[static_cast<std::size_t>(a.forms.back())].first.padded_volume();
    }

    // True if some choice may leave the padding of a tensor unknown: if it is given so, if an operation leaves it so,
    // or if the tensor is a view of one with unknown padding.
    bool may_be_unknown(int t) const {
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p) {
                if (g.tensor_at(i, p) != t) continue;
                bool unknown = false;
                for (int q = 0; g.operations[i].view >= 0 && q < g.operations[i].sources; ++q)
                    unknown = unknown || may_be_unknown(g.tensor_at(i, q));
                for (const alternative& a : alternatives[static_cast<std::size_t>(i)])
                    unknown = unknown || (a.leaves_unknown >> p & 1) != 0 || leaves_padding_out(i, a);
                return unknown;
            }
        return g.tensors[t].padding == plait::padding_state::unknown;
    }

private:
    void list_alternatives() {
        formats.spread();
        for (int i = 0; i < g.operations.size(); ++i) {
            const plait::detail::graph_operation& o = g.operations[i];
            alternatives.emplace_back();
            const auto add = [&](plait::dim_t cost, const std::vector<int>& numbers, std::uint64_t zeros = 0,
                                 std::uint64_t unknown = 0) {
                alternatives.back().push_back({cost, {}, zeros, unknown});
                for (int p = 0; p < o.ports(); ++p)
                    alternatives.back().back().forms.push_back(
                        form_of(formats.layout_in(g.tensor_at(i, p), numbers[static_cast<std::size_t>(p)]),
                                formats.copies(i, p) ? o.first_port + p : -1));
            };
            if (o.view >= 0) {
                for (const auto& numbers : formats.through(i)) add(0, numbers);
                continue;
            }
            for (int a = o.first_alternative; a >= 0; a = g.alternatives[a].next) {
                std::vector<int> numbers;
                for (int p = 0; p < o.ports(); ++p)
                    numbers.push_back(g.port_formats[g.alternatives[a].first_format + p]);
                add(g.alternatives[a].cost, numbers, g.alternatives[a].needs_zeros, g.alternatives[a].leaves_unknown);
            }
            if (o.first_alternative >= 0) continue;
            const auto uniform = [&](int f) { return std::vector<int>(static_cast<std::size_t>(o.ports()), f); };
            if (o.hint >= 0)
                for (const alternative& a : alternatives[static_cast<std::size_t>(o.hint)])
                    alternatives.back().push_back(
                        {0, std::vector<int>(static_cast<std::size_t>(o.ports()), a.forms[0])});
            else
                for (const int f : formats.known[static_cast<std::size_t>(g.tensor_at(i, 0))]) add(0, uniform(f));
        }
    }
};

struct every_choice : every_alternative {
    std::vector<plait::dim_t> percent;
    plait::dim_t runs;
    every_choice(const plait::large_graph& graph, std::vector<plait::dim_t> by_class, plait::dim_t times)
        : every_alternative(graph), percent(std::move(by_class)), runs(times) {}

    plait::dim_t least = -1;
    std::vector<int> best{};  ///< the alternatives of the first choice with the least cost, by operation

    /// Finds the first choice with the least cost. Call prepare before it, and before total.
    void search() {
        std::vector<int> choice(alternatives.size(), 0);
        while (true) {
            if (agrees_with_hints(choice)) {
                const plait::dim_t cost = total(choice);
                if (least < 0 || cost < least) least = cost, best = choice;
            }
            std::size_t i = choice.size();  // the last operation counts fastest, as in the order of choices
            while (i > 0 && ++choice[i - 1] == static_cast<int>(alternatives[i - 1].size())) choice[--i] = 0;
            if (i == 0) return;
        }
    }

    plait::dim_t total(const std::vector<int>& choice) {
        plait::dim_t sum = 0;
        for (std::size_t i = 0; i < choice.size(); ++i) sum += chosen(choice, static_cast<int>(i)).cost;
        for (int t = 0; t < g.tensors.size(); ++t) {
            std::vector<int> forms;
            for (int i = 0; i < g.operations.size(); ++i)
                for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
                    if (g.tensor_at(i, p) == t) forms.push_back(chosen(choice, i).forms[static_cast<std::size_t>(p)]);
            if (g.tensors[t].format >= 0) forms.push_back(form_of_given(t));
            for (int i = 0; i < g.operations.size(); ++i)
                for (int p = 0; p < g.operations[i].sources; ++p)
                    if (g.tensor_at(i, p) == t) forms.push_back(chosen(choice, i).forms[static_cast<std::size_t>(p)]);
            sum += tensor_cost(t, forms) + cost_of_zeros(choice, t, forms);
        }
        return sum;
    }

private:
    std::map<std::pair<int, std::vector<int>>, plait::dim_t> known_;

    const alternative& chosen(const std::vector<int>& choice, int i) const {
        const auto at = static_cast<std::size_t>(i);
        return alternatives[at][static_cast<std::size_t>(choice[at])];
    }
    bool agrees_with_hints(const std::vector<int>& choice) const {
        for (int i = 0; i < g.operations.size(); ++i)
            if (g.operations[i].hint >= 0 &&
                choice[static_cast<std::size_t>(i)] != choice[static_cast<std::size_t>(g.operations[i].hint)])
                return false;
        return true;
    }

    // Returns the cost of zeros: the bytes of the padding, once, if it is unknown in the first form and a reader of
    // this form needs zeros, or the tensor is wanted in this form with zero padding. The first form is the one in which
    // the tensor is made or given. The padding of a view is unknown if it may be unknown in its source. A tensor given
    // in any format has as its first form the one with the least of this cost.
    plait::dim_t cost_of_zeros(const std::vector<int>& choice, int t, const std::vector<int>& forms) {
        plait::dim_t cheapest = forms.empty() ? 0 : zeros_in(choice, t, forms.front());
        bool is_made = false;
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
                is_made = is_made || g.tensor_at(i, p) == t;
        for (const int f : forms)
            if (!is_made && g.tensors[t].format < 0) cheapest = std::min(cheapest, zeros_in(choice, t, f));
        return cheapest;
    }
    plait::dim_t zeros_in(const std::vector<int>& choice, int t, int first) {
        const plait::graph_tensor& tensor = g.tensors[t];
        bool is_made = false, unknown = false, needs_zeros = false;
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = 0; p < g.operations[i].ports(); ++p) {
                if (g.tensor_at(i, p) != t) continue;
                const alternative& a = chosen(choice, i);
                if (p >= g.operations[i].sources) {
                    is_made = true;
                    unknown = (a.leaves_unknown >> p & 1) != 0;
                    if (g.operations[i].view >= 0 && !joins(i)) unknown = may_be_unknown(t);
                    if (joins(i)) unknown = has_unknown_part(i) || leaves_padding_out(i, a);
                } else if ((a.needs_zeros >> p & 1) != 0 && a.forms[static_cast<std::size_t>(p)] == first) {
                    needs_zeros = true;
                }
            }
        if (!is_made) unknown = tensor.padding == plait::padding_state::unknown;
        else if (tensor.format >= 0 && tensor.padding == plait::padding_state::zero && form_of_given(t) == first)
            needs_zeros = true;
        const bool constant = is_constant(t);
        if (!unknown || !needs_zeros || (constant && runs == 0)) return 0;
        const plait::layout& l = forms_[static_cast<std::size_t>(first)].first;
        plait::dim_t places = 0;  // the number of places of padding, counted one by one
        for (plait::dim_t n = 0; n < l.padded_volume(); ++n) {
            plait::dim_t rest = n;
            bool inside = true;
            for (int a = l.ndims() - 1; a >= 0; rest /= l.padded_dims[a--])
                inside = inside && rest % l.padded_dims[a] < l.dims[a];
            places += inside ? 0 : 1;
        }
        const plait::dim_t bytes = places * size_in_bytes(tensor.type);
        return constant ? (bytes + runs - 1) / runs : bytes;
    }

    plait::dim_t step(int tensor, int from, int to) const {
        if (from == to) return 0;
        const plait::layout &a = forms_[static_cast<std::size_t>(from)].first,
                            &b = forms_[static_cast<std::size_t>(to)].first;
        const bool constant = is_constant(tensor);
        if (constant && runs == 0) return 0;
        const int size = size_in_bytes(g.tensors[tensor].type);
        // The gaps of a part do not count.
        const plait::dim_t bytes = (a.padded_volume() + b.padded_volume()) * size;
        // Returns the innermost axis, and the number of its elements that are contiguous.
        const auto inner = [](const plait::layout& l) {
            std::pair<int, plait::dim_t> found{-1, 1};
            for (const plait::digit& d : l.digits)
                if (d.stride == 1 && d.extent > 1) found = {d.axis, d.extent};
            return found;
        };
        const auto x = inner(a), y = inner(b);
        const std::size_t which = x.first != y.first ? 2 : std::min(x.second, y.second) * size >= 64 ? 0 : 1;
        const plait::dim_t weighed = (bytes * percent[which] + 99) / 100;
        return constant ? (weighed + runs - 1) / runs : weighed;
    }

    // Returns the least cost over all trees with the first form as the root, in which each other form is made from its
    // parent.
    plait::dim_t tensor_cost(int tensor, const std::vector<int>& forms) {
        std::vector<int> distinct;
        for (const int f : forms) {
            bool known = false;
            for (const int other : distinct) known = known || other == f;
            if (!known) distinct.push_back(f);
        }
        const auto found = known_.find({tensor, distinct});
        if (found != known_.end()) return found->second;
        const std::size_t n = distinct.size();
        std::vector<std::size_t> parent(n, 0);
        plait::dim_t cheapest = n < 2 ? 0 : -1;
        while (n >= 2) {
            bool reaches = true;
            plait::dim_t sum = 0;
            for (std::size_t i = 1; i < n; ++i) {
                std::size_t at = i;
                for (std::size_t steps = 0; steps < n && at != 0; ++steps) at = parent[at];
                reaches = reaches && at == 0;
                sum += step(tensor, distinct[parent[i]], distinct[i]);
            }
            if (reaches && (cheapest < 0 || sum < cheapest)) cheapest = sum;
            std::size_t i = n - 1;
            while (i > 0 && ++parent[i] == n) parent[i--] = 0;
            if (i == 0) break;
        }
        return known_[{tensor, distinct}] = cheapest;
    }
};

}  // namespace plait_test
