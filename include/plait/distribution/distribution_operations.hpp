#pragma once
// The algebra on distributions: an operation that says which index becomes which applies to both layouts alike.

#include <plait/algebra/view.hpp>
#include <plait/distribution/distribution.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Sets how many values the outermost digit of an axis has, and the padded extent that follows.
constexpr void set_outermost(layout& l, int axis, dim_t values) {
    l.digits[axis].extent = values;
    l.padded_dims[axis] = values * l.block_size(axis);
}
/// Returns the layout with the fewest digits, and without values of digits that no index of the tensor has. It has the
/// same place for each element, and as little padding as these digits allow.
///
/// Pre:     check_static_layout(l).ok(); no padding in front; l has elements
/// Example: 6 indices in parts of 2 over 4 ranks: 3 values choose a rank, and nothing is padded
constexpr layout without_unused_digits(const layout& l) {
    layout out = l;
    out.digits = {};
    digit_list inner;
    for (int a = 0; a < l.ndims(); ++a) {
        const digit_list digits = fewest_digits(l, a, l.dims[a]);
        out.digits.push_back(digits.empty() ? digit{a, 1, 1} : digits[0]);
        for (int k = 1; k < digits.size(); ++k) inner.push_back(digits[k]);
    }
    for (const digit& d : inner) out.digits.push_back(d);
    for (int a = 0; a < l.ndims(); ++a) set_outermost(out, a, out.digits[a].extent);
    return out;
}

/// Returns l with other dims that keep the row-major number of each element. The outermost axis of those that are
/// joined may be padded, because its padding follows all elements: it becomes that of the outermost axis of the result.
///
/// Refused: axis_is_padded (an axis that another one is joined with from outside); as view
/// Pre:     without padding in front; volume(to) == l.volume() > 0
constexpr expected<layout> view_with_padding(layout l, const dims& to) {
    dims padded = to;
    for (int i = 0, j = 0; i < l.ndims() || j < to.size();) {
        // Axes i to i_end of l have the elements of axes j to j_end of the result. Those of one index may be left.
        int i_end = i, j_end = j;
        dim_t from_volume = i < l.ndims() ? l.dims[i_end++] : 1, to_volume = j < to.size() ? to[j_end++] : 1;
        while (from_volume != to_volume) {
            if (from_volume < to_volume) from_volume *= l.dims[i_end++];
            else to_volume *= to[j_end++];
        }
        int first = i, outer = j;
        while (first + 1 < i_end && l.padded_dims[first] == 1) ++first;
        while (outer + 1 < j_end && to[outer] == 1) ++outer;
        for (int a = first + 1; a < i_end; ++a)
            if (l.padded_dims[a] != l.dims[a]) return verdict{reason::axis_is_padded, a, l.padded_dims[a], l.dims[a]};
        if (first < i_end && outer < j_end && l.padded_dims[first] != l.dims[first]) {
            const dim_t rest = from_volume / l.dims[first], inner = to_volume / to[outer],
                        unit = l.block_size(first) * rest, step = inner / greatest_common_divisor(unit, inner);
            if (l.digits[first].extent % step != 0)
                set_outermost(l, first, divide_up(divide_up(l.dims[first], l.block_size(first)), step) * step);
            l.dims[first] = l.padded_dims[first];
            if (multiply_overflows(l.padded_dims[first], rest, padded[outer]))
                return verdict{reason::size_overflows, first, l.padded_dims[first], rest};
            padded[outer] /= inner;
        }
        i = i_end;
        j = j_end;
    }
    expected<layout> out = view_rule::attempt(l, padded);
    if (out) out->dims = to;
    return out;
}

/// Applies a rule to one of the layouts of a distribution. If only the dims change, digits that choose a rank are
/// blocks, through which a reshape goes as `view` does.
template <class Rule, class... Arguments>
constexpr expected<layout> attempt_on_part(const layout& l, const layout& dense, bool keeps_numbers,
                                           const Arguments&... arguments) {
    if (!keeps_numbers) return Rule::attempt(l, arguments...);
    const expected<layout> plain = view_rule::attempt(l, dense.dims);
    if (plain || !has_elements(l.dims)) return plain;
    if (const expected<layout> padded = view_with_padding(l, dense.dims)) return padded;
    return view_with_padding(without_unused_digits(l), dense.dims);
}

/// Returns why an operation on `ranks` was refused although its arguments suit the dims: a part would cross the end of
/// a rank's indices.
///
/// Pre:     check_distribution(d).ok(), why is the refusal for d.ranks
constexpr verdict crossing_of(const distribution& d, const verdict& why) {
    distribution_digits digits;
    if (why.reason == reason::too_many_digits || why.reason == reason::size_overflows || !digits.find(d).ok())
        return why;
    // The axis of the refusal, or the first that is dealt to ranks.
    const auto is_dealt = [&](int axis) {
        for (const rank_digit& digit : digits.axes[axis].digits)
            if (digit.rank != 0) return true;
        return false;
    };
    int axis = why.axis >= 0 && why.axis < d.ndims() && is_dealt(why.axis) ? why.axis : 0;
    while (axis < d.ndims() && !is_dealt(axis)) ++axis;
    if (axis == d.ndims()) return why;
    dim_t run = 0;
    for (const rank_digit& digit : digits.axes[axis].digits)
        if (digit.rank != 0 && run == 0) run = digit.step;
    position at;
    for (int a = 0; a < d.ndims(); ++a) at.push_back(0);
    // If the last part is shorter, that is what cannot be said; otherwise the first end of a part.
    const dim_t extent = d.dims()[axis], rest = extent % run;
    const bool at_end = why.reason == reason::axis_is_padded || why.reason == reason::joined_axes_do_not_chain;
    if (at_end && rest != 0) {
        at[axis] = extent - 1;
        run = rest;
    }
    const dim_t cut = why.reason == reason::extents_do_not_divide ? why.second : 0;
    return {reason::part_crosses_ranks, axis, offset_inside(d.ranks, at), run, cut};
}
}  // namespace detail

/// Applies an operation that says which index becomes which to a distribution: to `ranks` and `local` alike. The mesh
/// and what is replicated stay. If only the dims change (reshape, split_axis, join_axes, flatten), the operation goes
/// through the digits that choose a rank as `view` goes through blocks. The last part of an axis may be shorter than
/// the others if it is the end of what is joined: 6 rows of 256 elements, 2 on each of 4 ranks, are flattened to blocks
/// of 512.
///
/// Refused: part_crosses_ranks (an axis of d that is dealt to ranks, a rank, how many indices in a row it has there, and
///          the extent that does not divide them, or 0); as check_distribution; as on layouts
/// Post:    if the result has at index q what d has at p, then result.rank_of(q) == d.rank_of(p) and
///          result.local.offset(q) == d.local.offset(p)
/// Cost:    the operation on both layouts, and check_distribution
template <class Rule, class... Arguments>
    requires(detail::moves_indices<Rule>&& detail::makes_layout_with<Rule, Arguments...>)
constexpr expected<distribution> attempt_on(const distribution& d, operation<Rule>, const Arguments&... arguments) {
    if (const verdict why = check_distribution(d); !why.ok()) return why;
    // What a dense layout refuses is wrong with the arguments.
    const layout plain = detail::identity_of(d.dims()).value();
    const expected<layout> dense = Rule::attempt(plain, arguments...);
    if (!dense) return dense.error();
    const bool keeps_numbers =
        dense->dims != d.dims() && dense->volume() == d.ranks.volume() && *dense == *detail::identity_of(dense->dims);
    const expected<layout> ranks = detail::attempt_on_part<Rule>(d.ranks, *dense, keeps_numbers, arguments...);
    if (!ranks) return detail::crossing_of(d, ranks.error());
    const expected<layout> local = detail::attempt_on_part<Rule>(d.local, *dense, keeps_numbers, arguments...);
    if (!local) return local.error();
    distribution out = d;
    out.ranks = *ranks;
    out.local = *local;
    return {out, check_distribution(out)};
}

}  // namespace plait
