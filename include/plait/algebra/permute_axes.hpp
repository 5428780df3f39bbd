#pragma once

#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that p is a permutation of the axes of l, and that l is neither undefined nor opaque.
constexpr verdict check_order(const layout& l, const permutation& p) {
    if (l.kind != format_kind::any)
        if (const verdict why = check_blocked(l); !why.ok()) return why;
    return check_permutation(p, l.ndims());
}

/// Returns l with axis i moved to place p[i].
///
/// Pre:     check_order(l, p).ok()
constexpr layout permuted(const layout& l, const permutation& p) {
    layout out = l;
    for (int i = 0; i < l.ndims(); ++i) {
        const int to = static_cast<int>(p[i]);
        out.dims[to] = l.dims[i];
        out.padded_dims[to] = l.padded_dims[i];
        out.padded_offsets[to] = l.padded_offsets[i];
        if (l.kind == format_kind::blocked) out.digits[to] = l.digits[i];
    }
    if (l.kind != format_kind::blocked) return out;
    for (digit& d : out.digits) {
        d.axis = static_cast<int>(p[d.axis]);
        if (is_outside(d.stride)) d.stride = outside(static_cast<int>(p[axis_inside(d.stride)]));
    }
    return out;
}

/// The rule of permute_axes.
struct permute_axes_rule {
    static constexpr expected<layout> attempt(const layout& l, const permutation& p) {
        const verdict why = check_order(l, p);
        return {why.ok() ? permuted(l, p) : layout(), why};
    }
    static constexpr axis_list axes(int ndims, const permutation& p) {
        return check_permutation(p, ndims).ok() ? axes_in_order(ndims, inverse_permutation(p)) : axis_list();
    }
    static constexpr sums_rule sums = sums_rule::keep;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Moves axis i to place p[i], without moving data.
///
/// Refused: layout_is_undefined; layout_is_opaque (unimplemented); rank_differs, not_a_permutation
/// Pre:     check_permute_axes(l, p).ok()
/// Post:    offset(result, at permuted by p) == offset(l, at) for every position
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.2
/// Example: examples/03_permute_axes.cpp
inline constexpr operation<detail::permute_axes_rule> permute_axes;
/// Checks that permute_axes is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::permute_axes_rule> check_permute_axes;
/// Returns the result of permute_axes, or the verdict that refuses it.
inline constexpr operation_attempt<detail::permute_axes_rule> try_permute_axes;

/// Returns the position that the element at `at` has after permute_axes(l, p). Fails with rank_differs or
/// not_a_permutation.
///
/// Post:    (*result)[p[i]] == at[i]
constexpr expected<position> attempt_on(const position& at, operation<detail::permute_axes_rule>,
                                        const permutation& p) {
    if (const verdict why = check_permutation(p, at.size()); !why.ok()) return why;
    position out = at;
    for (int i = 0; i < at.size(); ++i) out[static_cast<int>(p[i])] = at[i];
    return {out, {}};
}

namespace detail {
/// Returns the mask that names the same axes after a permutation.
///
/// Pre:     check_permutation(p, p.size()).ok()
constexpr int permute_mask(int mask, const permutation& p) {
    int out = 0;
    for (int a = 0; a < p.size(); ++a)
        if ((mask >> a & 1) != 0) out |= 1 << p[a];
    return out;
}
}  // namespace detail
}  // namespace plait
