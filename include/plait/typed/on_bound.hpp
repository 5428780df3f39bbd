#pragma once
// Operations on partly static layouts: what holds for all values of the open extents stays in the type, and what
// depends on their values is computed at run time.

#include <plait/algebra/open_extents.hpp>
#include <plait/typed/bound_layout.hpp>

#include <bit>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Checks if a failure may disappear once the extents have values; all other failures hold for every value.
constexpr bool waits_for_values(const verdict& why) {
    return why.reason == reason::dim_is_dynamic || why.reason == reason::stride_is_dynamic ||
           why.reason == reason::parent_is_dynamic;
}

/// Returns the number of strides of l that stay unknown even if all its extents are known.
constexpr int lost_strides(const layout& l) {
    int count = 0;
    for (const digit& d : l.digits) count += d.stride == dynamic;
    return count;
}

/// Returns l with the open extents in `axes`, one bit per axis, set to 1.
constexpr layout with_ones(const layout& l, unsigned axes) {
    dims values;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) values.push_back((axes >> a & 1u) != 0 ? 1 : dynamic);
    const expected<layout> bound = detail::bind_rule::attempt(l, values);
    return bound.has_value() ? *bound : l;
}

/// Checks that the operation fails for all values of the open extents.
///
/// Axes of one element can be added and removed freely, so an operation that fails for two or more elements may succeed
/// if one axis has extent 1, or if all have.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool is_refused_for_good(Attempt attempt, const verdict& why, const Layouts&... open) {
    if (why.ok() || waits_for_values(why)) return false;
    for (int axis = 0; axis <= max_ndims; ++axis) {
        const unsigned ones = axis < max_ndims ? 1u << axis : ~0u;
        if (const verdict one = attempt(with_ones(open, ones)...).error(); one.ok() || waits_for_values(one))
            return false;
    }
    return true;
}

/// Returns the axes of l with open extents, one bit per axis.
constexpr unsigned open_axes(const layout& l) {
    unsigned axes = 0;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) axes |= 1u << a;
    return axes;
}

/// True if an axis of l with blocks has extent 1, or may have: a padded axis cannot be added or removed freely.
constexpr bool may_pad_one_element(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if ((l.dims[a] == dynamic || l.dims[a] == 1) && l.block_size(a) > 1) return true;
    return false;
}

/// Checks that `made`, the result of the operation on `open`, describes its results for all values of the extents.
///
/// False if strides are lost, or if a padded axis of one element would be placed elsewhere.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool says_all(Attempt attempt, const layout& made, const Layouts&... open) {
    if (lost_strides(made) > (lost_strides(open) + ...)) return false;
    if (!(may_pad_one_element(open) || ...)) return true;
    const unsigned axes = (open_axes(open) | ...);
    if (std::popcount(axes) > 4) return false;  // too many cases to try
    for (unsigned ones = axes; ones != 0; ones = (ones - 1) & axes) {
        const expected<layout> one = attempt(with_ones(open, ones)...);
        if (!one) return false;
        const expected<layout> bound = detail::bind_rule::attempt(made, values_of(made.dims, one->dims));
        if (!bound || *bound != *one) return false;
    }
    return true;
}

/// Applies an operation to bound layouts, given how it transforms plain layouts.
///
/// The result depends on what is known at compile time:
/// - if the operation succeeds and its result holds for all values of the extents: a bound_layout
/// - if the operation fails for all values: a compile-time error
/// - otherwise: a plain layout, checked at run time
///
/// Pre:     Attempt is a lambda without captures, which the compiler also calls, that takes one layout per operand and
///          returns an expected<layout>
/// Post:    static_cast<layout>(result) == *attempt(static_cast<layout>(operands)...); the same failures at run time
/// Cost:    the operation on values, at run time, and one bind()
/// Source:  spec semantics 5: view and bind commute, also where a dynamic extent becomes 1
/// Example: examples/07_partly_static.cpp
template <class Attempt, class... Operands>
constexpr auto on_bound(Attempt, const Operands&... operands) {
    constexpr expected<layout> open = Attempt{}(known_layout<Operands>...);
    if constexpr (is_refused_for_good(Attempt{}, open.error(), known_layout<Operands>...)) {
        static_cast<void>(allowed<open.error()>);  // the only error, with the reason
        return layout();
    } else {
        const expected<layout> attempt = Attempt{}(static_cast<layout>(operands)...);
        require(attempt.error());
        if constexpr (!open) return *attempt;
        else if constexpr (says_all(Attempt{}, *open, known_layout<Operands>...))
            return bound_layout<*open>(values_of(open->dims, attempt->dims));
        else return *attempt;
    }
}

}  // namespace plait::detail
