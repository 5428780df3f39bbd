#pragma once
// Checks that a descriptor is another one with numbers for the extents and strides that were known only at run time.

#include <plait/algebra/bind.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns l with each dynamic extent taken from `extents`, and each stride that is `dynamic` taken from `steps` unless
/// `steps` is empty. Strides that follow from these become numbers.
///
/// Pre:     check_blocked_layout(l).ok(); extents, and steps unless empty, have l.ndims() entries
/// Refused: dim_is_dynamic, dim_is_negative, size_overflows
/// Post:    known extents and strides are l's; fill_dynamic(l, d, {}) == bind(l, d's values of dynamic extents)
/// Cost:    O(ndims squared) steps
/// Source:  spec semantics 12; DNNL_RUNTIME_DIM_VAL of oneDNN
/// Example: fill_dynamic(layout({dynamic, 3}, "ab"), {2, 3}, {}) has layout({2, 3}, "ab")
constexpr expected<layout> fill_dynamic(layout l, const dims& extents, const strides& steps) {
    for (int a = 0; a < l.ndims(); ++a) {
        if (l.dims[a] == dynamic && extents[a] == dynamic) return verdict{reason::dim_is_dynamic, a};
        if (l.dims[a] == dynamic)
            if (const verdict why = fill_extent(l, a, extents[a]); !why.ok()) return why;
        if (l.digits[a].stride == dynamic && !steps.empty()) l.digits[a].stride = steps[a];
    }
    const verdict why = settle_links(l);
    return {l, why};
}

/// Returns the first difference between two layouts of equal dims, as bound_descriptor_differs; ignores offset0.
///
/// Pre:     check_blocked_layout of both is ok, except that the strides of `made` need not nest
constexpr verdict compare_bound(const layout& bound, const layout& made) {
    const auto differ = [](descriptor_part part, int axis, dim_t found, dim_t wanted) -> verdict {
        return {reason::bound_descriptor_differs, axis, found, wanted, static_cast<dim_t>(part)};
    };
    using enum descriptor_part;
    const int n = bound.ndims(), count = bound.digits.size();
    if (count != made.digits.size()) return differ(inner_blocks, -1, count - n, made.digits.size() - n);
    for (int k = n; k < count; ++k) {
        const digit &mine = bound.digits[k], &other = made.digits[k];
        if (mine.axis != other.axis) return differ(inner_axis, -1, mine.axis, other.axis);
        if (mine.extent != other.extent) return differ(inner_block, mine.axis, mine.extent, other.extent);
        if (mine.stride != other.stride) return differ(inner_stride, mine.axis, mine.stride, other.stride);
    }
    for (int a = 0; a < n; ++a) {
        const digit &mine = bound.digits[a], &other = made.digits[a];
        if (bound.padded_dims[a] != made.padded_dims[a])
            return differ(padded_extent, a, bound.padded_dims[a], made.padded_dims[a]);
        if (bound.padded_offsets[a] != made.padded_offsets[a])
            return differ(padded_offset, a, bound.padded_offsets[a], made.padded_offsets[a]);
        if (mine.extent != other.extent) return differ(outer_blocks, a, mine.extent, other.extent);
        if (mine.stride != other.stride && stride_counts(bound, a)) return differ(stride, a, mine.stride, other.stride);
    }
    return {};
}

/// Checks that two descriptors have the same compensation and the same scale_adjust.
///
/// Refused: compensation_is_missing (the kinds), compensation_mask_differs, bound_descriptor_differs (scale_adjust)
constexpr verdict compare_extra(const extra& bound, const extra& wanted) {
    const auto kind = [](const extra& e) { return e.s8s8_compensation + 2 * e.asymmetric_source_compensation; };
    if (kind(bound) != kind(wanted)) return {reason::compensation_is_missing, -1, kind(bound), kind(wanted)};
    if (bound.s8s8_mask != wanted.s8s8_mask)
        return {reason::compensation_mask_differs, -1, bound.s8s8_mask, wanted.s8s8_mask, 1};
    if (bound.asymmetric_source_mask != wanted.asymmetric_source_mask)
        return {reason::compensation_mask_differs, -1, bound.asymmetric_source_mask, wanted.asymmetric_source_mask, 2};
    if (bound == wanted) return {};
    return {reason::bound_descriptor_differs, -1, std::bit_cast<std::int32_t>(bound.scale_adjust),
            std::bit_cast<std::int32_t>(wanted.scale_adjust), static_cast<dim_t>(descriptor_part::scale_adjust)};
}

/// Checks that `bound` is `with_dynamic` with numbers for its dynamic extents and for strides that are `dynamic`.
///
/// All else must be equal. A stride that follows from other axes must be the number that follows from their extents, so
/// `nchw` with dynamic extents only accepts dense tensors. offset0 is unconstrained, because the pointer is too.
///
/// Pre:     check_descriptor(with_dynamic).ok(), and its layout is blocked; `bound` is unconstrained
/// Refused: as check_descriptor of bound; what is open in bound itself (layout_is_any, dim_is_dynamic,
///          stride_is_dynamic); data_types_differ, rank_differs, dims_differ; compensation_is_missing,
///          compensation_mask_differs; bound_descriptor_differs: the part, its axis, its value and the value required
/// Post:    if ok, bound.layout == fill_dynamic(with_dynamic.layout, bound.dims(), bound.layout.strides()), except for
///          offset0
/// Cost:    O(digits squared) steps; no allocation
/// Source:  spec semantics 12; DNNL_RUNTIME_DIM_VAL of oneDNN
/// Example: for f32 layout({dynamic, 3}, "ab") and f32 layout({2, 3}, "ab"): ok; and layout({2, 4}, "ab"):
///          verdict{reason::dims_differ, 1, 4, 3}
constexpr verdict check_bound(const descriptor& with_dynamic, const descriptor& bound) {
    if (const verdict why = check_descriptor(bound); !why.ok()) return why;
    if (const verdict why = check_static(bound.layout); !why.ok()) return why;
    if (bound.type != with_dynamic.type)
        return {reason::data_types_differ, -1, static_cast<dim_t>(bound.type), static_cast<dim_t>(with_dynamic.type)};
    const layout& open = with_dynamic.layout;
    if (bound.ndims() != open.ndims()) return {reason::rank_differs, -1, bound.ndims(), open.ndims()};
    for (int a = 0; a < open.ndims(); ++a)
        if (open.dims[a] != dynamic && bound.dims()[a] != open.dims[a])
            return {reason::dims_differ, a, bound.dims()[a], open.dims[a]};
    if (const verdict why = compare_extra(bound.extra, with_dynamic.extra); !why.ok()) return why;
    const expected<layout> made = fill_dynamic(open, bound.dims(), bound.layout.strides());
    return made ? compare_bound(bound.layout, *made) : made.error();
}

}  // namespace plait::detail
