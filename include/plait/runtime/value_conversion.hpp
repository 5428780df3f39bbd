#pragma once
// What happens to a row of values, chosen once: which functions, and which attributes have anything to do.

#include <plait/core/data_type.hpp>
#include <plait/reorder/attributes.hpp>
#include <plait/reorder/simd/value_rows.hpp>
#include <plait/runtime/panel_shape.hpp>

namespace plait {

/// A conversion from one type to another with attributes. Attributes of the tensor are kept by value; the arrays of the
/// others stay the caller's, and have to be there when it runs.
struct value_conversion {
    reorder_attributes attributes;
    float scale_adjust = 1;
    int src_bytes = 0, dst_bytes = 0;
    bool in_f64 = false;              ///< where the arithmetic is done
    bool copies = false;              ///< elements stay as they are
    bool active[attribute_arrays]{};  ///< in the order of value_arrays; those that change nothing are left out
    const value_rows* rows = nullptr;
    value_rows::convert* widen = nullptr;   ///< null: elements are numbers already
    value_rows::convert* narrow = nullptr;  ///< null: they stay numbers
    value_rows::convert* widen_old = nullptr;
    /// Functions that scale on the way, and which attribute; null: it has a function of its own.
    value_rows::combine *widen_scaled = nullptr, *narrow_scaled = nullptr;
    int scaled_last = -1;

    /// How many functions run on a row but narrow, if there is one.
    constexpr int operations() const {
        int count = attributes.beta != 0 ? 1 : 0;
        for (const bool each : active) count += each ? 1 : 0;
        return count + (widen != nullptr ? 1 : 0) - (widen_scaled != nullptr ? 1 : 0) -
               (narrow_scaled != nullptr ? 1 : 0);
    }
    constexpr bool has_operands() const { return active[0] || active[1] || active[2] || active[3]; }
    /// Whether one function does it all, so that no numbers are kept in between.
    constexpr bool is_one_pass() const { return copies || operations() + (narrow != nullptr ? 1 : 0) == 1; }
    constexpr bool has_arrays() const {
        return (attributes.src_zero_point.mask | attributes.src_scale.mask | attributes.dst_scale.mask |
                attributes.dst_zero_point.mask) != 0;
    }
};

inline value_conversion make_conversion(data_type src, data_type dst, const reorder_attributes& attributes,
                                        float scale_adjust) {
    value_conversion out;
    out.attributes = attributes;
    out.scale_adjust = scale_adjust;
    out.src_bytes = size_in_bytes(src);
    out.dst_bytes = size_in_bytes(dst);
    out.in_f64 = src == data_type::f64 || dst == data_type::f64;
    out.copies = src == dst && scale_adjust == 1 && is_trivial(attributes);
    const auto keep = [](auto& a, auto neutral) {
        if (a.mask != 0) return true;
        a.value = value_for_tensor(a);
        a.values = nullptr;
        return a.value != neutral;
    };
    out.active[0] = keep(out.attributes.src_zero_point, 0);
    out.active[1] = keep(out.attributes.src_scale, 1.0f) || scale_adjust != 1;
    out.active[2] = keep(out.attributes.dst_scale, 1.0f);
    out.active[3] = keep(out.attributes.dst_zero_point, 0);
    return out;
}

inline constexpr dim_t most_numbers = 1024;  ///< between two functions
inline constexpr dim_t most_rows = most_values_of_a_row / most_numbers_at_once;

/// The functions for it, of an instruction set.
///
/// Post:    a row is the same, bit for bit, as by convert_with, or convert where nothing is to be done. From integers
/// to
///          integers through f32 as well: s8 and u8 are exact there, and of s32 only those round that saturate anyhow
inline void choose_rows(value_conversion& how, data_type src, data_type dst, const value_rows& rows) {
    const data_type number = how.in_f64 ? data_type::f64 : data_type::f32;
    how.rows = &rows;
    how.widen = src == number ? nullptr : rows.widen[static_cast<int>(src)];
    how.narrow = dst == number ? nullptr : rows.narrow[static_cast<int>(dst)];
    how.widen_old = dst == number ? nullptr : rows.widen[static_cast<int>(dst)];
    how.widen_scaled = how.narrow_scaled = nullptr;
    if (how.widen != nullptr && how.active[1] && !how.active[0])
        how.widen_scaled = rows.widen_scaled[static_cast<int>(src)];
    how.scaled_last = how.active[3] ? -1 : how.active[2] ? 2 : how.attributes.beta != 0 ? -1 : how.active[1] ? 1 : -1;
    if (how.scaled_last == 1 && how.widen_scaled != nullptr) how.scaled_last = -1;
    if (how.narrow == nullptr) how.scaled_last = -1;
    if (how.scaled_last >= 0) how.narrow_scaled = rows.narrow_scaled[static_cast<int>(dst)];
}

}  // namespace plait
