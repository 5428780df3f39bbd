#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/reshape.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns l with the extents `parts` in place of the axes first to last - 1, or why that fails. Keeps all other axes.
///
/// Pre:     check_new_dims(l, l.dims).ok(); 0 <= first <= last <= ndims
constexpr expected<layout> replace_axes(const layout& l, int first, int last, const dims& parts) {
    const int to_last = first + parts.size(), ndims = l.ndims() - (last - first) + parts.size();
    if (ndims > max_ndims) return verdict{reason::too_many_axes, -1, ndims, max_ndims};
    dims to;
    for (int a = 0; a < first; ++a) to.push_back(l.dims[a]);
    for (dim_t extent : parts) to.push_back(extent);
    for (int a = last; a < l.ndims(); ++a) to.push_back(l.dims[a]);
    if (const verdict why = check_new_dims(l, to); !why.ok()) return why;
    if (l.kind == format_kind::any) return regroup_to(l, to, {});

    axis_groups groups;
    for (int a = l.ndims() - 1, b = to.size() - 1; a >= last; --a, --b) groups.push_back({a, a + 1, b, b + 1});
    int joined = 0;
    for (int a = first; a < last; ++a) joined += !is_single_place(l, a);
    // A dynamic extent can be joined, because the product does not need its value. It cannot be split.
    const bool dynamic_join = parts.size() == 1 && parts[0] == dynamic && joined > 1;
    if (dynamic_join) groups.push_back({first, last, first, to_last});
    else if (const verdict why = add_groups(groups, l, to, {first, last, first, to_last}, {}); !why.ok())
        return lack_elements(l, to) ? regroup_empty(l, to) : expected<layout>(why);
    for (int a = first - 1; a >= 0; --a) groups.push_back({a, a + 1, a, a + 1});
    const expected<layout> out = regroup(l, to, groups, {});
    return out.has_value() || !lack_elements(l, to) ? out : regroup_empty(l, to);
}

/// Returns the extent of one axis as dims; empty if there is no such axis.
constexpr dims extent_of_axis(const layout& l, int axis) {
    return axis >= 0 && axis < l.ndims() ? dims{l.dims[axis]} : dims();
}

/// The rule of split_axis.
struct split_axis_rule {
    /// Returns l with the axis split into `parts`, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, int axis, const dims& parts) {
        if (const verdict why = check_new_dims(l, l.dims); !why.ok()) return why;
        if (axis < 0 || axis >= l.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, l.ndims()};
        if (const verdict why = check_volume(parts); !why.ok()) return why;
        const dim_t before = l.dims[axis], after = volume(parts);
        if (before != dynamic && after != dynamic && before != after)
            return verdict{reason::volumes_differ, axis, before, after};
        return replace_axes(l, axis, axis + 1, parts);
    }
    /// Computes the result for a bound layout. A dynamic part stands for the value of the axis that is split.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, int axis, const dims& parts) {
        const dims extent = extent_of_axis(open, axis), value = extent_of_axis(now, axis);
        const expected<layout> out = attempt(now, axis, filled(parts, values_of(extent, value)));
        if (const verdict why = check_entries(parts, extent); out.has_value() && !why.ok()) return why;
        return out;
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Splits one axis into several, the last the fastest, without moving data.
///
/// Refused: axis_is_out_of_range, too_many_axes, volumes_differ; as check_reshape for this axis. All other axes may
///          have dynamic extents
/// Pre:     check_split_axis(l, axis, parts).ok(); the product of `parts` is the extent of the axis
/// Post:    linear_offset(result, i) == linear_offset(l, i); join_axes(result, axis, axis + parts.size() - 1) == l
/// Cost:    O(ndims squared + digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::split_axis_rule> split_axis;
/// Checks that split_axis is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::split_axis_rule> check_split_axis;
/// Returns the result of split_axis, or the verdict that refuses it.
inline constexpr operation_attempt<detail::split_axis_rule> try_split_axis;

}  // namespace plait
