#pragma once

#include <plait/algebra/permute_axes.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the descriptor of the result of an operation on d.layout, with elements of `type`; `rule` decides about
/// extra.
///
/// Pre:     check_descriptor(d).ok()
constexpr expected<descriptor> with_made_layout(const descriptor& d, data_type type, sums_rule rule,
                                                const expected<layout>& attempt) {
    if (!attempt) return attempt.error();  // checked first: it tells more about the operation's arguments
    if (rule == sums_rule::refuse && !d.extra.empty()) return verdict{reason::descriptor_has_extra};
    expected<descriptor> out;
    out->type = type;
    out->layout = *attempt;
    if (rule == sums_rule::keep) out->extra = d.extra;
    out.error() = check_sizes_fit(*out);
    return out;
}

/// Returns the permutation that moves axis axes[i] to place i, or the identity if `axes` does not list all axes.
constexpr permutation order_after(const axis_list& axes, int ndims) {
    permutation out = identity_permutation(ndims);
    for (int i = 0; i < axes.size() && axes.size() == ndims; ++i) out[axes[i]] = i;
    return out;
}

/// Checks that each sum keeps its place if the axes are permuted. The sums are in memory order, so this only fails if
/// two axes of a mask share their places: then only the order of the axes distinguishes their sums, and it must not
/// change.
///
/// Refused: descriptor_has_extra
constexpr verdict check_permuted_sums(const layout& l, const extra& e, const permutation& p) {
    for (const int mask : {e.s8s8_mask, e.asymmetric_source_mask})
        if (!keeps_compensation_order(l, mask, p)) return {reason::descriptor_has_extra};
    return {};
}
/// Returns extra with its masks permuted by p, so that the sum of each position is the same s32.
///
/// Pre:     check_permuted_sums(the layout, e, p).ok()
/// Post:    compensation_layout(permute_axes(l, p), the result's mask) == permute_axes(compensation_layout(l, mask), p)
constexpr extra permuted_extra(extra e, const permutation& p) {
    e.s8s8_mask = permute_mask(e.s8s8_mask, p);
    e.asymmetric_source_mask = permute_mask(e.asymmetric_source_mask, p);
    return e;
}

}  // namespace plait::detail
