#pragma once
// The algebra on types: applies any operation to layouts in types, and returns types. The layout may be complete (a
// constant), lack some extents (bound), or have names for its axes. A failed operation is a compile error.

#include <plait/algebra/extended_reshape.hpp>
#include <plait/typed/named_layout.hpp>
#include <plait/typed/on_bound.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

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
