#pragma once

#include <plait/algebra/nearest_number.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the extent nearest to `wanted` that tiles of an axis can have; the smaller of two equally near ones.
///
/// Pre:     check_layout(l).ok(), the extent is known and positive, wanted > 0
constexpr dim_t nearest_tile(const layout& l, int axis, dim_t wanted) {
    const dim_t extent = l.dims[axis];
    const digit_list digits = fewest_digits(l, axis, l.padded_dims[axis]);
    // A padded axis is not cut.
    if (l.padded_dims[axis] != extent || volume_of(digits) != extent) return extent - wanted < wanted - 1 ? extent : 1;
    return nearest_extent(digits, wanted);
}

/// Returns l cut into tiles, or why that fails. The suggested number of a failure is not tested yet.
///
/// Pre:     check_blocked_layout(l).ok()
constexpr expected<layout> tiles_of(const layout& l, const dims& extents) {
    const int n = l.ndims();
    if (extents.size() != n)
        return detail::ranks_differ(detail::counted::extents, extents.size(), detail::counted::layout, n);
    if (2 * n > max_ndims) return verdict{reason::too_many_axes, -1, 2 * n, max_ndims};
    dims pairs;
    permutation order;
    for (int a = 0; a < n; ++a) {
        const dim_t extent = l.dims[a], wanted = extents[a];
        if (wanted == dynamic || (extent == dynamic && wanted != 1))
            return verdict{reason::dim_is_dynamic, a, extent, wanted};
        if (wanted < 1) return verdict{reason::dim_is_negative, a, wanted, 1};
        if (extent != dynamic && extent % wanted != 0)
            return verdict{reason::extents_do_not_divide, a, extent, wanted, nearest_tile(l, a, wanted)};
        pairs.push_back(extent == dynamic ? dynamic : extent / wanted);
        pairs.push_back(wanted);
        order.push_back(a);
        order.push_back(n + a);
    }
    const expected<layout> split = regroup_once(l, pairs, {.through_blocks = true});
    if (!split) return split;
    return {permute_axes(*split, order), {}};
}

/// The rule of tile.
struct tile_rule {
    /// Returns l cut into tiles, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, const dims& extents) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        expected<layout> out = tiles_of(l, extents);
        verdict& why = out.error();
        if (why.reason != reason::extents_do_not_divide) return out;
        if (extents[why.axis] != why.second) why.third = 0;
        else
            why.third = nearest_accepted(why.second, why.third, [&](dim_t other) {
                dims changed = extents;
                changed[why.axis] = other;
                return tiles_of(l, changed).has_value();
            });
        return out;
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Cuts each axis into tiles without moving data: first the axes that count tiles, then those within a tile.
///
/// Refused: undefined, any and opaque layouts; rank_differs, too_many_axes (twice as many are needed); dim_is_negative;
///          dim_is_dynamic (an extent that is cut); extents_do_not_divide (the axis, its extent, that of the tile, the
///          nearest tile extent that works); as check_view, if a block is cut
/// Pre:     check_tile(l, tile).ok(); tile[a] divides dims[a]
/// Post:    offset(result, (q, p)) == offset(l, q * tile + p), axis by axis
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  the zipped divide of CuTe by the extents of a tile, proved or refused
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::tile_rule> tile;
/// Checks that tile is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::tile_rule> check_tile;
/// Returns the result of tile, or the verdict that refuses it.
inline constexpr operation_attempt<detail::tile_rule> try_tile;

}  // namespace plait
