#pragma once
// What a reorder does to the values on their way: scales and zero points of both sides, and a part of what the
// destination held.

#include <plait/contract/convert.hpp>
#include <plait/core/dims.hpp>

#include <bit>
#include <concepts>
#include <limits>
#include <span>

namespace plait {
namespace detail {
/// A pointer, which has no length: what a scale or a zero point by index is not made from.
///
/// Example: bare_pointer<const float*>; not so of std::span<const float>
template <class T>
concept bare_pointer = std::is_pointer_v<T>;

/// One value for the tensor, or one for each index along the axes whose bits the mask has.
template <class Value>
struct value_by_mask {
    Value value{};
    const Value* values = nullptr;  ///< one for each index; null if `value` is for all
    std::size_t count = 1;          ///< the length of `values`
    int mask = 0;

    constexpr value_by_mask(Value for_all) : value(for_all) {}
    constexpr value_by_mask(std::span<const Value> by_index, int axes)
        : values(by_index.data()), count(by_index.size()), mask(axes) {}
    template <bare_pointer Pointer>
    value_by_mask(const Pointer&, int) = delete;  ///< it has no length, a span has one: {{values, count}, mask}
    constexpr bool operator==(const value_by_mask&) const = default;
};
}  // namespace detail

/// What happens to each value: ((x - src_zero_point) * src_scale + beta * old) * (1 / dst_scale) + dst_zero_point,
/// where `old` is what the destination held. How it is rounded: convert_with.
///
/// Example: reorder<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
///
/// A scale and a zero point are named in here, and not in plait, so that both words are left to who uses the namespace.
struct reorder_attributes {
    /// A factor: one for the tensor, or one for each index along the axes whose bits the mask has.
    ///
    /// The values lie densely, row-major over those axes, by extents without padding: mask_volume(extents, mask) of
    /// them, one where the mask is 0; another count is refused by check_attributes, and so is a value that is 0,
    /// infinite or NaN. They stay the caller's, and are read when the reorder is checked or planned and when it runs.
    /// The formats of the tensors do not change this order. Sums of compensation lie in another one:
    /// compensation_layout.
    ///
    /// Example: .src_scale = {per_channel, 1 << 1}, where per_channel is a std::vector<float> of as many as channels
    struct scale : detail::value_by_mask<float> {
        using value_by_mask::value_by_mask;
        constexpr scale(float for_all = 1) : value_by_mask(for_all) {}
    };

    /// The integer that stands for the number zero: one for the tensor, or by index as in `scale`.
    struct zero_point : detail::value_by_mask<std::int32_t> {
        using value_by_mask::value_by_mask;
        constexpr zero_point(std::int32_t for_all = 0) : value_by_mask(for_all) {}
        template <std::floating_point Number>
        zero_point(const Number&) = delete;  ///< it is an integer
    };

    // With initializers, although they have defaults: else GCC warns where only some are named.
    scale src_scale = {};
    scale dst_scale = {};
    zero_point src_zero_point = {};
    zero_point dst_zero_point = {};
    float beta = 0;

    constexpr bool operator==(const reorder_attributes&) const = default;
};

namespace detail {
/// The one value of the whole tensor.
///
/// Pre:     a.mask == 0 && a.count == 1
template <class Attribute>
constexpr auto value_for_tensor(const Attribute& a) {
    return a.values != nullptr ? *a.values : a.value;
}

/// Whether there is nothing to do but to convert: every attribute is one value for the tensor, and changes nothing.
///
/// Values by index are not looked at, whatever they are. False where check_attributes refuses a count.
constexpr bool is_trivial(const reorder_attributes& attributes) {
    // All members, here and where else a new one must not be forgotten: with one more, this does not compile.
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    const auto is_one_value = [](const auto& a, auto neutral) {
        return a.mask == 0 && a.count == 1 && value_for_tensor(a) == neutral;
    };
    return is_one_value(src_scale, 1.0f) && is_one_value(dst_scale, 1.0f) && is_one_value(src_zero_point, 0) &&
           is_one_value(dst_zero_point, 0) && beta == 0;
}

/// How many places a step along each axis is in an array of values with this mask; 0 along axes that it leaves out.
///
/// Pre:     mask has no bits beyond the axes; no extent is dynamic
/// Post:    the value of position p is values[sum of p[a] * result[a]]; the last masked axis has step 1
constexpr strides mask_strides(const dims& extents, int mask) {
    strides out = strides(extents.values, static_cast<std::size_t>(extents.size()));
    dim_t step = 1;
    for (int a = extents.size() - 1; a >= 0; --a) {
        const bool masked = (mask >> a & 1) != 0;
        out[a] = masked ? step : 0;
        // Beside a zero extent the product of the others may overflow; nothing is read by it.
        if (masked) step = wrapping_multiply(step, extents[a]);
    }
    return out;
}
}  // namespace detail

/// How many values an attribute with this mask has: the product of the extents of its axes; 1 for mask 0.
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

/// The values of one attribute by position.
template <class Value>
struct values_by_position {
    const Value* values;
    strides steps;

    /// Pre:     `a` lives as long as this does
    template <class Attribute>
    constexpr values_by_position(const Attribute& a, const dims& extents)
        : values(a.values != nullptr ? a.values : &a.value), steps(mask_strides(extents, a.mask)) {}
    constexpr Value at(const position& p) const {
        dim_t place = 0;
        for (int a = 0; a < p.size(); ++a) place += p[a] * steps[a];
        return values[place];
    }
};

/// The attributes of a tensor by position.
///
/// Pre:     check_attributes(attributes, extents.ndims()).ok(); the attributes live as long as this does
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

/// The type that a reorder with attributes computes in.
template <element T, element U>
using arithmetic_type = std::conditional_t<std::is_same_v<T, double> || std::is_same_v<U, double>, double, float>;

/// The same number; the compiler may not join the operations before and after into one that rounds once.
template <std::floating_point Number>
constexpr Number rounded(Number number) {
    // Not even through another type: GCC narrows (float)((double)a * b), then fuses it where it may use FMA.
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

/// What is multiplied by where `scale` divides.
template <std::floating_point Number>
constexpr Number reciprocal(float scale) {
    constexpr Number infinity = std::numeric_limits<Number>::infinity();
    // Dividing by zero is no constant expression.
    if (scale == 0) return std::bit_cast<std::int32_t>(scale) < 0 ? -infinity : infinity;
    return Number{1} / static_cast<Number>(scale);
}
}  // namespace detail

/// One element as another type, with attributes; `old` is what the destination held, and counts only where beta != 0.
///
/// Each operation rounds by itself, in f32, or in f64 where T or U is; only then the result becomes a U. Numbers that
/// are s32 round to f32 first. An attribute that is neutral changes nothing, not even the sign of a zero. Which NaN
/// becomes an f32 or f64 is not said.
///
/// Pre:     none; any numbers, NaN, infinities and scales of zero too
/// Post:    convert<U>(((x - src_zero_point) * src_scale + beta * old) * (1 / dst_scale) + dst_zero_point)
/// Cost:    the conversions, and five operations, or seven with beta; no table, no allocation
/// Source:  spec semantics 12
/// Example: convert_with<float>(10.0f, 3.0f, {0.5f, 4.0f, 2, 7, 2.0f}) == 9.5f: ((10 - 2) * 0.5 + 2 * 3) / 4 + 7
template <element U, element T>
constexpr U convert_with(T x, U old, const detail::element_attributes& a) {
    using number = detail::arithmetic_type<T, U>;
    number y = detail::rounded(convert<number>(x) - static_cast<number>(a.src_zero_point));
    y = detail::rounded(y * static_cast<number>(a.src_scale));
    if (a.beta != 0) y = detail::rounded(y + detail::rounded(static_cast<number>(a.beta) * convert<number>(old)));
    y = detail::rounded(y * detail::rounded(detail::reciprocal<number>(a.dst_scale)));
    // Minus the negative: -0 + 0 would be +0.
    y = detail::rounded(y - static_cast<number>(-std::int64_t{a.dst_zero_point}));
    return convert<U>(y);
}

}  // namespace plait
