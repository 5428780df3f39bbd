#pragma once

#include <plait/algebra/find_gap.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that compensation can be written after this tensor. The tensor must end with its last element, so that the
/// bytes after it are free. Its first element must be the first padded one, because the sums are counted from there.
///
/// Pre:     check_descriptor(d).ok(), check_static(d.layout).ok()
/// Refused: layout_is_not_dense (an offset without an element), padded_dim_does_not_fit (padding at the front)
constexpr verdict check_compensated(const descriptor& d) {
    if (!d.extra.has_buffers()) return {};
    for (int a = 0; a < d.ndims(); ++a)
        if (d.layout.padded_offsets[a] != 0)
            return {reason::padded_dim_does_not_fit, a, d.layout.padded_dims[a], d.layout.padded_offsets[a]};
    if (d.layout.is_dense()) return {};
    const dim_t last = static_cast<dim_t>(d.layout.element_span()) - 1;
    return {reason::layout_is_not_dense, -1, find_gap(d.layout).value_or(last), last};
}

/// Does what check_reorder does, and returns the ends as well.
constexpr measured_reorder measure_reorder(const descriptor& src, const descriptor& dst,
                                           const reorder_attributes& attributes = {}) {
    const known_end from = measure_descriptor(src);
    if (!from.why.ok()) return {from.why, {}};
    const known_end to = measure_descriptor(dst);
    measured_reorder out{to.why, {from.end, to.end}};
    for (const layout* l : {&src.layout, &dst.layout})
        if (out.why.ok() && !(l == &src.layout ? from : to).is_known)
            out.why = is_placeless(*l) ? check_blocked(*l) : check_known(*l);
    if (out.why.ok()) out.why = check_pair(src.layout, dst.layout);
    if (out.why.ok()) out.why = check_attributes(attributes, dst.dims());
    if (out.why.ok() && !src.extra.empty()) out.why = {reason::descriptor_has_extra};
    if (out.why.ok()) out.why = check_compensated(dst);
    return out;
}
}  // namespace detail

/// Checks that a tensor can be moved from one descriptor to the other with these attributes.
///
/// A source with extra is refused: its elements would be copied, and the effect of its scale_adjust would be lost
/// silently. The destination's compensation is computed from the elements that are written.
///
/// Refused: what check_descriptor refuses for either; data_type_is_unknown (undef); descriptor_has_extra (of the
/// source); what check_reorder refuses for the layouts and attributes; layout_is_not_dense, padded_dim_does_not_fit (of
/// a destination with compensation)
/// Pre:     none; any descriptors, including hand-made ones
/// Post:    if ok, check_reorder(src.layout, dst.layout, attributes).ok() and src.extra.empty()
/// Cost:    O(digits squared) steps, independent of the extents, and O(number of scales); no allocation
/// Source:  spec semantics 12
/// Example: from s8 with s8s8 compensation to any descriptor: verdict{reason::descriptor_has_extra}
constexpr verdict check_reorder(const descriptor& src, const descriptor& dst,
                                const reorder_attributes& attributes = {}) {
    return detail::measure_reorder(src, dst, attributes).why;
}

namespace detail {
/// Returns the extents of a reorder, as far as either side has them. If both have an extent, it is dst's.
///
/// Pre:     src.ndims() == dst.ndims()
constexpr dims merge_extents(const descriptor& src, const descriptor& dst) {
    dims out = dst.dims();
    for (int a = 0; a < dst.ndims(); ++a)
        if (out[a] == dynamic) out[a] = src.dims()[a];
    return out;
}

/// Checks what is known of a reorder whose extents or strides are partly dynamic: both descriptors can still be bound
/// to descriptors that check_reorder accepts. An extent that only one of them has applies to the other as well.
///
/// Refused: what check_descriptor refuses for either; undefined, any and opaque layouts; rank_differs; dims_differ, if
///          both extents are known; what check_attributes refuses for the extents that are known; descriptor_has_extra
///          (of the source); padded_dim_does_not_fit (of a destination with compensation)
/// Pre:     none; any descriptors, including hand-made ones
/// Post:    if refused, so are all descriptors that check_bound accepts for these, unless attributes are given anew
/// Cost:    O(digits squared) steps; no allocation
/// Source:  spec semantics 12
/// Example: for layout({dynamic, 3}, "ab") and layout({dynamic, 4}, "ba"): verdict{reason::dims_differ, 1, 3, 4}
constexpr verdict check_dynamic_reorder(const descriptor& src, const descriptor& dst,
                                        const reorder_attributes& attributes = {}) {
    for (const descriptor* d : {&src, &dst}) {
        if (const verdict why = check_descriptor(*d); !why.ok()) return why;
        if (const verdict why = check_blocked(d->layout); !why.ok()) return why;
    }
    if (src.ndims() != dst.ndims())
        return detail::ranks_differ(detail::counted::source, src.ndims(), detail::counted::destination, dst.ndims());
    const dims extents = merge_extents(src, dst);
    for (int a = 0; a < dst.ndims(); ++a)
        if (src.dims()[a] != dynamic && src.dims()[a] != extents[a])
            return {reason::dims_differ, a, src.dims()[a], extents[a]};
    if (const verdict why = check_attributes(attributes, extents); !why.ok()) return why;
    if (!src.extra.empty()) return {reason::descriptor_has_extra};
    for (int a = 0; dst.extra.has_buffers() && a < dst.ndims(); ++a)
        if (dst.layout.padded_offsets[a] != 0)
            return {reason::padded_dim_does_not_fit, a, dst.layout.padded_dims[a], dst.layout.padded_offsets[a]};
    return {};
}
}  // namespace detail
}  // namespace plait
