#pragma once
// Two reorders, one after the other, in one pass: where that writes the same bits for every input; else refused.

#include <plait/core/allowed.hpp>
#include <plait/reorder/fuse_axes.hpp>
#include <plait/reorder/fuse_values.hpp>

#include <span>

namespace plait {
namespace detail {
/// What a destination asks for besides its layout and type: compensation binds it to its own axes, and scale_adjust
/// multiplies the scale.
struct fusion_target {
    bool keeps_axes = false;
    float scale_adjust = 1;
};

/// The types of two steps, where one says them and the other leaves them open.
///
/// Refused: data_types_differ
constexpr verdict agree_types(reorder_step& a, reorder_step& b) {
    if (a.dst_type == data_type::undef) a.src_type = a.dst_type = b.src_type;
    if (b.src_type == data_type::undef) b.src_type = b.dst_type = a.dst_type;
    if (a.dst_type == b.src_type) return {};
    return {reason::data_types_differ, -1, static_cast<dim_t>(a.dst_type), static_cast<dim_t>(b.src_type)};
}

/// fuse(a, b) or what refuses it, for a destination that asks for more than a layout.
constexpr expected<reorder_step> make_fused(reorder_step a, reorder_step b, const fusion_target& target) {
    if (const verdict why = check_step(a); !why.ok()) return why;
    if (const verdict why = check_step(b); !why.ok()) return why;
    if (const verdict why = agree_types(a, b); !why.ok()) return why;
    const expected<axis_change> change = find_axis_change(a.dst, b.src);
    if (!change) return change.error();
    const expected<reorder_attributes> values = fuse_values(a, b, target.scale_adjust);
    if (!values) return values.error();

    // What is by index is either all the first one's or all the second one's, and over its axes.
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

/// Whether two reorders, b after a, are one that writes the same bits for every input.
///
/// They are where one of them only moves elements; and where every number that a makes is one of the middle type
/// exactly, and its attributes, if it has any, are powers of two and zero points that join those of b without rounding.
/// What b reads is what a writes: the same memory, perhaps with its axes permuted, or seen with other dims.
///
/// Refused: as check_step, of either; data_types_differ (of the middle); volumes_differ, middle_layouts_differ;
/// beta_reads_the_middle; middle_type_rounds, middle_type_saturates (the types); attributes_round_between,
/// one_pass_differs (all three types); mask_is_not_carried; and what refuses to see either end with the axes of the
/// other: as check_view
/// Source:  spec semantics 17
constexpr verdict check_fuse(const reorder_step& a, const reorder_step& b) {
    return detail::make_fused(a, b, {}).error();
}

/// One reorder that does what a does and then b, in one pass.
///
/// Attributes of one value are read now; those by index stay the caller's, and are read when the reorder runs.
///
/// Pre:     check_fuse(a, b).ok()
/// Post:    reference_reorder of the result writes what that of b does, from what that of a has written; which NaN is
///          f32 or f64 after attributes is not said. result.dst == b.dst, unless a's source cannot be seen with the
///          axes of b: then it is the same memory
/// Cost:    O(digits squared) steps, whatever the extents; no allocation
/// Source:  spec semantics 17
/// Example: fuse(reorder_step{nchw, nhwc}, reorder_step{nhwc, nchw}).moves_nothing()
[[nodiscard]] constexpr reorder_step fuse(const reorder_step& a, const reorder_step& b) {
    const expected<reorder_step> attempt = detail::make_fused(a, b, {});
    require(attempt.error());
    return *attempt;
}

/// fuse(a, b), or what check_fuse says against it.
[[nodiscard]] constexpr expected<reorder_step> try_fuse(const reorder_step& a, const reorder_step& b) {
    return detail::make_fused(a, b, {});
}

/// A list of reorders as one, fused from the left; refused where the first of them that is.
///
/// Pre:     steps is not empty
/// Post:    of a, b and c: try_fuse(fuse(a, b), c)
[[nodiscard]] constexpr expected<reorder_step> try_fuse(std::span<const reorder_step> steps) {
    expected<reorder_step> out{steps[0], detail::check_step(steps[0])};
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (out) out = detail::make_fused(*out, steps[i], {});
    return out;
}
constexpr verdict check_fuse(std::span<const reorder_step> steps) { return try_fuse(steps).error(); }
[[nodiscard]] constexpr reorder_step fuse(std::span<const reorder_step> steps) {
    const expected<reorder_step> attempt = try_fuse(steps);
    require(attempt.error());
    return *attempt;
}

/// Makes a chain of reorders as short as fusing from the left does, in place: neighbours that fuse become one, and what
/// then moves nothing goes away. What a later one would need to be fused with more to its right is not looked for.
///
/// Refused: as check_step, of any of them; nothing is changed then
/// Pre:     check_step holds of each; each reads what the one before it has written
/// Post:    steps[0] to steps[result - 1], one after the other, write what all of them did; 0 where the tensor stays
///          what and where it is
/// Cost:    one fuse for each step; no allocation
/// Source:  spec semantics 17
/// Example: of nchw to nhwc, nhwc to nChw8c, nChw8c to nchw: 0 are left
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
/// The object of a reorder_step_constant, as fuse on constants takes it.
///
/// Example: fuse(reorder_step_c<a>, reorder_step_c<b>).value == fuse(a, b)
template <reorder_step Step>
inline constexpr reorder_step_constant<Step> reorder_step_c{};
}  // namespace detail

/// fuse on constants: refused by the compiler, with the reason, and the types as numbers.
///
/// Example: constexpr reorder_step f = fuse(reorder_step_c<a>, reorder_step_c<b>); reorder<f.src, f.dst>(in, out)
template <reorder_step A, reorder_step B>
[[nodiscard]] constexpr auto fuse(detail::reorder_step_constant<A>, detail::reorder_step_constant<B>) {
    constexpr expected<reorder_step> made = try_fuse(A, B);
    return detail::reorder_step_c<(allowed<made.error()> ? *made : A)>;
}

}  // namespace plait
