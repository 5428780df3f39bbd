#pragma once
// How an operation goes through partly static layouts: what it can say about the open extents stays in the type, and
// what depends on their values is settled when it runs.

#include <plait/typed/bound_layout.hpp>

#include <bit>

namespace plait {

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

/// The values that `bound` has where an extent of `open` is dynamic.
constexpr dims values_of(const dims& open, const dims& bound) {
    dims out;
    for (int a = 0; a < open.size() && a < bound.size(); ++a)
        if (open[a] == dynamic) out.push_back(bound[a]);
    return out;
}

/// `extents` with its dynamic entries replaced, in order, by `values`; without change where their numbers differ.
constexpr dims filled(const dims& extents, const dims& values) {
    dims out = extents;
    int next = 0;
    for (dim_t& extent : out)
        if (extent == dynamic && next++ < values.size()) extent = values[next - 1];
    return next == values.size() ? out : extents;
}

/// Whether the dynamic entries of `extents` are none, or as many as those of `open`, for whose values they stand.
///
/// Refused: bound_values_do_not_match
constexpr verdict check_entries(const dims& extents, const dims& open) {
    const int entries = values_of(extents, extents).size(), values = values_of(open, open).size();
    if (entries == 0 || entries == values) return {};
    return {reason::bound_values_do_not_match, -1, values, entries};
}

/// The first of two refusals.
constexpr verdict first_refusal(const verdict& first, const verdict& second) { return first.ok() ? second : first; }

/// l with the open extents among `axes`, one bit an axis, taken to be 1.
constexpr layout with_ones(const layout& l, unsigned axes) {
    dims values;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) values.push_back((axes >> a & 1u) != 0 ? 1 : dynamic);
    const expected<layout> bound = bind_extents(l, values);
    return bound.why.ok() ? bound.made : l;
}

/// Whether no value of an open extent will end this refusal.
///
/// An axis of one element may come and go, so what is refused for two or more elements may hold for one: in one axis,
/// or in all.
template <class Check, std::same_as<layout>... Layouts>
constexpr bool is_refused_for_good(Check check, const verdict& why, const Layouts&... open) {
    if (why.ok() || waits_for_values(why)) return false;
    for (int axis = 0; axis <= max_ndims; ++axis) {
        const unsigned ones = axis < max_ndims ? 1u << axis : ~0u;
        if (const verdict one = check(with_ones(open, ones)...); one.ok() || waits_for_values(one)) return false;
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
template <class Check, class Apply, std::same_as<layout>... Layouts>
constexpr bool says_all(Check check, Apply apply, const layout& made, const Layouts&... open) {
    if (lost_strides(made) > (lost_strides(open) + ...)) return false;
    if (!(may_pad_one_element(open) || ...)) return true;
    const unsigned axes = (open_axes(open) | ...);
    if (std::popcount(axes) > 4) return false;  // too many cases to try
    for (unsigned ones = axes; ones != 0; ones = (ones - 1) & axes) {
        if (!check(with_ones(open, ones)...).ok()) return false;
        const layout one = apply(with_ones(open, ones)...);
        const expected<layout> bound = bind_extents(made, values_of(made.dims, one.dims));
        if (!bound.why.ok() || bound.made != one) return false;
    }
    return true;
}

/// An operation on bound layouts, from its check and what it does: both are called with the layouts of the operands.
///
/// Where the check allows the partly static layouts, and the result says all that can be said, it is partly static too:
/// a bound_layout. What no value can allow is a compile-time error. In between the result is a plain layout, checked
/// when it runs.
///
/// Pre:     Check and Apply are lambdas without captures, as the compiler calls them too, one layout for each operand;
///          Apply may be called where Check is ok, and refuses the rest itself
/// Post:    static_cast<layout>(result) == apply(static_cast<layout>(operands)...); the same refusals at run time
/// Cost:    that of the operation on values, which runs, and of a bind()
/// Source:  spec semantics 5: view and bind commute, also where a dynamic extent becomes 1
/// Example: examples/07_partly_static.cpp
template <class Check, class Apply, class... Operands>
constexpr auto on_bound(Check, Apply apply, const Operands&... operands) {
    constexpr verdict why = Check{}(known_layout<Operands>...);
    if constexpr (is_refused_for_good(Check{}, why, known_layout<Operands>...)) {
        static_cast<void>(allowed<why>);  // one error, which says why
        return layout();
    } else if constexpr (!why.ok()) {
        return apply(static_cast<layout>(operands)...);
    } else {
        constexpr layout open = Apply{}(known_layout<Operands>...);
        const layout made = apply(static_cast<layout>(operands)...);
        if constexpr (says_all(Check{}, Apply{}, open, known_layout<Operands>...))
            return bound_layout<open>(values_of(open.dims, made.dims));
        else return made;
    }
}

}  // namespace plait
