#pragma once
// The algebra on held views: each operation is applied to the elements, and to the values by index as well, so that
// each element keeps its scale and its zero point.
//
// - Padding that is zero stays zero: no operation of the algebra turns an element into padding.
// - Compensation belongs to a whole tensor: it follows a permutation of the axes, a part of the tensor has none, and
//   other changes of the axes fail as on descriptors.
// - Elements that were multiplied by scale_adjust stay multiplied.

#include <plait/contents/contents_concepts.hpp>
#include <plait/descriptor/operations.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Applies an operation on views to scales or zero points, if they are a view; other values are returned unchanged.
template <class Values, class Operation>
constexpr Values values_after(const Values& values, Operation) {
    return values;
}
template <class V, class M, class Operation>
constexpr auto values_after(const tensor_view<const V, M>& values, Operation operation) {
    return operation(values);
}

/// Returns the result of an operation on elements and values, with the same contents and the compensation `After`.
template <tensor_compensation After, class T, class L, padding_state P, tensor_compensation K, class S, class Z,
          class Operation>
constexpr auto held_after(const held_view<T, L, P, K, S, Z>& v, Operation operation) {
    return held_as<P, After>(operation(v.stored()), values_after(v.scales(), operation),
                             values_after(v.zero_points(), operation));
}

/// Returns the compensation of a part, which has no sums: only scale_adjust is kept.
constexpr tensor_compensation without_buffers(const tensor_compensation& c) {
    tensor_compensation out;
    out.scale_adjust_bits = c.scale_adjust_bits;
    return out;
}

/// The compensation K after an operation with these arguments, and why it cannot be kept for any layout.
template <class Rule, tensor_compensation K, class L, class... Arguments>
struct compensation_after {
    /// The permutation of the axes, if the arguments are constants. Otherwise, or if the operation fails, the identity.
    static constexpr permutation order(int ndims) {
        if constexpr (detail::sums_of<Rule> != sums_rule::keep || !detail::constants_of<Rule, Arguments...>) {
            return identity_permutation(ndims);
        } else {
            using constants = detail::constants_for<Rule, Arguments...>;
            if (known_layout_type<L> && !constants::attempt_bound(known_layout<L>, known_layout<L>))
                return identity_permutation(ndims);
            return order_after(constants::axes(ndims), ndims);
        }
    }
    static constexpr verdict why =
        !K.has_buffers() || detail::sums_of<Rule> == sums_rule::drop ||
                (detail::sums_of<Rule> == sums_rule::keep && detail::constants_of<Rule, Arguments...>)
            ? verdict{}
            : verdict{reason::descriptor_has_extra};
    /// The compensation of a tensor with `ndims` axes. If its type has no rank, 0, the arguments determine the rank.
    static constexpr tensor_compensation value(int ndims) {
        if (detail::sums_of<Rule> == sums_rule::drop) return without_buffers(K);
        permutation to = order(ndims);
        for (int n = max_ndims; ndims == 0 && n > 0 && to == identity_permutation(to.size()); --n) to = order(n);
        return compensation_of(permuted_extra(extra_of(K), to));
    }
};
}  // namespace detail

/// Applies an operation to a held view: to the elements and to the values by index. Along axes that are joined, there
/// must be either one value or one for each index.
///
/// Refused: as on views, for the elements and for the values. descriptor_has_extra, for a tensor with compensation:
/// - if the rule neither keeps nor drops it
/// - if axes of a mask that share their places change their order
/// - if the rule keeps it but has arguments known only at run time, because the masks are in the type
/// Post:    dequantize(NAME(v, arguments...), at...) equals dequantize(v, ...) of the same element
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

/// Returns the descriptor with compensation by which an operation on a held view is checked, without values by index.
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr descriptor value_of_operand(const held_view<T, L, P, K, S, Z>& v) {
    return {data_type_of<std::remove_const_t<T>>, v.plain_layout(), detail::extra_of(K)};
}

/// Returns a view whose axes have the given names; fails with rank_differs.
template <detail::letter_list Letters, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
[[nodiscard]] constexpr auto name_axes(const held_view<T, L, P, K, S, Z>& v) {
    return detail::held_as<P, K>(name_axes<Letters>(v.stored()), v.scales(), v.zero_points());
}

/// Fails to compile, with the axis and both names in the error, unless the axes have the wanted names.
template <detail::letter_list Wanted, class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr void require_axes(const held_view<T, L, P, K, S, Z>&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

}  // namespace plait
