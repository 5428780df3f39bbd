#pragma once
// A framework's tensor in a library's memory: a tensor_view of the elements, and the axis map.

#include <plait/bridge/shaped_layout.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// An axis map, either as a type (axis_map_constant) or as a value.
template <class M>
concept axis_map_operand = std::same_as<M, axis_map> || requires {
    { M::value } -> std::convertible_to<const axis_map&>;
};
/// True if the axis map is known from the type.
template <class M>
inline constexpr bool is_known_map = !std::same_as<M, axis_map>;
}  // namespace detail

/// Elements of type T in memory with layout L, and the axis map between L and the framework's shape.
///
/// Between operations a buffer is only described by its shape: operator() and at() take positions of the shape. An
/// operation calls as_operand to get the axes in its order. The buffer does not own its memory. If L and Map are types,
/// it is only a pointer at run time.
///
/// Pre:     as tensor_view<T, L>; check_shaped_layout(the layout, the map).ok(), checked by the compiler if the types
///          contain both, otherwise at run time
/// Post:    &b(p...) == b.data() + b.shaped().offset(p)
/// Refused: as tensor_view; rank_differs, not_a_permutation
/// Cost:    as tensor_view. If the map is known only at run time, an index also takes one look-up per axis
/// Source:  seeds tensor-representation, 2 and 3
/// Example: examples/integrations/framework_bridge.cpp
template <class T, view_layout L, detail::axis_map_operand Map>
class shaped_buffer {
public:
    using element_type = T;
    using layout_in_type = L;
    using map_in_type = Map;

    constexpr shaped_buffer(const tensor_view<T, L>& memory, const Map& map) : memory_(memory), map_(map) {
        if constexpr (detail::known_layout_type<L> && detail::is_known_map<Map>)
            static_cast<void>(allowed<check_shaped_layout(detail::known_layout<L>, Map::value)>);
        else require(check_axis_map(map_, memory_.ndims()));
    }
    constexpr shaped_buffer(T* data, const L& l, const Map& map) : shaped_buffer(tensor_view<T, L>(data, l), map) {}
    /// Constructs a buffer whose layout and map are known only at run time.
    constexpr shaped_buffer(T* data,
                            const shaped_layout& s) requires(std::same_as<L, layout>&& std::same_as<Map, axis_map>)
        : shaped_buffer(tensor_view<T, L>(data, s.layout), s.map) {}
    /// Converts to a buffer of const elements.
    template <class U>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && !std::same_as<U, T>)
    constexpr shaped_buffer(const shaped_buffer<U, L, Map>& other) : memory_(other.memory()), map_(other.map()) {}

    /// Returns the element at a position of the shape; unchecked at run time.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr T& operator()(Index... index) const {
        const dim_t at[] = {static_cast<dim_t>(index)...};
        return in_memory(at, std::make_integer_sequence<int, sizeof...(Index)>());
    }
    /// Returns the element at a position; fails as layout::offset, by axes of the shape: position_is_out_of_range,
    /// rank_differs.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    constexpr T& at(Index... index) const {
        if (const dim_t where[] = {static_cast<dim_t>(index)...};
            !__builtin_is_constant_evaluated() && sizeof...(Index) == static_cast<std::size_t>(ndims())) {
            const axis_map& map = map_value();
            bool inside = true;
            for (int i = 0; i < map.size(); ++i) {
                const auto one = static_cast<std::uint64_t>(where[map.values[i]]);
                inside = inside && one < static_cast<std::uint64_t>(memory_.extent(i));
            }
            if (inside) return (*this)(index...);
        }
        return at(position{static_cast<dim_t>(index)...});
    }
    constexpr T& at(const position& where) const { return data()[shaped().offset(where)]; }

    constexpr int ndims() const { return memory_.ndims(); }
    /// Returns the extents in the framework's order of axes.
    constexpr dims shape() const { return shaped().shape(); }
    constexpr T* data() const { return memory_.data(); }
    /// Returns a view of the elements in the library's order of axes, as the operation that wrote them used it.
    constexpr const tensor_view<T, L>& memory() const { return memory_; }
    /// Returns the map with which the buffer was made: a type, or an axis_map.
    constexpr const Map& map() const { return map_; }
    /// Returns layout and map as a value, without the memory.
    constexpr shaped_layout shaped() const { return {memory_.plain_layout(), map_}; }
    /// Returns a buffer of the same elements as const.
    constexpr shaped_buffer<const T, L, Map> as_const() const { return {memory_.as_const(), map_}; }

private:
    template <std::size_t Count, int... Axis>
    [[gnu::always_inline]] constexpr T& in_memory(const dim_t (&at)[Count], std::integer_sequence<int, Axis...>) const {
        if constexpr (detail::is_known_map<Map>) return memory_(at[Map::value.values[Axis]]...);
        else return memory_(at[map_.values[Axis]]...);
    }
    constexpr const axis_map& map_value() const {
        if constexpr (detail::is_known_map<Map>) return Map::value;
        else return map_;
    }

    tensor_view<T, L> memory_;
    [[no_unique_address]] Map map_;
};

template <class T, class L, class Map>
shaped_buffer(tensor_view<T, L>, Map) -> shaped_buffer<T, L, Map>;
template <class T, class L, class Map>
shaped_buffer(T*, L, Map) -> shaped_buffer<T, L, Map>;
template <class T>
shaped_buffer(T*, shaped_layout) -> shaped_buffer<T, layout, axis_map>;

}  // namespace plait
