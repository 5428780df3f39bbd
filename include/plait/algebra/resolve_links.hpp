#pragma once

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Replaces links to an axis by what is known: a number, or a link to an axis further in.
///
/// Post:    no stride is outside an axis of one value, or of known extent and stride; offsets are unchanged
/// Refused: size_overflows
/// Cost:    O(ndims squared) steps
constexpr verdict settle_links(layout& l) {
    // Each round moves every link at least one axis further in.
    for (int round = 0; round < l.ndims(); ++round)
        for (int a = 0; a < l.ndims(); ++a) {
            digit& d = l.digits[a];
            if (!is_outside(d.stride)) continue;
            const digit& inner = l.digits[axis_inside(d.stride)];
            if (inner.extent == 0 || inner.extent == 1) {
                d.stride = inner.stride;
            } else if (inner.extent != dynamic && is_known(inner.stride)) {
                const checked_integer stride = checked_integer{inner.stride} * inner.extent;
                if (!stride.ok()) return {reason::size_overflows, inner.axis, inner.stride, inner.extent};
                d.stride = stride.value;
            }
        }
    return {};
}

/// Removes the links to the axis of `gone`, before its digit changes or is removed.
///
/// Each link is replaced by its meaning: a number if `gone` is known, the stride of `gone` if that has one value, else
/// `dynamic`.
///
/// Pre:     check_layout(l).ok(), and gone is the outermost digit of its axis in l
/// Post:    no stride is outside(gone.axis); a bind() of l before gives the same numbers, if they are still known
/// Cost:    O(ndims) steps
/// Source:  spec semantics 2: a dynamic extent makes the strides outside it dynamic; links are plait's own
/// Example: of a stride that is outside(1): 6 if axis 1 has 2 elements 3 apart, `dynamic` if its extent is dynamic
constexpr void resolve_links(layout& l, const digit& gone) {
    dim_t outer = dynamic;
    if (gone.extent == 0 || gone.extent == 1) outer = gone.stride;
    else if (gone.extent != dynamic && is_known(gone.stride)) outer = gone.stride * gone.extent;  // checked: it fits
    for (digit& d : l.digits)
        // Circular links, which only a layout assembled by hand can have, have no meaning.
        if (d.stride == outside(gone.axis))
            d.stride = outer == outside(gone.axis) || outer == outside(d.axis) ? dynamic : outer;
}

}  // namespace plait::detail
