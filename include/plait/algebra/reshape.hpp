#pragma once

#include <plait/algebra/open_extents.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/regroup.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that `to` can be the dims of l regrouped. Fails with layout_is_undefined, layout_is_opaque (unimplemented),
/// layout_is_malformed, too_many_axes, dim_is_negative, size_overflows.
constexpr verdict check_new_dims(const layout& l, const dims& to) {
    if (l.kind == format_kind::undef || to.empty()) return {reason::layout_is_undefined};
    if (to.count > max_ndims) return {reason::too_many_axes, -1, to.count, max_ndims};
    if (l.kind != format_kind::any)
        if (const verdict why = check_blocked(l); !why.ok()) return why;
    for (int a = 0, n = to.size(); a < n; ++a) {
        const dim_t extent = to.values[a];
        if (extent >= 0) continue;
        if (extent != dynamic) return {reason::dim_is_negative, a, extent, 0};
        if (l.kind == format_kind::any) return {reason::layout_is_any, a};
    }
    return check_volume(to);
}

/// Returns l with the dims `to`, or why that fails. The suggested number of a failure is not tested yet.
constexpr expected<layout> regroup_once(const layout& l, const dims& to, const regroup_rules& rules) {
    if (const verdict why = check_new_dims(l, to); !why.ok()) return why;
    // Only the groups determine which axes count their padding; 'any' has none.
    const bool counts_padding = rules.match_padding && l.kind == format_kind::blocked;
    const dims& extents = counts_padding ? l.padded_dims : l.dims;
    if (const verdict why = check_volume(extents); !why.ok()) return why;
    const dim_t before = volume(extents), after = volume(to);
    if (before != dynamic && after != dynamic && before != after && !counts_padding)
        return verdict{reason::volumes_differ, -1, before, after};
    if (l.kind == format_kind::any) {
        format_tag any;
        any.kind = format_kind::any;
        return make_layout(dims(to.begin(), static_cast<std::size_t>(to.size())), any);
    }
    axis_groups groups;
    const verdict why = add_groups(groups, l, to, {0, l.ndims(), 0, to.size()}, rules);
    const expected<layout> out = why.ok() ? regroup(l, to, groups, rules) : expected<layout>(why);
    return out.has_value() || !lack_elements(l, to) ? out : regroup_empty(l, to);
}

/// Returns true if l can be regrouped to `to` with the extent `number` at place b. The rest goes to the extent on its
/// left or right, or to another one in front of it.
constexpr bool regroups_with(const layout& l, const dims& to, int b, dim_t number, const regroup_rules& rules) {
    for (const int other : {b - 1, b + 1}) {
        if (other < 0 || other >= to.size()) continue;
        checked_integer both{to[b]};
        both *= to[other];
        if (!both.ok() || both.value % number != 0) continue;
        dims changed = to;
        changed[b] = number;
        changed[other] = both.value / number;
        if (regroup_once(l, changed, rules).has_value()) return true;
    }
    if (to[b] % number != 0 || to.size() == max_ndims) return false;
    dims longer;
    for (int k = 0; k < to.size(); ++k) {
        if (k == b) longer.push_back(to[b] / number);
        longer.push_back(k == b ? number : to[k]);
    }
    return regroup_once(l, longer, rules).has_value();
}

/// Returns l with the dims `to`, regrouped by the rules, or why that fails.
constexpr expected<layout> regroup_to(const layout& l, const dims& to, const regroup_rules& rules) {
    expected<layout> out = regroup_once(l, to, rules);
    verdict& why = out.error();
    if (why.reason != reason::extents_do_not_divide) return out;
    // The innermost axis with the extent that does not fit.
    int b = to.size() - 1;
    while (b >= 0 && to[b] != why.second) --b;
    const dim_t guess = why.third;
    why.third = 0;
    if (b >= 0 && guess > 0 && regroups_with(l, to, b, guess, rules)) why.third = guess;
    return out;
}

/// The rule of reshape.
struct reshape_rule {
    static constexpr expected<layout> attempt(const layout& l, const dims& to) { return regroup_to(l, to, {}); }
    /// Computes the result for a bound layout. Dynamic entries of `to` stand, in order, for the values of open extents.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& to) {
        return attempt_filled(open, now, to, [&](const dims& filled_in) { return attempt(now, filled_in); });
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Splits and joins axes, and adds and removes axes of one element, without moving data. A tensor without elements can
/// have any dims without elements.
///
/// Refused: undefined layouts and empty dims (layout_is_undefined), layout_is_opaque (unimplemented), dim_is_negative,
///          size_overflows; volumes_differ; zero_extent_is_not_matched (next to a dynamic extent); dim_is_dynamic,
///          stride_is_dynamic (in an axis that is split or joined); unit_axis_is_padded; axis_is_blocked,
///          axis_is_padded, joined_axes_do_not_chain
/// Pre:     check_reshape(l, to).ok()
/// Post:    linear_offset(result, i) == linear_offset(l, i) for every i < volume(l); result.dims == to
/// Cost:    O(ndims squared + digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::reshape_rule> reshape;
/// Checks that reshape is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::reshape_rule> check_reshape;
/// Returns the result of reshape, or the verdict that refuses it.
inline constexpr operation_attempt<detail::reshape_rule> try_reshape;

}  // namespace plait
