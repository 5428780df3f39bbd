#pragma once
// All elements of a view in the order of memory.

#include <plait/view/memory_order.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait {
namespace detail {
/// memory_loops_of(L, Pads), made once for a layout that is a type.
///
/// Pre:     check_static(L).ok(), else a compile error
template <layout L, padding Pads>
inline constexpr memory_loops static_loops = memory_loops_of(L, Pads);

/// The K-th loop of a static layout, and those inside: nested loops whose counts and strides are constants.
///
/// Whole has one bit an axis, of those whose end need not be looked at any more: a block that is whole is visited by
/// loops of its own, of which every count is a constant.
template <layout L, padding Pads, int K, unsigned Whole, class T, class Action>
[[gnu::always_inline]] constexpr void visit_elements(T* data, dim_t* index, Action& action) {
    if constexpr (K == static_loops<L, Pads>.loops.size()) {
        action(*data);
    } else {
        constexpr memory_loop loop = static_loops<L, Pads>.loops.values[K];
        if constexpr (loop.axis < 0 || (Whole >> (loop.axis < 0 ? 0 : loop.axis) & 1u) != 0) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__EDG__) && !defined(__CUDACC__)
#pragma GCC unroll 1  // GCC at -O3 unrolls short loops before it looks for what can be computed at once
#endif
            for (dim_t i = 0; i < loop.count; ++i)
                visit_elements<L, Pads, K + 1, Whole>(data + i * loop.stride, index, action);
        } else {
            constexpr dim_t begin = static_loops<L, Pads>.begin[loop.axis], end = static_loops<L, Pads>.end[loop.axis];
            const dim_t outside = index[loop.axis];
            const loop_range range = values_to_visit(loop, outside, begin, end);
            // From where on, and until where, all that the loops inside of this one reach is to be visited.
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

/// Calls action(element) for each element of the tensor, in the order of memory; padding is left out, unless it is
/// asked for with padding::included.
///
/// Elements that share a place, along an axis with stride 0, are visited once each.
///
/// Pre:     none besides those of the view: its data has all of its elements, and its padding where that is asked for
/// Post:    each element once, &v(p...) for each position p; the addresses ascend, where the strides of the layout nest
/// Cost:    always inlined, so that what the action counts stays in registers. Of a static layout the nested loops, as
///          few as say it, with constants for counts and strides; of others they are found first, in a microsecond
/// Source:  spec semantics 15; the order is that of memory, as seeds understanding-memory-formats draws it
/// Example: examples/12_views.cpp
template <padding Pads = padding::left_out, class T, class L, class Action>
[[gnu::always_inline]] constexpr void for_each_element(const tensor_view<T, L>& v, Action&& action) {
    static_assert(std::is_invocable_v<Action&, T&>, "for_each_element calls its action with one argument: the element");
    if constexpr (!std::is_invocable_v<Action&, T&>) {
        return;  // behind one error, which says why
    } else if constexpr (layout_type<L>) {
        [[maybe_unused]] dim_t index[max_ndims]{};
        constexpr dim_t begin = detail::static_loops<L::value, Pads>.offset0;
        if constexpr (detail::static_loops<L::value, Pads>.loops.values[0].count > 0)
            detail::visit_elements<L::value, Pads, 0, 0u>(v.data() + begin, index, action);
    } else {
        detail::memory_runs runs(detail::memory_loops_of(v.plain_layout(), Pads));
        while (runs.next()) {
            T* const data = v.data() + runs.begin;
            // Neighbours by themselves: the compiler then knows that they are, and computes on several at once.
            if (const dim_t stride = runs.stride(); stride == 1)
                for (dim_t i = 0; i < runs.count; ++i) action(data[i]);
            else
                for (dim_t i = 0; i < runs.count; ++i) action(data[i * stride]);
        }
    }
}

}  // namespace plait
