#pragma once
// The algebra on views: each operation is the one on layouts, and the data stays where it is. With constants
// (permutation_c, dims_c, 1_c) what is static in the layout stays static in the view; with values the result's layout
// is known at run time. Refused exactly as on layouts: what the types say by the compiler, the rest when it runs.

#include <plait/typed/operations.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait {
namespace detail {
/// The layout of a view as the operations take it: a constant, a bound layout, or a value; with its names.
template <class T, class L>
constexpr decltype(auto) operand_of(const tensor_view<T, L>& v) {
    return v.layout();
}

/// A view of the same elements by another layout of theirs.
template <class T, class L, class M>
constexpr auto with_layout(const tensor_view<T, L>& v, const M& l) {
    return tensor_view<T, M>(unchecked_t{}, v.data(), l);
}

/// l from its lowest place on; without elements there is none, and l stays, as where that is not known yet.
constexpr layout from_its_beginning(layout l) {
    if (!has_elements(l.padded_dims)) return l;
    const bool backwards = runs_backwards(l);
    for (int k = 0; backwards && k < l.digits.size(); ++k)
        if (l.digits[k].extent == dynamic && l.digits[k].stride < 0 && is_known(l.digits[k].stride)) return l;
    l.offset0 = backwards ? reach_in_front(known_part(l)) : 0;
    return l;
}

/// A view of a part of v, which begins where the layout says: that goes into the pointer.
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
    // An extent that is bound to 0 leaves no element to begin at.
    const dim_t begin = has_elements(now.padded_dims) ? Part::partly_static.offset0 - moved.offset0 : 0;
    const bound_layout<moved> bound(values_of(Part::partly_static.dims, now.dims));
    return tensor_view(unchecked_t{}, v.data() + begin, with_letters<axis_letters_of<Part>::list()>(bound));
}
}  // namespace detail

/// An operation on a view: a view of the same elements by the layout that the operation makes of its layout. A part of
/// a tensor moves the pointer to where it begins, so that its layout is the same for each place.
///
/// Post:    result.data() and result.plain_layout() name the elements that NAME(v.plain_layout(), arguments...) names
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
/// Returns the layout by which an operation on a view is checked.
template <class T, class L>
constexpr layout value_of_operand(const tensor_view<T, L>& v) {
    return v.plain_layout();
}

/// Gives the axes of a view names; refused: rank_differs.
template <detail::letter_list Letters, class T, class L>
[[nodiscard]] constexpr auto name_axes(const tensor_view<T, L>& v) {
    return detail::with_layout(v, name_axes<Letters>(detail::operand_of(v)));
}

/// Ends in a compile error that says which name stands where, unless the axes are those asked for.
template <detail::letter_list Wanted, class T, class L>
constexpr void require_axes(const tensor_view<T, L>&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

}  // namespace plait
