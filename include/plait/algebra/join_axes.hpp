#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/split_axis.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of join_axes.
struct join_axes_rule {
    /// Returns l with the axes first to last joined, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, int first, int last) {
        if (const verdict why = check_new_dims(l, l.dims); !why.ok()) return why;
        for (int axis : {first, last})
            if (axis < 0 || axis >= l.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, l.ndims()};
        if (first > last) return verdict{reason::axis_is_out_of_range, -1, first, last + 1};
        dims joined;
        for (int a = first; a <= last; ++a) joined.push_back(l.dims[a]);
        return replace_axes(l, first, last + 1, {volume(joined)});
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Joins the axes first to last into one axis, without moving data.
///
/// Refused: axis_is_out_of_range; as check_reshape for these axes. Dynamic extents are allowed, also in the join
/// Pre:     check_join_axes(l, first, last).ok(); 0 <= first <= last < ndims
/// Post:    linear_offset(result, i) == linear_offset(l, i); of a partly static l: join_axes(bind(l, values), ...) is
///          bind(result, the values with those of the joined axes multiplied)
/// Cost:    O(ndims squared + digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::join_axes_rule> join_axes;
/// Checks that join_axes is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::join_axes_rule> check_join_axes;
/// Returns the result of join_axes, or the verdict that refuses it.
inline constexpr operation_attempt<detail::join_axes_rule> try_join_axes;

}  // namespace plait
