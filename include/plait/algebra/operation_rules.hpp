#pragma once
// What the rule of an operation may say besides what becomes of a layout.

#include <plait/core/axis_letters.hpp>
#include <plait/core/layout.hpp>

#include <utility>

namespace plait {

/// Says whether sums that lie behind the elements of a tensor, its compensation, are kept.
enum class sums_rule {
    refuse,  ///< a tensor that has sums is refused
    keep,    ///< each sum stays where it is; the masks follow the axes
    drop     ///< the result has none: it is a part of the tensor
};

/// Axis i of a result is axis axes[i] of the operand; empty where the result has other axes.
using axis_list = inline_list<int, max_ndims>;

/// The axes of a result that has the same ones.
constexpr axis_list all_axes(int ndims) {
    axis_list out;
    for (int a = 0; a < ndims; ++a) out.push_back(a);
    return out;
}
/// The axes of a result that has all but one.
constexpr axis_list all_axes_but(int ndims, int axis) {
    axis_list out;
    for (int a = 0; a < ndims; ++a)
        if (a != axis) out.push_back(a);
    return out;
}
/// The axes of a result whose axis i is axis order[i]; empty where that is no permutation.
constexpr axis_list axes_in_order(int ndims, const permutation& order) {
    axis_list out;
    if (!check_permutation(order, ndims).ok()) return out;
    for (const dim_t axis : order) out.push_back(static_cast<int>(axis));
    return out;
}

namespace detail {

/// The `sums` of Rule; if it has none, sums are refused.
template <class Rule>
inline constexpr sums_rule sums_of = sums_rule::refuse;
template <class Rule>
    requires requires { Rule::sums; }
inline constexpr sums_rule sums_of<Rule> = Rule::sums;

/// Whether the result may begin elsewhere than the operand: `is_part`. A view then moves its pointer.
template <class Rule>
inline constexpr bool makes_part = false;
template <class Rule>
    requires requires { Rule::is_part; }
inline constexpr bool makes_part<Rule> = Rule::is_part;

/// Whether bind(NAME(l, arguments...), values) == NAME(bind(l, values), arguments...), so that what a type says of a
/// partly static layout is true of the result for all values: `commutes_with_bind`.
template <class Rule>
inline constexpr bool is_true_for_all_values = false;
template <class Rule>
    requires requires { Rule::commutes_with_bind; }
inline constexpr bool is_true_for_all_values<Rule> = Rule::commutes_with_bind;

/// True. Names what a rule may say besides attempt, so that no compiler warns of a member that a program does not need.
template <class Rule>
inline constexpr bool says_what_it_may = requires {
    makes_part<Rule>;
    is_true_for_all_values<Rule>;
    sums_of<Rule>;
};

// Below, declval stands for the arguments: the front end of nvcc 13 stops with an internal error if a
// requires-expression in a function's body names the function's own parameter pack.

/// Which axis of the operand each axis of the result is; empty if Rule does not say it.
///
/// Pre:     Rule::attempt allows the arguments
template <class Rule, class... Arguments>
constexpr axis_list axes_after(int ndims, const Arguments&... arguments) {
    if constexpr (requires { Rule::axes(ndims, std::declval<const Arguments&>()...); })
        return Rule::axes(ndims, arguments...);
    else return {};
}

/// The names of the axes of a result; empty where an axis has none.
///
/// Post:    Rule::letters(have, arguments...) where Rule has that, else those of the axes that axes_after says
template <class Rule, class... Arguments>
constexpr letter_list letters_after(const letter_list& have, const Arguments&... arguments) {
    if constexpr (requires { Rule::letters(have, std::declval<const Arguments&>()...); })
        return Rule::letters(have, arguments...);
    letter_list out;
    for (const int axis : axes_after<Rule>(have.size(), arguments...)) out.push_back(have[axis]);
    return out;
}

/// Whether the names of the axes are those that the arguments say.
template <class Rule, class... Arguments>
constexpr verdict check_letters_before(const letter_list& have, const Arguments&... arguments) {
    if constexpr (requires { Rule::check_letters(have, std::declval<const Arguments&>()...); })
        return Rule::check_letters(have, arguments...);
    return {};
}

/// The operation on `now`, which is `open` with values for its dynamic extents: dynamic entries of the arguments stand
/// for these values, where Rule has attempt_open.
template <class Rule, class... Arguments>
constexpr expected<layout> attempt_bound(const layout& open, const layout& now, const Arguments&... arguments) {
    if constexpr (requires { Rule::attempt_open(open, now, std::declval<const Arguments&>()...); })
        return Rule::attempt_open(open, now, arguments...);
    else return Rule::attempt(now, arguments...);
}

}  // namespace detail
}  // namespace plait
