#pragma once
// Attributes with a value for each index, between ranks: which values a part of a message needs, and where a reorder of
// the part reads them.

#include <plait/contract/attributes.hpp>
#include <plait/distribution/redistribution_plan.hpp>

#include <memory>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Two numbers in one stride: a distance in memory, and one in an array of values.
struct value_code {
    dim_t split = 0;  ///< what a step in the array adds; 0 if there are no values by index

    constexpr dim_t place(dim_t number) const {
        if (split == 0) return number;
        const dim_t rest = number % split, positive = rest < 0 ? rest + split : rest;
        return positive > split / 2 ? positive - split : positive;
    }
    constexpr dim_t value(dim_t number) const { return split == 0 ? 0 : (number - place(number)) / split; }

    /// Returns a layout with only the places, or only the values.
    constexpr layout decoded(layout l, bool places) const {
        l.offset0 = places ? place(l.offset0) : value(l.offset0);
        for (int k = 0; k < l.digits.size(); ++k)
            l.digits[k].stride = places ? place(l.digits[k].stride) : value(l.digits[k].stride);
        return l;
    }
};

/// Returns the mask that the attributes with values by index share; 0 if there are none.
///
/// Refused: mask_is_not_sent (two attributes have values by index along different axes; values by group or layout)
constexpr expected<int> shared_mask(const reorder_attributes& attributes) {
    int out = 0;
    verdict why;
    const auto add = [&](const auto& a) {
        const bool by_mask = a.where == nullptr && a.group.empty();
        if (why.ok() && (!by_mask || (a.mask != 0 && out != 0 && a.mask != out)))
            why = {reason::mask_is_not_sent, -1, axes_of(a), out};
        if (a.mask != 0) out = a.mask;
    };
    add(attributes.src_scale);
    add(attributes.dst_scale);
    add(attributes.src_zero_point);
    add(attributes.dst_zero_point);
    return {out, why};
}

/// Adds to the strides of a layout what a step adds in an array of values with this mask, so that the parts of a plan
/// know both. Returns how to tell them apart.
///
/// Refused: size_overflows (the two numbers do not fit in 63 bits)
/// Pre:     check_static_layout(l).ok(), mask != 0
constexpr expected<value_code> encode_values(layout& l, int mask) {
    const dim_t end = l.span_begin() + static_cast<dim_t>(l.element_span());
    value_code out{2 * larger_of(end, 1)};
    const strides steps = mask_strides(l.dims, mask);
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t index_step = 1;
        const auto add = [&](digit& d) {
            const checked_integer stride = checked_integer{steps[a]} * index_step * out.split + d.stride;
            const checked_integer reach = stride * larger_of(d.extent, 1);
            d.stride = stride.value;
            return stride.ok() && reach.ok();
        };
        for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
            if (l.digits[k].axis != a) continue;
            if (!add(l.digits[k])) return verdict{reason::size_overflows, a, steps[a], out.split};
            index_step *= l.digits[k].extent;
        }
        if (!add(l.digits[a])) return verdict{reason::size_overflows, a, steps[a], out.split};
    }
    return out;
}

/// The values of the attributes that a reorder of a part reads, copied from the user's arrays before each run.
class part_values {
public:
    /// Prepares for parts with these steps in the arrays. The last axis of `values` has one index, so that there is an
    /// axis for a mask even if all elements have one value.
    part_values(const reorder_attributes& from, const layout& values) : from_(from), values_(values) {
        mask_ = 1 << (values.ndims() - 1);
        for (int a = 0; a + 1 < values.ndims(); ++a)
            if (values.digits[a].stride != 0 && values.dims[a] > 1) {
                mask_ |= 1 << a;
                count_ *= values.dims[a];
            }
        for (std::vector<float>& list : scales_) list.assign(static_cast<std::size_t>(count_), 1.0f);
        for (std::vector<std::int32_t>& list : zero_points_) list.assign(static_cast<std::size_t>(count_), 0);
    }
    /// Returns the attributes of the reorder of a part. They point into this object.
    reorder_attributes attributes() const {
        reorder_attributes out = from_;
        if (from_.src_scale.mask != 0) out.src_scale = {std::span<const float>(scales_[0]), mask_};
        if (from_.dst_scale.mask != 0) out.dst_scale = {std::span<const float>(scales_[1]), mask_};
        if (from_.src_zero_point.mask != 0)
            out.src_zero_point = {std::span<const std::int32_t>(zero_points_[0]), mask_};
        if (from_.dst_zero_point.mask != 0)
            out.dst_zero_point = {std::span<const std::int32_t>(zero_points_[1]), mask_};
        return out;
    }
    /// Copies the values of the part that begins with this one.
    void gather(dim_t begin) {
        position at;
        for (int a = 0; a < values_.ndims(); ++a) at.push_back(0);
        for (dim_t n = 0; n < count_; ++n) {
            dim_t rest = n, place = begin;
            for (int a = values_.ndims() - 1; a >= 0; --a) {
                if ((mask_ >> a & 1) == 0 || values_.dims[a] == 1) continue;
                place += rest % values_.dims[a] * values_.digits[a].stride;
                rest /= values_.dims[a];
            }
            const auto to = static_cast<std::size_t>(n);
            if (from_.src_scale.mask != 0) scales_[0][to] = from_.src_scale.at(place);
            if (from_.dst_scale.mask != 0) scales_[1][to] = from_.dst_scale.at(place);
            if (from_.src_zero_point.mask != 0) zero_points_[0][to] = from_.src_zero_point.at(place);
            if (from_.dst_zero_point.mask != 0) zero_points_[1][to] = from_.dst_zero_point.at(place);
        }
    }

private:
    reorder_attributes from_;
    layout values_;
    int mask_ = 0;
    dim_t count_ = 1;
    std::vector<float> scales_[2];
    std::vector<std::int32_t> zero_points_[2];
};

}  // namespace plait::detail
