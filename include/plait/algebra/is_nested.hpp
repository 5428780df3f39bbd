#pragma once

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that the strides of l nest: sorted, each is larger than the last offset inside it. They nest in every layout
/// made from a tag. If they do not, elements may share places, or interleave without sharing any; is_injective tells.
///
/// Refused: undefined, any and opaque layouts; layout_is_malformed; strides_do_not_nest, size_overflows
/// Cost:    O(digits squared) steps
/// Source:  seeds spec-memory-formats
constexpr verdict check_nested(const layout& l) {
    if (const verdict why = check_blocked(l); !why.ok()) return why;
    return check_nesting(l);
}
}  // namespace detail

/// Returns true if the strides of l nest: check_nested(l).ok().
///
/// Pre:     none
/// Post:    if nothing in l is dynamic or of stride 0, is_injective(l)
/// Cost:    O(digits squared) steps
/// Source:  seeds spec-memory-formats
/// Example: test/algebra/is_nested.cpp
[[nodiscard]] constexpr bool is_nested(const layout& l) { return detail::check_nested(l).ok(); }

}  // namespace plait
