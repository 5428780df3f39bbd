#pragma once
// The parts of a graph: tensors, operations, and the combinations of formats that kernels support.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>
#include <plait/core/padding_state.hpp>
#include <plait/graph/format_rule.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The number of a tensor in a graph, in the order in which tensors were added.
struct tensor_id {
    int number = -1;
    constexpr bool operator==(const tensor_id&) const = default;
};

/// A tensor. Its format is given or wanted, or `any` (format -1). A constant is reordered ahead of time.
struct graph_tensor {
    plait::dims dims;
    data_type type = data_type::undef;
    int format = -1;  ///< among the graph's formats; from max_graph_formats on, among its layouts
    bool is_constant = false;
    /// For a given format: if its padding is zero. For a wanted format: if its padding must be zero.
    padding_state padding = padding_state::zero;
    constexpr bool operator==(const graph_tensor&) const = default;
};

namespace detail {
/// One combination of formats that an operation has a kernel for: a format for each port, and its cost as the number of
/// bytes that could be moved in the same time.
struct format_alternative {
    dim_t cost = 0;
    int first_format = 0;  ///< among the graph's port_formats; the next `formats` belong to it
    int formats = 0;
    int next = -1;                     ///< the operation's next alternative
    std::uint64_t needs_zeros = 0;     ///< bit p: reads the padding of source port p, which must be zero
    std::uint64_t leaves_unknown = 0;  ///< bit p: may write anything into the padding of result port p
    constexpr bool operator==(const format_alternative&) const = default;
};

/// An operation. Its ports are the sources, then the results. Without alternatives it follows the rules of its kind.
struct graph_operation {
    primitive_kind kind = primitive_kind::reorder;
    propagation direction = propagation::none;
    int first_port = 0;  ///< among the graph's ports
    int sources = 0;
    int results = 0;
    int first_alternative = -1;
    int in_place = -1;  ///< the source port whose memory the first result takes over
    int hint = -1;      ///< backward: the forward operation whose formats it shares
    int view = -1;      ///< among the graph's views
    constexpr int ports() const { return sources + results; }
    constexpr bool operator==(const graph_operation&) const = default;
};
}  // namespace detail
}  // namespace plait
