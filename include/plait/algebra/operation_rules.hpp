#pragma once
// The optional members of a rule, in addition to `attempt`.

#include <plait/core/axis_letters.hpp>
#include <plait/core/layout.hpp>

#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The effect of an operation on compensation, the sums that are stored after the elements of a tensor.
enum class sums_rule {
    refuse,  ///< an operand with sums is refused
    keep,    ///< each sum stays where it is; the masks follow the axes
    drop     ///< the result has no sums, because it is a part of the tensor
};

/// The axes of a result: axis i is axis axes[i] of the operand. Empty if the result has other axes.
using axis_list = inline_list<int, max_ndims>;

/// Returns the axes of a result that has the axes of the operand.
constexpr axis_list all_axes(int ndims) {
    axis_list out;
    for (int a = 0; a < ndims; ++a) out.push_back(a);
    return out;
}
/// Returns the axes of a result that has all axes of the operand except one.
constexpr axis_list all_axes_but(int ndims, int axis) {
    axis_list out;
    for (int a = 0; a < ndims; ++a)
        if (a != axis) out.push_back(a);
    return out;
}
/// Returns the axes of a result whose axis i is axis order[i]; empty if that is not a permutation.
constexpr axis_list axes_in_order(int ndims, const permutation& order) {
    axis_list out;
    if (!check_permutation(order, ndims).ok()) return out;
    for (const dim_t axis : order) out.push_back(static_cast<int>(axis));
    return out;
}

namespace detail {

/// The `sums` of Rule; sums_rule::refuse if it has none.
template <class Rule>
inline constexpr sums_rule sums_of = sums_rule::refuse;
template <class Rule>
    requires requires { Rule::sums; }
inline constexpr sums_rule sums_of<Rule> = Rule::sums;

/// True if the result may begin elsewhere than the operand (`is_part`). A view then moves its pointer.
template <class Rule>
inline constexpr bool makes_part = false;
template <class Rule>
    requires requires { Rule::is_part; }
inline constexpr bool makes_part<Rule> = Rule::is_part;

/// True if bind(NAME(l, arguments...), values) == NAME(bind(l, values), arguments...) (`commutes_with_bind`), so that
/// the static type of a partly static result is right for all values.
template <class Rule>
inline constexpr bool is_true_for_all_values = false;
template <class Rule>
    requires requires { Rule::commutes_with_bind; }
inline constexpr bool is_true_for_all_values<Rule> = Rule::commutes_with_bind;

/// True if NAME(l, arguments...) has at each index what l has at the index that NAME of the identity says. Whatever has
/// places over an index space then has the operation too: records, distributions. A rule that makes other places, or
/// whose result depends on the places of l, says so (`is_index_map`).
template <class Rule>
inline constexpr bool moves_indices = !requires {
    Rule::takes_two_operands;
};
template <class Rule>
    requires requires { Rule::is_index_map; }
inline constexpr bool moves_indices<Rule> = Rule::is_index_map;

/// Always true. Names the optional members of a rule, so that no compiler warns that a program does not use one.
template <class Rule>
inline constexpr bool states_what_it_does = requires {
    makes_part<Rule>;
    moves_indices<Rule>;
    is_true_for_all_values<Rule>;
    sums_of<Rule>;
};

// Below, declval stands for the arguments, because the front end of nvcc 13 stops with an internal error if a
// requires-expression in a function's body names the function's own parameter pack.

/// Returns the axis of the operand for each axis of the result; empty if Rule does not define it.
///
/// Pre:     Rule::attempt allows the arguments
template <class Rule, class... Arguments>
constexpr axis_list axes_after(int ndims, const Arguments&... arguments) {
    if constexpr (requires { Rule::axes(ndims, std::declval<const Arguments&>()...); })
        return Rule::axes(ndims, arguments...);
    else return {};
}

/// Returns the names of the axes of a result; empty if an axis has none.
///
/// Post:    Rule::letters(have, arguments...) if Rule has that, else the names of the axes of axes_after
template <class Rule, class... Arguments>
constexpr letter_list letters_after(const letter_list& have, const Arguments&... arguments) {
    if constexpr (requires { Rule::letters(have, std::declval<const Arguments&>()...); })
        return Rule::letters(have, arguments...);
    letter_list out;
    for (const int axis : axes_after<Rule>(have.size(), arguments...)) out.push_back(have[axis]);
    return out;
}

/// Checks that the axes have the names that the arguments give.
template <class Rule, class... Arguments>
constexpr verdict check_letters_before(const letter_list& have, const Arguments&... arguments) {
    if constexpr (requires { Rule::check_letters(have, std::declval<const Arguments&>()...); })
        return Rule::check_letters(have, arguments...);
    return {};
}

/// Applies the operation to `now`, which is `open` with values for its dynamic extents. If Rule has attempt_open,
/// dynamic entries of the arguments stand for these values.
template <class Rule, class... Arguments>
constexpr expected<layout> attempt_bound(const layout& open, const layout& now, const Arguments&... arguments) {
    if constexpr (requires { Rule::attempt_open(open, now, std::declval<const Arguments&>()...); })
        return Rule::attempt_open(open, now, arguments...);
    else return Rule::attempt(now, arguments...);
}

}  // namespace detail
}  // namespace plait
