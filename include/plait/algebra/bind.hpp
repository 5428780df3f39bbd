#pragma once

#include <plait/algebra/resolve_links.hpp>

namespace plait {

/// How many extents of l are known only at run time.
constexpr int dynamic_extents(const layout& l) {
    int count = 0;
    for (dim_t extent : l.dims) count += extent == dynamic;
    return count;
}

/// l with its dynamic extents filled in, or why not.
constexpr expected<layout> bind_extents(const layout& l, const dims& values) {
    if (const verdict why = check_blocked_layout(l); !why.ok()) return {{}, why};
    if (values.size() != dynamic_extents(l))
        return {{}, {reason::bound_values_do_not_match, -1, values.size(), dynamic_extents(l)}};
    layout out = l;
    for (int a = 0, next = 0; a < l.ndims(); ++a) {
        if (l.dims[a] != dynamic) continue;
        const dim_t extent = values[next++];
        if (extent == dynamic) continue;
        if (extent < 0) return {{}, {reason::dim_is_negative, a, extent, 0}};
        const dim_t block = l.block_size(a), outer = divide_up(extent, block);
        const checked_integer padded = checked_integer{outer} * block;
        if (!padded.ok()) return {{}, {reason::size_overflows, a, outer, block}};
        out.dims[a] = extent;
        out.padded_dims[a] = padded.value;
        out.digits[a].extent = outer;
    }
    if (const verdict why = settle_links(out); !why.ok()) return {{}, why};
    return {out, check_layout(out)};
}

/// Whether `values` fit the dynamic extents of l, in their order.
///
/// Refused: bound_values_do_not_match (their number), dim_is_negative, size_overflows, stride_is_negative
constexpr verdict check_bind(const layout& l, const dims& values) { return bind_extents(l, values).why; }

/// Fills in the extents that were dynamic, in their order; strides that followed from them become numbers.
///
/// Pre:     check_bind(l, values).ok()
/// Post:    for l = layout(d, tag): bind(l, values) == layout(d with the values, tag)
/// Cost:    O(ndims squared) steps
/// Source:  DNNL_RUNTIME_DIM_VAL of oneDNN; std::dynamic_extent
/// Example: examples/04_types.cpp
[[nodiscard]] constexpr layout bind(const layout& l, const dims& values) {
    const expected<layout> attempt = bind_extents(l, values);
    require(attempt.why);
    return attempt.made;
}

/// bind(l, values), or what check_bind says against it.
[[nodiscard]] constexpr expected<layout> try_bind(const layout& l, const dims& values) {
    return bind_extents(l, values);
}

}  // namespace plait
