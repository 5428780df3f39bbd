#pragma once

#include <plait/algebra/permute_axes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Maps the axes of the library to those of a framework's shape: library axis i is framework axis m[i] of a map m.
///
/// Kept separately from the layout, because frameworks order the axes of activations and of weights differently.
///
/// Source:  seeds tensor-representation, 3
struct axis_map : detail::axis_numbers<axis_map> {
    using axis_numbers::axis_numbers;
};

/// Checks that m maps the axes 0 to ndims - 1 one to one. Fails with rank_differs or not_a_permutation.
constexpr verdict check_axis_map(const axis_map& m, int ndims) {
    return check_permutation(permutation(m.values, static_cast<std::size_t>(m.size())), ndims);
}

namespace detail {
/// Returns m as a permutation of the library's axes.
constexpr permutation order_of(const axis_map& m) { return permutation(m.values, static_cast<std::size_t>(m.size())); }

struct compose_rule;
struct inverse_rule;
}  // namespace detail

/// Returns the map that applies q, then p: compose(p, q)[i] == p[q[i]]. Fails with rank_differs, not_a_permutation.
template <std::same_as<detail::compose_rule> Rule>
constexpr axis_map apply_to(const axis_map& p, operation<Rule>, const axis_map& q) {
    const permutation both = detail::composed_permutation(detail::order_of(p), detail::order_of(q));
    return axis_map(both.values, static_cast<std::size_t>(both.size()));
}

/// Returns the inverse of m: the library axis of each framework axis. compose(m, inverse(m))[i] == i. Fails with
/// not_a_permutation.
template <std::same_as<detail::inverse_rule> Rule>
constexpr axis_map apply_to(const axis_map& m, operation<Rule>) {
    const permutation back = detail::inverse_permutation(detail::order_of(m));
    return axis_map(back.values, static_cast<std::size_t>(back.size()));
}

namespace detail {
/// Returns the permutation that takes the axes of a tensor with the map `have` to an operation that needs `need`.
///
/// Pre:     check_axis_map holds for both, with the same rank
/// Post:    need[result[i]] == have[i]: each axis keeps its place in the framework's shape
/// Source:  seeds tensor-representation, 3: perm1 * perm2^-1
/// Example: axis_permutation({0, 3, 1, 2}, {3, 2, 0, 1}) == permutation{2, 0, 3, 1}
[[nodiscard]] constexpr permutation axis_permutation(const axis_map& have, const axis_map& need) {
    return composed_permutation(inverse_permutation(order_of(need)), order_of(have));
}

/// The rule of adapt.
struct adapt_rule {
    static constexpr expected<layout> attempt(const layout& l, const axis_map& have, const axis_map& need) {
        if (const verdict why = check_order(l, order_of(have)); !why.ok()) return why;
        if (const verdict why = check_axis_map(need, l.ndims()); !why.ok()) return why;
        return {permuted(l, axis_permutation(have, need)), {}};
    }
    static constexpr axis_list axes(int ndims, const axis_map& have, const axis_map& need) {
        return axes_in_order(ndims, inverse_permutation(axis_permutation(have, need)));
    }
    /// None, because the names were those of the operation that wrote the tensor.
    static constexpr letter_list letters(const letter_list&, const axis_map&, const axis_map&) { return {}; }
    static constexpr sums_rule sums = sums_rule::keep;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Returns the layout of the same framework tensor with the axes in the order that the next operation needs, without
/// moving data.
///
/// Refused: layout_is_undefined; layout_is_opaque (unimplemented); rank_differs, not_a_permutation
/// Pre:     check_adapt(l, have, need).ok()
/// Post:    result == permute_axes(l, axis_permutation(have, need)), so adapt(l, m, m) == l and
///          adapt(adapt(l, a, b), b, c) == adapt(l, a, c)
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds tensor-representation, 3
/// Example: adapt(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 1, 2}, {3, 2, 0, 1}) == layout({5, 4, 2, 3}, "hwio")
inline constexpr operation<detail::adapt_rule> adapt;
/// Checks that adapt is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::adapt_rule> check_adapt;
/// Returns the result of adapt, or the verdict that refuses it.
inline constexpr operation_attempt<detail::adapt_rule> try_adapt;

}  // namespace plait
