#pragma once
// An operation of the algebra is an object with a rule. The rule computes the result for a layout. Each kind of operand
// (a constant, a descriptor, a view, ...) defines once, in its folder, how any operation applies to it.

#include <plait/algebra/operation_rules.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

template <class Rule>
struct operation;

namespace detail {
/// The types of an operation's arguments, without the operand.
template <class... Arguments>
struct argument_types {};

/// True if the results of an operation on this type are stored in an operand: NAME(out, in, ...).
template <class Operand>
inline constexpr bool is_stored_in_place = false;

enum class form { apply, attempt, check };

template <form Form, class Rule, class Lists>
struct form_object;
template <class Rule>
struct argument_lists;
template <form Form, class Rule>
using form_of = form_object<Form, Rule, typename argument_lists<Rule>::type>;

/// A kind of operand that an operation can be tried on: attempt_on(operand, operation, arguments...) is an expected.
template <class Operand, class Rule, class... Arguments>
concept tried_operand = requires(const Operand& x, const Arguments&... arguments) {
    attempt_on(x, operation<Rule>(), arguments...);
};
/// A kind of operand whose failures are compile errors, or thrown: apply_to(operand, operation, arguments...).
template <class Operand, class Rule, class... Arguments>
concept typed_operand = requires(const Operand& x, const Arguments&... arguments) {
    apply_to(x, operation<Rule>(), arguments...);
};
/// A kind of operand that takes arguments known only at run time, and is checked as another operand: a view as its
/// layout, ... Tested before typed_operand, because testing that compiles the body of apply_to.
template <class Operand>
concept checked_by_value = requires(const Operand& x) {
    value_of_operand(x);
};

/// Converts the result of an attempt to the result of a form of the operation.
template <form Form, class Attempt>
constexpr auto finish(Attempt&& attempt) {
    if constexpr (Form == form::check) return attempt.error();
    else if constexpr (Form == form::attempt) return std::forward<Attempt>(attempt);
    else {
        require(attempt.error());
        return *std::forward<Attempt>(attempt);
    }
}

/// Assigns the result of an attempt to out, which is unchanged if the attempt failed.
template <class Operand>
constexpr verdict store(Operand& out, const expected<Operand>& attempt) {
    if (attempt.has_value()) out = *attempt;
    return attempt.error();
}

/// A form of an operation for arguments of these types. The types are not deduced, so that an argument may be a braced
/// list or a constant.
template <form Form, class Rule, class Arguments>
struct form_with;
template <class Rule, class... Arguments>
struct form_with<form::check, Rule, argument_types<Arguments...>> {
    [[nodiscard]] constexpr verdict operator()(const layout& l, Arguments... arguments) const {
        return Rule::attempt(l, arguments...).error();
    }
    template <class Operand>
        requires(tried_operand<Operand, Rule, Arguments...>)
    [[nodiscard]] constexpr verdict operator()(const Operand& x, Arguments... arguments) const {
        return attempt_on(x, operation<Rule>(), arguments...).error();
    }
    template <class Operand>
        requires(checked_by_value<Operand> && !tried_operand<Operand, Rule, Arguments...>)
    [[nodiscard]] constexpr verdict operator()(const Operand& x, Arguments... arguments) const {
        return (*this)(value_of_operand(x), arguments...);
    }
};
template <class Rule, class... Arguments>
struct form_with<form::attempt, Rule, argument_types<Arguments...>> {
    [[nodiscard]] constexpr auto operator()(const layout& l, Arguments... arguments) const {
        return Rule::attempt(l, arguments...);
    }
    template <class Operand>
        requires(tried_operand<Operand, Rule, Arguments...>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, Arguments... arguments) const {
        return attempt_on(x, operation<Rule>(), arguments...);
    }
    template <class Operand>
        requires(checked_by_value<Operand>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, Arguments... arguments) const {
        using made = expected<decltype(apply_to(x, operation<Rule>(), arguments...))>;
        const verdict why = form_of<form::check, Rule>()(x, arguments...);
        return why.ok() ? made{apply_to(x, operation<Rule>(), arguments...), {}} : made{{}, why};
    }
};
template <class Rule, class... Arguments>
struct form_with<form::apply, Rule, argument_types<Arguments...>> {
    [[nodiscard]] constexpr auto operator()(const layout& l, Arguments... arguments) const {
        // Checked here, not in finish, so that an error in a constant expression is a line nearer to its cause.
        const auto attempt = Rule::attempt(l, arguments...);
        require(attempt.error());
        return *attempt;
    }
    template <class Operand>
        requires(tried_operand<Operand, Rule, Arguments...> && !typed_operand<Operand, Rule, Arguments...>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, Arguments... arguments) const {
        return finish<form::apply>(attempt_on(x, operation<Rule>(), arguments...));
    }
    template <class Operand>
        requires(checked_by_value<Operand>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, Arguments... arguments) const {
        return apply_to(x, operation<Rule>(), arguments...);
    }
    /// Stores the result in `out`, which is unchanged on failure, and may be `in`.
    template <class Operand>
        requires(is_stored_in_place<Operand>)
    constexpr verdict operator()(Operand& out, const Operand& in, Arguments... arguments) const noexcept {
        return store(out, attempt_on(in, operation<Rule>(), arguments...));
    }
};

template <form Form, class Rule, class List>
struct form_on : form_with<Form, Rule, List> {
    using form_with<Form, Rule, List>::operator();
};

template <class Rule>
inline constexpr bool takes_two_operands = false;
template <class Rule>
    requires requires { Rule::takes_two_operands; }
inline constexpr bool takes_two_operands<Rule> = Rule::takes_two_operands;

/// A form of an operation on two operands, which are layouts, or both of another kind.
template <form Form, class Rule, class... Arguments>
    requires(takes_two_operands<Rule>)
struct form_on<Form, Rule, argument_types<const layout&, Arguments...>>
    : form_with<Form, Rule, argument_types<const layout&, Arguments...>> {
    using form_with<Form, Rule, argument_types<const layout&, Arguments...>>::operator();
    template <class Operand>
        requires(tried_operand<Operand, Rule, Operand, Arguments...>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, const Operand& y, Arguments... arguments) const {
        return finish<Form>(attempt_on(x, operation<Rule>(), y, arguments...));
    }
    template <class Operand>
        requires(Form == form::apply && is_stored_in_place<Operand>)
    constexpr verdict operator()(Operand& out, const Operand& x, const Operand& y,
                                 Arguments... arguments) const noexcept {
        return store(out, attempt_on(x, operation<Rule>(), y, arguments...));
    }
};

/// A form of an operation as a function object: for each argument list of its rule, and for arguments that the kind of
/// operand distinguishes (constants, or one constant and one value).
template <form Form, class Rule, class... Lists>
struct form_object<Form, Rule, argument_types<Lists...>> : form_on<Form, Rule, Lists>... {
    using form_on<Form, Rule, Lists>::operator()...;
    template <class Operand, class... Arguments>
        requires(Form == form::apply && typed_operand<Operand, Rule, Arguments...>)
    [[nodiscard]] constexpr auto operator()(const Operand& x, const Arguments&... arguments) const {
        return apply_to(x, operation<Rule>(), arguments...);
    }
};

/// The argument lists of a rule: its member `arguments`, or those of its only function `attempt`.
template <class Result, class... Arguments>
argument_types<argument_types<Arguments...>> lists_of_attempt(Result (*)(const layout&, Arguments...));
template <class Rule>
struct argument_lists {
    using type = decltype(lists_of_attempt(&Rule::attempt));
};
template <class Rule>
    requires requires { typename Rule::arguments; }
struct argument_lists<Rule> {
    using type = typename Rule::arguments;
};

template <class Attempt>
struct result_of_attempt;
template <class Result, class... Arguments>
struct result_of_attempt<Result (*)(const layout&, Arguments...)> {
    using type = Result;
};
/// Satisfied if the results of a rule are layouts, as they are for all rules that define `arguments`.
template <class Rule>
concept makes_layout = requires {
    typename Rule::arguments;
}
|| std::same_as<typename result_of_attempt<decltype(&Rule::attempt)>::type, expected<layout>>;

/// A rule that makes a layout of a layout with these arguments.
template <class Rule, class... Arguments>
concept makes_layout_with = makes_layout<Rule> && requires(const layout& l, const Arguments&... arguments) {
    Rule::attempt(l, arguments...);
};

}  // namespace detail

/// The type of check_NAME, which returns the verdict of an operation.
template <class Rule>
using operation_check = detail::form_of<detail::form::check, Rule>;
/// The type of try_NAME, which returns the result of an operation as an expected.
template <class Rule>
using operation_attempt = detail::form_of<detail::form::attempt, Rule>;

/// An operation of the algebra, as an object: `inline constexpr operation<Rule> NAME;`.
///
/// The rule is a class with a static function attempt(layout, arguments...) that returns an expected. Optional members
/// replace defaults (algebra/operation_rules.hpp):
/// - `axes`: the axes that the result has, so that names and masks follow
/// - `sums`: what becomes of compensation
/// - `is_part`: true if the result may begin elsewhere
/// - `is_index_map`: false if the result is not the operand after a map of indices; records and distributions then do
///   not have the operation
/// - `commutes_with_bind`: true if a partly static layout stays partly static
///
/// Post:    NAME(x, arguments...) returns the result or fails; NAME.check(...) returns the verdict, NAME.attempt(...)
///          an expected; for every kind of operand, the operation is applied to its layout
/// Cost:    that of the rule
/// Example: examples/15_operations.cpp
template <class Rule>
struct operation : detail::form_of<detail::form::apply, Rule> {
    static_assert(detail::states_what_it_does<Rule>);
    static constexpr operation_check<Rule> check{};
    static constexpr operation_attempt<Rule> attempt{};
};

}  // namespace plait
