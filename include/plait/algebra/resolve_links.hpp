#pragma once

#include <plait/core/layout.hpp>

namespace plait::detail {

/// Puts strides that lie directly outside an axis in terms of what is known by now: a number, or an axis further in.
///
/// Post:    no stride is outside an axis of one value, or of known extent and stride; offsets stay as they are
/// Refused: size_overflows
/// Cost:    O(ndims squared) steps
constexpr verdict settle_links(layout& l) {
    // Each round brings every link at least one axis further in.
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

/// Takes the axis of `gone` out of what other strides follow from, before its digit changes or goes away.
///
/// A stride directly outside it becomes what it stands for: a number where `gone` is known, the same as the stride of
/// `gone` where that takes one value, else `dynamic`.
///
/// Pre:     check_layout(l).ok(), and gone is the outermost digit of its axis in l
/// Post:    no stride is outside(gone.axis); a bind() of l before gives the same numbers, where they are known still
/// Cost:    O(ndims) steps
/// Source:  spec semantics 2: a dynamic extent makes the strides outside of it dynamic; links are plait's own
/// Example: of a stride that is outside(1): 6 where axis 1 is 2 elements 3 apart, `dynamic` where its extent is that
constexpr void resolve_links(layout& l, const digit& gone) {
    dim_t outer = dynamic;
    if (gone.extent == 0 || gone.extent == 1) outer = gone.stride;
    else if (gone.extent != dynamic && is_known(gone.stride)) outer = gone.stride * gone.extent;  // they nest: it fits
    for (digit& d : l.digits)
        // Links in a circle, which only a hand can make, say nothing.
        if (d.stride == outside(gone.axis))
            d.stride = outer == outside(gone.axis) || outer == outside(d.axis) ? dynamic : outer;
}

}  // namespace plait::detail
