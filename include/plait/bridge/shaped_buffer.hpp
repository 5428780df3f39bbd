#pragma once
// A framework's tensor in a library's memory: elements that a tensor_view reads, and the axis map beside it.

#include <plait/bridge/shaped_layout.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait {
namespace detail {
/// An axis map as a type, axis_map_constant, or as a value.
template <class M>
concept axis_map_operand = std::same_as<M, axis_map> || requires {
    { M::value } -> std::convertible_to<const axis_map&>;
};
/// Whether the type says which axis is which.
template <class M>
inline constexpr bool is_known_map = !std::same_as<M, axis_map>;
}  // namespace detail

/// Elements of T in memory that lie as the layout L says, and the axis map between L and the framework's shape.
///
/// Between two operations it has no meaning but its shape: operator() and at() take positions of the shape. An
/// operation asks for what it needs with as_operand. It does not own its memory. Where L and Map are types, nothing
/// is there at run time but the pointer.
///
/// Pre:     as tensor_view<T, L>; check_shaped_layout(the layout, the map).ok(), refused by the compiler where the
///          types say both, else at run time
/// Post:    &b(p...) == b.data() + b.shaped().offset(p)
/// Refused: as tensor_view; rank_differs, not_a_permutation
/// Cost:    of tensor_view. With a map known at run time, an index is looked up besides for each axis
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
    /// All known at run time.
    constexpr shaped_buffer(T* data,
                            const shaped_layout& s) requires(std::same_as<L, layout>&& std::same_as<Map, axis_map>)
        : shaped_buffer(tensor_view<T, L>(data, s.layout), s.map) {}
    /// To elements that cannot be written.
    template <class U>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && !std::same_as<U, T>)
    constexpr shaped_buffer(const shaped_buffer<U, L, Map>& other) : memory_(other.memory()), map_(other.map()) {}

    /// The element at a position of the shape, unchecked when it runs.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr T& operator()(Index... index) const {
        const dim_t at[] = {static_cast<dim_t>(index)...};
        return in_memory(at, std::make_integer_sequence<int, sizeof...(Index)>());
    }
    /// The same; refused as layout::offset, with the axes of the shape: position_is_out_of_range, rank_differs.
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
    /// The extents as the framework counts its axes.
    constexpr dims shape() const { return shaped().shape(); }
    constexpr T* data() const { return memory_.data(); }
    /// The elements as the operation that made them saw them: the axes in the library's order.
    constexpr const tensor_view<T, L>& memory() const { return memory_; }
    /// The map that the buffer was made with: a type, or an axis_map.
    constexpr const Map& map() const { return map_; }
    /// Layout and map as a value, without the memory.
    constexpr shaped_layout shaped() const { return {memory_.plain_layout(), map_}; }
    /// The same elements, not to be written.
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
