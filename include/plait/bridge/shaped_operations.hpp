#pragma once
// Operations on shaped buffers; none of them moves data. With constants (axis_map_c, permutation_c, dims_c) the result
// has a static layout as far as the types tell; with values it has a run-time layout. Failures are compile errors if
// the types tell, otherwise run-time errors. Each operation has a check: check_as_operand, check_transpose,
// check_reshape, ...

#include <plait/bridge/shaped_buffer.hpp>
#include <plait/bridge/shaped_reshape.hpp>
#include <plait/view/view_operations.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns a view of the elements for an operation whose operand has the map `need`.
///
/// The view has the axes in the library's order, without names, because the names of the memory belong to the operation
/// that wrote it.
///
/// Pre:     check_as_operand(b.shaped(), need).ok()
/// Post:    result.data() == b.data(); static_cast<layout>(result.layout()) == as_operand(b.shaped(), need)
/// Cost:    none if layout and maps are types
/// Source:  seeds tensor-representation, 3
/// Example: as_operand(result_of_conv1, axis_map_c<3, 2, 0, 1>)
template <class T, class L, class Have, axis_map Need>
[[nodiscard]] constexpr auto as_operand(const shaped_buffer<T, L, Have>& b, axis_map_constant<Need> need) {
    return detail::with_layout(b.memory(), adapt(detail::operand_of(b.memory()), b.map(), need));
}
template <class T, class L, class Have>
[[nodiscard]] constexpr tensor_view<T, layout> as_operand(const shaped_buffer<T, L, Have>& b, const axis_map& need) {
    return detail::with_layout(b.memory(), as_operand(b.shaped(), need));
}
template <class T, class L, class Have>
[[nodiscard]] constexpr verdict check_as_operand(const shaped_buffer<T, L, Have>& b, const axis_map& need) {
    return check_as_operand(b.shaped(), need);
}

/// Returns a view of the elements for an operation that names its axes Library and whose framework names them
/// Framework. If the layout is in the type, the axes of the result have the library's names.
///
/// Post:    as_operand(b, axis_map_of<Library, Framework>()); with_axes of its layout and Library
/// Example: as_operand<"oihw", "hwio">(result_of_conv1): weights
template <detail::letter_list Library, detail::letter_list Framework, class T, class L, class Have>
[[nodiscard]] constexpr auto as_operand(const shaped_buffer<T, L, Have>& b) {
    const auto operand = as_operand(b, axis_map_of<Library, Framework>());
    return detail::with_layout(operand, detail::with_letters<Library>(detail::operand_of(operand)));
}

/// Returns the result of an operation as a buffer for the framework, given the view that the operation wrote.
///
/// Pre:     if the view's axes have names, they are Library; refused by the compiler: axis_is_named_otherwise, and as
///          axis_map_of
/// Post:    as_operand<Library, Framework>(result) is the view
/// Cost:    one instantiation for each type; the view is copied, its data does not move
/// Source:  seeds tensor-representation, 3
/// Example: as_result<"nchw", "nhwc">(tensor_view(data, nChw16c<2, 32, 5, 4>()))
template <detail::letter_list Library, detail::letter_list Framework, class T, class L>
[[nodiscard]] constexpr auto as_result(const tensor_view<T, L>& made) {
    if constexpr (!detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters<>>) require_axes<Library>(made);
    return shaped_buffer(made, axis_map_of<Library, Framework>());
}

/// Makes axis names[i] of the shape its axis i; only the map changes.
///
/// Pre:     check_transpose(b.shaped(), names).ok()
/// Post:    &transpose(b, names)(p[names[0]], p[names[1]], ...) == &b(p...); result.shaped() ==
///          transpose(b.shaped(), names); result.data() == b.data()
/// Cost:    none if layout, map and names are types
/// Source:  seeds tensor-representation, 4.1, option 1
/// Example: examples/integrations/framework_bridge.cpp
template <class T, class L, class Map, permutation Names>
[[nodiscard]] constexpr auto transpose(const shaped_buffer<T, L, Map>& b, permutation_constant<Names>) {
    if constexpr (!detail::is_known_map<Map>) {
        return transpose(b, Names);
    } else if constexpr (constexpr axis_map map = Map::value; !allowed<check_permutation(Names, map.size())>) {
        return b;
    } else {
        return shaped_buffer(b.memory(), axis_map_constant<detail::transposed_map(map, Names)>());
    }
}
template <class T, class L, class Map>
[[nodiscard]] constexpr auto transpose(const shaped_buffer<T, L, Map>& b, const permutation& names) {
    return shaped_buffer(b.memory(), transpose(b.shaped(), names).map);
}
/// Reverses all axes.
template <class T, class L, class Map>
[[nodiscard]] constexpr auto transpose(const shaped_buffer<T, L, Map>& b) {
    if constexpr (!detail::is_known_map<Map>) return transpose(b, detail::reversed_axes(b.ndims()));
    else return transpose(b, permutation_constant<detail::reversed_axes(Map::value.size())>());
}
template <class T, class L, class Map>
[[nodiscard]] constexpr verdict check_transpose(const shaped_buffer<T, L, Map>& b, const permutation& names) {
    return check_transpose(b.shaped(), names);
}

namespace detail {
/// Returns a view of the elements with the axes in the order of the shape.
///
/// Post:    &in_framework_order(b)(p...) == &b(p...)
template <class T, class L, class Map>
[[nodiscard]] constexpr auto in_framework_order(const shaped_buffer<T, L, Map>& b) {
    if constexpr (!is_known_map<Map>) return as_operand(b, identity_axis_map(b.ndims()));
    else return as_operand(b, axis_map_constant<identity_axis_map(Map::value.size())>());
}
}  // namespace detail

/// Applies an operation to a shaped buffer by the axes of its shape. reshape means the framework's reshape.
///
/// Refused: as on shaped layouts. If the shape needs a copy, reshape_needs_copy returns true, and reshape_copy returns
/// the reorder to do
/// Post:    result.shaped() == NAME(b.shaped(), arguments...), with the offset of a part in result.data()
/// Cost:    none if layout, map and arguments are types
/// Source:  seeds tensor-representation, 4.2
/// Example: examples/integrations/framework_bridge.cpp
template <class T, class L, class Map, class Rule, class... Arguments>
    requires(requires(const tensor_view<T, layout>& v, const Arguments&... arguments) {
        apply_to(v, operation<Rule>(), arguments...);
    })
constexpr auto apply_to(const shaped_buffer<T, L, Map>& b, operation<Rule>, const Arguments&... arguments) {
    const auto made =
        operation<typename detail::framework_rule<Rule>::type>()(detail::in_framework_order(b), arguments...);
    constexpr int rank = detail::layout_index<typename decltype(made)::layout_in_type>::rank;
    if constexpr (rank < 0) return shaped_buffer(made, identity_axis_map(made.ndims()));
    else return shaped_buffer(made, axis_map_constant<identity_axis_map(rank)>());
}
/// Returns the shaped layout by which an operation on a shaped buffer is checked.
template <class T, class L, class Map>
constexpr shaped_layout value_of_operand(const shaped_buffer<T, L, Map>& b) {
    return b.shaped();
}

}  // namespace plait
