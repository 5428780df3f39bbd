#pragma once
// The algebra on types: applies any operation to layouts in types, and returns types. The layout may be complete (a
// constant), lack some extents (bound), or have names for its axes. A failed operation is a compile error.

#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/open_extents.hpp>
#include <plait/typed/bound_layout.hpp>
#include <plait/typed/named_layout.hpp>

#include <bit>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
// Operations on partly static layouts: what holds for all values of the open extents stays in the type, and what
// depends on their values is computed at run time.

/// Checks if a failure may disappear once the extents have values; all other failures hold for every value.
constexpr bool waits_for_values(const verdict& why) {
    return why.reason == reason::dim_is_dynamic || why.reason == reason::stride_is_dynamic ||
           why.reason == reason::parent_is_dynamic;
}

/// Returns the number of strides of l that stay unknown even if all its extents are known.
constexpr int lost_strides(const layout& l) {
    int count = 0;
    for (const digit& d : l.digits) count += d.stride == dynamic;
    return count;
}

/// Returns l with the open extents in `axes`, one bit per axis, set to 1.
constexpr layout with_ones(const layout& l, unsigned axes) {
    dims values;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) values.push_back((axes >> a & 1u) != 0 ? 1 : dynamic);
    const expected<layout> bound = detail::bind_rule::attempt(l, values);
    return bound.has_value() ? *bound : l;
}

/// Checks that the operation fails for all values of the open extents.
///
/// Axes of one element can be added and removed freely, so an operation that fails for two or more elements may succeed
/// if one axis has extent 1, or if all have.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool is_refused_for_good(Attempt attempt, const verdict& why, const Layouts&... open) {
    if (why.ok() || waits_for_values(why)) return false;
    for (int axis = 0; axis <= max_ndims; ++axis) {
        const unsigned ones = axis < max_ndims ? 1u << axis : ~0u;
        if (const verdict one = attempt(with_ones(open, ones)...).error(); one.ok() || waits_for_values(one))
            return false;
    }
    return true;
}

/// Returns the axes of l with open extents, one bit per axis.
constexpr unsigned open_axes(const layout& l) {
    unsigned axes = 0;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == dynamic) axes |= 1u << a;
    return axes;
}

/// True if an axis of l with blocks has extent 1, or may have: a padded axis cannot be added or removed freely.
constexpr bool may_pad_one_element(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if ((l.dims[a] == dynamic || l.dims[a] == 1) && l.block_size(a) > 1) return true;
    return false;
}

/// Checks that `made`, the result of the operation on `open`, describes its results for all values of the extents.
///
/// False if strides are lost, or if a padded axis of one element would be placed elsewhere.
template <class Attempt, std::same_as<layout>... Layouts>
constexpr bool says_all(Attempt attempt, const layout& made, const Layouts&... open) {
    if (lost_strides(made) > (lost_strides(open) + ...)) return false;
    if (!(may_pad_one_element(open) || ...)) return true;
    const unsigned axes = (open_axes(open) | ...);
    if (std::popcount(axes) > 4) return false;  // too many cases to try
    for (unsigned ones = axes; ones != 0; ones = (ones - 1) & axes) {
        const expected<layout> one = attempt(with_ones(open, ones)...);
        if (!one) return false;
        const expected<layout> bound = detail::bind_rule::attempt(made, values_of(made.dims, one->dims));
        if (!bound || *bound != *one) return false;
    }
    return true;
}

/// Applies an operation to bound layouts, given how it transforms plain layouts.
///
/// The result depends on what is known at compile time:
/// - if the operation succeeds and its result holds for all values of the extents: a bound_layout
/// - if the operation fails for all values: a compile-time error
/// - otherwise: a plain layout, checked at run time
///
/// Pre:     Attempt is a lambda without captures, which the compiler also calls, that takes one layout per operand and
///          returns an expected<layout>
/// Post:    static_cast<layout>(result) == *attempt(static_cast<layout>(operands)...); the same failures at run time
/// Cost:    the operation on values, at run time, and one bind()
/// Source:  spec semantics 5: view and bind commute, also where a dynamic extent becomes 1
/// Example: examples/07_partly_static.cpp
template <class Attempt, class... Operands>
constexpr auto on_bound(Attempt, const Operands&... operands) {
    constexpr expected<layout> open = Attempt{}(known_layout<Operands>...);
    if constexpr (is_refused_for_good(Attempt{}, open.error(), known_layout<Operands>...)) {
        static_cast<void>(allowed<open.error()>);  // the only error, with the reason
        return layout();
    } else {
        const expected<layout> attempt = Attempt{}(static_cast<layout>(operands)...);
        require(attempt.error());
        if constexpr (!open) return *attempt;
        else if constexpr (says_all(Attempt{}, *open, known_layout<Operands>...))
            return bound_layout<*open>(values_of(open->dims, attempt->dims));
        else return *attempt;
    }
}
}  // namespace detail

/// The flags of extended_reshape as a type.
template <reshape_flags Flags>
inline constexpr std::integral_constant<reshape_flags, Flags> reshape_flags_c{};

namespace detail {
/// The argument list of a rule that has `Count` arguments; void if the rule has no such list.
template <class Lists, std::size_t Count>
struct list_of_count {
    using type = void;
};
template <class List, class... Lists, std::size_t Count>
struct list_of_count<argument_types<List, Lists...>, Count> : list_of_count<argument_types<Lists...>, Count> {};
template <class... Arguments, class... Lists, std::size_t Count>
    requires(sizeof...(Arguments) == Count)
struct list_of_count<argument_types<argument_types<Arguments...>, Lists...>, Count> {
    using type = argument_types<Arguments...>;
};
template <class Rule, std::size_t Count>
using arguments_of = typename list_of_count<typename argument_lists<Rule>::type, Count>::type;

/// True if constants of these types can be the arguments. Tests the call of a function pointer instead of the rule,
/// because the test is frequent and should compile nothing else.
template <class List, class... Constants>
inline constexpr bool takes = false;
template <class... Arguments, class... Constants>
inline constexpr bool takes<argument_types<Arguments...>, Constants...> = requires(void (*call)(Arguments...),
                                                                                   const Constants&... constants) {
    call(constants...);
};

/// The value of a constant, as an argument of this type; the compiler rejects one that does not fit.
template <class Argument, class Constant>
inline constexpr std::remove_cvref_t<Argument> argument_of{Constant::value};

/// Calls the functions of a rule with arguments taken from constants.
template <class Rule, class List, class... Constants>
struct constant_arguments;
template <class Rule, class... Arguments, class... Constants>
struct constant_arguments<Rule, argument_types<Arguments...>, Constants...> {
    static constexpr expected<layout> attempt(const layout& l) {
        return Rule::attempt(l, argument_of<Arguments, Constants>...);
    }
    static constexpr expected<layout> attempt_bound(const layout& open, const layout& now) {
        return detail::attempt_bound<Rule>(open, now, argument_of<Arguments, Constants>...);
    }
    static constexpr verdict check_letters(const letter_list& have) {
        return check_letters_before<Rule>(have, argument_of<Arguments, Constants>...);
    }
    static constexpr axis_list axes(int ndims) { return axes_after<Rule>(ndims, argument_of<Arguments, Constants>...); }
    static constexpr letter_list letters(const letter_list& have) {
        return letters_after<Rule>(have, argument_of<Arguments, Constants>...);
    }
};
template <class Rule, class... Constants>
using constants_for = constant_arguments<Rule, arguments_of<Rule, sizeof...(Constants)>, Constants...>;

/// A type that holds a value: dims_constant, std::integral_constant, layout_constant, ...
template <class T>
concept constant = std::is_empty_v<T> && requires {
    std::bool_constant<(static_cast<void>(T::value), true)>();
};
/// Arguments that are all constants, for a rule that accepts them and returns a layout.
template <class Rule, class... Arguments>
concept constants_of =
    (constant<Arguments> && ...) && takes<arguments_of<Rule, sizeof...(Arguments)>, Arguments...>&& makes_layout<Rule>;

}  // namespace detail

/// Applies an operation to a constant: returns a constant, or is one compile error with the reason, axis and numbers.
template <layout L, class Rule, class... Constants>
    requires(detail::constants_of<Rule, Constants...>)
constexpr auto apply_to(const layout_constant<L>&, operation<Rule>, const Constants&...) {
    constexpr expected<layout> attempt = detail::constants_for<Rule, Constants...>::attempt(L);
    return layout_c<(allowed<attempt.error()> ? *attempt : L)>;
}

/// Applies an operation to a bound layout. A rule that does not commute with bind gets the layout as a run-time value.
template <layout L, class Rule, class... Constants>
    requires(detail::constants_of<Rule, Constants...>&& detail::is_true_for_all_values<Rule> &&
             !detail::takes_two_operands<Rule>)
constexpr auto apply_to(const bound_layout<L>& l, operation<Rule>, const Constants&...) {
    return detail::on_bound(
        [](const layout& x) { return detail::constants_for<Rule, Constants...>::attempt_bound(L, x); }, l);
}

/// Applies an operation to a layout with axis names; the result has names if the rule defines how they change.
template <class L, char... Letters, class Rule, class... Constants>
    requires(detail::constants_of<Rule, Constants...>)
constexpr auto apply_to(const named_layout<L, Letters...>& l, operation<Rule> operation,
                        const Constants&... constants) {
    using arguments = detail::constants_for<Rule, Constants...>;
    constexpr detail::letter_list have = detail::axis_letters<Letters...>::list();
    if constexpr (!allowed<arguments::check_letters(have)>) return l;
    else if constexpr (!arguments::attempt_bound(detail::known_layout<L>, detail::known_layout<L>))
        return operation(detail::without_names(l), constants...);  // fails, or returns a run-time value
    else return detail::with_letters<arguments::letters(have)>(operation(detail::without_names(l), constants...));
}
/// Applies an operation that checks the names of the axes, either as a check or with arguments known only at run time;
/// the result has no names.
template <class L, char... Letters, class Rule, class... Arguments>
    requires(requires(const detail::letter_list& have, const Arguments&... arguments) {
        Rule::check_letters(have, arguments...);
    })
constexpr auto attempt_on(const named_layout<L, Letters...>& l, operation<Rule>, const Arguments&... arguments)
    -> decltype(Rule::attempt(layout(), arguments...)) {
    const verdict why = detail::check_letters_before<Rule>(detail::axis_letters<Letters...>::list(), arguments...);
    if (!why.ok()) return why;
    return Rule::attempt(static_cast<layout>(l), arguments...);
}

/// Applies an operation to two partly static layouts, one of which may be a constant.
template <detail::known_layout_type A, detail::known_layout_type B, class Rule>
    requires((detail::bound_layout_type<A> ||
              detail::bound_layout_type<B>)&&detail::takes_two_operands<Rule>&& detail::is_true_for_all_values<Rule>)
constexpr auto apply_to(const A& a, operation<Rule>, const B& b) {
    return detail::on_bound([](const layout& x, const layout& y) { return Rule::attempt(x, y); }, a, b);
}

}  // namespace plait
