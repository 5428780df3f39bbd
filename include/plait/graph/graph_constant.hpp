#pragma once
// A graph as a type: the compiler chooses its formats and reports a rejection as one error; its reorders are kernels.

#include <plait/core/allowed.hpp>
#include <plait/graph/choose_formats.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A type that contains a graph as its value.
template <graph G>
struct graph_constant {
    static constexpr const graph& value = G;
};
/// A graph as a constant, for choose_formats and explain.
template <graph G>
inline constexpr graph_constant<G> graph_c{};

namespace detail {
/// Checks that a reorder with this number exists, and that it moves elements of these types, which must be equal.
constexpr verdict check_step(const format_choice& chosen, int k, data_type from, data_type to) {
    if (k < 0 || k >= chosen.reorders.size()) return {reason::reorder_is_unknown, -1, k, chosen.reorders.size()};
    const auto type = static_cast<dim_t>(chosen.reorders[k].type);
    if (static_cast<dim_t>(from) != type) return {reason::data_types_differ, -1, static_cast<dim_t>(from), type};
    if (static_cast<dim_t>(to) != type) return {reason::data_types_differ, -1, static_cast<dim_t>(to), type};
    return {};
}

/// The choice for a graph that is a type, computed once.
template <graph G, cost_options Options>
inline constexpr expected<format_choice> choice_for = try_choose_formats(static_cast<const decltype(G)&>(G), Options);
}  // namespace detail

/// The choice for a graph that is a type.
template <graph G, cost_options Options>
struct chosen_formats {
    static constexpr format_choice value =
        allowed<detail::choice_for<G, Options>.error()> ? *detail::choice_for<G, Options> : format_choice();
    static constexpr bool is_optimal = value.is_optimal;
    static constexpr dim_t cost = value.cost;
    static constexpr dim_t lower_bound = value.lower_bound;
    static constexpr const auto& reorders = value.reorders;
    static constexpr layout layout_of(tensor_id t) { return value.layout_of(t); }

    /// Runs the kernel of reorder number K, as plait::reorder between its two layouts.
    ///
    /// Refused: (at compile time) reorder_is_unknown; data_types_differ: the elements do not have the tensor's type
    /// Post:    as reference_reorder(value.from(value.reorders[K]), in, value.to(value.reorders[K]), out)
    /// Example: test/graph/graph_constant.cpp
    template <int K, element T, element U>
    static void run(const T* in, U* out) {
        if constexpr (allowed<detail::check_step(value, K, data_type_of<T>, data_type_of<U>)>)
            reorder<value.from(value.reorders[K]), value.to(value.reorders[K])>(in, out);
    }
};

/// Chooses the formats of a graph that is a type. The result is a type as well; a rejection is one compile error.
///
/// Pre:     check_graph(G, Options).ok(), else a compile error with its reason
/// Post:    choose_formats(graph_c<G>).value == choose_formats(G)
/// Cost:    one search at compile time for each graph and options; none at run time
/// Source:  spec semantics 16
/// Example: choose_formats(graph_c<network>).run<0>(image, blocked)
template <cost_options Options = cost_options{}, graph G>
constexpr chosen_formats<G, Options> choose_formats(graph_constant<G>) {
    return {};
}

}  // namespace plait
