#pragma once
// A graph of operations on tensors, whose formats may be left open: its views, its parts, and the graph.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>
#include <plait/core/layout.hpp>
#include <plait/core/padding_state.hpp>
#include <plait/graph/format_rule.hpp>
#include <plait/support/heap_list.hpp>
#include <plait/support/inline_list.hpp>

#include <cstdint>
#include <initializer_list>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Views in a graph: operations whose result lies in the memory of their source, or whose sources lie in the memory of
// their result. If the algebra proves that, nothing is moved.

// GCC warns that the enumerators hide the operations of the same names.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// The operations of the algebra that are views between tensors of a graph.
enum class view_kind { permute_axes, reshape, view, submemory, concatenate };
#pragma GCC diagnostic pop

constexpr const char* to_string(view_kind kind) {
    constexpr const char* names[] = {"permute_axes", "reshape", "view", "submemory", "concatenate"};
    return names[static_cast<int>(kind)];
}

/// One view. For reshape, view and submemory, the extents are those of the result tensor.
struct graph_view {
    view_kind kind = view_kind::reshape;
    position numbers;  ///< permute_axes: the place of each axis; submemory: the offsets; concatenate: the axis
    constexpr permutation axes() const {
        permutation out;
        for (const dim_t number : numbers) out.push_back(number);
        return out;
    }
    constexpr bool operator==(const graph_view&) const = default;
};

/// A port whose tensor lies in the memory of another: the result of a view in its source, or a source of a
/// concatenation in its result.
struct graph_part {
    int operation = -1;
    int port = -1;
    dim_t offset = 0;  ///< where it begins there, in elements; its own layout begins at 0
    constexpr bool operator==(const graph_part&) const = default;
};

// The parts of a graph: tensors, operations, and the combinations of formats that kernels support.

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

/// Stores the lists of a graph inside the object, so that it is a structural value, and can be a template argument.
struct inline_storage {
    template <class T, int Capacity>
    using list = inline_list<T, Capacity>;
};
/// Stores the lists of a graph on the heap, with any length; for graphs known at run time.
struct heap_storage {
    template <class T, int Capacity>
    using list = detail::heap_list<T>;
};

/// The most distinct formats: sets of them are the bits of a word. Numbers from here on stand for layouts.
inline constexpr int max_graph_formats = 64;

namespace detail {
template <class Graph>
class operation_builder;
}  // namespace detail

/// A graph: tensors and operations, in the order in which they were added. check_graph reports what is wrong with them;
/// only graph_is_full, if there is no room for more, is refused when they are added.
///
/// Post:    a tensor of format `any` that no operation writes may be given in the format that costs least
/// Cost:    graph: 64 operations of 8 alternatives, 160 tensors, inside the object; large_graph: on the heap
/// Source:  seeds spec-memory-formats; spec semantics 16
/// Example: test/northstar/07_formats.cpp
template <class Storage>
struct basic_graph {
    template <class T, int Capacity>
    using list = typename Storage::template list<T, Capacity>;

    list<graph_tensor, 160> tensors;
    list<detail::graph_operation, 64> operations;
    list<int, 320> ports;  ///< numbers of tensors
    list<detail::format_alternative, 512> alternatives;
    list<int, 1536> port_formats;  ///< numbers of formats
    inline_list<format_tag, max_graph_formats> formats;
    list<graph_view, 16> views;
    list<layout, 16> layouts;  ///< the layouts of tensors that were given one

    /// Adds a tensor. Its format is given if no operation writes it, and wanted if one does.
    constexpr tensor_id tensor(const plait::dims& extents, data_type type, const format_tag& format,
                               padding_state padding = padding_state::zero) {
        add(tensors, graph_tensor{extents, type, number_of(format), false, padding});
        return {tensors.size() - 1};
    }
    /// Adds a tensor that is given, and whose reorders run once, ahead of time.
    constexpr tensor_id constant(const plait::dims& extents, data_type type, const format_tag& format,
                                 padding_state padding = padding_state::zero) {
        add(tensors, graph_tensor{extents, type, number_of(format), true, padding});
        return {tensors.size() - 1};
    }
    /// Adds a tensor with a layout of any strides. Its first offset does not matter, because a pointer can be moved.
    constexpr tensor_id tensor(const layout& l, data_type type, padding_state padding = padding_state::zero) {
        add(layouts, l);
        add(tensors, graph_tensor{l.dims, type, max_graph_formats + layouts.size() - 1, false, padding});
        return {tensors.size() - 1};
    }
    /// Adds an operation, and returns a builder that takes its alternatives. For backward operations, the first source
    /// is the gradient. Sources and results are lists of tensors, in braces or as any container.
    constexpr detail::operation_builder<basic_graph> operation(primitive_kind kind, propagation direction,
                                                               std::initializer_list<tensor_id> sources,
                                                               std::initializer_list<tensor_id> results) {
        return operation<alone, alone>(kind, direction, sources, results);
    }
    constexpr detail::operation_builder<basic_graph> operation(primitive_kind kind,
                                                               std::initializer_list<tensor_id> sources,
                                                               std::initializer_list<tensor_id> results) {
        return operation(kind, usual_propagation(kind), sources, results);
    }
    template <class Sources, class Results>
    constexpr detail::operation_builder<basic_graph> operation(primitive_kind kind, propagation direction,
                                                               const Sources& sources, const Results& results) {
        detail::graph_operation added{kind, direction, ports.size(), static_cast<int>(sources.size()),
                                      static_cast<int>(results.size())};
        for (const tensor_id& id : sources) add(ports, id.number);
        for (const tensor_id& id : results) add(ports, id.number);
        add(operations, added);
        return {*this, operations.size() - 1};
    }

    /// Adds a view: the result is the source with axis i at place p[i], in the same memory. All functions that add
    /// views return the number of the operation.
    constexpr int permute_axes(tensor_id source, const permutation& p, tensor_id result) {
        return add_view(alone{source},
                        {view_kind::permute_axes, position(p.begin(), static_cast<std::size_t>(p.size()))}, result);
    }
    /// Adds a view: the result is the source with the extents of the result, as plait::reshape does it.
    constexpr int reshape(tensor_id source, tensor_id result) {
        return add_view(alone{source}, {view_kind::reshape, {}}, result);
    }
    /// Adds a view with the extents of the result, as plait::view does it, which accepts more formats than reshape.
    constexpr int view(tensor_id source, tensor_id result) {
        return add_view(alone{source}, {view_kind::view, {}}, result);
    }
    /// Adds a view: the result is the part of the source that begins at `offsets`, in the source's memory.
    constexpr int submemory(tensor_id source, const position& offsets, tensor_id result) {
        return add_view(alone{source}, {view_kind::submemory, offsets}, result);
    }
    /// Adds a concatenation of the sources along an axis. A source that an operation makes only for this one is made in
    /// the memory of the result. Others are copied there by a reorder.
    constexpr int concatenate(std::initializer_list<tensor_id> sources, int axis, tensor_id result) {
        return add_view(sources, {view_kind::concatenate, {axis}}, result);
    }
    using alone = std::initializer_list<tensor_id>;
    template <class List>
    constexpr int add_view(const List& sources, const graph_view& what, tensor_id result) {
        add(views, what);
        const bool joins = what.kind == view_kind::concatenate;
        const int number = operation(joins ? primitive_kind::concat : primitive_kind::reorder, propagation::none,
                                     sources, alone{result})
                               .number();
        operations[number].view = views.size() - 1;
        return number;
    }

    /// Returns the number of a format; -1 for `any`.
    constexpr int number_of(const format_tag& format) {
        if (format.kind == format_kind::any) return -1;
        for (int i = 0; i < formats.size(); ++i)
            if (formats[i] == format) return i;
        add(formats, format);
        return formats.size() - 1;
    }
    /// Returns the view of an operation; null if it is not a view.
    constexpr const graph_view* view_of(int operation) const {
        return operations[operation].view < 0 ? nullptr : &views[operations[operation].view];
    }
    /// True if an operation is a concatenation, whose sources lie in the memory of its result.
    constexpr bool joins(int operation) const {
        const graph_view* const what = view_of(operation);
        return what != nullptr && what->kind == view_kind::concatenate;
    }
    /// Returns the port of a view whose tensor contains those of all other ports: the source; of a concatenation the
    /// result.
    ///
    /// Pre:     view_of(operation) != nullptr
    constexpr int whole_port(int operation) const { return joins(operation) ? operations[operation].sources : 0; }
    /// Returns the tensor at a port of an operation.
    constexpr int tensor_at(int operation, int port) const { return ports[operations[operation].first_port + port]; }

    template <class List, class T>
    static constexpr void add(List& to, const T& value) {
        if (to.full()) require({reason::graph_is_full, -1, to.size()});
        else to.push_back(value);
    }
    constexpr bool operator==(const basic_graph&) const = default;
};

/// A graph of up to 64 operations and 160 tensors; a structural value.
using graph = basic_graph<inline_storage>;
/// A graph of any size, on the heap.
using large_graph = basic_graph<heap_storage>;

namespace detail {
template <class Storage>
void take_graph(const basic_graph<Storage>&);  // only declared
/// A graph, wherever its lists are stored.
template <class Graph>
concept any_graph = requires(const Graph& g) {
    take_graph(g);
};

/// Sets the properties of an operation that was added. Each function returns the builder.
template <class Graph>
class operation_builder {
public:
    constexpr operation_builder(Graph& whole, int number) : graph_(whole), number_(number) {}
    constexpr int number() const { return number_; }

    /// Adds an alternative: a format for each source and each result, and its cost in bytes.
    constexpr operation_builder& accepts(std::initializer_list<format_tag> sources,
                                         std::initializer_list<format_tag> results, dim_t cost = 0) {
        return accepts<std::initializer_list<format_tag>>(sources, results, cost);
    }
    template <class List>
    constexpr operation_builder& accepts(const List& sources, const List& results, dim_t cost = 0) {
        const int first = graph_.port_formats.size(), here = graph_.alternatives.size();
        for (const format_tag& format : sources) graph_.add(graph_.port_formats, graph_.number_of(format));
        for (const format_tag& format : results) graph_.add(graph_.port_formats, graph_.number_of(format));
        const graph_operation& o = graph_.operations[number_];
        // Too many formats for sources and too few for results do not fit, even if the total is right.
        const bool fits =
            static_cast<int>(sources.size()) == o.sources && static_cast<int>(results.size()) == o.results;
        graph_.add(graph_.alternatives, format_alternative{cost, first, fits ? o.ports() : -1});
        int* link = &graph_.operations[number_].first_alternative;
        while (*link >= 0) link = &graph_.alternatives[*link].next;
        *link = here;
        return *this;
    }
    /// Marks a source of the last alternative as read with its padding, as kernels for whole blocks do. The padding
    /// must be zero: by its producer, by a reorder, or by zeros written for it. If `source` is not the number of a
    /// source, the alternative is refused: ports_do_not_match.
    constexpr operation_builder& needs_zero_padding(int source = 0) {
        const graph_operation& o = graph_.operations[number_];
        mark(source >= 0 && source < o.sources, source, &format_alternative::needs_zeros);
        return *this;
    }
    /// Marks a result of the last alternative as having unknown padding. Other results have zeros there.
    constexpr operation_builder& leaves_padding_unknown(int result = 0) {
        const graph_operation& o = graph_.operations[number_];
        mark(result >= 0 && result < o.results, o.sources + result, &format_alternative::leaves_unknown);
        return *this;
    }
    /// Lets the first result take over the memory of a source: both have one layout.
    constexpr operation_builder& in_place(int source = 0) {
        graph_.operations[number_].in_place = source;
        return *this;
    }
    /// Sets the forward operation of a backward one. If the rules say that data is `actual`, both choose equal formats.
    constexpr operation_builder& hint(int forward) {
        graph_.operations[number_].hint = forward;
        return *this;
    }
    constexpr operation_builder& hint(const operation_builder& forward) { return hint(forward.number_); }

private:
    Graph& graph_;
    int number_;

    constexpr void mark(bool is_port, int port, std::uint64_t format_alternative::*which) {
        if (graph_.operations[number_].first_alternative < 0) {
            accepts({}, {});  // add an alternative that is refused
            is_port = false;
        }
        int last = graph_.operations[number_].first_alternative;
        while (graph_.alternatives[last].next >= 0) last = graph_.alternatives[last].next;
        if (is_port && port < 64) graph_.alternatives[last].*which |= std::uint64_t{1} << port;
        else graph_.alternatives[last].formats = -1;
    }
};
}  // namespace detail

}  // namespace plait
