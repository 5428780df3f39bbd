#pragma once
// The algebra on descriptors: axes in another order. In four forms, as descriptor/operations.hpp says.

#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait {

/// A permutation of the axes, and of the masks with them. The sums behind the data lie in the order of the memory, so
/// each stays where it is. Where two axes of a mask share their places, only the order of the axes tells their sums
/// apart: such a descriptor is refused if that order changes (descriptor_has_extra).
///
/// Pre:     `made` makes a permutation where `check` allows it
template <class Check, class Made>
constexpr expected<descriptor> lift_permutation(const descriptor& d, Check check, Made made) {
    permutation p;
    expected<descriptor> out = lift(d, extra_rule::keep, [&](const layout& l) {
        const verdict why = check(l);
        if (!why.ok()) return expected<layout>{{}, why};
        p = made();
        return expected<layout>{permute_axes(l, p), {}};
    });
    if (!out.why.ok()) return out;
    for (const int mask : {d.extra.s8s8_mask, d.extra.asymmetric_source_mask})
        if (!keeps_compensation_order(d.layout, mask, p)) return {{}, {reason::descriptor_has_extra}};
    out.made.extra.s8s8_mask = permute_mask(d.extra.s8s8_mask, p);
    out.made.extra.asymmetric_source_mask = permute_mask(d.extra.asymmetric_source_mask, p);
    return out;
}

constexpr expected<descriptor> attempt_permute_axes(const descriptor& d, const permutation& p) {
    return lift_permutation(
        d, [&](const layout& l) { return check_permute_axes(l, p); }, [&] { return p; });
}
/// Moves axis i to place p[i], in the masks of extra too.
///
/// Refused: as on layouts; descriptor_has_extra, if two axes of a mask share their places and change their order
/// Post:    the compensation of each position is the same s32: compensation_layout(result.layout, permute_mask(mask,
///          p)) == permute_axes(compensation_layout(d.layout, mask), p)
constexpr verdict check_permute_axes(const descriptor& d, const permutation& p) {
    return attempt_permute_axes(d, p).why;
}
[[nodiscard]] constexpr descriptor permute_axes(const descriptor& d, const permutation& p) {
    return made_of(attempt_permute_axes(d, p));
}
[[nodiscard]] constexpr expected<descriptor> try_permute_axes(const descriptor& d, const permutation& p) {
    return attempt_permute_axes(d, p);
}
constexpr verdict permute_axes(descriptor& out, const descriptor& in, const permutation& p) noexcept {
    return store(out, attempt_permute_axes(in, p));
}

constexpr expected<descriptor> attempt_rename_axes(const descriptor& d, const permutation& names) {
    return lift_permutation(
        d, [&](const layout& l) { return check_rename_axes(l, names); }, [&] { return inverse(names); });
}
/// Makes axis names[i] of d the axis i of the result: permute_axes by the inverse.
constexpr verdict check_rename_axes(const descriptor& d, const permutation& names) {
    return attempt_rename_axes(d, names).why;
}
[[nodiscard]] constexpr descriptor rename_axes(const descriptor& d, const permutation& names) {
    return made_of(attempt_rename_axes(d, names));
}
[[nodiscard]] constexpr expected<descriptor> try_rename_axes(const descriptor& d, const permutation& names) {
    return attempt_rename_axes(d, names);
}
constexpr verdict rename_axes(descriptor& out, const descriptor& in, const permutation& names) noexcept {
    return store(out, attempt_rename_axes(in, names));
}

constexpr expected<descriptor> attempt_adapt(const descriptor& d, const axis_map& have, const axis_map& need) {
    return lift_permutation(
        d, [&](const layout& l) { return check_adapt(l, have, need); }, [&] { return axis_permutation(have, need); });
}
/// Permutes the axes from one library's order to the other's.
constexpr verdict check_adapt(const descriptor& d, const axis_map& have, const axis_map& need) {
    return attempt_adapt(d, have, need).why;
}
[[nodiscard]] constexpr descriptor adapt(const descriptor& d, const axis_map& have, const axis_map& need) {
    return made_of(attempt_adapt(d, have, need));
}
[[nodiscard]] constexpr expected<descriptor> try_adapt(const descriptor& d, const axis_map& have,
                                                       const axis_map& need) {
    return attempt_adapt(d, have, need);
}
constexpr verdict adapt(descriptor& out, const descriptor& in, const axis_map& have, const axis_map& need) noexcept {
    return store(out, attempt_adapt(in, have, need));
}

}  // namespace plait
