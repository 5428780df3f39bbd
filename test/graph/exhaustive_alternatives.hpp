#pragma once
// A model of the alternatives of each operation: the forms in which it reads and makes its tensors, and the padding
// that it needs or leaves. The model shares only layouts and their algebra with the tested code.

#include "graph/every_format.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace plait_test {

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

}  // namespace plait_test
