#pragma once
// The law of costs, by trying everything: every combination of alternatives, and for each tensor every way to make its
// forms from each other. Shares no code with what it judges, but for layouts and whether two are the same memory.

#include <plait/algebra/same_memory.hpp>
#include <plait/graph/graph.hpp>

#include <map>
#include <vector>

namespace plait_test {

struct every_choice {
    const plait::large_graph& g;
    std::vector<plait::dim_t> percent;
    plait::dim_t runs;
    every_choice(const plait::large_graph& graph, std::vector<plait::dim_t> by_class, plait::dim_t times)
        : g(graph), percent(std::move(by_class)), runs(times) {}

    struct alternative {
        plait::dim_t cost;
        std::vector<int> formats;
        std::uint64_t needs_zeros = 0, leaves_unknown = 0;  // by port
    };
    std::vector<std::vector<alternative>> alternatives{};
    plait::dim_t least = -1;
    std::vector<int> best{};  ///< the first of the best, by operation

    /// Lists the alternatives; search and total need them.
    void prepare() { list_alternatives(); }
    void search() {
        prepare();
        std::vector<int> choice(alternatives.size(), 0);
        while (true) {
            if (agrees_with_hints(choice)) {
                const plait::dim_t cost = total(choice);
                if (least < 0 || cost < least) least = cost, best = choice;
            }
            std::size_t i = choice.size();  // counts upwards, the last operation fastest: the first found is the first
            while (i > 0 && ++choice[i - 1] == static_cast<int>(alternatives[i - 1].size())) choice[--i] = 0;
            if (i == 0) return;
        }
    }

    plait::dim_t total(const std::vector<int>& choice) {
        plait::dim_t sum = 0;
        for (std::size_t i = 0; i < choice.size(); ++i) sum += chosen(choice, static_cast<int>(i)).cost;
        for (int t = 0; t < g.tensors.size(); ++t) {
            std::vector<int> formats;
            for (int i = 0; i < g.operations.size(); ++i)
                for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
                    if (g.tensor_at(i, p) == t)
                        formats.push_back(chosen(choice, i).formats[static_cast<std::size_t>(p)]);
            if (g.tensors[t].format >= 0) formats.push_back(g.tensors[t].format);
            for (int i = 0; i < g.operations.size(); ++i)
                for (int p = 0; p < g.operations[i].sources; ++p)
                    if (g.tensor_at(i, p) == t)
                        formats.push_back(chosen(choice, i).formats[static_cast<std::size_t>(p)]);
            sum += tensor_cost(t, formats) + cost_of_zeros(choice, t, formats);
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

    // Operations without alternatives: every format that is said anywhere among those that are connected by such
    // operations, in the order in which formats were first said.
    void list_alternatives() {
        const auto follows = [&](int i) { return g.operations[i].first_alternative < 0; };
        for (int i = 0; i < g.operations.size(); ++i) {
            alternatives.emplace_back();
            for (int a = g.operations[i].first_alternative; a >= 0; a = g.alternatives[a].next) {
                alternatives.back().push_back(
                    {g.alternatives[a].cost, {}, g.alternatives[a].needs_zeros, g.alternatives[a].leaves_unknown});
                for (int p = 0; p < g.operations[i].ports(); ++p)
                    alternatives.back().back().formats.push_back(g.port_formats[g.alternatives[a].first_format + p]);
            }
            if (!follows(i)) continue;
            std::vector<bool> met(static_cast<std::size_t>(g.operations.size())), said(64);
            const auto visit = [&](const auto& self, int o) -> void {
                met[static_cast<std::size_t>(o)] = true;
                for (int p = 0; p < g.operations[o].ports(); ++p) {
                    const int t = g.tensor_at(o, p);
                    if (g.tensors[t].format >= 0) said[static_cast<std::size_t>(g.tensors[t].format)] = true;
                    for (int other = 0; other < g.operations.size(); ++other)
                        for (int q = 0; q < g.operations[other].ports(); ++q) {
                            if (g.tensor_at(other, q) != t) continue;
                            if (follows(other) && !met[static_cast<std::size_t>(other)]) self(self, other);
                            for (int a = g.operations[other].first_alternative; a >= 0; a = g.alternatives[a].next)
                                said[static_cast<std::size_t>(g.port_formats[g.alternatives[a].first_format + q])] =
                                    true;
                        }
                }
            };
            visit(visit, i);
            if (const int forward = g.operations[i].hint; forward >= 0) {
                for (const alternative& a : alternatives[static_cast<std::size_t>(forward)])
                    alternatives.back().push_back(
                        {0, std::vector<int>(static_cast<std::size_t>(g.operations[i].ports()), a.formats[0])});
                continue;
            }
            for (int f = 0; f < g.formats.size(); ++f)
                if (said[static_cast<std::size_t>(f)])
                    alternatives.back().push_back(
                        {0, std::vector<int>(static_cast<std::size_t>(g.operations[i].ports()), f)});
        }
    }

    // Padding that is unknown where the tensor is made or given, and is read in that very layout, or wanted in it, by
    // who needs zeros: its bytes, once. The first of the formats is that which is there.
    plait::dim_t cost_of_zeros(const std::vector<int>& choice, int t, const std::vector<int>& formats) const {
        if (formats.empty()) return 0;
        const plait::graph_tensor& tensor = g.tensors[t];
        bool is_made = false, unknown = false, needs_zeros = false;
        const auto is_there = [&](int format) {
            const plait::layout first(tensor.dims, g.formats[formats.front()]), l(tensor.dims, g.formats[format]);
            return same_memory(first, l) && first.element_span() == l.element_span();
        };
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = 0; p < g.operations[i].ports(); ++p) {
                if (g.tensor_at(i, p) != t) continue;
                const alternative& a = chosen(choice, i);
                if (p >= g.operations[i].sources) {
                    is_made = true;
                    unknown = (a.leaves_unknown >> p & 1) != 0;
                } else if ((a.needs_zeros >> p & 1) != 0 && is_there(a.formats[static_cast<std::size_t>(p)])) {
                    needs_zeros = true;
                }
            }
        if (!is_made) unknown = tensor.padding == plait::padding_state::unknown;
        else if (tensor.format >= 0 && tensor.padding == plait::padding_state::zero && is_there(tensor.format))
            needs_zeros = true;
        if (!unknown || !needs_zeros || (tensor.is_constant && runs == 0)) return 0;
        const plait::layout l(tensor.dims, g.formats[formats.front()]);
        plait::dim_t places = 0;  // of padding, by looking at each place
        for (plait::dim_t n = 0; n < l.padded_volume(); ++n) {
            plait::dim_t rest = n;
            bool inside = true;
            for (int a = l.ndims() - 1; a >= 0; rest /= l.padded_dims[a--])
                inside = inside && rest % l.padded_dims[a] < l.dims[a];
            places += inside ? 0 : 1;
        }
        const plait::dim_t bytes = places * size_in_bytes(tensor.type);
        return tensor.is_constant ? (bytes + runs - 1) / runs : bytes;
    }

    plait::dim_t step(int tensor, int from, int to) const {
        const plait::graph_tensor& t = g.tensors[tensor];
        const plait::layout a(t.dims, g.formats[from]), b(t.dims, g.formats[to]);
        if (same_memory(a, b) && a.element_span() == b.element_span()) return 0;
        if (t.is_constant && runs == 0) return 0;
        const int size = size_in_bytes(t.type);
        const auto bytes = static_cast<plait::dim_t>(a.element_span() + b.element_span()) * size;
        // The innermost axis, and how many of its elements lie in a row.
        const auto inner = [](const plait::layout& l) {
            std::pair<int, plait::dim_t> found{-1, 1};
            for (const plait::digit& d : l.digits)
                if (d.stride == 1 && d.extent > 1) found = {d.axis, d.extent};
            return found;
        };
        const auto x = inner(a), y = inner(b);
        const std::size_t which = x.first != y.first ? 2 : std::min(x.second, y.second) * size >= 64 ? 0 : 1;
        const plait::dim_t weighed = (bytes * percent[which] + 99) / 100;
        return t.is_constant ? (weighed + runs - 1) / runs : weighed;
    }

    // The least over all ways to give each form but the first one that it is made from, without circles.
    plait::dim_t tensor_cost(int tensor, const std::vector<int>& formats) {
        std::vector<int> distinct;
        for (const int f : formats) {
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
