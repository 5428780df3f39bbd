#pragma once

#include <plait/core/layout.hpp>

namespace plait {

/// Takes the axis of `gone` out of what other strides follow from, before its digit changes or goes away.
///
/// A stride directly outside it becomes what it stands for: a number where `gone` is known, the same as the stride of
/// `gone` where that takes one value, else `dynamic`.
///
/// Pre:     check_layout(l).ok(), and gone is the outermost digit of its axis in l
/// Post:    no stride is outside(gone.axis); a bind() of l before gives the same numbers, where they are known still
/// Cost:    O(ndims) steps
constexpr void resolve_links(layout& l, const digit& gone) {
    dim_t outer = dynamic;
    if (gone.extent == 0 || gone.extent == 1) outer = gone.stride;
    else if (gone.extent != dynamic && is_known(gone.stride)) outer = gone.stride * gone.extent;  // they nest: it fits
    for (digit& d : l.digits)
        // Links in a circle, which only a hand can make, say nothing.
        if (d.stride == outside(gone.axis))
            d.stride = outer == outside(gone.axis) || outer == outside(d.axis) ? dynamic : outer;
}

}  // namespace plait
