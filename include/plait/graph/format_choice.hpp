#pragma once
// The choice for a graph: formats, reorders, zeroed padding, and tensors that share memory.

#include <plait/graph/graph.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A reorder of one tensor, after the operation that makes it, or ahead of time.
struct graph_reorder {
    tensor_id tensor;
    data_type type = data_type::undef;
    int from = -1, to = -1;  ///< numbers of formats in the graph
    dim_t bytes = 0;         ///< read and written
    int behind = -1;         ///< the operation that makes the tensor; -1 if it is given
    bool is_ahead = false;   ///< for a constant: runs once, ahead of time
    int into = -1;           ///< the graph port of the concatenation whose result it is written into; or -1
    constexpr bool operator==(const graph_reorder&) const = default;
};

/// Zeros to be written into the padding of a tensor, in the form in which it is made or given.
struct graph_zeroing {
    tensor_id tensor;
    int format = -1;        ///< number of a format in the graph
    dim_t bytes = 0;        ///< bytes of padding
    int behind = -1;        ///< the operation that makes the tensor; -1 if it is given
    bool is_ahead = false;  ///< for a constant: runs once, ahead of time
    constexpr bool operator==(const graph_zeroing&) const = default;
};

/// The choice for a graph. A structural value, like the graph.
///
/// Post:    lower_bound <= the least cost <= cost; is_optimal == (lower_bound == cost)
template <class Storage>
struct basic_choice {
    template <class T, int Capacity>
    using list = typename Storage::template list<T, Capacity>;

    bool is_optimal = false;
    dim_t cost = 0;                     ///< sum of alternatives and reorders, in bytes
    dim_t lower_bound = 0;              ///< no choice costs less
    dim_t peak_bytes = 0;               ///< the most memory that all tensors take at the same time
    list<int, 64> alternatives;         ///< by operation, counted from 0
    list<int, 320> port_formats;        ///< by port of the graph: the operation's format there
    list<int, 160> tensor_formats;      ///< by tensor: the format in which it is made or given
    list<graph_tensor, 160> tensors;    ///< the tensors of the graph
    list<graph_reorder, 256> reorders;  ///< in the order in which they run, constants first
    list<graph_zeroing, 160> zeroings;  ///< each runs before the reorders of the same tensor
    list<int, 64> order;                ///< the operations in the order in which they run
    inline_list<format_tag, max_graph_formats> formats;
    list<layout, 64> layouts;     ///< their numbers as formats begin at max_graph_formats
    list<graph_part, 320> parts;  ///< ports whose tensors lie in the memory of another tensor and are not copied

    /// Returns the layout in which an operation makes the tensor, or in which it is given.
    constexpr layout layout_of(tensor_id t) const { return layout_in(t, tensor_formats[t.number]); }
    /// Returns the layout of a tensor in a format of the graph.
    constexpr layout layout_in(tensor_id t, int format) const {
        return format < max_graph_formats ? layout(tensors[t.number].dims, formats[format])
                                          : layouts[format - max_graph_formats];
    }
    constexpr layout from(const graph_reorder& r) const { return layout_in(r.tensor, r.from); }
    constexpr layout to(const graph_reorder& r) const { return layout_in(r.tensor, r.to); }
    /// Returns the bytes that all reorders read and write, except those that run ahead of time.
    constexpr dim_t bytes_moved() const {
        dim_t sum = 0;
        for (const graph_reorder& r : reorders) sum += r.is_ahead ? 0 : r.bytes;
        return sum;
    }
    constexpr bool operator==(const basic_choice&) const = default;
};

/// The choice for a `graph`: formats, reorders, zeroed padding, shared memory; a structural value.
using format_choice = basic_choice<inline_storage>;

}  // namespace plait
