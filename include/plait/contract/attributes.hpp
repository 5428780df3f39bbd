#pragma once
// The attributes of a reorder: scales and zero points of both sides, and a factor for the old value of the destination.

#include <plait/contract/attribute_values.hpp>

#include <bit>
#include <concepts>
#include <limits>

namespace plait::inline PLAIT_UNIT_FLAGS {
/// The attributes of a reorder. Each value x becomes ((x - src_zero_point) * src_scale + beta * old) * (1 / dst_scale)
/// + dst_zero_point, where `old` is the destination's previous value. convert_with specifies the rounding.
///
/// Example: reorder<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
///
/// `scale` and `zero_point` are member types, so that programs which use the namespace plait may define these names.
struct reorder_attributes {
    /// A scale factor: one for the tensor, or one for each index along the axes whose bits are set in the mask.
    ///
    /// The array is dense and row-major over those axes, by extents without padding. It has mask_volume(extents, mask)
    /// values, which is one if the mask is 0. check_attributes refuses another count, and any value that is 0, infinite
    /// or NaN. The array stays the caller's, and is read when the reorder is checked, when it is planned, and when it
    /// runs. Its order does not depend on the formats of the tensors. Compensation sums have another order:
    /// compensation_layout.
    ///
    /// Values of other types than f32, by groups of indices, or with a layout of their own: values_by_mask,
    /// values_by_group, values_by_layout. Their type is any floating-point type but f64.
    ///
    /// Example: .src_scale = {per_channel, 1 << 1}, where per_channel is a std::vector<float> with one value per channel
    struct scale : detail::values_of_attribute<float> {
        using values_of_attribute::values_of_attribute;
        constexpr scale(float for_all = 1) : values_of_attribute(for_all) {}
    };

    /// The integer that represents the number zero: one for the tensor, or by index as in `scale`. Values of other
    /// types than s32 are of any integer type.
    struct zero_point : detail::values_of_attribute<std::int32_t> {
        using values_of_attribute::values_of_attribute;
        constexpr zero_point(std::int32_t for_all = 0) : values_of_attribute(for_all) {}
        template <std::floating_point Number>
        zero_point(const Number&) = delete;  ///< a zero point is an integer
    };

    // The members have initializers although they have defaults: GCC warns if a designated initializer omits them.
    scale src_scale = {};
    scale dst_scale = {};
    zero_point src_zero_point = {};
    zero_point dst_zero_point = {};
    float beta = 0;

    constexpr bool operator==(const reorder_attributes&) const = default;
};

/// Attributes of which each is one value for the tensor. A reorder of constant layouts with such attributes compiles
/// far less code: attributes in braces are these if they can be, so that `{.src_scale = 0.5f}` needs no name.
///
/// Pre:     check_attributes(the attributes that it is converted to, extents).ok()
/// Post:    a reorder does what it does with reorder_attributes of the same values, and a beta of 0
/// Cost:    none: numbers
/// Source:  spec semantics 12
/// Example: reorder<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
struct tensor_attributes {
    /// A scale factor.
    struct scale {
        float value;
        constexpr scale(float for_all = 1) : value(for_all) {}
        constexpr bool operator==(const scale&) const = default;
    };
    /// The integer that represents the number zero.
    struct zero_point {
        std::int32_t value;
        constexpr zero_point(std::int32_t for_all = 0) : value(for_all) {}
        template <std::floating_point Number>
        zero_point(const Number&) = delete;  ///< a zero point is an integer
        constexpr bool operator==(const zero_point&) const = default;
    };

    scale src_scale = {};
    scale dst_scale = {};
    zero_point src_zero_point = {};
    zero_point dst_zero_point = {};

    constexpr bool operator==(const tensor_attributes&) const = default;
    constexpr operator reorder_attributes() const {
        return {src_scale.value, dst_scale.value, src_zero_point.value, dst_zero_point.value};
    }
};

namespace detail {
/// Attributes of which some may be values by index. A parameter of this type ranks below tensor_attributes, so that
/// attributes in braces are those if they can be.
template <class Attributes>
concept any_attributes = std::is_convertible_v<const Attributes&, const reorder_attributes&>;

/// True if the reorder only converts: every attribute is one value for the tensor that changes nothing.
///
/// Always false if there are values by index, which are not read, or if check_attributes refuses a count.
constexpr bool is_trivial(const reorder_attributes& attributes) {
    // All members are listed, here and wherever a new one must not be forgotten, so that adding one breaks the build.
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    const auto is_one_value = [](const auto& a, auto neutral) {
        return a.is_one_value() && value_for_tensor(a) == neutral;
    };
    return is_one_value(src_scale, 1.0f) && is_one_value(dst_scale, 1.0f) && is_one_value(src_zero_point, 0) &&
           is_one_value(dst_zero_point, 0) && beta == 0;
}
/// Returns true if some attribute has an array of values.
constexpr bool has_arrays_of_values(const reorder_attributes& a) {
    return !(a.src_scale.is_one_value() && a.dst_scale.is_one_value() && a.src_zero_point.is_one_value() &&
             a.dst_zero_point.is_one_value());
}

/// Calls visit with each attribute that may have values by index.
template <class Attributes, class Visit>
constexpr void for_each_values(Attributes& attributes, const Visit& visit) {
    auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    static_cast<void>(beta);
    visit(src_scale);
    visit(dst_scale);
    visit(src_zero_point);
    visit(dst_zero_point);
}
}  // namespace detail

/// Returns the number of values of an attribute with this mask: the product of its axes' extents; 1 for mask 0.
constexpr dim_t mask_volume(const dims& extents, int mask) {
    dims masked;
    for (int a = 0; a < extents.size(); ++a)
        if ((mask >> a & 1) != 0) masked.push_back(extents[a]);
    return volume(masked);
}

namespace detail {
/// The attributes of one element.
struct element_attributes {
    float src_scale = 1, dst_scale = 1;
    std::int32_t src_zero_point = 0, dst_zero_point = 0;
    float beta = 0;
};

/// Returns the attributes of each element, if they are one value for the tensor.
constexpr element_attributes of_each_element(const tensor_attributes& a) {
    return {a.src_scale.value, a.dst_scale.value, a.src_zero_point.value, a.dst_zero_point.value};
}
/// Does the same for attributes with values of any type.
///
/// Pre:     each attribute has one value for the tensor
constexpr element_attributes of_each_element(const reorder_attributes& a) {
    return {value_for_tensor(a.src_scale), value_for_tensor(a.dst_scale), value_for_tensor(a.src_zero_point),
            value_for_tensor(a.dst_zero_point), a.beta};
}

/// The values of one attribute, indexed by position.
template <class Value>
struct values_by_position {
    const values_of_attribute<Value>* values;
    index_terms terms;

    /// Pre:     `a` outlives this object
    constexpr values_by_position(const values_of_attribute<Value>& a, const dims& extents)
        : values(&a), terms(terms_of(a, extents)) {}
    /// Returns the place of a value in the array.
    constexpr dim_t place_of(const position& p) const {
        if (values->where != nullptr) return values->where->offset(p);
        dim_t place = 0;
        for (const index_term& term : terms) place += p[term.axis] / term.divisor * term.stride;
        return place;
    }
    constexpr Value at(const position& p) const {
        return values->has_values() ? values->at(place_of(p)) : values->value;
    }
};

/// The attributes of a tensor, indexed by position.
///
/// Pre:     check_attributes(attributes, extents.ndims()).ok(); the attributes outlive this object
struct attributes_by_position {
    values_by_position<float> src_scale, dst_scale;
    values_by_position<std::int32_t> src_zero_point, dst_zero_point;
    float beta;

    constexpr attributes_by_position(const reorder_attributes& from, const dims& extents)
        : src_scale(from.src_scale, extents),
          dst_scale(from.dst_scale, extents),
          src_zero_point(from.src_zero_point, extents),
          dst_zero_point(from.dst_zero_point, extents),
          beta(from.beta) {}
    constexpr element_attributes at(const position& p) const {
        return {src_scale.at(p), dst_scale.at(p), src_zero_point.at(p), dst_zero_point.at(p), beta};
    }
};

/// The type in which a reorder with attributes computes.
template <element T, element U>
using arithmetic_type = std::conditional_t<std::is_same_v<T, double> || std::is_same_v<U, double>, double, float>;

/// Returns `number`, and keeps the compiler from fusing the operations before and after it into one that rounds once.
template <std::floating_point Number>
constexpr Number rounded(Number number) {
    // A detour through another type would not do: GCC narrows (float)((double)a * b), then fuses it if it may use FMA.
    if (!std::is_constant_evaluated()) {
#if defined(__x86_64__)
        asm("" : "+x"(number));
#elif defined(__aarch64__)
        asm("" : "+w"(number));
#else
        asm("" : "+m"(number));
#endif
    }
    return number;
}

/// Returns the factor that replaces a division by `scale`.
template <std::floating_point Number>
constexpr Number reciprocal(float scale) {
    constexpr Number infinity = std::numeric_limits<Number>::infinity();
    // A division by zero is not a constant expression.
    if (scale == 0) return std::bit_cast<std::int32_t>(scale) < 0 ? -infinity : infinity;
    return Number{1} / static_cast<Number>(scale);
}
}  // namespace detail

/// Converts one element with attributes. `old` is the destination's previous value, and is used only if beta != 0.
///
/// Each operation rounds separately, in f32, or in f64 if T or U is f64; the result is then converted to U. s32 values
/// are rounded to f32 first. A neutral attribute changes nothing, not even the sign of a zero. If the result is a NaN
/// of f32 or f64, its bits are unspecified.
///
/// Pre:     none; any numbers, including NaN, infinities and scales of zero
/// Post:    convert<U>(((x - src_zero_point) * src_scale + beta * old) * (1 / dst_scale) + dst_zero_point)
/// Cost:    the conversions and five operations, or seven with beta; no table, no allocation
/// Source:  spec semantics 12
/// Example: convert_with<float>(10.0f, 3.0f, {0.5f, 4.0f, 2, 7, 2.0f}) == 9.5f: ((10 - 2) * 0.5 + 2 * 3) / 4 + 7
template <element U, element T>
constexpr U convert_with(T x, U old, const detail::element_attributes& a) {
    using number = detail::arithmetic_type<T, U>;
    number y = detail::rounded(convert<number>(x) - static_cast<number>(a.src_zero_point));
    y = detail::rounded(y * static_cast<number>(a.src_scale));
    if (a.beta != 0) y = detail::rounded(y + detail::rounded(static_cast<number>(a.beta) * convert<number>(old)));
    y = detail::rounded(y * detail::rounded(detail::reciprocal<number>(a.dst_scale)));
    // The negated zero point is subtracted, because -0 + 0 would be +0.
    y = detail::rounded(y - static_cast<number>(-std::int64_t{a.dst_zero_point}));
    return convert<U>(y);
}

}  // namespace plait
