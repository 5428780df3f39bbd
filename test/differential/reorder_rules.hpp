#pragma once
// The rules for reorders whose result differs between oneDNN and plait. Each rule gives oneDNN's exact result.

#include "differential/reorder_cases.hpp"

#include <cmath>
#include <optional>

namespace differential {

/// oneDNN's possible results, found by measuring. Each is (x - src_zero_point) * scale + dst_zero_point + beta * old,
/// in this order. plait adds the sum before the zero point (semantics 12).
struct onednn_arithmetic {
    float x, old, scale, beta;
    float src_zero_point, dst_zero_point;

    template <class T, class U>
    onednn_arithmetic(T from, U before, const plait::detail::element_attributes& a)
        : x(plait::convert<float>(from)),
          old(a.beta == 0 ? 0 : plait::convert<float>(before)),
          scale(a.src_scale / a.dst_scale),
          beta(a.beta / a.dst_scale),
          src_zero_point(static_cast<float>(a.src_zero_point)),
          dst_zero_point(static_cast<float>(a.dst_zero_point)) {}

    float value() const {
        const float scaled = plait::detail::rounded(plait::detail::rounded(x - src_zero_point) * scale);
        const float moved = plait::detail::rounded(scaled + dst_zero_point);
        return beta == 0 ? moved : plait::detail::rounded(moved + plait::detail::rounded(beta * old));
    }
    onednn_arithmetic without(bool source, bool destination) const {
        onednn_arithmetic out = *this;
        if (source) out.src_zero_point = 0;
        if (destination) out.dst_zero_point = -0.0f;  // adds nothing to any number
        return out;
    }
};

/// Returns the rule for oneDNN's value in the padding, or null if there is none.
template <class T, class U>
const char* padding_rule(const reorder_case<T, U>& question, std::size_t offset, U theirs) {
    const plait::reorder_attributes& a = question.attributes;
    const float old = plait::detail::rounded(a.beta / a.dst_scale.value * plait::convert<float>(question.old[offset]));
    if (a.beta != 0 && same_bits(theirs, plait::convert<U>(old)))
        return "oneDNN adds to what padding held, and so keeps only zeros; here padding becomes zero (semantics 11)";
    if (same_bits(theirs, plait::convert<U>(-0.0f)))
        return "oneDNN scales the zeros of padding, which a negative scale makes -0; here they are 0";
    return nullptr;
}

/// Returns the rule for oneDNN's value of the element at p, or null if there is none.
template <class T, class U>
const char* element_rule(const reorder_case<T, U>& question, const std::string& code, const plait::position& p,
                         std::size_t offset, U theirs) {
    const plait::detail::element_attributes a =
        plait::detail::attributes_by_position(question.attributes, question.src.dims).at(p);
    const T from = question.in[static_cast<std::size_t>(question.src.offset(p))];
    const onednn_arithmetic arithmetic(from, question.old[offset], a);
    const float value = plait::convert_with<float>(from, plait::convert<float>(question.old[offset]), a);
    const auto is = [&](float x) { return same_bits(plait::convert<U>(x), theirs); };
    const auto is_flushed = [&](float x) {
        return std::is_same_v<U, plait::bfloat16> && std::fabs(x) < 0x1p-126f && is(std::copysign(0.0f, x));
    };

    if constexpr (std::is_integral_v<U>) {
        if (value != value) return "NaN as an integer is implementation-defined in oneDNN";
        if (value >= 0x1p31f && is(-0x1p31f))
            return "oneDNN does not saturate everywhere: 2^31 and more become the lowest integer, as the CPU has it";
    }
    const auto is_in_integers = [&](bool source, bool destination) {
        if constexpr (std::is_same_v<T, std::int32_t> && std::is_same_v<U, std::int32_t>)
            return static_cast<std::int32_t>(dim_t{from} - (source ? 0 : a.src_zero_point) +
                                             (destination ? 0 : a.dst_zero_point)) == theirs;
        return false;
    };
    if (is_in_integers(false, false))
        return "oneDNN adds zero points to s32 as integers, which wrap around; here the numbers round to f32 "
               "(semantics 12)";
    if (std::is_same_v<T, plait::float16> && arithmetic.x == 0 &&
        same_bits(plait::convert_with<U>(T{}, question.old[offset], a), theirs))
        return "oneDNN reads the f16 -0 as 0";
    if (is_flushed(value)) return "oneDNN writes bf16 below the normal numbers as zero, where the CPU has AVX-512 BF16";
    if (is(arithmetic.value())) return "oneDNN adds the zero point before the sum; here after it (semantics 12)";
    if (code != "jit:uni") return nullptr;
    for (const auto& [source, destination] : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
        const float forgotten = arithmetic.without(source, destination).value();
        if (is(forgotten) || is_flushed(forgotten) || is_in_integers(source, destination))
            return "oneDNN's jit:uni forgets zero points in some reorders";
    }
    return nullptr;
}

}  // namespace differential
