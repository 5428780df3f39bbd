#pragma once
// Offsets without a position: of blocks, of one index per axis, l.offset(1, 2, 3), and of row-major numbers,
// l.linear_offset(7).

#include <plait/core/layout_offset.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the offset of a block as layout::block_offset does, or why there is none.
constexpr expected<dim_t> find_block_offset(const layout& l, const position& at) {
    if (const verdict why = check_static(l); !why.ok()) return {0, why};
    if (at.size() > l.ndims()) return {0, {reason::rank_differs, -1, at.size(), l.ndims()}};
    checked_integer offset{l.offset0};
    for (int a = 0; a < at.size(); ++a) {
        const digit& outermost = l.digits[a];
        if (at[a] < 0 || at[a] >= outermost.extent)
            return {0, {reason::position_is_out_of_range, a, at[a], outermost.extent}};
        offset.add_product(at[a], outermost.stride);
        // Can overflow only if there are no elements; otherwise the offsets of the layout are bounded.
        if (!offset.ok()) return {0, {reason::size_overflows, a, at[a], outermost.stride}};
    }
    return {offset.value, {}};
}
}  // namespace detail

constexpr dim_t layout::block_offset(const position& at) const {
    const expected<dim_t> attempt = detail::find_block_offset(*this, at);
    require(attempt.error());
    return *attempt;
}

// The forms with one index per axis do their own checks, so that GCC's error is a line nearer to the wrong call.

template <std::integral... Index>
    requires(sizeof...(Index) > 0)
constexpr dim_t layout::offset(Index... index) const {
    const position at{static_cast<dim_t>(index)...};
    require(check_position(*this, dims, at));
    return detail::offset_inside(*this, at);
}
template <std::integral... Index>
    requires(sizeof...(Index) > 0)
constexpr dim_t layout::padded_offset(Index... index) const {
    const position at{static_cast<dim_t>(index)...};
    require(check_position(*this, padded_dims, at));
    return detail::wrapping_add(offset0, detail::evaluate_digits(*this, at));
}

template <std::integral... Index>
    requires(sizeof...(Index) > 0)
constexpr dim_t layout::block_offset(Index... index) const {
    const expected<dim_t> attempt = detail::find_block_offset(*this, position{static_cast<dim_t>(index)...});
    require(attempt.error());
    return *attempt;
}

namespace detail {
/// Sets `at` to the position with a row-major number, the last axis fastest. Fails with position_is_out_of_range.
constexpr verdict find_position(const dims& extents, dim_t number, position& at) {
    at = position();
    for (int a = 0; a < extents.size(); ++a) at.push_back(0);
    for (int a = extents.size() - 1; a >= 0; --a) {
        const dim_t extent = extents[a];
        if (extent <= 0) return {reason::position_is_out_of_range, a, 0, extent};
        if (a == 0 && number >= extent) return {reason::position_is_out_of_range, 0, number, extent};
        at[a] = number % extent;
        number /= extent;
    }
    if (number != 0) return {reason::position_is_out_of_range, 0, number, 0};
    return {};
}
}  // namespace detail

/// Returns the position with a row-major number, the last axis fastest.
///
/// Refused: position_is_out_of_range
/// Pre:     0 <= number < volume(extents)
/// Post:    l.linear_offset(number) == l.offset(result) for each layout l with these extents
/// Cost:    O(ndims) divisions
/// Source:  spec semantics 4
/// Example: unravel({2, 3}, 4) == position{1, 1}
constexpr position unravel(const dims& extents, dim_t number) {
    position at;
    require(detail::find_position(extents, number, at));
    return at;
}

constexpr dim_t layout::linear_offset(dim_t number) const {
    position at;
    require(detail::find_position(dims, number, at));
    require(check_position(*this, dims, at));
    return detail::offset_inside(*this, at);
}
constexpr dim_t layout::padded_linear_offset(dim_t number) const {
    position at;
    require(detail::find_position(padded_dims, number, at));
    require(check_position(*this, padded_dims, at));
    return detail::wrapping_add(offset0, detail::evaluate_digits(*this, at));
}

}  // namespace plait
