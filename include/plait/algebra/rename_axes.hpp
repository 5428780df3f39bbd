#pragma once

#include <plait/algebra/permute_axes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of rename_axes.
struct rename_axes_rule {
    static constexpr expected<layout> attempt(const layout& l, const permutation& names) {
        const verdict why = check_order(l, names);
        return {why.ok() ? permuted(l, inverse_permutation(names)) : layout(), why};
    }
    static constexpr axis_list axes(int ndims, const permutation& names) { return axes_in_order(ndims, names); }
    static constexpr sums_rule sums = sums_rule::keep;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Returns the layout whose axis i is axis names[i] of l, like NumPy's transpose, without moving data.
///
/// Refused: as permute_axes
/// Pre:     check_rename_axes(l, names).ok()
/// Post:    result == permute_axes(l, inverse(names)), and result.dims[i] == l.dims[names[i]]
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.2
/// Example: examples/03_permute_axes.cpp
inline constexpr operation<detail::rename_axes_rule> rename_axes;
/// Checks that rename_axes is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::rename_axes_rule> check_rename_axes;
/// Returns the result of rename_axes, or the verdict that refuses it.
inline constexpr operation_attempt<detail::rename_axes_rule> try_rename_axes;

}  // namespace plait
