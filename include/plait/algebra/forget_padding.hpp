#pragma once

#include <plait/algebra/listed_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/submemory.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Drops the padding of an axis. If the elements do not fill its digits, it becomes a part of one block. Returns false
/// if the padding in front of the elements cannot be dropped, because they would need other digits, or if one more
/// digit does not fit.
///
/// Pre:     check_static_layout(l).ok(), l has elements
/// Post:    offset(l, p) is unchanged for every position p
constexpr bool drop_padding(layout& l, int axis) {
    const dim_t extent = l.dims[axis];
    if (l.padded_dims[axis] == extent) return true;
    const dim_t first = l.padded_offsets[axis];
    digit_list digits = fewest_digits(l, axis, extent);
    if (!find_begin(l, axis, first, extent).found) {
        // The elements begin inside of a digit that they leave.
        if (extent > listed_indices) return false;
        const dim_t begin = evaluate_digits(l, begin_along(l, axis, first));
        digits = list_digits(axis, extent, [&](dim_t j) {
                     return evaluate_digits(l, begin_along(l, axis, first + j)) - begin;
                 }).digits;
        if (volume_of(digits) != extent) return false;
    } else if (volume_of(digits) != extent) {
        if (digits.full()) return false;
        digit_list part;
        part.push_back({axis, 1, l.digits[axis].stride});
        for (const digit& d : digits) part.push_back(d);
        digits = part;
    }
    const int before = digits_of_axis(l, axis).size();
    if (l.digits.size() - before + digits.size() > max_digits) return false;
    l.offset0 += evaluate_digits(l, begin_along(l, axis, first));
    l.padded_dims[axis] = extent;
    l.padded_offsets[axis] = 0;
    replace_digits(l, axis, digits);
    return true;
}

/// The rule of forget_padding.
struct forget_padding_rule {
    /// Returns l without padding, or why that fails.
    static constexpr expected<layout> attempt(const layout& l) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        for (int a = 0; a < l.ndims(); ++a)
            if (l.dims[a] == dynamic && l.block_size(a) > 1) return verdict{reason::dim_is_dynamic, a};
        if (l.padded_dims == l.dims) return {l, {}};
        if (const verdict why = check_static_layout(l); !why.ok()) return why;
        layout out = l;
        if (!has_elements(l.dims)) {
            out = *identity_of(l.dims);
            out.offset0 = l.offset0;
            return {out, {}};
        }
        for (int a = 0; a < l.ndims(); ++a)
            if (!drop_padding(out, a)) return verdict{reason::axis_is_padded, a, l.padded_dims[a], l.dims[a]};
        return {out, check_reach(out)};
    }
    static constexpr axis_list axes(int ndims) { return all_axes(ndims); }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// Returns l without padding. Each element keeps its place; the places of the padding no longer belong to the tensor.
///
/// A formerly padded axis can then be split, joined and repeated like any other, if its elements are whole digits. The
/// padding is lost: a reorder into the result writes no zeros there, so it must not be passed to a kernel that reads
/// whole blocks.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic (of a padded layout, and of a dynamic
///          extent in blocks); axis_is_padded (padding in front of elements that begin in the middle of a digit, unless
///          the offsets of at most 1024 of them are those of a layout)
/// Pre:     check_forget_padding(l).ok()
/// Post:    offset(result, p) == offset(l, p) for every position p; result.padded_dims == result.dims == l.dims
/// Cost:    O(ndims times digits squared) steps
/// Source:  einops on NumPy's strided views, which have no padding
/// Example: view(forget_padding(layout({3, 4}, "Ab4a")), {12}): each row of 4 places has 3 elements
inline constexpr operation<detail::forget_padding_rule> forget_padding;
/// Checks that forget_padding is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::forget_padding_rule> check_forget_padding;
/// Returns the result of forget_padding, or the verdict that refuses it.
inline constexpr operation_attempt<detail::forget_padding_rule> try_forget_padding;

}  // namespace plait
