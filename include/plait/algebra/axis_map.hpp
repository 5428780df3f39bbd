#pragma once

#include <plait/algebra/permute_axes.hpp>

namespace plait {

/// Which axis of a framework's shape each axis of the library is: library axis i is framework axis [i].
///
/// It travels beside a layout: frameworks order the axes of activations and of weights differently.
///
/// Source:  seeds tensor-representation, 3
struct axis_map : axis_numbers<axis_map> {
    using axis_numbers::axis_numbers;
};

/// Whether m maps the axes 0 to ndims - 1 one to one; refused: rank_differs, not_a_permutation.
constexpr verdict check_axis_map(const axis_map& m, int ndims) {
    return check_permutation(permutation(m.values, static_cast<std::size_t>(m.size())), ndims);
}

/// First q, then p.
///
/// Pre:     check_axis_map holds for both, of the same rank
/// Post:    compose(p, q)[i] == p[q[i]]
[[nodiscard]] constexpr axis_map compose(const axis_map& p, const axis_map& q) {
    require(check_axis_map(p, q.size()));
    require(check_axis_map(q, q.size()));
    axis_map out;
    for (dim_t to : q) out.push_back(p[static_cast<int>(to)]);
    return out;
}

/// The map that undoes m: which library axis each framework axis is.
///
/// Pre:     check_axis_map(m, m.size()).ok()
/// Post:    compose(m, inverse(m))[i] == i
[[nodiscard]] constexpr axis_map inverse(const axis_map& m) {
    require(check_axis_map(m, m.size()));
    axis_map out = m;
    for (int i = 0; i < m.size(); ++i) out[static_cast<int>(m[i])] = i;
    return out;
}

/// Where the axes of a tensor that has the map `have` go for an operation that needs the map `need`.
///
/// Pre:     check_axis_map holds for both, of the same rank
/// Post:    need[result[i]] == have[i]: each axis keeps its place in the framework's shape
/// Source:  seeds tensor-representation, 3: perm1 * perm2^-1
/// Example: axis_permutation({0, 3, 1, 2}, {3, 2, 0, 1}) == permutation{2, 0, 3, 1}
[[nodiscard]] constexpr permutation axis_permutation(const axis_map& have, const axis_map& need) {
    const axis_map moved = compose(inverse(need), have);
    return permutation(moved.values, static_cast<std::size_t>(moved.size()));
}

/// Whether a layout with the map `have` can be passed where the map `need` is expected.
///
/// Refused: layout_is_undefined; layout_is_opaque (unimplemented); rank_differs, not_a_permutation
constexpr verdict check_adapt(const layout& l, const axis_map& have, const axis_map& need) {
    if (const verdict why = check_permute_axes(l, identity_permutation(l.ndims())); !why.ok()) return why;
    if (const verdict why = check_axis_map(have, l.ndims()); !why.ok()) return why;
    return check_axis_map(need, l.ndims());
}

/// The same framework tensor, with the axes in the order that the next operation needs; the data stays where it is.
///
/// Pre:     check_adapt(l, have, need).ok()
/// Post:    result == permute_axes(l, axis_permutation(have, need)), so adapt(l, m, m) == l and
///          adapt(adapt(l, a, b), b, c) == adapt(l, a, c)
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds tensor-representation, 3
/// Example: adapt(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 1, 2}, {3, 2, 0, 1}) == layout({5, 4, 2, 3}, "hwio")
[[nodiscard]] constexpr layout adapt(const layout& l, const axis_map& have, const axis_map& need) {
    require(check_adapt(l, have, need));
    return permute_axes(l, axis_permutation(have, need));
}

/// adapt(l, have, need), or what check_adapt says against it.
[[nodiscard]] constexpr expected<layout> try_adapt(const layout& l, const axis_map& have, const axis_map& need) {
    const verdict why = check_adapt(l, have, need);
    return {why.ok() ? adapt(l, have, need) : layout(), why};
}

}  // namespace plait
