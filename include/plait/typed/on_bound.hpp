#pragma once
// How an operation goes through partly static layouts: what it can say about the open extents stays in the type, and
// what depends on their values is settled when it runs.

#include <plait/typed/bound_layout.hpp>

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

/// The layout that the type of an operand says.
template <class Operand>
inline constexpr layout open_layout = Operand::value;
template <layout L>
inline constexpr layout open_layout<bound_layout<L>> = L;

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

/// An operation on bound layouts, from its check and what it does: both are called with the layouts of the operands.
///
/// Where the check allows the partly static layouts, the result is one too: bound_layout. Where it waits for values, or
/// the partly static result would know less, the result is a plain layout, checked when it runs. Any other refusal
/// holds for every value: a compile-time error.
///
/// Post:    static_cast<layout>(result) == apply(static_cast<layout>(operands)...); the same refusals at run time
/// Cost:    that of the operation on values, which runs, and of a bind()
/// Example: examples/07_partly_static.cpp
template <class Check, class Apply, class... Operands>
constexpr auto on_bound(Check, Apply, const Operands&... operands) {
    constexpr verdict why = Check{}(open_layout<Operands>...);
    if constexpr (!why.ok() && !waits_for_values(why)) {
        [[maybe_unused]] constexpr bool refused = (require(why), true);  // one error, which names the reason
        return layout();
    } else if constexpr (!why.ok()) {
        return Apply{}(static_cast<layout>(operands)...);
    } else {
        constexpr layout open = Apply{}(open_layout<Operands>...);
        const layout made = Apply{}(static_cast<layout>(operands)...);
        if constexpr (lost_strides(open) > (lost_strides(open_layout<Operands>) + ...)) return made;
        else return bound_layout<open>(values_of(open.dims, made.dims));
    }
}

}  // namespace plait
