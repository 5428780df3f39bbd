#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/nearest_number.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout of the places that l leaves free among the first `size`, or why they are not a layout.
///
/// Pre:     check_static_layout(l).ok()
constexpr expected<layout> complement_of(const layout& l, dim_t size) {
    if (size == dynamic) return verdict{reason::dim_is_dynamic};
    if (size < 1) return verdict{reason::dim_is_negative, -1, size, 1};
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] == 0) return verdict{reason::index_is_outside_domain, a, 0, 0};
    const layout places = with_fewest_digits(l);
    for (int a = 0; a < l.ndims(); ++a) {
        // A view of a part of one block may leave places that no digit describes.
        const dim_t room = places.digits[a].extent * places.block_size(a);
        if (room != l.padded_dims[a]) return verdict{reason::axis_is_padded, a, room, l.padded_dims[a]};
    }
    digit_list inward;
    unsigned done = 0;
    dim_t reached = 1;
    for (int round = 0; round < places.digits.size(); ++round) {
        int next = -1;
        for (int k = 0; k < places.digits.size(); ++k)
            if ((done >> k & 1u) == 0 && places.digits[k].extent > 1 &&
                (next < 0 || step_size(places.digits[k].stride) < step_size(places.digits[next].stride)))
                next = k;
        if (next < 0) break;
        done |= 1u << next;
        digit d = places.digits[next];
        d.stride = step_size(d.stride);  // a reversed axis has the same places
        if (d.stride == 0) return verdict{reason::layout_is_not_injective, d.axis, d.extent, 0};
        if (d.stride % reached != 0)
            return {{},
                    {reason::extents_do_not_divide, d.axis, d.stride, reached, nearest_multiple(reached, d.stride)}};
        if (d.stride > reached) inward.push_back({0, d.stride / reached, reached});
        reached = d.stride * d.extent;
    }
    if (size % reached != 0)
        return verdict{reason::extents_do_not_divide, -1, size, reached, nearest_multiple(reached, size)};
    if (size > reached) inward.push_back({0, size / reached, reached});
    digit_list outward;
    for (int k = inward.size() - 1; k >= 0; --k) append_merged(outward, inward[k]);
    return {layout_of_one_axis(outward), {}};
}

/// The rule of complement.
struct complement_rule {
    static constexpr expected<layout> attempt(const layout& l, dim_t size) {
        if (const verdict why = check_static_layout(l); !why.ok()) return why;
        expected<layout> out = complement_of(l, size);
        verdict& why = out.error();
        if (why.reason == reason::extents_do_not_divide)
            why.third = why.axis < 0
                            ? nearest_accepted(size, why.third,
                                               [&](dim_t other) { return complement_of(l, other).has_value(); })
                            : nearest_number(
                                  l, why, [&](const layout& other) { return complement_of(other, size).has_value(); });
        return out;
    }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// The layout of the places that l leaves free among the first `size`. Together with l it has each offset below `size`
/// exactly once.
///
/// Refused: as check_static; layout_is_not_injective; axis_is_padded (a view of a part of one block, if no digit
///          describes the rest of it); dim_is_negative, dim_is_dynamic (size); index_is_outside_domain (no elements);
///          extents_do_not_divide: a stride of l, or `size`, is not a multiple of what is inside it; the third number
///          is the nearest that is
/// Pre:     check_complement(l, size).ok(); size in elements; the padding of l counts as taken
/// Post:    if span_begin() == 0: {offset(l, p) + offset(result, i)} is each of 0 .. size - 1 exactly once; the result
///          has one axis, with increasing offsets
/// Cost:    O(digits squared) steps
/// Source:  the complement of CuTe, proved or refused
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::complement_rule> complement;
/// Checks that complement is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::complement_rule> check_complement;
/// Returns the result of complement, or the verdict that refuses it.
inline constexpr operation_attempt<detail::complement_rule> try_complement;

}  // namespace plait
