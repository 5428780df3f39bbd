#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of with_strides.
struct with_strides_rule {
    /// Returns l with other strides between its outermost blocks, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, const strides& steps) {
        if (const verdict why = check_blocked(l); !why.ok()) return why;
        if (steps.size() != l.ndims())
            return detail::ranks_differ(detail::counted::strides, steps.size(), detail::counted::layout, l.ndims());
        layout out = l;
        for (int a = 0; a < l.ndims(); ++a) {
            // Even where every stride is valid, the values that encode "not known" are not.
            if (is_outside(steps[a])) return verdict{reason::stride_is_negative, a, steps[a], 0};
            out.digits[a].stride = steps[a];
        }
        return {out, check_layout(out)};
    }
    static constexpr axis_list axes(int ndims, const strides&) { return all_axes(ndims); }
    static constexpr bool commutes_with_bind = true;
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// Replaces the strides between the outermost blocks, and keeps dims, padding, inner blocks and offset0.
///
/// A stride of 0 repeats one block along its axis. A `dynamic` stride is known only at run time, even if it was known
/// before.
///
/// Refused: undefined, any and opaque layouts; rank_differs, stride_is_negative (l begins too near to offset 0),
///          size_overflows
/// Pre:     check_with_strides(l, steps).ok()
/// Post:    with_strides(layout(d, tag), steps) == layout(d, tag, steps) if no stride is negative, and
///          with_strides(l, l.strides()) == l if that is allowed and no extent of l is dynamic
/// Cost:    O(digits squared) steps
/// Source:  seeds rfc-memory-descriptor, 4
/// Example: with_strides(layout({2, 32, 4, 4}, "nChw16c"), {1024, 512, 64, 16})
inline constexpr operation<detail::with_strides_rule> with_strides;
/// Checks that with_strides is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::with_strides_rule> check_with_strides;
/// Returns the result of with_strides, or the verdict that refuses it.
inline constexpr operation_attempt<detail::with_strides_rule> try_with_strides;

}  // namespace plait
