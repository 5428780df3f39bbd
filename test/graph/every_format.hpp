#pragma once
// A model of the formats and layouts that each tensor of a graph may have: they pass through operations that follow and
// through views, in rounds, until no tensor gets a new one. The model shares only the algebra of layouts with the
// tested code.

#include <plait/algebra/operations.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/graph/graph.hpp>

#include <set>
#include <string>
#include <vector>

namespace plait_test {

inline bool is_same_form(const plait::layout& a, const plait::layout& b) {
    return same_memory(a, b) && a.element_span() == b.element_span();
}

struct every_format {
    const plait::large_graph& g;
    std::vector<std::set<int>> known{};    ///< by tensor: formats below 64, layouts from 64 on
    std::vector<plait::layout> layouts{};  ///< the layouts of the graph, followed by those that views make
    explicit every_format(const plait::large_graph& graph)
        : g(graph), known(static_cast<std::size_t>(g.tensors.size())) {
        for (const plait::layout& l : g.layouts) layouts.push_back(l);
    }

    plait::layout layout_in(int tensor, int number) const {
        if (number < 64) return plait::layout(g.tensors[tensor].dims, g.formats[number]);
        return layouts[static_cast<std::size_t>(number) - 64];
    }
    /// True if a port of a concatenation gets its own copy. This holds if the tensor is given or wanted, is made in
    /// place or by a view, or is read by an earlier port of a concatenation.
    bool copies(int operation, int port) const {
        if (!joins(operation) || port == g.operations[operation].sources) return false;
        const int t = g.tensor_at(operation, port);
        if (g.tensors[t].format >= 0) return true;
        for (int i = 0; i <= operation; ++i)
            for (int p = 0; joins(i) && p < g.operations[i].sources; ++p)
                if (g.tensor_at(i, p) == t && (i < operation || p < port)) return true;
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
                if (g.tensor_at(i, p) == t)
                    return g.operations[i].in_place >= 0 || (g.operations[i].view >= 0 && !joins(i));
        return true;
    }
    /// Returns, for each alternative of a view, the formats at its ports.
    std::vector<std::vector<int>> through(int i) {
        std::vector<std::vector<int>> out;
        const int sources = g.operations[i].sources, key = joins(i) ? sources : 0;
        for (const int f : known[static_cast<std::size_t>(g.tensor_at(i, key))]) {
            if (!fits(g.tensor_at(i, key), f)) continue;
            std::vector<int> numbers;
            for (int p = 0; p <= sources; ++p) {
                if (p == key) {
                    numbers.push_back(f);
                    continue;
                }
                const auto other = seen(i, layout_in(g.tensor_at(i, key), f), p);
                if (!other) break;
                numbers.push_back(number_of(*other));
            }
            if (static_cast<int>(numbers.size()) == sources + 1) out.push_back(numbers);
        }
        return out;
    }
    void spread() {
        for (int t = 0; t < g.tensors.size(); ++t)
            if (g.tensors[t].format >= 0) at(t).insert(g.tensors[t].format);
        for (int i = 0; i < g.operations.size(); ++i)
            for (int a = g.operations[i].first_alternative; a >= 0; a = g.alternatives[a].next)
                for (int p = 0; p < g.operations[i].ports(); ++p)
                    at(g.tensor_at(i, p)).insert(g.port_formats[g.alternatives[a].first_format + p]);
        for (int i = 0; i < g.operations.size(); ++i) {
            if (g.operations[i].view < 0 || kind_of(i) == plait::view_kind::permute_axes) continue;
            const int t = g.tensor_at(i, joins(i) ? g.operations[i].sources : 0);
            const std::string plain[] = {"a", "ab", "abc", "abcd"};
            at(t).insert(number_of(
                plait::layout(g.tensors[t].dims, plain[static_cast<std::size_t>(g.tensors[t].dims.size()) - 1])));
        }
        for (std::size_t before = 0; before != count();) {
            before = count();
            for (int i = 0; i < g.operations.size(); ++i) {
                if (g.operations[i].view >= 0) look_through(i);
                else if (g.operations[i].first_alternative < 0) hand_on(i);
            }
        }
    }

private:
    std::set<int>& at(int tensor) { return known[static_cast<std::size_t>(tensor)]; }
    plait::view_kind kind_of(int i) const { return g.views[g.operations[i].view].kind; }
    bool joins(int i) const { return g.operations[i].view >= 0 && kind_of(i) == plait::view_kind::concatenate; }
    std::size_t count() const {
        std::size_t sum = 0;
        for (const auto& set : known) sum += set.size();
        return sum;
    }
    bool fits(int tensor, int number) const {
        const plait::dims& extents = g.tensors[tensor].dims;
        return number < 64 ? g.formats[number].ndims() == extents.size() : layout_in(tensor, number).dims == extents;
    }
    /// Returns the number of a layout moved to offset 0: that of the first format of the graph in the same memory, else
    /// that of the layout itself.
    int number_of(plait::layout l) {
        l.offset0 = 0;
        for (int f = 0; f < g.formats.size(); ++f)
            if (g.formats[f].ndims() == l.ndims() && is_same_form(plait::layout(l.dims, g.formats[f]), l)) return f;
        for (std::size_t k = static_cast<std::size_t>(g.layouts.size()); k < layouts.size(); ++k)
            if (is_same_form(layouts[k], l)) return static_cast<int>(k) + 64;
        layouts.push_back(l);
        return static_cast<int>(layouts.size()) + 63;
    }
    void hand_on(int i) {
        std::set<int> all;
        for (int p = 0; p < g.operations[i].ports(); ++p) all.merge(std::set<int>(at(g.tensor_at(i, p))));
        for (int p = 0; p < g.operations[i].ports(); ++p)
            for (const int f : all)
                if (fits(g.tensor_at(i, p), f)) at(g.tensor_at(i, p)).insert(f);
    }
    void look_through(int i) {
        const int sources = g.operations[i].sources, key = joins(i) ? sources : 0;
        const std::set<int> forward = at(g.tensor_at(i, key));
        for (const int f : forward)
            for (int p = 0; p <= sources; ++p)
                if (const auto l = p == key || !fits(g.tensor_at(i, key), f)
                                       ? plait::expected<plait::layout>{{}, {plait::reason::rank_differs}}
                                       : seen(i, layout_in(g.tensor_at(i, key), f), p))
                    at(g.tensor_at(i, p)).insert(number_of(*l));
        if (joins(i) || kind_of(i) == plait::view_kind::submemory) {  // only formats pass from a part to its whole
            for (int p = 0; p <= sources; ++p)
                for (const int f : p == key ? std::set<int>{} : at(g.tensor_at(i, p)))
                    if (f < 64) at(g.tensor_at(i, key)).insert(f);
            return;
        }
        const plait::dims& extents = g.tensors[g.tensor_at(i, 0)].dims;
        const std::set<int> back = at(g.tensor_at(i, 1));
        for (const int f : back) {
            if (!fits(g.tensor_at(i, 1), f)) continue;
            const plait::layout l = layout_in(g.tensor_at(i, 1), f);
            const auto source = kind_of(i) == plait::view_kind::permute_axes
                                    ? plait::try_permute_axes(l, plait::inverse(axes(i)))
                                : kind_of(i) == plait::view_kind::reshape ? plait::try_reshape(l, extents)
                                                                          : plait::try_view(l, extents);
            if (source) at(g.tensor_at(i, 0)).insert(number_of(*source));
        }
    }
    plait::permutation axes(int i) const {
        plait::permutation out;
        for (const plait::dim_t n : g.views[g.operations[i].view].numbers) out.push_back(n);
        return out;
    }
    plait::expected<plait::layout> seen(int i, const plait::layout& l, int port) const {
        const plait::dims& extents = g.tensors[g.tensor_at(i, port)].dims;
        const plait::position& numbers = g.views[g.operations[i].view].numbers;
        if (joins(i)) {
            plait::position begin;
            for (int a = 0; a < l.ndims(); ++a) begin.push_back(0);
            const int axis = static_cast<int>(numbers[0]);
            for (int p = 0; p < port; ++p) begin[axis] += g.tensors[g.tensor_at(i, p)].dims[axis];
            return plait::try_submemory(l, extents, begin);
        }
        if (kind_of(i) == plait::view_kind::permute_axes) return plait::try_permute_axes(l, axes(i));
        if (kind_of(i) == plait::view_kind::submemory) return plait::try_submemory(l, extents, numbers);
        return kind_of(i) == plait::view_kind::reshape ? plait::try_reshape(l, extents) : plait::try_view(l, extents);
    }
};

}  // namespace plait_test
