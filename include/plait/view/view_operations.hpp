#pragma once
// The algebra on views: each operation applies to the layout, and the data does not move. With constants
// (permutation_c, dims_c, 1_c) the static parts of the layout stay static in the view; with values the result has a
// run-time layout. Failures are those of the operation on the layout, at compile time if the types tell, otherwise at
// run time.

#include <plait/typed/operations.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout of a view as an operand: a constant, a bound layout, or a value; with its axis names.
template <class T, class L>
constexpr decltype(auto) operand_of(const tensor_view<T, L>& v) {
    return v.layout();
}

/// Returns a view of the same elements with another layout.
template <class T, class L, class M>
constexpr auto with_layout(const tensor_view<T, L>& v, const M& l) {
    return tensor_view<T, M>(unchecked_t{}, v.data(), l);
}

/// Returns l with offset0 such that its lowest place is 0. Returns l unchanged if it has no elements, or if its lowest
/// place depends on dynamic extents.
constexpr layout from_its_beginning(layout l) {
    if (!has_elements(l.padded_dims)) return l;
    const bool backwards = runs_backwards(l);
    for (int k = 0; backwards && k < l.digits.size(); ++k)
        if (l.digits[k].extent == dynamic && l.digits[k].stride < 0 && is_known(l.digits[k].stride)) return l;
    l.offset0 = backwards ? reach_in_front(known_part(l)) : 0;
    return l;
}

/// Returns a view of a part of v; the offset at which the part begins is added to the pointer.
template <class T, class L>
constexpr tensor_view<T, layout> with_part(const tensor_view<T, L>& v, const layout& part) {
    const layout moved = from_its_beginning(part);
    return {unchecked_t{}, v.data() + (part.offset0 - moved.offset0), moved};
}
template <class T, class L, layout_type Part>
constexpr auto with_part(const tensor_view<T, L>& v, const Part&) {
    constexpr layout moved = from_its_beginning(Part::value);
    const auto named = with_letters<axis_letters_of<Part>::list()>(layout_constant<moved>());
    return tensor_view(unchecked_t{}, v.data() + (Part::value.offset0 - moved.offset0), named);
}
template <class T, class L, bound_layout_type Part>
constexpr auto with_part(const tensor_view<T, L>& v, const Part& part) {
    constexpr layout moved = from_its_beginning(Part::partly_static);
    const layout now = part;
    // If an extent is bound to 0, the part has no elements, so the pointer does not move.
    const dim_t begin = has_elements(now.padded_dims) ? Part::partly_static.offset0 - moved.offset0 : 0;
    const bound_layout<moved> bound(values_of(Part::partly_static.dims, now.dims));
    return tensor_view(unchecked_t{}, v.data() + begin, with_letters<axis_letters_of<Part>::list()>(bound));
}
}  // namespace detail

/// Applies an operation to a view: returns a view of the same elements with the resulting layout. For a part of a
/// tensor the pointer moves to the beginning of the part, so that equal parts at different places have equal layouts.
///
/// Post:    result.data() and result.plain_layout() address the elements of NAME(v.plain_layout(), arguments...)
template <class T, class L, class Rule, class... Arguments>
    requires(detail::makes_layout<Rule>&& requires(const layout& l, const Arguments&... arguments) {
        operation<Rule>()(l, arguments...);
    })
constexpr auto apply_to(const tensor_view<T, L>& v, operation<Rule> operation, const Arguments&... arguments) {
    const auto with_result = [&](const auto& made) {
        if constexpr (detail::makes_part<Rule>) return detail::with_part(v, made);
        else return detail::with_layout(v, made);
    };
    if constexpr (detail::typed_operand<std::remove_cvref_t<decltype(detail::operand_of(v))>, Rule, Arguments...>) {
        return with_result(operation(detail::operand_of(v), arguments...));
    } else {
        require(detail::check_letters_before<Rule>(detail::axis_letters_of<L>::list(), arguments...));
        return with_result(operation(v.plain_layout(), arguments...));
    }
}
/// Returns the layout that the checks of operations on views use.
template <class T, class L>
constexpr layout value_of_operand(const tensor_view<T, L>& v) {
    return v.plain_layout();
}

/// Returns a view whose axes have the given names; fails with rank_differs.
template <detail::letter_list Letters, class T, class L>
[[nodiscard]] constexpr auto name_axes(const tensor_view<T, L>& v) {
    return detail::with_layout(v, name_axes<Letters>(detail::operand_of(v)));
}

/// Fails to compile, with the axis and both names in the error, unless the axes have the wanted names.
template <detail::letter_list Wanted, class T, class L>
constexpr void require_axes(const tensor_view<T, L>&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

}  // namespace plait
