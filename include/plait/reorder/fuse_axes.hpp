#pragma once
// Finds how the axes of one layout become those of another over the same memory: permuted, reshaped, or not at all.
// Applies the change to other layouts and to masks.

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/contract/attributes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A change from the axes of one layout to those of another.
struct axis_change {
    bool permutes = false, reshapes = false;  ///< both false: the axes are the same
    permutation order = {};                   ///< axis i goes to place order[i]
    dims from = {}, to = {};

    /// Returns the layout of the same elements in the same memory over the new axes, or the reason why there is none.
    constexpr expected<layout> carry(const layout& l) const {
        if (permutes) return try_permute_axes(l, order);
        if (reshapes) return try_view(l, to);
        return {l, {}};
    }
    /// Returns the change from the new axes back to the old ones.
    constexpr axis_change inverted() const {
        return {permutes, reshapes, permutes ? inverse_permutation(order) : order, to, from};
    }
};

/// True if an axis of one canonical form equals an axis of another: the same extents and the same digits.
constexpr bool is_same_axis(const layout& a, int i, const layout& b, int j) {
    if (a.dims[i] != b.dims[j] || a.padded_dims[i] != b.padded_dims[j] || a.padded_offsets[i] != b.padded_offsets[j])
        return false;
    // The inner digits of an axis are ordered from outer to inner, with digits of other axes between them.
    const auto next = [](const layout& l, int k, int axis) {
        for (++k; k < l.digits.size() && l.digits[k].axis != axis;) ++k;
        return k;
    };
    for (int k = next(a, -1, i), m = next(b, -1, j);; k = next(a, k, i), m = next(b, m, j)) {
        if (k == a.digits.size() || m == b.digits.size()) return k == a.digits.size() && m == b.digits.size();
        if (a.digits[k].extent != b.digits[m].extent || a.digits[k].stride != b.digits[m].stride) return false;
    }
}

/// Returns the order of axes in which layout `a` is the same memory as layout `b`.
///
/// Refused: middle_layouts_differ, if there is none
///
/// Axes that cannot be told apart have one element, or the tensor is empty; each takes the first axis that equals it.
constexpr expected<permutation> find_order(const layout& a, const layout& b) {
    const expected<permutation> none{{}, {reason::middle_layouts_differ}};
    if (a.ndims() != b.ndims()) return none;
    const expected<layout> from = try_canonical_form(a), to = try_canonical_form(b);
    if (!from || !to || from->offset0 != to->offset0) return none;
    permutation out;
    unsigned used = 0;
    for (int i = 0; i < a.ndims(); ++i) {
        int j = 0;
        while (j < b.ndims() && ((used >> j & 1u) != 0 || !is_same_axis(*from, i, *to, j))) ++j;
        if (j == b.ndims()) return none;
        used |= 1u << j;
        out.push_back(j);
    }
    return {out, {}};
}

/// Finds how the axes of the layout that a reorder writes become those of the layout that the next one reads.
///
/// Refused: volumes_differ; middle_layouts_differ
/// Post:    if ok, same_memory(carry(written), read)
constexpr expected<axis_change> find_axis_change(const layout& written, const layout& read) {
    axis_change out{false, false, {}, written.dims, read.dims};
    if (same_memory(written, read)) return {out, {}};
    if (written.volume() != read.volume()) return verdict{reason::volumes_differ, -1, written.volume(), read.volume()};
    if (const expected<permutation> order = find_order(written, read)) {
        out.permutes = true;
        out.order = *order;
        return {out, {}};
    }
    if (const expected<layout> viewed = try_view(written, read.dims); viewed && same_memory(*viewed, read)) {
        out.reshapes = true;
        return {out, {}};
    }
    return {{},
            {reason::middle_layouts_differ, -1, static_cast<dim_t>(written.element_span()),
             static_cast<dim_t>(read.element_span())}};
}

/// Returns the mask over the new axes that selects the same values in the same order as `mask` over the old ones.
///
/// The values are treated as a tensor that repeats along the axes outside the mask; its layout is changed the same way.
///
/// Refused: mask_is_not_carried, if there is none: if the order of the axes changes the order of the values, or if a
/// value by index over axes of one element finds no such axis
/// Post:    if ok, the result is 0 only if `mask` is: values by index stay so, and are read when the reorder runs
constexpr expected<int> carry_mask(const axis_change& change, int mask) {
    const expected<int> none{0, {reason::mask_is_not_carried, -1, mask}};
    if (mask == 0 || (!change.permutes && !change.reshapes)) return {mask, {}};
    const expected<layout> values = try_layout(change.from, mask_strides(change.from, mask));
    if (!values) return none;
    const expected<layout> carried = change.carry(*values);
    if (!carried || carried->digits.size() != carried->ndims()) return none;
    int out = 0;
    for (int a = 0; a < change.to.size(); ++a)
        if (change.to[a] != 1 && carried->digits[a].stride != 0) out |= 1 << a;
    const strides steps = mask_strides(change.to, out);
    for (int a = 0; a < change.to.size(); ++a)
        if (change.to[a] != 1 && carried->digits[a].stride != steps[a]) return none;
    for (int a = 0; out == 0 && a < change.to.size(); ++a)
        if (change.to[a] == 1) out = 1 << a;
    if (out == 0 || mask_volume(change.to, out) != mask_volume(change.from, mask)) return none;
    return {out, {}};
}

/// Returns attributes over the new axes that equal `attributes` over the old ones.
///
/// Refused: mask_is_not_carried, also for values by group or by layout if the axes change
constexpr expected<reorder_attributes> carry_attributes(const axis_change& change, reorder_attributes attributes) {
    verdict why;
    for_each_values(attributes, [&change, &why](auto& attribute) {
        const bool changes = change.permutes || change.reshapes;
        if (changes && (attribute.where != nullptr || !attribute.group.empty()))
            why = {reason::mask_is_not_carried, -1, attribute.mask};
        const expected<int> mask = carry_mask(change, attribute.mask);
        if (mask) attribute.mask = *mask;
        else if (why.ok()) why = mask.error();
    });
    return {attributes, why};
}

}  // namespace plait::detail
