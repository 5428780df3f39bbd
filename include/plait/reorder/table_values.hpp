#pragma once
// Values of attributes that differ along an axis with a table, such as scales by page or by token.
//
// Values belong to a tensor: those of src_scale and src_zero_point to the source, those of dst_scale and dst_zero_point
// to the destination. Along the axis each is found by the index in memory, as the elements are: an array of scales lies
// beside the pages that it is for, and the table that finds a page finds its scale.
//
// Example: a pool of 12 pages of 16 tokens has 192 indices. values_by_group(scales, {192, 8, 128}, {16, 8, 128}) is
//          12 scales, one by page; token 20 of a sequence with the table {5, 2} is in page 2, and has scale 2.

#include <plait/algebra/axis_table.hpp>
#include <plait/contract/check_attributes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns true if values are found by the index along the axis, or have a layout or groups over its extent: parts of
/// the axis then have other values, or another layout of them.
template <class Value>
constexpr bool is_cut_with_axis(const values_of_attribute<Value>& a, int axis) {
    return !a.is_one_value() && ((a.mask >> axis & 1) != 0 || a.where != nullptr || !a.group.empty());
}

/// Returns true if some values are cut with the axis.
constexpr bool differ_with_axis(const reorder_attributes& attributes, int axis) {
    bool differ = false;
    for_each_values(attributes, [&](const auto& a) { differ = differ || is_cut_with_axis(a, axis); });
    return differ;
}

/// Returns the layout of an attribute's values over the extents of its tensor.
///
/// Pre:     check_attributes is ok for these extents, which are known
/// Post:    the value of position p is number result.offset(p)
template <class Value>
constexpr layout layout_of_values(const values_of_attribute<Value>& a, const dims& extents) {
    if (a.where != nullptr) return *a.where;
    const dims groups = count_groups(extents, a.group);
    layout out(extents, mask_strides(groups, a.mask));
    for (int axis = 0; axis < a.group.size(); ++axis) {
        if ((a.mask >> axis & 1) == 0 || a.group[axis] == 1) continue;
        out.padded_dims[axis] = groups[axis] * a.group[axis];
        out.digits[axis].extent = groups[axis];
        out.digits.push_back({axis, a.group[axis], 0});
    }
    return out;
}

/// Returns the mask with which values by mask have the places of a layout, counted from its offset0; -1 if there is
/// none.
///
/// Example: 0 if all positions share a value
constexpr int mask_of_places(const layout& where) {
    int mask = 0;
    for (const digit& d : where.digits)
        if (d.extent > 1 && d.stride != 0) mask |= 1 << d.axis;
    const strides dense = mask_strides(where.dims, mask);
    for (int k = 0; k < where.digits.size(); ++k) {
        const digit& d = where.digits[k];
        const bool is_only_digit = k < where.ndims() && d.extent >= where.dims[d.axis];
        if (d.extent > 1 && d.stride != 0 && (!is_only_digit || d.stride != dense[d.axis])) return -1;
    }
    for (int a = 0; a < where.ndims(); ++a)
        if (where.padded_offsets[a] != 0) return -1;
    return mask;
}

/// The values of one attribute, in units of indices along the axis.
class table_values {
public:
    constexpr table_values() = default;
    /// Takes the values of an attribute of a tensor with these extents. `within_groups`: a unit has one value for all
    /// of its indices. `keeps_arrays`: values of a unit are an array even if there is only one.
    template <class Value>
    constexpr table_values(const values_of_attribute<Value>& a, const dims& extents, int axis, bool within_groups,
                           bool keeps_arrays)
        : where_(layout_of_values(a, extents)),
          places_(places_of(where_, axis, where_.padded_dims[axis])),
          bits_(size_in_bits(a.type)),
          axis_(axis),
          is_used_(true),
          within_groups_(within_groups),
          keeps_arrays_(keeps_arrays) {}

    constexpr bool is_used() const { return is_used_; }
    /// The places of the indices along the axis, relative to index 0.
    constexpr const axis_places& places() const { return places_; }
    /// Makes the layouts of the values of units.
    constexpr void take_units(const table_units& units) {
        for (int k = 0; k < units.size(); ++k)
            if (may_have(units[k])) {
                units_[k] = unit_layout(where_, axis_, units[k]);
                masks_[k] = mask_of_places(units_[k]);
            }
    }
    /// Returns true if the indices from `index` on have their values in the places of a unit of this size.
    constexpr bool fit(dim_t index, dim_t unit) const {
        if (!is_used_) return true;
        for (const jump& j : places_.jumps) {
            const dim_t inside = (index + where_.padded_offsets[axis_]) % j.border;
            if (unit > j.border - inside && (within_groups_ || inside != 0 || unit % j.border != 0)) return false;
        }
        return true;
    }
    /// Replaces values of the tensor by those of the indices of unit number k that begin at `index`.
    ///
    /// Pre:     fit(index, the unit's size); this object outlives `a`
    template <class Value>
    constexpr void take(values_of_attribute<Value>& a, int k, dim_t index) const {
        if (!is_used_ || !a.has_values()) return;
        const dim_t place = place_of(index) - units_[k].offset0;
        if (a.is_of_other_type()) a.bytes += place * bits_ / 8;
        else a.values += place;
        a.extents = a.group = {};
        const bool by_layout = masks_[k] < 0 || (masks_[k] == 0 && keeps_arrays_);
        a.mask = by_layout ? 0 : masks_[k];
        a.where = by_layout ? &units_[k] : nullptr;
        a.count = by_layout ? units_[k].element_span() : static_cast<std::size_t>(mask_volume(units_[k].dims, a.mask));
    }
    /// Checks that values can be divided by those of a run of indices.
    ///
    /// Refused: as check_divisor
    /// Pre:     unit number `single` is one index; 0 <= run.at, run.at + run.count <= the extent of the axis
    constexpr verdict check_divisors_of(const values_of_attribute<float>& a, int single, const index_run& run) const {
        if (!a.has_values()) return {};
        const dim_t front = where_.padded_offsets[axis_];
        for (dim_t index = run.at; index < run.at + run.count;) {
            const dim_t place = place_of(index);
            verdict why;
            if (masks_[single] == 0) {
                why = check_divisor(a.at(place), place);
            } else {
                values_of_attribute<float> one = a;
                take(one, single, index);
                visit_used_values(one, [&](float value, dim_t at) {
                    why = check_divisor(value, at + place - units_[single].offset0);
                    return why.ok();
                });
            }
            if (!why.ok()) return why;
            // The next index that may have another value.
            const dim_t border = places_.jumps.empty() ? run.at + run.count + front : places_.jumps[0].border;
            index = ((index + front) / border + 1) * border - front;
        }
        return {};
    }

private:
    constexpr bool may_have(dim_t unit) const {
        for (const jump& j : places_.jumps)
            if (unit > j.border && (within_groups_ || unit % j.border != 0)) return false;
        return true;
    }
    constexpr dim_t place_of(dim_t index) const {
        return where_.offset0 + places_(index + where_.padded_offsets[axis_]);
    }

    layout where_;
    axis_places places_;
    layout units_[3];
    int masks_[3]{-1, -1, -1};  // of values by mask; -1: they are by layout
    int bits_ = 0, axis_ = 0;
    bool is_used_ = false, within_groups_ = false, keeps_arrays_ = false;
};

/// The attributes of a reorder through tables, in units of indices along the axis.
class table_attributes {
public:
    constexpr table_attributes() = default;
    /// Takes the attributes of a reorder between tensors with these extents. If both have elements of one type,
    /// elements whose values are neutral are copied, so that a unit must have one value for all of its indices: which
    /// elements are copied would otherwise depend on where a call is cut into units.
    ///
    /// Pre:     check_table_attributes(attributes, ...).ok()
    constexpr table_attributes(const reorder_attributes& a, const dims& src, const dims& dst, int axis,
                               bool is_one_type, bool keeps_arrays) {
        const auto take = [&](table_values& to, const auto& from, const dims& extents) {
            if (is_cut_with_axis(from, axis)) to = table_values(from, extents, axis, is_one_type, keeps_arrays);
        };
        take(src_scale_, a.src_scale, src);
        take(dst_scale_, a.dst_scale, dst);
        take(src_zero_point_, a.src_zero_point, src);
        take(dst_zero_point_, a.dst_zero_point, dst);
    }
    constexpr void take_units(const table_units& units) {
        for (table_values* each : {&src_scale_, &dst_scale_, &src_zero_point_, &dst_zero_point_})
            if (each->is_used()) each->take_units(units);
    }
    /// Adds the borders at which values change to those of elements, and returns the most indices of a unit.
    constexpr dim_t limit_units(axis_places& borders, dim_t most, bool is_one_type) const {
        for (const table_values* each : {&src_scale_, &dst_scale_, &src_zero_point_, &dst_zero_point_})
            for (const jump& j : each->places().jumps) {
                if (is_one_type && j.border < most) most = j.border;
                bool is_new = !borders.jumps.full();
                for (const jump& other : borders.jumps) is_new = is_new && other.border != j.border;
                if (is_new) borders.jumps.push_back({j.border, 1});
            }
        return most;
    }
    constexpr bool fit(dim_t from, dim_t to, dim_t unit) const {
        return src_scale_.fit(from, unit) && dst_scale_.fit(to, unit) && src_zero_point_.fit(from, unit) &&
               dst_zero_point_.fit(to, unit);
    }
    /// Returns the attributes of unit number k that begins at index `from` of the source and `to` of the destination.
    constexpr reorder_attributes of_unit(const reorder_attributes& all, int k, dim_t from, dim_t to) const {
        reorder_attributes out = all;
        src_scale_.take(out.src_scale, k, from);
        dst_scale_.take(out.dst_scale, k, to);
        src_zero_point_.take(out.src_zero_point, k, from);
        dst_zero_point_.take(out.dst_zero_point, k, to);
        return out;
    }
    /// Checks the scales of the destination that the indices of a table have.
    ///
    /// Refused: scale_is_invalid
    /// Pre:     to.check(...).ok(); take_units was called, with `units`
    /// Cost:    some 30 ns for each index, or each group of indices that share values
    verdict check_divisors(const reorder_attributes& all, const axis_table& to, const table_units& units) const {
        if (!dst_scale_.is_used() || to.extent() == 0 || units.empty()) return {};
        run_cursor cursor(to, 0);
        for (dim_t done = 0;;) {
            const index_run run = cursor.run();
            if (const verdict why = dst_scale_.check_divisors_of(all.dst_scale, units.size() - 1, run); !why.ok())
                return why;
            done += run.count;
            if (done == to.extent()) return {};
            cursor.advance(run.count);
        }
    }

private:
    table_values src_scale_, dst_scale_, src_zero_point_, dst_zero_point_;
};

/// Checks that what is smaller than a byte begins at a byte for each index of an axis: elements, or values.
///
/// Refused: steps_are_not_whole_bytes (the first distance in bits that is none)
constexpr verdict check_whole_bytes(const layout& l, int axis, data_type type) {
    const int bits = size_in_bits(type);
    const auto check = [=](dim_t places) {
        const dim_t distance = wrapping_multiply(places, bits);
        return distance % 8 == 0 ? verdict{} : verdict{reason::steps_are_not_whole_bytes, axis, distance};
    };
    for (const jump& j : places_of(l, axis, l.padded_dims[axis]).jumps)
        if (const verdict why = check(j.by); !why.ok()) return why;
    for (const dim_t begin : {l.offset0, reach_in_front(l)})
        if (const verdict why = check(begin); !why.ok()) return why;
    return {};
}

/// Checks that attributes fit two tensors of which one axis is read through tables. Values that differ along the axis
/// are checked as the others, except that the scales of the destination are read at the call, and only those of pages
/// that a table names.
///
/// Refused: what check_attributes refuses, for the extents of the tensor that the values belong to;
///          steps_are_not_whole_bytes
constexpr verdict check_table_attributes(const reorder_attributes& attributes, const layout& src, const layout& dst,
                                         int axis) {
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    reorder_attributes of_source, of_destination;
    of_source.src_scale = src_scale;
    of_source.src_zero_point = src_zero_point;
    of_source.beta = beta;
    of_destination.dst_zero_point = dst_zero_point;
    // In the place of src_scale, the numbers are not checked.
    (is_cut_with_axis(dst_scale, axis) ? of_destination.src_scale : of_destination.dst_scale) = dst_scale;
    if (const verdict why = check_attributes(of_source, src.dims); !why.ok()) return why;
    if (const verdict why = check_attributes(of_destination, dst.dims); !why.ok()) return why;
    verdict out;
    const auto check = [&](const auto& a, const layout& l) {
        if (out.ok() && is_packed(a.type) && is_cut_with_axis(a, axis))
            out = check_whole_bytes(layout_of_values(a, l.dims), axis, a.type);
    };
    check(src_scale, src);
    check(dst_scale, dst);
    check(src_zero_point, src);
    check(dst_zero_point, dst);
    return out;
}

}  // namespace plait::detail
