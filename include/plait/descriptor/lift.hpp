#pragma once

#include <plait/algebra/permute_axes.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait {

/// A descriptor of what an operation made of d.layout: what lift does behind it.
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

/// An operation on layouts, done to a descriptor: the type stays as it is, and extra as the rule says.
///
/// Refused: as check_descriptor; descriptor_has_extra; what `make` refuses; size_overflows (in bytes)
/// Pre:     make(d.layout) is an expected<layout>, and what it makes is a layout by check_layout
/// Post:    result->layout == *make(d.layout), result->type == d.type; result->extra is d.extra where the rule is keep,
///          else empty
/// Cost:    that of check_descriptor and of `make`
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 5, 6 and 8
/// Example: lift(d, sums_rule::refuse, [&](const layout& l) { return try_reshape(l, to); })
template <class Make>
constexpr expected<descriptor> lift(const descriptor& d, sums_rule rule, Make make) {
    if (const verdict why = check_descriptor(d); !why.ok()) return {{}, why};
    return with_made_layout(d, rule, make(d.layout));
}

/// Lets the masks of the sums of d, which a result kept, follow its axes. The sums lie in the order of the memory, so
/// each stays where it is. Where two axes of a mask share their places, only the order of the axes tells their sums
/// apart: such a descriptor is refused if that order changes.
///
/// Refused: descriptor_has_extra
/// Pre:     `axes` has each axis of d once: axis i of the result is axis axes[i] of d
/// Post:    the sum of each position is the same s32: compensation_layout(result.layout, result's mask) ==
///          permute_axes(compensation_layout(d.layout, mask), the permutation)
constexpr verdict keep_sums(descriptor& result, const descriptor& d, const axis_list& axes) {
    permutation to = identity_permutation(d.ndims());
    for (int i = 0; i < axes.size(); ++i) to[axes[i]] = i;
    for (const int mask : {d.extra.s8s8_mask, d.extra.asymmetric_source_mask})
        if (!keeps_compensation_order(d.layout, mask, to)) return {reason::descriptor_has_extra};
    result.extra.s8s8_mask = permute_mask(d.extra.s8s8_mask, to);
    result.extra.asymmetric_source_mask = permute_mask(d.extra.asymmetric_source_mask, to);
    return {};
}

}  // namespace plait
