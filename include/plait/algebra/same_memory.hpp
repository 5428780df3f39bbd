#pragma once

#include <plait/algebra/canonical_form.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns true if every stride of l is a number, or becomes one when the extents are bound.
constexpr bool strides_follow(const layout& l) {
    for (const digit& d : l.digits) {
        dim_t stride = d.stride;
        // Follows the links; more links than axes form a circle.
        for (int link = 0; link < l.ndims() && is_outside(stride); ++link)
            stride = l.digits[axis_inside(stride)].stride;
        if (!is_known(stride)) return false;
    }
    return true;
}
}  // namespace detail

/// Returns true if two layouts have the same dims and the same offset for every logical position. Blocks, padding and
/// strides of axes with one element may differ.
///
/// - A result of true is proven, for every value of the dynamic extents.
/// - False is proven too, except for padded offsets that carry from one digit into the next, and for dynamic extents or
///   strides.
/// - For two any or opaque layouts the result is false, because nothing is known. Two undefined ones are the same.
/// - A layout that check_canonical_form refuses is not the same as any layout.
///
/// Pre:     none; any layouts
/// Post:    if true, a.offset(p) == b.offset(p) for every position p; a == b implies it for blocked layouts without
///          dynamic strides
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 9
/// Example: test/algebra/same_memory.cpp
[[nodiscard]] constexpr bool same_memory(const layout& a, const layout& b) {
    if (a.kind != b.kind || a.kind == format_kind::any || a.kind == format_kind::opaque || a.dims != b.dims)
        return false;
    const expected<layout> first = detail::make_canonical_form(a), second = detail::make_canonical_form(b);
    if (!first || !second) return false;
    return *first == *second && detail::strides_follow(*first);
}

}  // namespace plait
