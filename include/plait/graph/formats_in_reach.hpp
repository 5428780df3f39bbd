#pragma once
// Which formats may reach an operation that has none of its own and follows the tensors around it.

#include <plait/graph/check_graph.hpp>

#include <cstdint>

namespace plait {

/// A set of formats of a graph.
using format_set = std::uint64_t;

/// The formats that may reach each operation that follows: those that tensors are given or wanted in and that kernels
/// have at their ports, handed on through operations that follow.
template <class Storage>
constexpr heap_list<format_set> formats_in_reach(const basic_graph<Storage>& g, const graph_order& order) {
    heap_list<format_set> reach(g.tensors.size(), 0);
    for (int t = 0; t < g.tensors.size(); ++t)
        if (g.tensors[t].format >= 0) reach[t] = format_set{1} << g.tensors[t].format;
    for (int i = 0; i < g.operations.size(); ++i)
        for (int a = g.operations[i].first_alternative; a >= 0; a = g.alternatives[a].next)
            for (int p = 0; p < g.operations[i].ports(); ++p)
                reach[g.tensor_at(i, p)] |= format_set{1} << g.port_formats[g.alternatives[a].first_format + p];
    for (bool grows = true; grows;) {
        grows = false;
        for (const int i : order.operations) {
            if (g.operations[i].first_alternative >= 0) continue;
            format_set all = 0;
            for (int p = 0; p < g.operations[i].ports(); ++p) all |= reach[g.tensor_at(i, p)];
            for (int p = 0; p < g.operations[i].ports(); ++p) {
                grows = grows || reach[g.tensor_at(i, p)] != all;
                reach[g.tensor_at(i, p)] = all;
            }
        }
    }
    return reach;
}

}  // namespace plait
