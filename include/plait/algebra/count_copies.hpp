#pragma once

#include <plait/algebra/for_each_copy.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the least number of copies, or the verdict that refuses it.
constexpr expected<dim_t> copies_between(const layout& src, const layout& dst) {
    if (const verdict why = measure_reorder(src, dst).why; !why.ok()) return why;
    if (!has_elements(dst.dims)) return 0;
    const copy_digits both(src, dst);
    neighbour_count neighbours(both);
    if (neighbours.find()) return dst.volume() - neighbours.elements;
    if (const verdict why = check_visit(dst); !why.ok()) return why;
    dim_t count = 0;
    const auto add = [&count](const contiguous_copy&) { ++count; };
    visit_copies(src, dst, add);
    return count;
}
}  // namespace detail

/// Returns the least number of contiguous copies that move a tensor from one layout to another: what for_each_copy
/// visits.
///
/// Pre:     check_copies(src, dst).ok()
/// Post:    src.volume() - the number of pairs of elements p, q with src.offset(q) == src.offset(p) + 1 and
///          dst.offset(q) == dst.offset(p) + 1
/// Cost:    O(digits squared) steps, independent of the extents: a microsecond for 6 axes. An axis whose blocks in
///          one layout do not divide those in the other takes as many steps as it has blocks until both repeat. If the
///          destination covers over 2^60 places, or its strides do not nest and a search gives up, as many as copies
/// Refused: as check_copies
/// Source:  plait's own
/// Example: count_copies(layout({2, 17, 5, 4}, "acdb"), layout({2, 17, 5, 4}, "aBcd16b")) == 2 * 5 * 4 * 2
[[nodiscard]] constexpr dim_t count_copies(const layout& src, const layout& dst) {
    return detail::copies_between(src, dst).value();
}
/// Returns the result of count_copies, or the verdict that refuses it.
[[nodiscard]] constexpr expected<dim_t> try_count_copies(const layout& src, const layout& dst) {
    return detail::copies_between(src, dst);
}

}  // namespace plait
