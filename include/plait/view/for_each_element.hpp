#pragma once
// Visits all elements of a view in memory order.

#include <plait/view/memory_order.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The loops memory_loops_of(L, Pads), computed once for a layout that is a type.
///
/// Pre:     check_static(L).ok(); otherwise a compile error
template <layout L, padding Pads>
inline constexpr memory_loops static_loops = memory_loops_of(L, Pads);

/// Runs the K-th loop of a static layout and the loops inside it: nested loops with constant counts and strides.
///
/// Whole has a bit set for each axis whose end no longer needs to be checked. This way full blocks are visited by
/// separate loops, whose counts are all constants.
template <layout L, padding Pads, int K, unsigned Whole, class Pointer, class Action>
[[gnu::always_inline]] constexpr void visit_elements(Pointer data, dim_t* index, Action& action) {
    if constexpr (K == static_loops<L, Pads>.loops.size()) {
        action(*data);
    } else {
        constexpr memory_loop loop = static_loops<L, Pads>.loops.values[K];
        if constexpr (loop.axis < 0 || (Whole >> (loop.axis < 0 ? 0 : loop.axis) & 1u) != 0) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__EDG__) && !defined(__CUDACC__)
#pragma GCC unroll 1  // GCC at -O3 unrolls short loops before it tries to vectorise them
#endif
            for (dim_t i = 0; i < loop.count; ++i)
                visit_elements<L, Pads, K + 1, Whole>(data + i * loop.stride, index, action);
        } else {
            constexpr dim_t begin = static_loops<L, Pads>.begin[loop.axis], end = static_loops<L, Pads>.end[loop.axis];
            const dim_t outside = index[loop.axis];
            const loop_range range = values_to_visit(loop, outside, begin, end);
            // The values of i for which all indices that the inner loops reach are to be visited, without checks.
            dim_t i = range.first, whole_end = range.last;
            if constexpr (loop.largest > 0) {
                whole_end = end - outside > loop.largest ? (end - outside - loop.largest - 1) / loop.divisor + 1 : 0;
                if (whole_end > loop.count) whole_end = loop.count;
                if constexpr (begin > 0) {
                    const dim_t before = begin - outside;
                    const dim_t whole_first = before > 0 ? divide_up(before, loop.divisor) : 0;
                    for (; i < whole_first && i < range.last; ++i) {
                        index[loop.axis] = outside + i * loop.divisor;
                        visit_elements<L, Pads, K + 1, Whole>(data + i * loop.stride, index, action);
                    }
                }
            }
            for (; i < whole_end; ++i)
                visit_elements<L, Pads, K + 1, Whole | 1u << loop.axis>(data + i * loop.stride, index, action);
            if constexpr (loop.largest > 0)
                for (; i < range.last; ++i) {
                    index[loop.axis] = outside + i * loop.divisor;
                    visit_elements<L, Pads, K + 1, Whole>(data + i * loop.stride, index, action);
                }
            index[loop.axis] = outside;
        }
    }
}
}  // namespace detail

/// Calls action(element) for each element of the tensor, in memory order. Padding is skipped, unless Pads is
/// padding::included.
///
/// Elements that share a place, along an axis with stride 0, are visited once each.
///
/// Pre:     the data of the view has all its elements, and its padding if Pads is padding::included
/// Post:    visits each element once: &v(p...) for each position p; addresses ascend if the strides of the layout nest
/// Cost:    always inlined, so that the action's captured variables stay in registers. For a static layout: as few
///          nested loops as possible, with constant counts and strides. Otherwise finding the loops takes a microsecond
/// Source:  spec semantics 15; the order is that of memory, as drawn in seeds understanding-memory-formats
/// Example: examples/12_views.cpp
template <padding Pads = padding::left_out, class T, class L, class Action>
[[gnu::always_inline]] constexpr void for_each_element(const tensor_view<T, L>& v, Action&& action) {
    static_assert(std::is_invocable_v<Action&, typename tensor_view<T, L>::reference>,
                  "for_each_element calls its action with one argument: the element");
    if constexpr (!std::is_invocable_v<Action&, typename tensor_view<T, L>::reference>) {
        return;  // the static_assert is the only error
    } else if constexpr (layout_type<L>) {
        [[maybe_unused]] dim_t index[max_ndims]{};
        constexpr dim_t begin = detail::static_loops<L::value, Pads>.offset0;
        if constexpr (detail::static_loops<L::value, Pads>.loops.values[0].count > 0)
            detail::visit_elements<L::value, Pads, 0, 0u>(v.data() + begin, index, action);
    } else {
        detail::memory_runs runs(detail::memory_loops_of(v.plain_layout(), Pads));
        while (runs.next()) {
            const auto data = v.data() + runs.begin;
            // A loop of its own for neighbours: with a constant stride of 1 the compiler can vectorise it.
            if (const dim_t stride = runs.stride(); stride == 1)
                for (dim_t i = 0; i < runs.count; ++i) action(data[i]);
            else
                for (dim_t i = 0; i < runs.count; ++i) action(data[i * stride]);
        }
    }
}

}  // namespace plait
