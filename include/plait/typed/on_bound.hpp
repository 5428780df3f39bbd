#pragma once
// How an operation goes through partly static layouts: what it can say about the open extents stays in the type, and
// what depends on their values is settled when it runs.

#include <plait/algebra/open_extents.hpp>
#include <plait/typed/bound_layout.hpp>

#include <bit>

namespace plait::detail {

/// Whether a refusal may end once the extents have values; all others hold for every value.
constexpr bool waits_for_values(const verdict& why) {
    return why.reason == reason::dim_is_dynamic || why.reason == reason::stride_is_dynamic ||
           why.reason == reason::parent_is_dynamic;
}

/// How many strides of l are not known, and will not be when its extents are.
constexpr int lost_strides(const layout& l) {
    int count = 0;
    for (const digit& d : l.digits) count += d.stride == dynamic;
    return count;
}

/// l with the open extents among `axes`, one bit an axis, taken to be 1.
constexpr layout with_ones(const layout& l, unsigned axes) {
    dims values;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) values.push_back((axes >> a & 1u) != 0 ? 1 : dynamic);
    const expected<layout> bound = detail::bind_rule::attempt(l, values);
    return bound.why.ok() ? bound.made : l;
}

/// Whether no value of an open extent will end this refusal.
///
/// An axis of one element may come and go, so what is refused for two or more elements may hold for one: in one axis,
/// or in all.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool is_refused_for_good(Attempt attempt, const verdict& why, const Layouts&... open) {
    if (why.ok() || waits_for_values(why)) return false;
    for (int axis = 0; axis <= max_ndims; ++axis) {
        const unsigned ones = axis < max_ndims ? 1u << axis : ~0u;
        if (const verdict one = attempt(with_ones(open, ones)...).why; one.ok() || waits_for_values(one)) return false;
    }
    return true;
}

/// The axes of l whose extents are open, one bit an axis.
constexpr unsigned open_axes(const layout& l) {
    unsigned axes = 0;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) axes |= 1u << a;
    return axes;
}

/// Whether an axis of l with blocks has one element, or may have: what is padded in it does not come and go.
constexpr bool may_pad_one_element(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if ((l.dims[a] == dynamic || l.dims[a] == 1) && l.block_size(a) > 1) return true;
    return false;
}

/// Whether `made`, which the operation makes of `open`, says all that can be said of its results once the extents have
/// values.
///
/// Not where strides are lost, and not where a padded axis of one element would find another place.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool says_all(Attempt attempt, const layout& made, const Layouts&... open) {
    if (lost_strides(made) > (lost_strides(open) + ...)) return false;
    if (!(may_pad_one_element(open) || ...)) return true;
    const unsigned axes = (open_axes(open) | ...);
    if (std::popcount(axes) > 4) return false;  // too many cases to try
    for (unsigned ones = axes; ones != 0; ones = (ones - 1) & axes) {
        const expected<layout> one = attempt(with_ones(open, ones)...);
        if (!one.why.ok()) return false;
        const expected<layout> bound = detail::bind_rule::attempt(made, values_of(made.dims, one.made.dims));
        if (!bound.why.ok() || bound.made != one.made) return false;
    }
    return true;
}

/// An operation on bound layouts, from what it makes of the layouts of the operands.
///
/// If the partly static layouts are allowed, and the result says all that can be said, it is partly static too: a
/// bound_layout. What no value can allow is a compile-time error. In between the result is a plain layout, checked when
/// it runs.
///
/// Pre:     Attempt is a lambda without captures, as the compiler calls it too, with one layout for each operand; its
///          result is an expected<layout>
/// Post:    static_cast<layout>(result) == *attempt(static_cast<layout>(operands)...); the same refusals at run time
/// Cost:    that of the operation on values, which runs, and of a bind()
/// Source:  spec semantics 5: view and bind commute, also where a dynamic extent becomes 1
/// Example: examples/07_partly_static.cpp
template <class Attempt, class... Operands>
constexpr auto on_bound(Attempt, const Operands&... operands) {
    constexpr expected<layout> open = Attempt{}(known_layout<Operands>...);
    if constexpr (is_refused_for_good(Attempt{}, open.why, known_layout<Operands>...)) {
        static_cast<void>(allowed<open.why>);  // one error, which says why
        return layout();
    } else {
        const expected<layout> attempt = Attempt{}(static_cast<layout>(operands)...);
        require(attempt.why);
        if constexpr (!open.why.ok()) return attempt.made;
        else if constexpr (says_all(Attempt{}, open.made, known_layout<Operands>...))
            return bound_layout<open.made>(values_of(open.made.dims, attempt.made.dims));
        else return attempt.made;
    }
}

}  // namespace plait::detail
