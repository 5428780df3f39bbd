#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout with the axes of a, then those of b, with unchanged digits; or why there is none.
///
/// Pre:     both are blocked, and check_layout allows them
constexpr expected<layout> axes_of_both(const layout& a, const layout& b) {
    const int n = a.ndims(), ndims = n + b.ndims(), digits = a.digits.size() + b.digits.size();
    if (ndims > max_ndims) return verdict{reason::too_many_axes, -1, ndims, max_ndims};
    if (digits > max_digits) return verdict{reason::too_many_digits, -1, digits, max_digits};
    const checked_integer begin = checked_integer{a.offset0} + b.offset0;
    if (!begin.ok()) return verdict{reason::size_overflows, -1, a.offset0, 1};

    layout out;
    out.kind = format_kind::blocked;
    out.offset0 = begin.value;
    for (const layout* l : {&a, &b})
        for (int axis = 0; axis < l->ndims(); ++axis) {
            out.dims.push_back(l->dims[axis]);
            out.padded_dims.push_back(l->padded_dims[axis]);
            out.padded_offsets.push_back(l->padded_offsets[axis]);
        }
    const auto renumbered = [n](digit d) {
        d.axis += n;
        if (is_outside(d.stride)) d.stride = outside(axis_inside(d.stride) + n);
        return d;
    };
    for (int k = 0; k < a.ndims(); ++k) out.digits.push_back(a.digits[k]);
    for (int k = 0; k < b.ndims(); ++k) out.digits.push_back(renumbered(b.digits[k]));
    for (int k = a.ndims(); k < a.digits.size(); ++k) out.digits.push_back(a.digits[k]);
    for (int k = b.ndims(); k < b.digits.size(); ++k) out.digits.push_back(renumbered(b.digits[k]));
    sort_inner_digits(out);
    return {out, check_reach(out)};
}

/// Returns the layout with the axes of a, then those of b, or why there is none.
///
/// Pre:     that of axes_of_both
constexpr expected<layout> concatenation_of(const layout& a, const layout& b) {
    const expected<layout> out = axes_of_both(a, b);
    if (!out || check_nesting(*out).ok()) return out;
    if (!check_known(a).ok() || !check_known(b).ok()) return out;
    // In a part of one block, the digits have more values than there are indices. Without the excess they may nest.
    const expected<layout> fewer = axes_of_both(a.padded_volume() == 0 ? a : with_fewest_digits(a),
                                                b.padded_volume() == 0 ? b : with_fewest_digits(b));
    return fewer.has_value() && check_nesting(*fewer).ok() ? fewer : out;
}

/// The rule of concatenate.
struct concatenate_rule {
    static constexpr expected<layout> attempt(const layout& a, const layout& b) {
        for (const layout* l : {&a, &b})
            if (const verdict why = check_blocked_layout(*l); !why.ok()) return why;
        return concatenation_of(a, b);
    }
    static constexpr bool takes_two_operands = true;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// The layout with the axes of a, followed by those of b.
///
/// Refused: undefined, any and opaque layouts; too_many_axes, too_many_digits; size_overflows
/// Pre:     check_concatenate(a, b).ok()
/// Post:    offset(result, (p, q)) == offset(a, p) + offset(b, q)
/// Cost:    O(digits squared) steps
/// Source:  the concatenation of CuTe
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::concatenate_rule> concatenate;
/// Checks that concatenate is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::concatenate_rule> check_concatenate;
/// Returns the result of concatenate, or the verdict that refuses it.
inline constexpr operation_attempt<detail::concatenate_rule> try_concatenate;

}  // namespace plait
