#pragma once

#include <plait/algebra/permute_axes.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::detail {

/// A descriptor of what an operation made of d.layout: the type stays as it is, and extra as the rule says.
///
/// Pre:     check_descriptor(d).ok()
constexpr expected<descriptor> with_made_layout(const descriptor& d, sums_rule rule, const expected<layout>& attempt) {
    if (!attempt.why.ok()) return {{}, attempt.why};  // first: it says more about the operation's arguments
    if (rule == sums_rule::refuse && !d.extra.empty()) return {{}, {reason::descriptor_has_extra}};
    expected<descriptor> out;
    out.made.type = d.type;
    out.made.layout = attempt.made;
    if (rule == sums_rule::keep) out.made.extra = d.extra;
    out.why = check_sizes_fit(out.made);
    return out;
}

/// The permutation that brings axis axes[i] to place i; of what is no list of all axes, the identity.
constexpr permutation order_after(const axis_list& axes, int ndims) {
    permutation out = identity_permutation(ndims);
    for (int i = 0; i < axes.size() && axes.size() == ndims; ++i) out[axes[i]] = i;
    return out;
}

/// Whether each sum lies where it did after the axes are permuted. The sums lie in the order of the memory, so each
/// does, unless two axes of a mask share their places: then only the order of the axes tells their sums apart, and may
/// not change.
///
/// Refused: descriptor_has_extra
constexpr verdict check_permuted_sums(const layout& l, const extra& e, const permutation& p) {
    for (const int mask : {e.s8s8_mask, e.asymmetric_source_mask})
        if (!keeps_compensation_order(l, mask, p)) return {reason::descriptor_has_extra};
    return {};
}
/// Extra with its masks, after the axes were permuted by p: the sum of each position is the same s32.
///
/// Pre:     check_permuted_sums(the layout, e, p).ok()
/// Post:    compensation_layout(permute_axes(l, p), the result's mask) == permute_axes(compensation_layout(l, mask), p)
constexpr extra permuted_extra(extra e, const permutation& p) {
    e.s8s8_mask = permute_mask(e.s8s8_mask, p);
    e.asymmetric_source_mask = permute_mask(e.asymmetric_source_mask, p);
    return e;
}

}  // namespace plait::detail
