#pragma once
// Fuses two reorders, one after the other, into one pass if that writes the same bits for every input; else refuses.

#include <plait/core/allowed.hpp>
#include <plait/reorder/fuse_axes.hpp>
#include <plait/reorder/fuse_values.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Requirements of a destination in addition to its layout and type: compensation fixes the destination's axes, and
/// scale_adjust multiplies the scale.
struct fusion_target {
    bool keeps_axes = false;
    float scale_adjust = 1;
};

/// Makes the types of two steps agree. A step without types takes those of the other.
///
/// Refused: data_types_differ
constexpr verdict agree_types(reorder_step& a, reorder_step& b) {
    if (a.dst_type == data_type::undef) a.src_type = a.dst_type = b.src_type;
    if (b.src_type == data_type::undef) b.src_type = b.dst_type = a.dst_type;
    if (a.dst_type == b.src_type) return {};
    return {reason::data_types_differ, -1, static_cast<dim_t>(a.dst_type), static_cast<dim_t>(b.src_type)};
}

/// Returns fuse(a, b), or the reason why it is refused, for a destination with further requirements.
constexpr expected<reorder_step> make_fused(reorder_step a, reorder_step b, const fusion_target& target) {
    if (const verdict why = check_step(a); !why.ok()) return why;
    if (const verdict why = check_step(b); !why.ok()) return why;
    if (const verdict why = agree_types(a, b); !why.ok()) return why;
    const expected<axis_change> change = find_axis_change(a.dst, b.src);
    if (!change) return change.error();
    const expected<reorder_attributes> values = fuse_values(a, b, target.scale_adjust);
    if (!values) return values.error();

    // Values by index belong either all to the first step or all to the second, and are over that step's axes.
    const bool of_first = b.keeps_values() && target.scale_adjust == 1;
    const auto over_second = [&]() -> expected<reorder_step> {
        const expected<layout> src = change->carry(a.src);
        if (!src) return src.error();
        expected<reorder_attributes> attributes = of_first ? carry_attributes(*change, *values) : values;
        return {{*src, b.dst, a.src_type, b.dst_type, *attributes}, attributes.error()};
    };
    const auto over_first = [&]() -> expected<reorder_step> {
        const axis_change back = change->inverted();
        const expected<layout> dst = back.carry(b.dst);
        if (!dst) return dst.error();
        expected<reorder_attributes> attributes = of_first ? values : carry_attributes(back, *values);
        return {{a.src, *dst, a.src_type, b.dst_type, *attributes}, attributes.error()};
    };
    const expected<reorder_step> out = over_second();
    if (out || target.keeps_axes) return out;
    const expected<reorder_step> other = over_first();
    return other ? other : out;
}
}  // namespace detail

/// Checks that two reorders, a and then b, can be one that writes the same bits for every input.
///
/// This holds if one of the two only moves elements. It also holds if the middle type represents every number that a
/// makes exactly, and a's attributes, if any, are powers of two and zero points that join b's without rounding.
/// b must read the memory that a writes: the same layout, or one with permuted axes or other dims.
///
/// Refused: what check_step refuses for either; data_types_differ (in the middle); volumes_differ,
/// middle_layouts_differ; beta_reads_the_middle; middle_type_rounds, middle_type_saturates (the types);
/// attributes_round_between, one_pass_differs (all three types); mask_is_not_carried; what check_view refuses, if
/// neither end can be viewed with the axes of the other
/// Source:  spec semantics 17
constexpr verdict check_fuse(const reorder_step& a, const reorder_step& b) {
    return detail::make_fused(a, b, {}).error();
}

/// Returns one reorder that does what a and then b do, in one pass.
///
/// Per-tensor attribute values are read now. Arrays of values stay the caller's and are read when the reorder runs.
///
/// Pre:     check_fuse(a, b).ok()
/// Post:    reference_reorder of the result writes what reference_reorder of b writes from the output of a, except for
///          the bits of f32 or f64 NaNs after attributes, which are unspecified. result.dst == b.dst, unless a's source
///          cannot be viewed with the axes of b: then it is the same memory
/// Cost:    O(digits squared) steps, independent of the extents; no allocation
/// Source:  spec semantics 17
/// Example: fuse(reorder_step{nchw, nhwc}, reorder_step{nhwc, nchw}).moves_nothing()
[[nodiscard]] constexpr reorder_step fuse(const reorder_step& a, const reorder_step& b) {
    return detail::make_fused(a, b, {}).value();
}

/// Returns fuse(a, b), or the reason why check_fuse refuses it.
[[nodiscard]] constexpr expected<reorder_step> try_fuse(const reorder_step& a, const reorder_step& b) {
    return detail::make_fused(a, b, {});
}

/// Fuses a list of reorders from the left into one. Refused at the first pair that is refused.
///
/// Pre:     steps is not empty
/// Post:    for a, b and c: try_fuse(fuse(a, b), c)
[[nodiscard]] constexpr expected<reorder_step> try_fuse(std::span<const reorder_step> steps) {
    expected<reorder_step> out{steps[0], detail::check_step(steps[0])};
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (out) out = detail::make_fused(*out, steps[i], {});
    return out;
}
constexpr verdict check_fuse(std::span<const reorder_step> steps) { return try_fuse(steps).error(); }
[[nodiscard]] constexpr reorder_step fuse(std::span<const reorder_step> steps) { return try_fuse(steps).value(); }

/// Shortens a chain of reorders in place by fusing from the left. Neighbours that fuse become one step, and steps that
/// then move nothing are removed. Steps that could only be fused after others to their right are not searched for.
///
/// Refused: what check_step refuses for any step; nothing is changed then
/// Pre:     check_step holds of each; each reads what the one before it has written
/// Post:    steps[0] to steps[result - 1], one after the other, write what all steps did; the result is 0 if every
///          element keeps its value and its place
/// Cost:    one fuse for each step; no allocation
/// Source:  spec semantics 17
/// Example: nchw to nhwc, nhwc to nChw8c, nChw8c to nchw: 0 steps are left
constexpr int fuse_chain(std::span<reorder_step> steps) {
    for (const reorder_step& s : steps) require(detail::check_step(s));
    int count = 0;
    for (const reorder_step& next : steps) {
        const auto last = static_cast<std::size_t>(count - 1);
        if (count > 0)
            if (const expected<reorder_step> one = detail::make_fused(steps[last], next, {}); one) {
                steps[last] = *one;
                if (one->moves_nothing()) --count;
                continue;
            }
        if (!next.moves_nothing()) steps[static_cast<std::size_t>(count++)] = next;
    }
    return count;
}

namespace detail {
/// A reorder as a type.
template <reorder_step Step>
using reorder_step_constant = std::integral_constant<reorder_step, Step>;
/// The object of a reorder_step_constant, to be passed to fuse.
///
/// Example: fuse(reorder_step_c<a>, reorder_step_c<b>).value == fuse(a, b)
template <reorder_step Step>
inline constexpr reorder_step_constant<Step> reorder_step_c{};
}  // namespace detail

/// Fuses two constant reorders. A rejection is a compile error with the reason, and the types as numbers.
///
/// Example: constexpr reorder_step f = fuse(reorder_step_c<a>, reorder_step_c<b>); reorder<f.src, f.dst>(in, out)
template <reorder_step A, reorder_step B>
[[nodiscard]] constexpr auto fuse(detail::reorder_step_constant<A>, detail::reorder_step_constant<B>) {
    constexpr expected<reorder_step> made = try_fuse(A, B);
    return detail::reorder_step_c<(allowed<made.error()> ? *made : A)>;
}

}  // namespace plait
