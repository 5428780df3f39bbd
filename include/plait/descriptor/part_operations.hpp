#pragma once
// The algebra on descriptors: parts of a tensor, elements at several places, other strides, extents that become known.
// In the four forms of descriptor/operations.hpp; all but submemory and bind refuse a tensor with extra.

#include <plait/algebra/bind.hpp>
#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/with_strides.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait {

constexpr expected<descriptor> attempt_submemory(const descriptor& d, const dims& extents, const position& offsets) {
    return lift(d, extra_rule::drop, [&](const layout& l) { return part_of(l, extents, offsets); });
}
/// The part that begins at `offsets`. It has no extra, whatever the whole one has: a part has no compensation buffer.
///
/// Post:    offset(result.layout, p) == offset(d.layout, p + offsets)
/// Source:  spec semantics 8
constexpr verdict check_submemory(const descriptor& d, const dims& extents, const position& offsets) {
    return attempt_submemory(d, extents, offsets).why;
}
[[nodiscard]] constexpr descriptor submemory(const descriptor& d, const dims& extents, const position& offsets) {
    return made_of(attempt_submemory(d, extents, offsets));
}
[[nodiscard]] constexpr expected<descriptor> try_submemory(const descriptor& d, const dims& extents,
                                                           const position& offsets) {
    return attempt_submemory(d, extents, offsets);
}
constexpr verdict submemory(descriptor& out, const descriptor& in, const dims& extents,
                            const position& offsets) noexcept {
    return store(out, attempt_submemory(in, extents, offsets));
}

constexpr expected<descriptor> attempt_slice(const descriptor& d, int axis, dim_t index) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return slice_of(l, axis, index); });
}
/// The elements with one index along an axis, which goes away.
constexpr verdict check_slice(const descriptor& d, int axis, dim_t index) { return attempt_slice(d, axis, index).why; }
[[nodiscard]] constexpr descriptor slice(const descriptor& d, int axis, dim_t index) {
    return made_of(attempt_slice(d, axis, index));
}
[[nodiscard]] constexpr expected<descriptor> try_slice(const descriptor& d, int axis, dim_t index) {
    return attempt_slice(d, axis, index);
}
constexpr verdict slice(descriptor& out, const descriptor& in, int axis, dim_t index) noexcept {
    return store(out, attempt_slice(in, axis, index));
}

constexpr expected<descriptor> attempt_broadcast_axis(const descriptor& d, int axis, dim_t extent) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return broadcast_of(l, axis, extent); });
}
/// One element, as often as `extent` says.
constexpr verdict check_broadcast_axis(const descriptor& d, int axis, dim_t extent) {
    return attempt_broadcast_axis(d, axis, extent).why;
}
[[nodiscard]] constexpr descriptor broadcast_axis(const descriptor& d, int axis, dim_t extent) {
    return made_of(attempt_broadcast_axis(d, axis, extent));
}
[[nodiscard]] constexpr expected<descriptor> try_broadcast_axis(const descriptor& d, int axis, dim_t extent) {
    return attempt_broadcast_axis(d, axis, extent);
}
constexpr verdict broadcast_axis(descriptor& out, const descriptor& in, int axis, dim_t extent) noexcept {
    return store(out, attempt_broadcast_axis(in, axis, extent));
}

constexpr expected<descriptor> attempt_repeat(const descriptor& d, int axis, dim_t count) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return repeated(l, axis, count); });
}
/// All elements of an axis, several times over.
constexpr verdict check_repeat(const descriptor& d, int axis, dim_t count) {
    return attempt_repeat(d, axis, count).why;
}
[[nodiscard]] constexpr descriptor repeat(const descriptor& d, int axis, dim_t count) {
    return made_of(attempt_repeat(d, axis, count));
}
[[nodiscard]] constexpr expected<descriptor> try_repeat(const descriptor& d, int axis, dim_t count) {
    return attempt_repeat(d, axis, count);
}
constexpr verdict repeat(descriptor& out, const descriptor& in, int axis, dim_t count) noexcept {
    return store(out, attempt_repeat(in, axis, count));
}

constexpr expected<descriptor> attempt_with_strides(const descriptor& d, const strides& steps) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return replace_strides(l, steps); });
}
/// The same blocks, other strides between them.
constexpr verdict check_with_strides(const descriptor& d, const strides& steps) {
    return attempt_with_strides(d, steps).why;
}
[[nodiscard]] constexpr descriptor with_strides(const descriptor& d, const strides& steps) {
    return made_of(attempt_with_strides(d, steps));
}
[[nodiscard]] constexpr expected<descriptor> try_with_strides(const descriptor& d, const strides& steps) {
    return attempt_with_strides(d, steps);
}
constexpr verdict with_strides(descriptor& out, const descriptor& in, const strides& steps) noexcept {
    return store(out, attempt_with_strides(in, steps));
}

constexpr expected<descriptor> attempt_bind(const descriptor& d, const dims& values) {
    return lift(d, extra_rule::keep, [&](const layout& l) { return bind_extents(l, values); });
}
/// Whether the values fit the extents that are dynamic; refused: as check_descriptor; as check_bind of layouts;
/// size_overflows (in bytes).
constexpr verdict check_bind(const descriptor& d, const dims& values) { return attempt_bind(d, values).why; }
/// Fills in the extents that were dynamic. Extra stays: what its masks mean is the same, only now it has a size.
///
/// Pre:     check_bind(d, values).ok()
/// Post:    bind(d, values) == descriptor(d.type, bind(d.layout, values), d.extra)
/// Cost:    that of check_descriptor and of bind of layouts
/// Source:  DNNL_RUNTIME_DIM_VAL of oneDNN; std::dynamic_extent
/// Example: of s8 in layout({dynamic, 5}, "ab"), by {5}: s8 in layout({5, 5}, "ab"), with its extra
[[nodiscard]] constexpr descriptor bind(const descriptor& d, const dims& values) {
    return made_of(attempt_bind(d, values));
}
[[nodiscard]] constexpr expected<descriptor> try_bind(const descriptor& d, const dims& values) {
    return attempt_bind(d, values);
}
constexpr verdict bind(descriptor& out, const descriptor& in, const dims& values) noexcept {
    return store(out, attempt_bind(in, values));
}

constexpr expected<descriptor> attempt_canonical_form(const descriptor& d) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_canonical_form(l); });
}
/// The form that all layouts of the same memory have.
constexpr verdict check_canonical_form(const descriptor& d) { return attempt_canonical_form(d).why; }
[[nodiscard]] constexpr descriptor canonical_form(const descriptor& d) { return made_of(attempt_canonical_form(d)); }
[[nodiscard]] constexpr expected<descriptor> try_canonical_form(const descriptor& d) {
    return attempt_canonical_form(d);
}
constexpr verdict canonical_form(descriptor& out, const descriptor& in) noexcept {
    return store(out, attempt_canonical_form(in));
}

constexpr expected<descriptor> attempt_forget_padding(const descriptor& d) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_unpadded(l); });
}
/// Returns the descriptor without padding: each element keeps its place.
constexpr verdict check_forget_padding(const descriptor& d) { return attempt_forget_padding(d).why; }
[[nodiscard]] constexpr descriptor forget_padding(const descriptor& d) { return made_of(attempt_forget_padding(d)); }
[[nodiscard]] constexpr expected<descriptor> try_forget_padding(const descriptor& d) {
    return attempt_forget_padding(d);
}
constexpr verdict forget_padding(descriptor& out, const descriptor& in) noexcept {
    return store(out, attempt_forget_padding(in));
}

constexpr expected<descriptor> attempt_compose(const descriptor& d, const layout& indices) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_composition(l, indices); });
}
/// Whether the offsets of `indices` can be row-major numbers of d's elements; refused: as check_descriptor; as
/// check_compose of layouts; descriptor_has_extra; size_overflows (in bytes).
constexpr verdict check_compose(const descriptor& d, const layout& indices) { return attempt_compose(d, indices).why; }
/// The elements of d whose row-major numbers are the offsets of `indices`.
///
/// Pre:     check_compose(d, indices).ok()
/// Post:    compose(d, indices) == descriptor(d.type, compose(d.layout, indices))
/// Cost:    that of check_descriptor and of compose of layouts
/// Source:  the composition of CuTe, proved or refused; there mode 0 is the fastest
/// Example: of f32 in layout({4, 6}, "ba"), after layout({4}, strides{6}): f32 in layout({4}, strides{1})
[[nodiscard]] constexpr descriptor compose(const descriptor& d, const layout& indices) {
    return made_of(attempt_compose(d, indices));
}
[[nodiscard]] constexpr expected<descriptor> try_compose(const descriptor& d, const layout& indices) {
    return attempt_compose(d, indices);
}
constexpr verdict compose(descriptor& out, const descriptor& in, const layout& indices) noexcept {
    return store(out, attempt_compose(in, indices));
}

constexpr expected<descriptor> attempt_divide(const descriptor& d, const layout& part) {
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_quotient(l, part); });
}
/// Whether the elements of d are whole copies of the part; refused: as check_descriptor; as check_divide of layouts;
/// descriptor_has_extra; size_overflows (in bytes).
constexpr verdict check_divide(const descriptor& d, const layout& part) { return attempt_divide(d, part).why; }
/// d as copies of the part: first the axes that count copies, then those within one.
///
/// Pre:     check_divide(d, part).ok()
/// Post:    divide(d, part) == descriptor(d.type, divide(d.layout, part))
/// Cost:    that of check_descriptor and of divide of layouts
/// Source:  the logical divide of CuTe, proved or refused; there the tile comes first, as the fastest mode
/// Example: of f32 in layout({12}, "a"), by layout({3}, strides{4}): f32 in layout({4, 3}, strides{1, 4})
[[nodiscard]] constexpr descriptor divide(const descriptor& d, const layout& part) {
    return made_of(attempt_divide(d, part));
}
[[nodiscard]] constexpr expected<descriptor> try_divide(const descriptor& d, const layout& part) {
    return attempt_divide(d, part);
}
constexpr verdict divide(descriptor& out, const descriptor& in, const layout& part) noexcept {
    return store(out, attempt_divide(in, part));
}

constexpr expected<descriptor> attempt_concatenate_along(const descriptor& d, const descriptor& behind, int axis) {
    if (const verdict why = check_descriptor(behind); !why.ok()) return {{}, why};
    if (!behind.extra.empty()) return {{}, {reason::descriptor_has_extra}};
    if (d.type != behind.type)
        return {{}, {reason::data_types_differ, -1, static_cast<dim_t>(d.type), static_cast<dim_t>(behind.type)}};
    return lift(d, extra_rule::refuse, [&](const layout& l) { return make_whole(l, behind.layout, axis); });
}
/// One tensor of two parts that meet in memory. Refused besides: data_types_differ
constexpr verdict check_concatenate_along(const descriptor& d, const descriptor& behind, int axis) {
    return attempt_concatenate_along(d, behind, axis).why;
}
[[nodiscard]] constexpr descriptor concatenate_along(const descriptor& d, const descriptor& behind, int axis) {
    return made_of(attempt_concatenate_along(d, behind, axis));
}
[[nodiscard]] constexpr expected<descriptor> try_concatenate_along(const descriptor& d, const descriptor& behind,
                                                                   int axis) {
    return attempt_concatenate_along(d, behind, axis);
}
constexpr verdict concatenate_along(descriptor& out, const descriptor& in, const descriptor& behind,
                                    int axis) noexcept {
    return store(out, attempt_concatenate_along(in, behind, axis));
}

}  // namespace plait
