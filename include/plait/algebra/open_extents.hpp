#pragma once
// Arguments with dynamic entries, for partly static layouts. Each entry stands for the value of an open extent.

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the values that `bound` has at the dynamic extents of `open`.
constexpr dims values_of(const dims& open, const dims& bound) {
    dims out;
    for (int a = 0; a < open.size() && a < bound.size(); ++a)
        if (open[a] == dynamic) out.push_back(bound[a]);
    return out;
}

/// Returns `extents` with its dynamic entries replaced, in order, by `values`; unchanged if their numbers differ.
constexpr dims filled(const dims& extents, const dims& values) {
    dims out = extents;
    int next = 0;
    for (dim_t& extent : out)
        if (extent == dynamic && next++ < values.size()) extent = values[next - 1];
    return next == values.size() ? out : extents;
}

/// Checks that `extents` has no dynamic entries, or as many as `open`, for whose values they stand.
///
/// Refused: bound_values_do_not_match
constexpr verdict check_entries(const dims& extents, const dims& open) {
    const int entries = values_of(extents, extents).size(), values = values_of(open, open).size();
    if (entries == 0 || entries == values) return {};
    return {reason::bound_values_do_not_match, -1, values, entries};
}

/// Returns attempt(to), after replacing the dynamic entries of `to`, in order, by the values that `now` has at the
/// dynamic extents of `open`. Can also fail as check_entries does.
template <class Attempt>
constexpr expected<layout> attempt_filled(const layout& open, const layout& now, const dims& to, Attempt attempt) {
    if (const verdict why = check_entries(to, open.dims); !why.ok()) return why;
    return attempt(filled(to, values_of(open.dims, now.dims)));
}

}  // namespace plait::detail
