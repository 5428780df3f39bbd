#pragma once

#include <plait/algebra/refine.hpp>
#include <plait/core/layout_invariants.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A loop over one axis of several layouts: how many steps, and how far each layout moves with one.
template <int Layouts>
struct run_loop {
    axis_loop<Layouts> loop;
    dim_t full = 0;         ///< how many steps are full of elements
    bool ends_all = false;  ///< true if the loop cannot be inside another one: its last step is not full, or longer
};

/// Returns the longest run of elements that steps by one in each layout.
///
/// Pre:     the layouts are static, and have equal dims and elements
template <int Layouts>
constexpr dim_t longest_run(const layout* const (&layouts)[static_cast<std::size_t>(Layouts)]) {
    inline_list<run_loop<Layouts>, 2 * max_digits * Layouts> rest;
    for (int a = 0; a < layouts[0]->ndims(); ++a) {
        const dim_t extent = layouts[0]->dims[a];
        axis_places places[static_cast<std::size_t>(Layouts)];
        bool known = true;
        for (int k = 0; k < Layouts; ++k) known = known && element_places_of(places[k], *layouts[k], a);
        axis_loops<Layouts> found;
        if (known) refine_axis<Layouts>(found, places, extent);
        for (int k = 0; k < found.loops.size(); ++k) {
            const axis_loop<Layouts>& loop = found.loops[k];
            if (loop.extent < 2 || rest.full()) continue;
            const bool last = k + 1 == found.loops.size();
            dim_t full = last ? extent / loop.step : loop.extent;
            for (const loop_jump& j : found.jumps)
                if (last) full = smaller_of(full, j.period);
            rest.push_back({loop, full, full != loop.extent});
        }
    }
    dim_t run = 1;
    for (int k = 0; k < rest.size(); ++k) {
        bool continues = true;
        for (const dim_t by : rest[k].loop.by) continues = continues && by == run;
        if (!continues) continue;
        run *= rest[k].full;
        if (rest[k].ends_all) break;
        rest.erase(k);
        k = -1;  // the loops before this one may continue the longer run
    }
    return run;
}
}  // namespace detail

/// Returns how many elements lie side by side in one or more layouts, in the same order in each: the longest run that a
/// kernel can load and store as one.
///
/// - 0 if the dims differ, a layout has no elements, or an extent or a stride is not known.
/// - An axis with padding in front that begins inside of a block has no run.
///
/// Pre:     none; any layouts
/// Post:    for result r > 0 there are r positions p, of which the offsets rise by one from each to the next in every
///          layout
/// Cost:    O(digits squared) steps, no allocation
/// Source:  CuTe, max_common_vector
/// Example: common_run(layout({1, 32, 5, 4}, "acdb"), layout({1, 32, 5, 4}, "aBcd16b")) == 16
template <std::same_as<layout>... Layouts>
[[nodiscard]] constexpr dim_t common_run(const layout& first, const Layouts&... others) {
    constexpr int count = 1 + sizeof...(Layouts);
    const layout* const all[] = {&first, &others...};
    for (const layout* l : all)
        if (!detail::check_static_layout(*l).ok() || l->dims != first.dims || !detail::has_elements(l->dims)) return 0;
    return detail::longest_run<count>(all);
}

/// Returns true if the elements along an axis lie side by side, each after the one before. An axis of one element does.
///
/// Pre:     none; false for a layout without this axis, or of which an extent or a stride is not known
/// Post:    if true, offset(p with i + 1 at axis) == offset(p with i at axis) + 1
/// Cost:    O(digits) steps
/// Source:  numpy.ndarray.flags
/// Example: is_contiguous_along(layout({2, 32, 5, 4}, "acdb"), 1)
[[nodiscard]] constexpr bool is_contiguous_along(const layout& l, int axis) {
    if (!detail::check_static_layout(l).ok() || axis < 0 || axis >= l.ndims()) return false;
    detail::axis_places places;
    if (!detail::element_places_of(places, l, axis)) return false;
    return l.dims[axis] < 2 || (places.jumps.size() == 1 && places.jumps[0] == detail::jump{1, 1});
}

}  // namespace plait
