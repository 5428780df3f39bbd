#pragma once
// The algebra on distributions: an operation that says which index becomes which applies to both layouts alike.

#include <plait/algebra/flatten.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/distribution/distribution.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True for rules that keep the row-major number of each element, and only change the dims.
template <class Rule>
inline constexpr bool keeps_numbers =
    std::same_as<Rule, reshape_rule> || std::same_as<Rule, view_rule> || std::same_as<Rule, split_axis_rule> ||
    std::same_as<Rule, join_axes_rule> || std::same_as<Rule, flatten_rule>;
/// True for rules whose result has, at each index, the element that the operand has at an index that depends on the
/// arguments and the dims alone. Others change offsets, which mean something else in each layout of a distribution.
template <class Rule>
inline constexpr bool moves_indices =
    keeps_numbers<Rule> || std::same_as<Rule, permute_axes_rule> || std::same_as<Rule, rename_axes_rule> ||
    std::same_as<Rule, slice_rule> || std::same_as<Rule, submemory_rule>;

/// Applies a rule to one of the layouts of a distribution. Digits that choose a rank are blocks, through which a
/// reshape goes as `view` does.
template <class Rule, class... Arguments>
constexpr expected<layout> attempt_on_part(const layout& l, const layout& dense, const Arguments&... arguments) {
    if constexpr (keeps_numbers<Rule>) return view_rule::attempt(l, dense.dims);
    else return Rule::attempt(l, arguments...);
}

/// Returns why an operation on `ranks` was refused although its arguments suit the dims: a part would cross the end of
/// a rank's indices.
///
/// Pre:     check_distribution(d).ok(), why is the refusal for d.ranks
constexpr verdict crossing_of(const distribution& d, const verdict& why) {
    distribution_digits digits;
    if (!digits.find(d).ok()) return why;
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

/// Applies an operation to a distribution: to `ranks` and `local` alike. The mesh and what is replicated stay. Rules
/// that say which index becomes which are allowed: permute_axes, rename_axes, slice, submemory; and reshape,
/// split_axis, join_axes and flatten, which go through the digits that choose a rank as `view` goes through blocks.
///
/// Refused: part_crosses_ranks (an axis of d that is dealt to ranks, a rank, how many indices in a row it has there, and
///          the extent that does not divide them, or 0); as check_distribution; as on layouts
/// Post:    if the result has at index q what d has at p, then result.rank_of(q) == d.rank_of(p) and
///          result.local.offset(q) == d.local.offset(p)
/// Cost:    the operation on both layouts, and check_distribution
template <class Rule, class... Arguments>
    requires(detail::moves_indices<Rule>&& requires(const layout& l, const Arguments&... arguments) {
        Rule::attempt(l, arguments...);
    })
constexpr expected<distribution> attempt_on(const distribution& d, operation<Rule>, const Arguments&... arguments) {
    if (const verdict why = check_distribution(d); !why.ok()) return why;
    // What a dense layout refuses is wrong with the arguments.
    const layout plain(d.dims(), detail::plain_tag(d.ndims()));
    const expected<layout> dense = Rule::attempt(plain, arguments...);
    if (!dense) return dense.error();
    const expected<layout> ranks = detail::attempt_on_part<Rule>(d.ranks, *dense, arguments...);
    if (!ranks) return detail::crossing_of(d, ranks.error());
    const expected<layout> local = detail::attempt_on_part<Rule>(d.local, *dense, arguments...);
    if (!local) return local.error();
    distribution out = d;
    out.ranks = *ranks;
    out.local = *local;
    return {out, check_distribution(out)};
}

}  // namespace plait
