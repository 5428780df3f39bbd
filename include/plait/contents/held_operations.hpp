#pragma once
// The algebra on views that say what their tensor holds: each operation is the one on views, done to the elements, and
// to the values by index as well, so that each element keeps its scale and its zero point.
//
// Padding that is zero stays zero: no operation of the algebra makes a place padding that was none. Compensation
// belongs to a whole tensor: it goes with its axes where they are permuted, a part of the tensor has none, and what
// else becomes of the axes is refused as on descriptors. What was multiplied by scale_adjust stays multiplied.

#include <plait/contents/contents_concepts.hpp>
#include <plait/descriptor/operations.hpp>

namespace plait {
namespace detail {
/// An operation on views, done to values: those that are views are operated on, the others stay.
template <class Values, class Operation>
constexpr Values values_after(const Values& values, Operation) {
    return values;
}
template <class V, class M, class Operation>
constexpr auto values_after(const tensor_view<const V, M>& values, Operation operation) {
    return operation(values);
}

/// The same contents for other views of elements and values, with this compensation.
template <tensor_compensation After, class T, class L, padding_state P, tensor_compensation K, class S, class Z,
          class Operation>
constexpr auto held_after(const held_view<T, L, P, K, S, Z>& v, Operation operation) {
    return held_as<P, After>(operation(v.stored()), values_after(v.scales(), operation),
                             values_after(v.zero_points(), operation));
}

/// What is left of compensation in a part, which has no buffers: that its elements were multiplied before.
constexpr tensor_compensation without_buffers(const tensor_compensation& c) {
    tensor_compensation out;
    out.scale_adjust_bits = c.scale_adjust_bits;
    return out;
}

/// Compensation K after an operation with these arguments, and what is refused of it whatever the layout
/// is.
template <class Rule, tensor_compensation K, class L, class... Arguments>
struct compensation_after {
    /// Where the axes go, by constants; of other arguments, and if the operation is refused, each stays.
    static constexpr permutation order(int ndims) {
        if constexpr (detail::sums_of<Rule> != sums_rule::keep || !detail::constants_of<Rule, Arguments...>) {
            return identity_permutation(ndims);
        } else {
            using constants = detail::constants_for<Rule, Arguments...>;
            if (known_layout_type<L> && !constants::attempt_bound(known_layout<L>, known_layout<L>).why.ok())
                return identity_permutation(ndims);
            return order_after(constants::axes(ndims), ndims);
        }
    }
    static constexpr verdict why =
        !K.has_buffers() || detail::sums_of<Rule> == sums_rule::drop ||
                (detail::sums_of<Rule> == sums_rule::keep && detail::constants_of<Rule, Arguments...>)
            ? verdict{}
            : verdict{reason::descriptor_has_extra};
    /// Of a tensor with so many axes; of as many as the arguments fit, if its type does not say how many.
    static constexpr tensor_compensation value(int ndims) {
        if (detail::sums_of<Rule> == sums_rule::drop) return without_buffers(K);
        permutation to = order(ndims);
        for (int n = max_ndims; ndims == 0 && n > 0 && to == identity_permutation(to.size()); --n) to = order(n);
        return compensation_of(permuted_extra(extra_of(K), to));
    }
};
}  // namespace detail

/// An operation on a view that says what it holds: done to the elements and to the values by index, which have to be
/// one value along all of the axes that are joined or one for each index of them.
///
/// Refused: as on views, for the elements and for the values; descriptor_has_extra: compensation, if the rule does not
/// keep or drop it; if axes of a mask that share their places change their order; and, with arguments known only at run
/// time, any that the rule keeps, because its masks are in the type
/// Post:    dequantize(NAME(v, arguments...), at...) is dequantize(v, ...) of the same element
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z, class Rule, class... Arguments>
    requires(requires(const tensor_view<T, L>& v, const Arguments&... arguments) {
        apply_to(v, operation<Rule>(), arguments...);
    })
constexpr auto apply_to(const held_view<T, L, P, K, S, Z>& v, operation<Rule> operation,
                        const Arguments&... arguments) {
    using after = detail::compensation_after<Rule, K, L, Arguments...>;
    static_cast<void>(allowed<after::why>);
    constexpr int ndims = detail::known_layout<L>.ndims();
    if constexpr (!K.has_buffers() || detail::sums_of<Rule> != sums_rule::keep) static_cast<void>(ndims);
    else if constexpr (detail::known_layout_type<L>)
        static_cast<void>(
            allowed<detail::check_permuted_sums(detail::known_layout<L>, detail::extra_of(K), after::order(ndims))>);
    else require(detail::check_permuted_sums(v.plain_layout(), detail::extra_of(K), after::order(v.ndims())));
    return detail::held_after<after::value(ndims)>(v, [&](const auto& x) { return operation(x, arguments...); });
}

/// Returns what an operation on a held view is checked by, values by index left out: a descriptor with its
/// compensation.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr descriptor value_of_operand(const held_view<T, L, P, K, S, Z>& v) {
    return {data_type_of<std::remove_const_t<T>>, v.plain_layout(), detail::extra_of(K)};
}

/// Gives the axes of a view names; refused: rank_differs.
template <detail::letter_list Letters, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto name_axes(const held_view<T, L, P, K, S, Z>& v) {
    return detail::held_as<P, K>(name_axes<Letters>(v.stored()), v.scales(), v.zero_points());
}

/// Ends in a compile error that says which name stands where, unless the axes are those asked for.
template <detail::letter_list Wanted, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr void require_axes(const held_view<T, L, P, K, S, Z>&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

}  // namespace plait
