#pragma once
// The algebra on descriptors: axes split and joined. In another order: descriptor/order_operations.hpp; parts:
// descriptor/part_operations.hpp.
//
// Each operation is that of the same name on layouts, whose header says what it does and what it refuses, in four
// forms: check_NAME(d, ...) says whether and why not; NAME(d, ...) refuses by throwing; try_NAME(d, ...) is the result,
// or why there is none; and NAME(out, in, ...) answers with a verdict, never throws, leaves `out` as it was where
// refused, and `out` may be `in`. The type of the elements stays as it is.
//
// Pre:     check_NAME(d, ...).ok()
// Post:    NAME(d, ...).layout == NAME(d.layout, ...)
// Cost:    that of the operation on layouts, and check_descriptor

#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/view.hpp>
#include <plait/descriptor/order_operations.hpp>

namespace plait {

constexpr expected<descriptor> attempt_reshape(const descriptor& d, const dims& to) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return regroup_to(l, to, {}); });
}
/// Splits and joins axes. Refused besides: descriptor_has_extra, here and in all that follow.
///
/// Source:  seeds rfc-memory-descriptor-operations, 3.1
constexpr verdict check_reshape(const descriptor& d, const dims& to) { return attempt_reshape(d, to).why; }
[[nodiscard]] constexpr descriptor reshape(const descriptor& d, const dims& to) {
    return made_of(attempt_reshape(d, to));
}
[[nodiscard]] constexpr expected<descriptor> try_reshape(const descriptor& d, const dims& to) {
    return attempt_reshape(d, to);
}
constexpr verdict reshape(descriptor& out, const descriptor& in, const dims& to) noexcept {
    return store(out, attempt_reshape(in, to));
}

constexpr expected<descriptor> attempt_view(const descriptor& d, const dims& to) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return regroup_to(l, to, {.through_blocks = true}); });
}
/// Splits and joins axes through blocks.
constexpr verdict check_view(const descriptor& d, const dims& to) { return attempt_view(d, to).why; }
[[nodiscard]] constexpr descriptor view(const descriptor& d, const dims& to) { return made_of(attempt_view(d, to)); }
[[nodiscard]] constexpr expected<descriptor> try_view(const descriptor& d, const dims& to) {
    return attempt_view(d, to);
}
constexpr verdict view(descriptor& out, const descriptor& in, const dims& to) noexcept {
    return store(out, attempt_view(in, to));
}

constexpr expected<descriptor> attempt_extended_reshape(const descriptor& d, const dims& to, reshape_flags flags) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return regroup_to(l, to, rules_of(flags)); });
}
/// reshape that may give up the order of the elements, or count padding.
constexpr verdict check_extended_reshape(const descriptor& d, const dims& to, reshape_flags flags) {
    return attempt_extended_reshape(d, to, flags).why;
}
[[nodiscard]] constexpr descriptor extended_reshape(const descriptor& d, const dims& to, reshape_flags flags) {
    return made_of(attempt_extended_reshape(d, to, flags));
}
[[nodiscard]] constexpr expected<descriptor> try_extended_reshape(const descriptor& d, const dims& to,
                                                                  reshape_flags flags) {
    return attempt_extended_reshape(d, to, flags);
}
constexpr verdict extended_reshape(descriptor& out, const descriptor& in, const dims& to,
                                   reshape_flags flags) noexcept {
    return store(out, attempt_extended_reshape(in, to, flags));
}

constexpr expected<descriptor> attempt_split_axis(const descriptor& d, int axis, const dims& parts) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_split(l, axis, parts); });
}
/// Makes one axis several.
constexpr verdict check_split_axis(const descriptor& d, int axis, const dims& parts) {
    return attempt_split_axis(d, axis, parts).why;
}
[[nodiscard]] constexpr descriptor split_axis(const descriptor& d, int axis, const dims& parts) {
    return made_of(attempt_split_axis(d, axis, parts));
}
[[nodiscard]] constexpr expected<descriptor> try_split_axis(const descriptor& d, int axis, const dims& parts) {
    return attempt_split_axis(d, axis, parts);
}
constexpr verdict split_axis(descriptor& out, const descriptor& in, int axis, const dims& parts) noexcept {
    return store(out, attempt_split_axis(in, axis, parts));
}

constexpr expected<descriptor> attempt_join_axes(const descriptor& d, int first, int last) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_joined(l, first, last); });
}
/// Makes the axes first to last one.
constexpr verdict check_join_axes(const descriptor& d, int first, int last) {
    return attempt_join_axes(d, first, last).why;
}
[[nodiscard]] constexpr descriptor join_axes(const descriptor& d, int first, int last) {
    return made_of(attempt_join_axes(d, first, last));
}
[[nodiscard]] constexpr expected<descriptor> try_join_axes(const descriptor& d, int first, int last) {
    return attempt_join_axes(d, first, last);
}
constexpr verdict join_axes(descriptor& out, const descriptor& in, int first, int last) noexcept {
    return store(out, attempt_join_axes(in, first, last));
}

/// join_axes; without `last`, of all axes from `first` on.
constexpr verdict check_flatten(const descriptor& d, int first, int last) { return check_join_axes(d, first, last); }
constexpr verdict check_flatten(const descriptor& d, int first = 0) { return check_flatten(d, first, d.ndims() - 1); }
[[nodiscard]] constexpr descriptor flatten(const descriptor& d, int first, int last) {
    return join_axes(d, first, last);
}
[[nodiscard]] constexpr descriptor flatten(const descriptor& d, int first = 0) {
    return flatten(d, first, d.ndims() - 1);
}
[[nodiscard]] constexpr expected<descriptor> try_flatten(const descriptor& d, int first, int last) {
    return try_join_axes(d, first, last);
}
[[nodiscard]] constexpr expected<descriptor> try_flatten(const descriptor& d, int first = 0) {
    return try_flatten(d, first, d.ndims() - 1);
}
constexpr verdict flatten(descriptor& out, const descriptor& in, int first, int last) noexcept {
    return join_axes(out, in, first, last);
}
constexpr verdict flatten(descriptor& out, const descriptor& in, int first = 0) noexcept {
    return flatten(out, in, first, in.ndims() - 1);
}

constexpr expected<descriptor> attempt_tile(const descriptor& d, const dims& extents) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_tiles(l, extents); });
}
/// Cuts each axis into tiles.
constexpr verdict check_tile(const descriptor& d, const dims& extents) { return attempt_tile(d, extents).why; }
[[nodiscard]] constexpr descriptor tile(const descriptor& d, const dims& extents) {
    return made_of(attempt_tile(d, extents));
}
[[nodiscard]] constexpr expected<descriptor> try_tile(const descriptor& d, const dims& extents) {
    return attempt_tile(d, extents);
}
constexpr verdict tile(descriptor& out, const descriptor& in, const dims& extents) noexcept {
    return store(out, attempt_tile(in, extents));
}

/// Pre:     `given` has an entry for each name of the pattern, or says why there is none
constexpr expected<descriptor> attempt_rearrange(const descriptor& d, const axis_pattern& pattern,
                                                 const expected<dims>& given) {
    return lift(d, extra_rule::refuse, [&](const layout& l) {
        return given ? make_rearranged(l, pattern, *given) : expected<layout>{{}, given.error()};
    });
}
/// Splits, permutes and joins axes as einops' pattern says: a literal, which the compiler reads, or one known only at
/// run time, from parse_axis_pattern.
///
/// Example: const auto pattern = parse_axis_pattern(text); if (pattern) rearrange(d, *pattern, {{"g", 4}})
constexpr verdict check_rearrange(const descriptor& d, const axis_pattern& pattern, const named_extents& extents = {}) {
    return attempt_rearrange(d, pattern, extents_by_name(pattern, extents)).why;
}
[[nodiscard]] constexpr descriptor rearrange(const descriptor& d, const axis_pattern& pattern,
                                             const named_extents& extents = {}) {
    return made_of(attempt_rearrange(d, pattern, extents_by_name(pattern, extents)));
}
[[nodiscard]] constexpr expected<descriptor> try_rearrange(const descriptor& d, const axis_pattern& pattern,
                                                           const named_extents& extents = {}) {
    return attempt_rearrange(d, pattern, extents_by_name(pattern, extents));
}
constexpr verdict rearrange(descriptor& out, const descriptor& in, const axis_pattern& pattern,
                            const named_extents& extents = {}) noexcept {
    return store(out, attempt_rearrange(in, pattern, extents_by_name(pattern, extents)));
}

}  // namespace plait
