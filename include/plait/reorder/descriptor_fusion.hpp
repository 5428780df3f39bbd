#pragma once
// Two reorders of descriptors in one pass: as of layouts, and with compensation and scale_adjust of the last one.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/reorder/fusion.hpp>

namespace plait {

/// A reorder of descriptors as data: what reorder(src, in, dst, out, attributes) does.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), which is asked where it is used
struct descriptor_step {
    descriptor src, dst;
    reorder_attributes attributes = {};

    /// The same without compensation and scale_adjust.
    constexpr reorder_step without_extra() const { return {src.layout, dst.layout, src.type, dst.type, attributes}; }
    /// Whether each element stays what and where it is, and nothing is written behind them.
    constexpr bool moves_nothing() const { return dst.extra.empty() && without_extra().moves_nothing(); }
    constexpr bool operator==(const descriptor_step&) const = default;
};

namespace detail {
/// fuse(a, b) or what refuses it.
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

/// Whether two reorders of descriptors, b after a, are one that writes the same bytes for every input.
///
/// Refused: as check_reorder, of either; descriptor_has_extra (a's destination: its sums are b's to lose); as
///          check_fuse of the layouts, the types and the attributes
/// Source:  spec semantics 17
constexpr verdict check_fuse(const descriptor_step& a, const descriptor_step& b) {
    return detail::make_fused(a, b).error();
}

/// One reorder that does what a does and then b, in one pass; with b's compensation and scale_adjust.
///
/// Pre:     check_fuse(a, b).ok()
/// Post:    reference_reorder of the result writes what that of b does, from what that of a has written, compensation
///          too; as fuse of reorder_steps
/// Cost:    O(digits squared) steps, whatever the extents; no allocation
/// Source:  spec semantics 17
/// Example: test/reorder/descriptor_fusion.cpp
[[nodiscard]] constexpr descriptor_step fuse(const descriptor_step& a, const descriptor_step& b) {
    const expected<descriptor_step> attempt = detail::make_fused(a, b);
    require(attempt.error());
    return *attempt;
}

/// fuse(a, b), or what check_fuse says against it.
[[nodiscard]] constexpr expected<descriptor_step> try_fuse(const descriptor_step& a, const descriptor_step& b) {
    return detail::make_fused(a, b);
}

}  // namespace plait
