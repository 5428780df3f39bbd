#pragma once
// Arguments with dynamic entries, for partly static layouts: each stands for the value of an open extent.

#include <plait/core/layout.hpp>

namespace plait::detail {

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

/// Returns what `attempt` makes of the dims `to`, whose dynamic entries stand, in order, for the values that `now` has
/// where an extent of `open` is dynamic; refused besides: as check_entries.
template <class Attempt>
constexpr expected<layout> attempt_filled(const layout& open, const layout& now, const dims& to, Attempt attempt) {
    if (const verdict why = check_entries(to, open.dims); !why.ok()) return {{}, why};
    return attempt(filled(to, values_of(open.dims, now.dims)));
}

}  // namespace plait::detail
