#pragma once

#include <plait/algebra/complement.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns a divided by the tile b, or why that fails. The suggested number of a failure is not tested yet.
///
/// Pre:     numbers is linear_digits(a); check_static_layout(b).ok()
constexpr expected<layout> quotient_of(const layout& a, const digits_taken& numbers, const layout& b, composed_by how) {
    const expected<layout> rest = complement_of(b, a.volume());
    if (!rest) return rest;
    const expected<layout> both = concatenation_of(*rest, b);
    if (!both) return both;
    expected<layout> out = composition_of(a, numbers.digits, *both, how);
    // In `both`, the axes of b follow the axis that counts tiles.
    if (!out && out.error().axis >= 0) --out.error().axis;
    return out;
}

/// The rule of divide.
struct divide_rule {
    /// Returns a divided by the tile b, or why that fails.
    static constexpr expected<layout> attempt(const layout& a, const layout& b) {
        const digits_taken numbers = linear_digits(a);
        if (!numbers.why.ok()) return numbers.why;
        if (const verdict why = check_static_layout(b); !why.ok()) return why;
        expected<layout> out = quotient_of(a, numbers, b, composed_by::listed_offsets);
        if (out.error().reason != reason::extents_do_not_divide) return out;
        // A failure of the axis that counts tiles may still be about the only number that b or a has.
        verdict why = out.error();
        if (why.axis < 0 && b.ndims() == 1) why.axis = 0;
        out.error().third = nearest_number(b, why, [&](const layout& other) {
            return quotient_of(a, numbers, other, composed_by::digits).has_value();
        });
        if (out.error().axis >= 0 || a.ndims() != 1 || out.error().third != 0) return out;
        why.axis = 0;
        out.error().third = nearest_number(a, why, [&](const layout& other) {
            const digits_taken changed = linear_digits(other);
            return changed.why.ok() && quotient_of(other, changed, b, composed_by::digits).has_value();
        });
        return out;
    }
};
}  // namespace detail

/// The layout of the tiles b within a: first an axis that counts tiles, then the axes of b within a tile.
///
/// Refused: as check_complement(b, volume(a)), check_concatenate, check_compose; extents_do_not_divide has the two
///          numbers that do not divide, and the nearest number in place of the first that does, if the first is one of
///          b. The axis is that of b; -1 for the one that counts tiles
/// Pre:     check_divide(a, b).ok(); the offsets of b are row-major numbers of a
/// Post:    result == compose(a, concatenate(complement(b, volume(a)), b)): index 0 of the first axis has the offsets
///          of compose(a, b), and each element of a occurs exactly once
/// Cost:    O(digits squared) steps
/// Source:  the logical divide of CuTe, where the tile comes first, as the fastest mode; here proved or refused
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::divide_rule> divide;
/// Checks that divide is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::divide_rule> check_divide;
/// Returns the result of divide, or the verdict that refuses it.
inline constexpr operation_attempt<detail::divide_rule> try_divide;

}  // namespace plait
