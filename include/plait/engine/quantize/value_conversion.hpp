#pragma once
// The conversion of a row of values: the functions to call, and the attributes that have an effect. It is chosen once.

#include <plait/contract/used_values.hpp>
#include <plait/core/data_type.hpp>
#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/simd/byte_lookup.hpp>
#include <plait/engine/simd/row_conversions.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Returns the axes along which attributes have values by index, as a mask.
constexpr int axes_with_values(const reorder_attributes& attributes) {
    [[maybe_unused]] const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    return axes_of(src_scale) | axes_of(dst_scale) | axes_of(src_zero_point) | axes_of(dst_zero_point);
}

/// Returns true if some attribute has values by group or by layout, so that its values do not follow from a mask.
constexpr bool has_values_by_layout(const reorder_attributes& a) {
    const auto is_by_layout = [](const auto& of) { return of.where != nullptr || !of.group.empty(); };
    return is_by_layout(a.src_scale) || is_by_layout(a.dst_scale) || is_by_layout(a.src_zero_point) ||
           is_by_layout(a.dst_zero_point);
}

/// A conversion from one type to another with attributes. Attributes with one value for the tensor are kept by value.
/// Arrays of the others belong to the caller, and must exist when the conversion runs.
struct value_conversion {
    reorder_attributes attributes;
    float scale_adjust = 1;
    int src_bytes = 0, dst_bytes = 0;  ///< of elements in memory; 1 for packed elements, whose places are counted
    data_type src = data_type::f32, dst = data_type::f32;                ///< that rows are computed with
    data_type src_memory = data_type::f32, dst_memory = data_type::f32;  ///< in memory; see row_type_of
    bool in_f64 = false;                                                 ///< true if the arithmetic is done in f64
    bool copies = false;                                                 ///< the bits of elements do not change
    bool active[attribute_arrays]{};  ///< in the order of value_arrays; false for those that change nothing
    const row_conversions* rows = nullptr;
    plain_rows* plain = nullptr;     ///< the function for conversions without arithmetic; null if there is none
    byte_lookup* look_up = nullptr;  ///< looks up the results of 8-bit elements; null if they are computed

    void use(const row_conversions& functions) {
        rows = &functions;
        const bool computes = has_operands() || attributes.beta != 0;
        plain = computes ? nullptr : functions.plain->of[static_cast<int>(src)][static_cast<int>(dst)];
    }
    /// Returns true if the result of an element depends on its 8 bits only, and computing all 256 results first takes
    /// less time than computing the results of `elements` elements. Results that are stored in 32 bits, or take no
    /// arithmetic, are computed as fast as they are looked up.
    ///
    /// Pre:     use() was called
    constexpr bool has_few_results(dim_t elements) const {
        return size_in_bits(src_memory) == 8 && size_in_bits(dst_memory) <= 16 && !has_small_types() && !has_arrays() &&
               attributes.beta == 0 && !copies && plain == nullptr && elements >= 2048;
    }
    constexpr bool has_operands() const {
        return active[src_zero_points] || active[src_scales] || active[dst_scales] || active[dst_zero_points];
    }
    /// Returns true if the conversion of an element depends on this element only, and zero becomes zero in all of its
    /// bits.
    constexpr bool keeps_zero() const {
        const auto is_normal = [](float f) { return f >= 1.0e-37f && f <= 1.0e37f; };  // false for NaN
        // The zero bits of e8m0 are 2^-127.
        return src_memory != data_type::e8m0 && !has_arrays() && !active[src_zero_points] && !active[dst_zero_points] &&
               attributes.beta == 0 && is_normal(attributes.src_scale.value) && is_normal(attributes.dst_scale.value) &&
               is_normal(scale_adjust);
    }
    /// Returns true if elements of a side are unpacked before the conversion, or packed after it.
    constexpr bool has_small_types() const { return is_small_type(src_memory) || is_small_type(dst_memory); }
    /// Returns true if several elements of a side share a byte. Such elements are only read and written by rows.
    constexpr bool reads_packed() const { return is_packed(src_memory); }
    constexpr bool writes_packed() const { return is_packed(dst_memory); }
    constexpr bool has_arrays() const { return has_arrays_of_values(attributes); }
    /// Returns true if both sides have the same type, and all values are neutral now. Elements are then copied, as
    /// without attributes: arithmetic would round s32 to f32, and change the bits of a NaN. Between different types,
    /// arithmetic with neutral values is the conversion.
    constexpr bool values_are_neutral() const {
        return src_memory == dst_memory && scale_adjust == 1 && change_nothing(attributes);
    }
    /// Takes arrays of values that begin elsewhere, and have the same types, masks and layouts.
    constexpr void take_arrays(const reorder_attributes& from) {
        const auto take = [](auto& to, const auto& given) {
            if (to.is_one_value()) return;
            to.values = given.values;
            to.bytes = given.bytes;
            to.where = given.where;
        };
        take(attributes.src_scale, from.src_scale);
        take(attributes.dst_scale, from.dst_scale);
        take(attributes.src_zero_point, from.src_zero_point);
        take(attributes.dst_zero_point, from.dst_zero_point);
    }
    /// Removes the attributes: elements are copied.
    ///
    /// Pre:     values_are_neutral()
    constexpr void copy_elements() {
        attributes = {};
        for (bool& is_active : active) is_active = false;
        copies = true;
    }
};

/// Sets all of a conversion between two types except the functions that convert rows.
///
/// Pre:     out is default-constructed, except for its attributes; arrays of packed values have no unused ones:
///          forget_unused_values was called
constexpr void set_conversion(value_conversion& out, data_type src, data_type dst, float scale_adjust) {
    out.scale_adjust = scale_adjust;
    out.in_f64 = src == data_type::f64 || dst == data_type::f64;
    out.src_memory = src;
    out.dst_memory = dst;
    out.src = row_type_of(src, true, out.in_f64);
    out.dst = row_type_of(dst, false, out.in_f64);
    out.src_bytes = is_packed(src) ? 1 : size_in_bytes(src);
    out.dst_bytes = is_packed(dst) ? 1 : size_in_bytes(dst);
    out.copies = src == dst && !is_small_type(src) && scale_adjust == 1 && is_trivial(out.attributes);
    const auto keep = [](auto& a, auto neutral) {
        if (!a.is_one_value()) return true;
        if (a.has_values() || a.is_of_other_type()) a = std::remove_reference_t<decltype(a)>(value_for_tensor(a));
        return a.value != neutral;
    };
    out.active[src_zero_points] = keep(out.attributes.src_zero_point, 0);
    out.active[src_scales] = keep(out.attributes.src_scale, 1.0f) || scale_adjust != 1;
    out.active[dst_scales] = keep(out.attributes.dst_scale, 1.0f);
    out.active[dst_zero_points] = keep(out.attributes.dst_zero_point, 0);
}
/// Returns the conversion between two types with attributes, without the functions that convert rows.
///
/// Pre:     arrays of packed values have no unused ones: forget_unused_values was called
constexpr value_conversion make_conversion(data_type src, data_type dst, const reorder_attributes& attributes,
                                           float scale_adjust) {
    value_conversion out;
    out.attributes = attributes;
    set_conversion(out, src, dst, scale_adjust);
    return out;
}

/// The most rows with values of their own that are converted together.
inline constexpr dim_t most_rows = most_values_of_a_row / most_numbers_at_once;

}  // namespace plait::engine
