#pragma once

#include <plait/core/layout.hpp>

namespace plait {

/// Checks that `p` is a permutation of the axes of `l`. Fails if `l` is opaque or undefined.
///
/// Refused: layout_is_undefined; layout_is_opaque (unimplemented); rank_differs, not_a_permutation
constexpr verdict check_permute_axes(const layout& l, const permutation& p) {
    if (l.kind != format_kind::any)
        if (const verdict why = check_blocked(l); !why.ok()) return why;
    return check_permutation(p, l.ndims());
}

/// Moves axis i to place p[i]; the data stays where it is.
///
/// Pre:     check_permute_axes(l, p).ok()
/// Post:    offset(result, at permuted by p) == offset(l, at) for every position
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.2
/// Example: examples/03_permute_axes.cpp
[[nodiscard]] constexpr layout permute_axes(const layout& l, const permutation& p) {
    require(check_permute_axes(l, p));
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

/// permute_axes(l, p), or what check_permute_axes says against it.
[[nodiscard]] constexpr expected<layout> try_permute_axes(const layout& l, const permutation& p) {
    const verdict why = check_permute_axes(l, p);
    return {why.ok() ? permute_axes(l, p) : layout(), why};
}

/// The position that an element at `at` has after permute_axes(l, p).
///
/// Pre:     check_permutation(p, at.size()).ok()
/// Post:    result[p[i]] == at[i]
[[nodiscard]] constexpr position permute_axes(const position& at, const permutation& p) {
    require(check_permutation(p, at.size()));
    position out = at;
    for (int i = 0; i < at.size(); ++i) out[static_cast<int>(p[i])] = at[i];
    return out;
}

/// The mask that names the same axes after a permutation.
///
/// Pre:     check_permutation(p, p.size()).ok()
constexpr int permute_mask(int mask, const permutation& p) {
    int out = 0;
    for (int a = 0; a < p.size(); ++a)
        if ((mask >> a & 1) != 0) out |= 1 << p[a];
    return out;
}

}  // namespace plait
