#pragma once

#include <plait/algebra/find_gap.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait {

/// Whether compensation can be written behind this tensor: it ends where its elements do, so that what follows them is
/// free, and its first element is the first of the padded ones, which the values are counted by.
///
/// Pre:     check_descriptor(d).ok(), check_static(d.layout).ok()
/// Refused: layout_is_not_dense (an offset without an element), padded_dim_does_not_fit (padding in front)
constexpr verdict check_compensated(const descriptor& d) {
    if (!d.extra.has_buffers()) return {};
    for (int a = 0; a < d.ndims(); ++a)
        if (d.layout.padded_offsets[a] != 0)
            return {reason::padded_dim_does_not_fit, a, d.layout.padded_dims[a], d.layout.padded_offsets[a]};
    if (d.layout.is_dense()) return {};
    const dim_t last = static_cast<dim_t>(d.layout.element_span()) - 1;
    return {reason::layout_is_not_dense, -1, find_gap(d.layout).value_or(last), last};
}

/// check_reorder, and the spans.
constexpr measured_reorder measure_reorder(const descriptor& src, const descriptor& dst,
                                           const reorder_attributes& attributes = {}) {
    const known_span from = measure_descriptor(src);
    if (!from.why.ok()) return {from.why, {}};
    const known_span to = measure_descriptor(dst);
    measured_reorder out{to.why, {from.span, to.span}};
    for (const layout* l : {&src.layout, &dst.layout})
        if (out.why.ok()) out.why = is_placeless(*l) ? check_blocked(*l) : check_known(*l);
    if (out.why.ok()) out.why = check_pair(src.layout, dst.layout);
    if (out.why.ok()) out.why = check_attributes(attributes, dst.dims());
    if (out.why.ok() && !src.extra.empty()) out.why = {reason::descriptor_has_extra};
    if (out.why.ok()) out.why = check_compensated(dst);
    return out;
}

/// Whether a tensor can be moved from one descriptor to the other, with these attributes.
///
/// A source with extra is refused: its elements would be copied, and what its scale_adjust did to them would be lost
/// without a word. The destination's compensation is made from what is written.
///
/// Refused: as check_descriptor, of either; data_type_is_unknown (undef); descriptor_has_extra (of the source); as
/// check_reorder of the layouts and attributes; layout_is_not_dense, padded_dim_does_not_fit (of a destination with
/// compensation)
/// Pre:     none; any descriptors, also put together by hand
/// Post:    if ok, check_reorder(src.layout, dst.layout, attributes).ok() and src.extra.empty()
/// Cost:    O(digits squared) steps, whatever the extents, and O(number of scales); no allocation
/// Source:  spec semantics 12
/// Example: from s8 with s8s8 compensation, to whatever: verdict{reason::descriptor_has_extra}
constexpr verdict check_reorder(const descriptor& src, const descriptor& dst,
                                const reorder_attributes& attributes = {}) {
    return measure_reorder(src, dst, attributes).why;
}

}  // namespace plait
