#pragma once
// Reshape as in frameworks: changes the extents and keeps the elements in row-major order of the shape.

#include <plait/algebra/view.hpp>
#include <plait/bridge/shaped_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of an operation on a framework's shape. A framework's reshape splits and joins axes in any order and
/// through blocks, so reshape_rule maps to view_rule.
template <class Rule>
struct framework_rule : std::type_identity<Rule> {};
template <>
struct framework_rule<detail::reshape_rule> : std::type_identity<detail::view_rule> {};
}  // namespace detail

/// Applies an operation to a shaped layout by the axes of its shape; the map of the result is the identity.
///
/// The original library axes are lost, as in the framework: the result's axes are those of the new shape. If reshape
/// fails, reshape_needs_copy returns true if a reorder makes it possible.
///
/// Refused: as check_shaped_layout; as NAME(framework_layout(s), arguments...), with view in place of reshape
/// Post:    framework_layout(*result) == NAME(framework_layout(s), arguments...), with view in place of reshape;
///          result->map == identity_axis_map(result->ndims())
/// Cost:    the operation on layouts
/// Source:  seeds tensor-representation, 4.2
/// Example: shape {2, 3, 4, 5} in nChw8c can become {2, 12, 5} without a copy, but not {2, 60}
template <class Rule, class... Arguments>
    requires(detail::makes_layout_with<Rule, Arguments...>)
constexpr expected<shaped_layout> attempt_on(const shaped_layout& s, operation<Rule>, const Arguments&... arguments) {
    if (const verdict why = check_shaped_layout(s); !why.ok()) return why;
    const expected<layout> made = detail::framework_rule<Rule>::type::attempt(framework_layout(s), arguments...);
    if (!made) return made.error();
    return {shaped_layout(*made, identity_axis_map(made->ndims())), {}};
}

/// A reorder that changes the memory so that a shape can become another, if reshape cannot do so in place.
struct reshaped_copy {
    shaped_layout from;    ///< the tensor as it is
    shaped_layout to;      ///< the same shape, row-major: the destination of the reorder
    shaped_layout result;  ///< the new shape, in the memory of `to`
    constexpr bool operator==(const reshaped_copy&) const = default;
};

/// Returns reshape_copy(s, to), or the failure of check_reshape_copy.
[[nodiscard]] constexpr expected<reshaped_copy> try_reshape_copy(const shaped_layout& s, const dims& to) {
    if (const verdict why = check_shaped_layout(s); !why.ok()) return why;
    if (const verdict why = detail::check_static_layout(s.layout); !why.ok()) return why;
    const dims shape = s.shape();
    const expected<layout> plain = detail::identity_of(shape);
    if (!plain) return plain.error();
    const shaped_layout row_major(*plain, identity_axis_map(shape.size()));
    const expected<shaped_layout> result = try_reshape(row_major, to);
    return {{s, row_major, *result}, result.error()};
}

/// Checks that some copy of the tensor can be given the shape `to`.
///
/// Refused: as check_shaped_layout; any layouts, dynamic extents and strides; volumes_differ,
/// zero_extent_is_not_matched, too_many_axes, dim_is_negative, dim_is_dynamic, size_overflows
constexpr verdict check_reshape_copy(const shaped_layout& s, const dims& to) { return try_reshape_copy(s, to).error(); }

/// Returns the reorder into row-major order, and the new shape in the memory that it writes.
///
/// Pre:     check_reshape_copy(s, to).ok()
/// Post:    result.from == s; result.to.shape() == s.shape(); result.result == reshape(result.to, to), which begins at
///          offset 0 and has no gaps: element number i of the shape, row-major, has offset i
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds tensor-representation, 4.2
/// Example: reshape_copy(s, {2, 60}), then reorder(s, in, copy.to, out)
[[nodiscard]] constexpr reshaped_copy reshape_copy(const shaped_layout& s, const dims& to) {
    return try_reshape_copy(s, to).value();
}

/// True if the shape can become `to`, but only in a copy.
///
/// Pre:     none
/// Post:    result == (!check_reshape(s, to).ok() && check_reshape_copy(s, to).ok())
/// Cost:    check_reshape and check_reshape_copy
/// Source:  seeds tensor-representation, 4.2
/// Example: examples/integrations/framework_bridge.cpp
[[nodiscard]] constexpr bool reshape_needs_copy(const shaped_layout& s, const dims& to) {
    return !check_reshape(s, to).ok() && check_reshape_copy(s, to).ok();
}

}  // namespace plait
