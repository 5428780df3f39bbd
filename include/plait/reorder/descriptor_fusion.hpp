#pragma once
// Fusion of two reorders of descriptors into one pass. The result has the compensation and scale_adjust of the second.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/reorder/fusion.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A reorder of descriptors as data: what reorder(src, in, dst, out, attributes) does.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); the functions that take a step check it
struct descriptor_step {
    descriptor src, dst;
    reorder_attributes attributes = {};

    /// Returns the step without compensation and scale_adjust.
    constexpr reorder_step without_extra() const { return {src.layout, dst.layout, src.type, dst.type, attributes}; }
    /// True if each element keeps its value and its place, and no compensation is written after the elements.
    constexpr bool moves_nothing() const { return dst.extra.empty() && without_extra().moves_nothing(); }
    constexpr bool operator==(const descriptor_step&) const = default;
};

namespace detail {
/// Returns fuse(a, b), or the reason why it is refused.
constexpr expected<descriptor_step> make_fused(const descriptor_step& a, const descriptor_step& b) {
    if (const verdict why = check_reorder(a.src, a.dst, a.attributes); !why.ok()) return why;
    if (const verdict why = check_reorder(b.src, b.dst, b.attributes); !why.ok()) return why;
    if (!a.dst.extra.empty()) return verdict{reason::descriptor_has_extra};
    const extra& wanted = b.dst.extra;
    const expected<reorder_step> one =
        make_fused(a.without_extra(), b.without_extra(), {wanted.has_buffers(), wanted.scale_adjust});
    if (!one) return one.error();
    descriptor_step out{a.src, b.dst, one->attributes};
    out.src.layout = one->src;
    out.dst.layout = one->dst;
    return {out, check_reorder(out.src, out.dst, out.attributes)};
}
}  // namespace detail

/// Checks that two reorders of descriptors, a and then b, can be one that writes the same bytes for every input.
///
/// Refused: what check_reorder refuses for either; descriptor_has_extra, if a's destination has compensation, because b
///          would drop its sums; what check_fuse refuses for the layouts, types and attributes
/// Source:  spec semantics 17
constexpr verdict check_fuse(const descriptor_step& a, const descriptor_step& b) {
    return detail::make_fused(a, b).error();
}

/// Returns one reorder that does what a and then b do, in one pass, with b's compensation and scale_adjust.
///
/// Pre:     check_fuse(a, b).ok()
/// Post:    reference_reorder of the result writes, compensation included, what reference_reorder of b writes from the
///          output of a; otherwise as fuse of reorder_steps
/// Cost:    O(digits squared) steps, independent of the extents; no allocation
/// Source:  spec semantics 17
/// Example: test/reorder/descriptor_fusion.cpp
[[nodiscard]] constexpr descriptor_step fuse(const descriptor_step& a, const descriptor_step& b) {
    return detail::make_fused(a, b).value();
}

/// Returns fuse(a, b), or the reason why check_fuse refuses it.
[[nodiscard]] constexpr expected<descriptor_step> try_fuse(const descriptor_step& a, const descriptor_step& b) {
    return detail::make_fused(a, b);
}

}  // namespace plait
