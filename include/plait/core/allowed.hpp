#pragma once
// How a failed check of a constant becomes one compile error, whose first lines have the reason, the axis and the
// numbers.

#include <plait/core/rejection.hpp>

#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Names in the error that Clang prints: rule_holds<&volumes_differ, no_axis, numbers<680, 681>>.
namespace rejected {
/// Stands in an error for the axis if the failed check is not about one axis.
struct no_axis {};
/// The axis that a failed check is about.
template <int Axis>
struct axis {};
/// The numbers that disagree. The third is present only if it is not 0; see verdict::third.
template <dim_t... Number>
struct numbers {};
/// The names of axes that disagree.
template <char... Letter>
struct letters {};
}  // namespace rejected

// Clang defines __cpp_static_assert this high before C++26 too, but then warns of a computed message.
#if defined(__cpp_static_assert) && __cpp_static_assert >= 202306L && __cplusplus > 202302L
namespace detail {
/// Fails to compile with the sentence as the error message.
template <verdict Why>
constexpr bool refuse_constant() {
    static_assert(Why.ok(), describe(Why));
    return false;
}
}  // namespace detail
#elif defined(__clang__)
namespace detail {
/// Always false. Clang prints the template arguments, which are the rule, the axis and the numbers.
template <const rejected::because* Rule, class Where, class Numbers>
inline constexpr bool rule_holds = false;

/// Fails to compile with an error that names Rule, Where and Numbers.
template <const rejected::because* Rule, class Where, class Numbers>
constexpr bool refuse_by_rule() {
    static_assert(rule_holds<Rule, Where, Numbers>);
    return false;
}
/// Returns true if the numbers of the reason are letters.
constexpr bool says_letters(reason which) {
    for (const char* c = entry_of(which).text; *c != 0; ++c)
        if (c[0] == '%' && (c[1] == 'b' || c[1] == 'c')) return true;
    return false;
}
/// Returns the numbers, or the letters, of a verdict as a type.
template <verdict Why>
constexpr auto numbers_of() {
    constexpr auto first = static_cast<char>(Why.first), second = static_cast<char>(Why.second);
    if constexpr (says_letters(Why.reason)) {
        if constexpr (first == 0) return rejected::letters<second>();
        else return rejected::letters<first, second>();
    } else {
        if constexpr (Why.third == 0) return rejected::numbers<Why.first, Why.second>();
        else return rejected::numbers<Why.first, Why.second, Why.third>();
    }
}
/// Fails to compile with an error that names the reason, the axis and the numbers, because Clang prints text as
/// numbers.
template <verdict Why>
constexpr bool refuse_constant() {
    using where = std::conditional_t < Why.axis<0, rejected::no_axis, rejected::axis<Why.axis> >;
    return refuse_by_rule<entry_of(Why.reason).reject.object, where, decltype(numbers_of<Why>())>();
}
}  // namespace detail
#else
namespace detail {
/// Fails to compile with an error that GCC begins with the sentence.
template <sentence Why>
constexpr bool refuse_because() {
    static_assert(Why.size() == 0, "plait refuses this; why is said where refuse_because is named first");
    return false;
}
/// Fails to compile with an error that begins with the sentence: it is a template argument, which GCC prints as text.
template <verdict Why>
constexpr bool refuse_constant() {
    return refuse_because<describe(Why)>();
}
}  // namespace detail
#endif

namespace detail {
/// Returns true if the verdict is ok; otherwise fails to compile with its reason.
template <verdict Why>
constexpr bool allow_or_refuse() {
    if constexpr (Why.ok()) return true;
    else return refuse_constant<Why>();
}
}  // namespace detail

/// True if a check allows an operation on constants. Otherwise naming it is a compile error, and the value is false, so
/// that the caller can continue with a placeholder and there is only one error.
///
/// Post:    allowed<why> == why.ok()
/// Example: layout_c<allowed<check_reshape(L, To)> ? reshape(L, To) : layout()>
template <verdict Why>
inline constexpr bool allowed = detail::allow_or_refuse<Why>();

}  // namespace plait
