#pragma once
// Visits all elements of a view in logical order, each with its position.

#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Runs the loop over one axis and the loops inside it.
template <int Axis, class T, class L, class Action>
[[gnu::always_inline]] constexpr void visit_positions(const tensor_view<T, L>& v, position& at, Action& action) {
    constexpr int rank = layout_index<L>::rank;
    if constexpr (Axis == rank) {
        [&]<int... A>(std::integer_sequence<int, A...>) {
            action(static_cast<const position&>(at), v(at.values[A]...));
        }
        (std::make_integer_sequence<int, rank>());
    } else {
        for (dim_t i = 0, extent = v.extent(Axis); i < extent; ++i) {
            at.values[Axis] = i;
            visit_positions<Axis + 1>(v, at, action);
        }
    }
}
}  // namespace detail

/// Calls action(position, element) for each element of the tensor in logical order; the last axis varies fastest.
///
/// Pre:     the data of the view has all its elements
/// Post:    element is v.at(position); padding is not visited
/// Cost:    the same as nested loops with v(i...) inside; for a layout known at run time, one loop over all elements
/// Source:  spec semantics 15; the order is row-major, as in semantics 4
/// Example: examples/12_views.cpp
template <class T, class L, class Action>
[[gnu::always_inline]] constexpr void for_each_position(const tensor_view<T, L>& v, Action&& action) {
    constexpr bool callable = std::is_invocable_v<Action&, const position&, typename tensor_view<T, L>::reference>;
    static_assert(callable,
                  "for_each_position calls its action with two arguments: the plait::position and the element");
    const int rank = v.ndims();
    position at;
    bool empty = false;
    for (int a = 0; a < rank; ++a) {
        at.push_back(0);
        empty = empty || v.extent(a) == 0;
    }
    if (empty) return;
    if constexpr (!callable) {
        return;  // the static_assert is the only error
    } else if constexpr (detail::layout_index<L>::rank >= 0) {
        detail::visit_positions<0>(v, at, action);
    } else {
        const layout_reader reader(v.layout());
        for (int axis = 0; axis >= 0;) {
            action(static_cast<const position&>(at), v.data()[reader.offset(at.values, rank)]);
            axis = rank - 1;
            while (axis >= 0 && ++at.values[axis] == v.extent(axis)) at.values[axis--] = 0;
        }
    }
}

}  // namespace plait
