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
/// The first letters of the name of a field, and further numbers.
template <char... Letter>
struct name;
template <class Name, class Numbers>
struct named {};
/// The things that rank_differs compares.
template <class Thing, class Other>
struct axes_of {};
}  // namespace rejected

#if defined(__clang__)
/// Names of what rank_differs compares, one for each enumerator of detail::counted.
namespace rejected::the {
struct unknown;
struct format_tag;
struct extents;
struct strides;
struct index;
struct permutation;
struct names;
struct layout;
struct source;
struct destination;
struct part;
struct part_offset;
struct parent;
struct first;
struct second;
struct tensor;
struct groups;
struct values;
struct pattern;
struct blocks;
struct mesh;
struct ranks;
struct local;
struct record;
struct record_tag;
struct field;
struct field_blocks;
struct bound;
struct open;
struct placements;
struct devices;
struct tiles;
struct tiled;
struct notation;
struct library;
struct framework;
}  // namespace rejected::the
#endif

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
/// Returns true if the sentence of the reason has one of two placeholders.
constexpr bool says(reason which, char one, char other) {
    for (const char* c = entry_of(which).text; *c != 0; ++c)
        if (c[0] == '%' && (c[1] == one || c[1] == other)) return true;
    return false;
}
/// The name of a field as a type, from its letters as detail::short_name packs them.
template <dim_t Packed, char... Letter>
constexpr auto unpacked_name() {
    if constexpr (Packed == 0) return static_cast<rejected::name<Letter...>*>(nullptr);
    else if constexpr (constexpr auto last = static_cast<char>(Packed & 127); last == 0)
        return unpacked_name<(Packed >> 7), Letter...>();
    else return unpacked_name<(Packed >> 7), last, Letter...>();
}
template <dim_t Packed>
using name_of = std::remove_pointer_t<decltype(unpacked_name<Packed>())>;

/// The type at a place of a list.
template <int Place, class First, class... Rest>
struct type_at : type_at<Place - 1, Rest...> {};
template <class First, class... Rest>
struct type_at<0, First, Rest...> {
    using type = First;
};
/// The type that stands in errors for a thing that rank_differs compares; in the order of `counted`.
template <counted Thing>
using type_of_counted =
    typename type_at<static_cast<int>(Thing), rejected::the::unknown, rejected::the::format_tag, rejected::the::extents,
                     rejected::the::strides, rejected::the::index, rejected::the::permutation, rejected::the::names,
                     rejected::the::layout, rejected::the::source, rejected::the::destination, rejected::the::part,
                     rejected::the::part_offset, rejected::the::parent, rejected::the::first, rejected::the::second,
                     rejected::the::tensor, rejected::the::groups, rejected::the::values, rejected::the::pattern,
                     rejected::the::blocks, rejected::the::mesh, rejected::the::ranks, rejected::the::local,
                     rejected::the::record, rejected::the::record_tag, rejected::the::field,
                     rejected::the::field_blocks, rejected::the::bound, rejected::the::open, rejected::the::placements,
                     rejected::the::devices, rejected::the::tiles, rejected::the::tiled, rejected::the::notation,
                     rejected::the::library, rejected::the::framework>::type;
/// Returns the numbers, or the letters, of a verdict as a type.
template <verdict Why>
constexpr auto numbers_of() {
    constexpr auto first = static_cast<char>(Why.first), second = static_cast<char>(Why.second);
    if constexpr (says(Why.reason, 'n', 'n')) {
        using second = std::conditional_t<says(Why.reason, 'm', 'm'), name_of<Why.second>,
                                          rejected::numbers<Why.second, Why.third> >;
        return rejected::named<name_of<Why.first>, second>();
    } else if constexpr (says(Why.reason, 'b', 'c')) {
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
    using of_one = std::conditional_t < Why.axis<0, rejected::no_axis, rejected::axis<Why.axis> >;
    using of_things = rejected::axes_of<type_of_counted<first_counted(Why)>, type_of_counted<second_counted(Why)> >;
    using where = std::conditional_t<Why.counted == 0, of_one, of_things>;
    return refuse_by_rule<entry_of(Why.reason).object, where, decltype(numbers_of<Why>())>();
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
