#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns how many extents of l are known only at run time.
constexpr int dynamic_extents(const layout& l) {
    int count = 0;
    for (dim_t extent : l.dims) count += extent == dynamic;
    return count;
}

/// Sets the extent of an axis: pads it to whole blocks, and sets the number of outer blocks.
///
/// Refused: dim_is_negative, size_overflows
constexpr verdict fill_extent(layout& l, int axis, dim_t extent) {
    if (extent < 0) return {reason::dim_is_negative, axis, extent, 0};
    const dim_t block = l.block_size(axis), outer = divide_up(extent, block);
    const checked_integer padded = checked_integer{outer} * block;
    if (!padded.ok()) return {reason::size_overflows, axis, outer, block};
    l.dims[axis] = extent;
    l.padded_dims[axis] = padded.value;
    l.digits[axis].extent = outer;
    return {};
}

/// The rule of bind.
struct bind_rule {
    /// Returns l with its dynamic extents filled in, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, const dims& values) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        if (values.size() != dynamic_extents(l))
            return verdict{reason::bound_values_do_not_match, -1, values.size(), dynamic_extents(l)};
        layout out = l;
        for (int a = 0, next = 0; a < l.ndims(); ++a) {
            if (l.dims[a] != dynamic) continue;
            const dim_t extent = values[next++];
            if (extent == dynamic) continue;
            if (const verdict why = fill_extent(out, a, extent); !why.ok()) return why;
        }
        if (const verdict why = settle_links(out); !why.ok()) return why;
        return {out, check_layout(out)};
    }
    static constexpr axis_list axes(int ndims, const dims&) { return all_axes(ndims); }
    static constexpr sums_rule sums = sums_rule::keep;
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// Fills in the dynamic extents, in the order of their axes. Strides that depended on them become numbers.
///
/// Refused: bound_values_do_not_match (the number of values), dim_is_negative, size_overflows, stride_is_negative
/// Pre:     check_bind(l, values).ok()
/// Post:    for l = layout(d, tag): bind(l, values) == layout(d with the values, tag)
/// Cost:    O(ndims squared) steps
/// Source:  DNNL_RUNTIME_DIM_VAL of oneDNN; std::dynamic_extent
/// Example: examples/04_types.cpp
inline constexpr operation<detail::bind_rule> bind;
/// Checks that bind is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::bind_rule> check_bind;
/// Returns the result of bind, or the verdict that refuses it.
inline constexpr operation_attempt<detail::bind_rule> try_bind;

}  // namespace plait
