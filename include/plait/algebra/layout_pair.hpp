#pragma once
// Whether a tensor can be moved from one layout to another: what reorders and copies have in common.

#include <plait/algebra/is_injective.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The offset one past the last place of each side; 0 without elements.
struct reorder_ends {
    dim_t src = 0, dst = 0;
};

/// The verdict of check_reorder, and the ends that it computed.
struct measured_reorder {
    verdict why;
    reorder_ends ends;
};

/// Checks a pair of layouts that are valid on their own.
///
/// Pre:     check_static and check_layout are ok for both
constexpr verdict check_pair(const layout& src, const layout& dst) {
    if (src.ndims() != dst.ndims())
        return ranks_differ(counted::source, src.ndims(), counted::destination, dst.ndims());
    for (int a = 0; a < src.ndims(); ++a)
        if (src.dims[a] != dst.dims[a]) return {reason::dims_differ, a, src.dims[a], dst.dims[a]};
    return check_unique_places(dst, reason::destination_is_not_injective);
}

/// Does what check_reorder does, and returns the ends as well.
constexpr measured_reorder measure_reorder(const layout& src, const layout& dst) {
    measured_reorder out;
    for (const bool source : {true, false}) {
        const layout& l = source ? src : dst;
        if (const verdict why = check_static(l); !why.ok()) return {why, {}};
        const digits_reach digits = check_digits(l);
        if (!digits.why.ok()) return {digits.why, {}};
        (source ? out.ends.src : out.ends.dst) = end_of(l, digits);
    }
    out.why = check_pair(src, dst);
    return out;
}

}  // namespace plait::detail
