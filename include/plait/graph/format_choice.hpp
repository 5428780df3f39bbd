#pragma once
// What is chosen for a graph: formats, reorders, zeros, and what shares memory.

#include <plait/graph/graph.hpp>

namespace plait {

/// A reorder of one tensor, behind the operation that makes it; or ahead of time.
struct graph_reorder {
    tensor_id tensor;
    data_type type = data_type::undef;
    int from = -1, to = -1;  ///< formats of the graph
    dim_t bytes = 0;         ///< read and written
    int behind = -1;         ///< the operation whose result it is; -1 of what is given
    bool is_ahead = false;   ///< of a constant: once, ahead of time
    int into = -1;           ///< the port of the graph, of a concatenation, in whose result it is written; or -1
    constexpr bool operator==(const graph_reorder&) const = default;
};

/// Zeros to be written into the padding of a tensor, in the form in which it is made or given.
struct graph_zeroing {
    tensor_id tensor;
    int format = -1;        ///< of the graph
    dim_t bytes = 0;        ///< of padding
    int behind = -1;        ///< the operation whose result it is; -1 of what is given
    bool is_ahead = false;  ///< of a constant: once, ahead of time
    constexpr bool operator==(const graph_zeroing&) const = default;
};

/// What was chosen for a graph: a structural value, as the graph is.
///
/// Post:    lower_bound <= the least cost <= cost; is_optimal == (lower_bound == cost)
template <class Storage>
struct basic_choice {
    template <class T, int Capacity>
    using list = typename Storage::template list<T, Capacity>;

    bool is_optimal = false;
    dim_t cost = 0;                     ///< alternatives and reorders, in bytes
    dim_t lower_bound = 0;              ///< no choice costs less
    dim_t peak_bytes = 0;               ///< of all tensors that are there at once
    list<int, 64> alternatives;         ///< by operation, counted from 0
    list<int, 320> port_formats;        ///< by port of the graph: the format that the operation has there
    list<int, 160> tensor_formats;      ///< by tensor: that in which it is made or given
    list<graph_tensor, 160> tensors;    ///< those of the graph
    list<graph_reorder, 256> reorders;  ///< in the order in which they are made, constants first
    list<graph_zeroing, 160> zeroings;  ///< before the reorders of the same tensor
    list<int, 64> order;                ///< the operations in the order in which they run
    inline_list<format_tag, max_graph_formats> formats;
    list<layout, 64> layouts;     ///< numbers of formats from max_graph_formats on
    list<graph_part, 320> parts;  ///< what is not copied: the ports that lie in the memory of another tensor

    /// The layout in which a tensor is made by its operation, or given.
    constexpr layout layout_of(tensor_id t) const { return layout_in(t, tensor_formats[t.number]); }
    /// The layout of a tensor in a format of the graph.
    constexpr layout layout_in(tensor_id t, int format) const {
        return format < max_graph_formats ? layout(tensors[t.number].dims, formats[format])
                                          : layouts[format - max_graph_formats];
    }
    constexpr layout from(const graph_reorder& r) const { return layout_in(r.tensor, r.from); }
    constexpr layout to(const graph_reorder& r) const { return layout_in(r.tensor, r.to); }
    /// All that the reorders read and write, in bytes; without those that are made ahead of time.
    constexpr dim_t bytes_moved() const {
        dim_t sum = 0;
        for (const graph_reorder& r : reorders) sum += r.is_ahead ? 0 : r.bytes;
        return sum;
    }
    constexpr bool operator==(const basic_choice&) const = default;
};

/// What was chosen for a graph: formats, reorders, zeros, shared memory; a structural value.
using format_choice = basic_choice<inline_storage>;

}  // namespace plait
