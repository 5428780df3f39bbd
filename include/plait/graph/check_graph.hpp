#pragma once
// Checks that formats can be chosen for a graph, and finds the order in which its operations run.

#include <plait/graph/view_layouts.hpp>
#include <plait/support/least_first.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The producer and the readers of each tensor, and an order in which each operation runs after those that it reads
/// from. If several operations could be next, the order is that in which they were added, in rounds over all.
struct graph_order {
    verdict why;
    heap_list<int> producer;    ///< by tensor: an operation, or -1
    heap_list<int> readers;     ///< by tensor: the number of ports that read it
    heap_list<int> operations;  ///< in order
    heap_list<char> constant;   ///< by tensor: it is given as a constant, or is a view of one
    heap_list<int> whole_at;    ///< by tensor: the port that may place it in the memory of a whole, or -1
};

/// Checks that the extents of all tensors are numbers, because costs are.
///
/// Refused: layout_is_undefined, if there are no axes; dim_is_dynamic, dim_is_negative
constexpr verdict check_extents(const any_graph auto& g) {
    for (const graph_tensor& tensor : g.tensors) {
        if (tensor.dims.empty()) return {reason::layout_is_undefined};
        for (int a = 0; a < tensor.dims.size(); ++a) {
            if (tensor.dims[a] == dynamic) return {reason::dim_is_dynamic, a};
            if (tensor.dims[a] < 0) return {reason::dim_is_negative, a, tensor.dims[a], 0};
        }
    }
    return {};
}

/// Checks that the first result of an operation has the extents that its kind computes from the first source.
///
/// Refused: port_extents_differ, with the axis, the operation, and both extents; if the ranks differ, with both ranks
constexpr verdict check_kept_extents(const any_graph auto& g, int number) {
    const graph_operation& o = g.operations[number];
    if (!keeps_extents(o.kind) || o.sources == 0 || o.results == 0) return {};
    const dims &from = g.tensors[g.tensor_at(number, 0)].dims, &to = g.tensors[g.tensor_at(number, o.sources)].dims;
    if (from.size() != to.size()) return {reason::port_extents_differ, -1, number, to.size(), from.size()};
    for (int a = 0; a < from.size(); ++a)
        if (from[a] != to[a]) return {reason::port_extents_differ, a, number, to[a], from[a]};
    return {};
}

/// Checks that an operation's ports name tensors of the graph, that its kind has such a direction, and that its hint
/// and its view fit.
constexpr verdict check_ports(const any_graph auto& g, int number) {
    const graph_operation& o = g.operations[number];
    for (int p = 0; p < o.ports(); ++p)
        if (const int t = g.tensor_at(number, p); t < 0 || t >= g.tensors.size())
            return {reason::tensor_is_unknown, p, number, t, g.tensors.size()};
    if (!format_rule(o.kind, o.direction).applies())
        return {reason::propagation_does_not_apply, -1, number, static_cast<dim_t>(o.kind),
                static_cast<dim_t>(o.direction)};
    if (o.hint != -1 && (o.hint < 0 || o.hint >= number || o.direction != propagation::backward ||
                         g.operations[o.hint].direction != propagation::forward))
        return {reason::hint_does_not_fit, -1, number, o.hint};
    return o.view < 0 ? check_kept_extents(g, number) : check_view_of(g, number);
}

/// Checks that each alternative of an operation has a cost, and a format for each port with as many axes as the tensor
/// there.
constexpr verdict check_alternatives(const any_graph auto& g, int number) {
    const graph_operation& o = g.operations[number];
    int count = 0;
    for (int a = o.first_alternative; a >= 0; a = g.alternatives[a].next, ++count) {
        const format_alternative& alternative = g.alternatives[a];
        if (alternative.formats != o.ports()) return {reason::ports_do_not_match, -1, number, count, o.ports()};
        if (alternative.cost < 0) return {reason::costs_overflow, -1, number, alternative.cost};
        for (int p = 0; p < o.ports(); ++p) {
            const int format = g.port_formats[alternative.first_format + p];
            const dims& extents = g.tensors[g.tensor_at(number, p)].dims;
            if (format < 0) return {reason::port_has_no_format, p, number, count};
            if (g.formats[format].ndims() != extents.size())
                return {reason::port_rank_differs, p, number, g.formats[format].ndims(), extents.size()};
        }
        if (o.in_place >= 0 && o.in_place < o.sources &&
            g.port_formats[alternative.first_format + o.in_place] !=
                g.port_formats[alternative.first_format + o.sources])
            return {reason::in_place_does_not_fit, -1, number, o.in_place, g.tensor_at(number, o.in_place)};
    }
    return {};
}

/// Checks an in-place result. Its source must have the same dims and size; nothing else may read, want or keep the
/// source, and it must not be a view of a tensor that others may read.
constexpr verdict check_in_place(const any_graph auto& g, int number, const graph_order& order) {
    const graph_operation& o = g.operations[number];
    if (o.in_place == -1) return {};
    if (o.in_place < 0 || o.in_place >= o.sources || o.results == 0)
        return {reason::in_place_does_not_fit, -1, number, o.in_place, -1};
    const int t = g.tensor_at(number, o.in_place);
    const graph_tensor &source = g.tensors[t], &result = g.tensors[g.tensor_at(number, o.sources)];
    const bool wanted = source.format >= 0 && order.producer[t] >= 0;
    const bool shares_memory = order.producer[t] >= 0 && g.operations[order.producer[t]].view >= 0;
    if (source.is_constant || wanted || shares_memory || o.view >= 0 || order.readers[t] != 1 ||
        source.dims != result.dims || size_in_bits(source.type) != size_in_bits(result.type))
        return {reason::in_place_does_not_fit, -1, number, o.in_place, t};
    return {};
}

/// Finds the producers and readers of all tensors, and checks them.
constexpr verdict link_tensors(const any_graph auto& g, graph_order& order) {
    order.producer.resize(g.tensors.size(), -1);
    order.readers.resize(g.tensors.size(), 0);
    for (int i = 0; i < g.operations.size(); ++i) {
        const graph_operation& o = g.operations[i];
        for (int p = 0; p < o.sources; ++p) ++order.readers[g.tensor_at(i, p)];
        for (int p = o.sources; p < o.ports(); ++p) {
            int& producer = order.producer[g.tensor_at(i, p)];
            if (producer >= 0) return {reason::tensor_has_two_producers, -1, g.tensor_at(i, p), producer, i};
            if (g.tensors[g.tensor_at(i, p)].is_constant)
                return {reason::tensor_is_given_and_made, -1, g.tensor_at(i, p), i};
            producer = i;
        }
    }
    for (int t = 0; t < g.tensors.size(); ++t) {
        const graph_tensor& tensor = g.tensors[t];
        if (size_in_bits(tensor.type) == 0) return {reason::data_type_is_unknown, -1, static_cast<dim_t>(tensor.type)};
        if (tensor.format >= 0) {
            if (const verdict why = given_layout(g, tensor, tensor.format).error(); !why.ok()) return why;
        } else if (order.producer[t] < 0 && order.readers[t] == 0) {
            return {reason::tensor_format_is_open, -1, t};
        }
    }
    return {};
}

/// The operations that read each tensor, grouped by tensor.
struct tensor_readers {
    heap_list<int> first, operations;

    constexpr tensor_readers(const any_graph auto& g, const graph_order& order) {
        first.resize(g.tensors.size() + 1, 0);
        for (int t = 0; t < g.tensors.size(); ++t) first[t + 1] = first[t] + order.readers[t];
        operations.resize(first[g.tensors.size()], 0);
        heap_list<int> next = first;
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = 0; p < g.operations[i].sources; ++p) operations[next[g.tensor_at(i, p)]++] = i;
    }
};

/// Orders the operations in rounds. Each round places the operations that read only from those placed before; if some
/// remain, they wait for each other.
///
/// Cost:    O(n log n) in ports: an operation is visited only in its own round, which is one after the round of an
///          operation that it reads from and that was added later
constexpr verdict put_in_order(const any_graph auto& g, graph_order& order) {
    const int n = g.operations.size();
    const tensor_readers readers(g, order);
    heap_list<int> placed(n, 0), missing(n, 0);
    heap_list<dim_t> place(n, 0);  // round * n + number of the operation
    least_first<dim_t> next;
    for (int i = 0; i < n; ++i) {
        place[i] = i;
        for (int p = 0; p < g.operations[i].sources; ++p) missing[i] += order.producer[g.tensor_at(i, p)] >= 0;
        if (missing[i] == 0) next.push(i);
    }
    while (!next.empty()) {
        const dim_t at = next.pop();
        const int i = static_cast<int>(at % n);
        placed[i] = 1;
        order.operations.push_back(i);
        for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
            for (int k = readers.first[g.tensor_at(i, p)]; k < readers.first[g.tensor_at(i, p) + 1]; ++k) {
                const int reader = readers.operations[k];
                const dim_t here = at / n * n + reader + (reader < i ? n : 0);
                if (here > place[reader]) place[reader] = here;
                if (--missing[reader] == 0) next.push(place[reader]);
            }
    }
    if (order.operations.size() == n) return {};
    const auto waits_for = [&](int i) {
        for (int p = 0; p < g.operations[i].sources; ++p)
            if (const int from = order.producer[g.tensor_at(i, p)]; from >= 0 && placed[from] == 0) return from;
        return -1;
    };
    // Steps from an operation that waits to the one it waits for; after n steps it is inside the cycle.
    int i = 0;
    while (placed[i] != 0) ++i;
    for (int step = 0; step < n; ++step) i = waits_for(i);
    return {reason::graph_has_cycle, -1, i, waits_for(i)};
}

/// Marks views of constants as constants, and finds sources of concatenations that can be made in the memory of the
/// whole: an operation makes the source, is not a view and not in place, the source has no wanted format, and no
/// earlier port claimed it.
constexpr void follow_views(const any_graph auto& g, graph_order& order) {
    order.constant.resize(g.tensors.size(), 0);
    order.whole_at.resize(g.tensors.size(), -1);
    for (int t = 0; t < g.tensors.size(); ++t) order.constant[t] = g.tensors[t].is_constant;
    if (g.views.empty()) return;
    for (const int i : order.operations) {
        const graph_operation& o = g.operations[i];
        if (o.view < 0) continue;
        bool all = true;
        for (int p = 0; p < o.sources; ++p) all = all && order.constant[g.tensor_at(i, p)] != 0;
        order.constant[g.tensor_at(i, o.sources)] = all;
    }
    for (int i = 0; i < g.operations.size(); ++i) {
        if (!g.joins(i)) continue;
        for (int p = 0; p < g.operations[i].sources; ++p) {
            const int t = g.tensor_at(i, p), producer = order.producer[t];
            if (producer < 0 || order.whole_at[t] >= 0 || g.tensors[t].format >= 0) continue;
            const graph_operation& made = g.operations[producer];
            const bool in_place = made.in_place >= 0 && g.tensor_at(producer, made.sources) == t;
            const bool other_view = made.view >= 0 && !g.joins(producer);
            if (!in_place && !other_view) order.whole_at[t] = g.operations[i].first_port + p;
        }
    }
}

/// Returns the order in which the operations run, or the reason why the graph is refused.
constexpr graph_order order_of(const any_graph auto& g) {
    graph_order order;
    order.why = check_extents(g);
    for (int i = 0; i < g.operations.size() && order.why.ok(); ++i) order.why = check_ports(g, i);
    for (int i = 0; i < g.operations.size() && order.why.ok(); ++i) order.why = check_alternatives(g, i);
    if (order.why.ok()) order.why = link_tensors(g, order);
    for (int i = 0; i < g.operations.size() && order.why.ok(); ++i) order.why = check_in_place(g, i, order);
    if (order.why.ok()) order.why = put_in_order(g, order);
    if (order.why.ok()) follow_views(g, order);
    return order;
}

}  // namespace plait::detail
