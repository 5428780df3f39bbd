#pragma once
// Reshape as frameworks have it: other extents, and the elements in the same row-major order of the shape.

#include <plait/algebra/view.hpp>
#include <plait/bridge/shaped_layout.hpp>

namespace plait {

/// reshape(s, to), or what check_reshape says against it.
[[nodiscard]] constexpr expected<shaped_layout> try_reshape(const shaped_layout& s, const dims& to) {
    if (const verdict why = check_shaped_layout(s); !why.ok()) return {{}, why};
    const expected<layout> made = try_view(framework_layout(s), to);
    if (!made) return {{}, made.error()};
    return {shaped_layout(*made, identity_axis_map(made->ndims())), {}};
}

/// Whether the shape can become `to` without a copy: where the layout splits and joins that way, blocks included.
///
/// Refused: as check_shaped_layout; as check_view(framework_layout(s), to), whose axes are those of the shape:
/// volumes_differ, zero_extent_is_not_matched, axis_is_padded, unit_axis_is_padded, extents_do_not_divide,
/// too_many_digits, dim_is_dynamic, ...; reshape_needs_copy tells what a reorder would make possible
constexpr verdict check_reshape(const shaped_layout& s, const dims& to) { return try_reshape(s, to).why; }

/// The same elements with another shape, in the same row-major order; the data stays where it is.
///
/// Which axis was which of an operation's is lost, as in the framework: the result's axes are those of the new shape.
///
/// Pre:     check_reshape(s, to).ok()
/// Post:    result.shape() == to; result.map == identity_axis_map(to.size()); the element with a row-major number in
///          the one shape has it in the other: framework_layout(result) == view(framework_layout(s), to)
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds tensor-representation, 4.2
/// Example: of the shape {2, 3, 4, 5} in nChw8c, {2, 12, 5} is there without a copy, and {2, 60} is not
[[nodiscard]] constexpr shaped_layout reshape(const shaped_layout& s, const dims& to) {
    const expected<shaped_layout> attempt = try_reshape(s, to);
    require(attempt.why);
    return attempt.made;
}

/// The reorder after which a shape can become another: what reshape cannot do in place.
struct reshaped_copy {
    shaped_layout from;    ///< the tensor as it is
    shaped_layout to;      ///< the same shape, row-major: reorder takes the pair
    shaped_layout result;  ///< the new shape, on the memory of `to`
    constexpr bool operator==(const reshaped_copy&) const = default;
};

/// reshape_copy(s, to), or what check_reshape_copy says against it.
[[nodiscard]] constexpr expected<reshaped_copy> try_reshape_copy(const shaped_layout& s, const dims& to) {
    if (const verdict why = check_shaped_layout(s); !why.ok()) return {{}, why};
    if (const verdict why = check_static_layout(s.layout); !why.ok()) return {{}, why};
    const dims shape = s.shape();
    const expected<layout> plain = make_layout(shape, plain_tag(shape.size()));
    if (!plain) return {{}, plain.error()};
    const shaped_layout row_major(*plain, identity_axis_map(shape.size()));
    const expected<shaped_layout> result = try_reshape(row_major, to);
    return {{s, row_major, result.made}, result.why};
}

/// Whether there is a copy of the tensor that can be given the shape `to`.
///
/// Refused: as check_shaped_layout; any layouts, dynamic extents and strides; volumes_differ,
/// zero_extent_is_not_matched, too_many_axes, dim_is_negative, dim_is_dynamic, size_overflows
constexpr verdict check_reshape_copy(const shaped_layout& s, const dims& to) { return try_reshape_copy(s, to).why; }

/// The reorder into row-major order, and the new shape on what it writes.
///
/// Pre:     check_reshape_copy(s, to).ok()
/// Post:    result.from == s; result.to.shape() == s.shape(); result.result == reshape(result.to, to), which begins at
///          0 without gaps: element number i of the shape, counted row-major, is at offset i
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds tensor-representation, 4.2
/// Example: reshape_copy(s, {2, 60}), then reorder(s, in, copy.to, out)
[[nodiscard]] constexpr reshaped_copy reshape_copy(const shaped_layout& s, const dims& to) {
    const expected<reshaped_copy> attempt = try_reshape_copy(s, to);
    require(attempt.why);
    return attempt.made;
}

/// Whether the shape can become `to`, but only in a copy.
///
/// Pre:     none
/// Post:    result == (!check_reshape(s, to).ok() && check_reshape_copy(s, to).ok())
/// Cost:    that of check_reshape and check_reshape_copy
/// Source:  seeds tensor-representation, 4.2
/// Example: examples/17_framework_bridge.cpp
[[nodiscard]] constexpr bool reshape_needs_copy(const shaped_layout& s, const dims& to) {
    return !check_reshape(s, to).ok() && check_reshape_copy(s, to).ok();
}

}  // namespace plait
