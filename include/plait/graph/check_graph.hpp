#pragma once
// Whether a graph is one that formats can be chosen for, and the order in which its operations run.

#include <plait/graph/view_layouts.hpp>
#include <plait/support/least_first.hpp>

namespace plait::detail {

/// Who writes each tensor, who reads it, and an order of the operations in which each is behind those that it reads
/// from: of several that could be next, the one added first in each round over all.
struct graph_order {
    verdict why;
    heap_list<int> producer;    ///< by tensor: an operation, or -1
    heap_list<int> readers;     ///< by tensor: how many ports read it
    heap_list<int> operations;  ///< in order
    heap_list<char> constant;   ///< by tensor: given as one, or a view of one
    heap_list<int> whole_at;    ///< by tensor: the port that may have it made in the memory of a whole, or -1
};

/// Whether the extents of all tensors are numbers: costs are.
///
/// Refused: layout_is_undefined where there are no axes; dim_is_dynamic, dim_is_negative
template <class Storage>
constexpr verdict check_extents(const basic_graph<Storage>& g) {
    for (const graph_tensor& tensor : g.tensors) {
        if (tensor.dims.empty()) return {reason::layout_is_undefined};
        for (int a = 0; a < tensor.dims.size(); ++a) {
            if (tensor.dims[a] == dynamic) return {reason::dim_is_dynamic, a};
            if (tensor.dims[a] < 0) return {reason::dim_is_negative, a, tensor.dims[a], 0};
        }
    }
    return {};
}

/// Whether the first result of an operation has the extents that its kind makes of the first source.
///
/// Refused: port_extents_differ, with the axis, the operation, and both extents; where the ranks differ, both of them
template <class Storage>
constexpr verdict check_kept_extents(const basic_graph<Storage>& g, int number) {
    const graph_operation& o = g.operations[number];
    if (!keeps_extents(o.kind) || o.sources == 0 || o.results == 0) return {};
    const dims &from = g.tensors[g.tensor_at(number, 0)].dims, &to = g.tensors[g.tensor_at(number, o.sources)].dims;
    if (from.size() != to.size()) return {reason::port_extents_differ, -1, number, to.size(), from.size()};
    for (int a = 0; a < from.size(); ++a)
        if (from[a] != to[a]) return {reason::port_extents_differ, a, number, to[a], from[a]};
    return {};
}

/// Whether an operation's ports name tensors of the graph, its kind has such a direction, and its hint and its view
/// fit.
template <class Storage>
constexpr verdict check_ports(const basic_graph<Storage>& g, int number) {
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

/// Whether each alternative of an operation has a cost, and for each port a format with as many axes as the tensor
/// there.
template <class Storage>
constexpr verdict check_alternatives(const basic_graph<Storage>& g, int number) {
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

/// An in-place result needs a source of the same dims and size, which nothing else reads, wants or keeps, and which is
/// no view of what others may read.
template <class Storage>
constexpr verdict check_in_place(const basic_graph<Storage>& g, int number, const graph_order& order) {
    const graph_operation& o = g.operations[number];
    if (o.in_place == -1) return {};
    if (o.in_place < 0 || o.in_place >= o.sources || o.results == 0)
        return {reason::in_place_does_not_fit, -1, number, o.in_place, -1};
    const int t = g.tensor_at(number, o.in_place);
    const graph_tensor &source = g.tensors[t], &result = g.tensors[g.tensor_at(number, o.sources)];
    const bool wanted = source.format >= 0 && order.producer[t] >= 0;
    const bool shares_memory = order.producer[t] >= 0 && g.operations[order.producer[t]].view >= 0;
    if (source.is_constant || wanted || shares_memory || o.view >= 0 || order.readers[t] != 1 ||
        source.dims != result.dims || size_in_bytes(source.type) != size_in_bytes(result.type))
        return {reason::in_place_does_not_fit, -1, number, o.in_place, t};
    return {};
}

/// Producers and readers, with what is wrong with them.
template <class Storage>
constexpr verdict link_tensors(const basic_graph<Storage>& g, graph_order& order) {
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
        if (size_in_bytes(tensor.type) == 0) return {reason::data_type_is_unknown, -1, static_cast<dim_t>(tensor.type)};
        if (tensor.format >= 0) {
            if (const verdict why = given_layout(g, tensor, tensor.format).error(); !why.ok()) return why;
        } else if (order.producer[t] < 0 && order.readers[t] == 0) {
            return {reason::tensor_format_is_open, -1, t};
        }
    }
    return {};
}

/// The operations that read each tensor, one tensor's after the other's.
struct tensor_readers {
    heap_list<int> first, operations;

    template <class Storage>
    constexpr tensor_readers(const basic_graph<Storage>& g, const graph_order& order) {
        first.resize(g.tensors.size() + 1, 0);
        for (int t = 0; t < g.tensors.size(); ++t) first[t + 1] = first[t] + order.readers[t];
        operations.resize(first[g.tensors.size()], 0);
        heap_list<int> next = first;
        for (int i = 0; i < g.operations.size(); ++i)
            for (int p = 0; p < g.operations[i].sources; ++p) operations[next[g.tensor_at(i, p)]++] = i;
    }
};

/// Rounds over the operations, in each of which an operation is placed that reads only from those placed before; what
/// is left in the end waits for each other.
///
/// Cost:    O(n log n) in ports: an operation is looked at in its round only, which is one after that of an operation
///          that it reads from and that was added later
template <class Storage>
constexpr verdict put_in_order(const basic_graph<Storage>& g, graph_order& order) {
    const int n = g.operations.size();
    const tensor_readers readers(g, order);
    heap_list<int> placed(n, 0), missing(n, 0);
    heap_list<dim_t> place(n, 0);  // the round times n, and the number of the operation
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
    // From one that waits to the one it waits for; after as many steps as there are operations it is in the circle.
    int i = 0;
    while (placed[i] != 0) ++i;
    for (int step = 0; step < n; ++step) i = waits_for(i);
    return {reason::graph_has_cycle, -1, i, waits_for(i)};
}

/// Views of constants are constants. A source of a concatenation may be made in the memory of the whole where an
/// operation makes it that is no view and not in place, nobody wants it, and this port is the first to ask.
template <class Storage>
constexpr void follow_views(const basic_graph<Storage>& g, graph_order& order) {
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

/// The order in which the operations run, or what refuses the graph.
template <class Storage>
constexpr graph_order order_of(const basic_graph<Storage>& g) {
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
