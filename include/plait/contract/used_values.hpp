#pragma once
// The values of an attribute that some position has: all of an array, except what lies between the places of a layout,
// and bits after the last packed value.

#include <plait/contract/attributes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Calls action(place) for each place of a layout that a position has, once for positions that differ only in digits of
/// stride 0, until it returns false. Padding has no places.
///
/// Pre:     check_static(where).ok()
template <class Action>
constexpr void visit_value_places(const layout& where, Action action) {
    index_terms terms = terms_of(where);
    if (where.volume() == 0) return;
    dim_t first[max_ndims]{}, values[max_digits]{}, indices[max_digits]{};
    for (int k = 0; k < terms.size(); ++k) {
        const index_term& term = terms[k];
        values[k] = term.extent == 0 ? divide_up(where.padded_dims[term.axis], term.divisor) : term.extent;
    }
    for (;;) {
        dim_t place = where.offset0;
        bool is_inside = true;
        for (dim_t& index : first) index = 0;
        for (int k = 0; k < terms.size(); ++k) {
            first[terms[k].axis] += indices[k] * terms[k].divisor;
            place += indices[k] * terms[k].stride;
        }
        // With padding in front, only places that are inside if digits of stride 0 are 0.
        for (int a = 0; a < where.ndims(); ++a)
            is_inside =
                is_inside && first[a] >= where.padded_offsets[a] && first[a] < where.padded_offsets[a] + where.dims[a];
        if (is_inside && !action(place)) return;
        int k = 0;
        for (; k < terms.size() && ++indices[k] == values[k]; ++k) indices[k] = 0;
        if (k == terms.size()) return;
    }
}

/// Calls action(value, place) for each value of an attribute that some position has, until it returns false.
///
/// Pre:     forget_unused_values was called; the attribute was checked, except its numbers
template <class Value, class Action>
constexpr void visit_used_values(const values_of_attribute<Value>& a, Action action) {
    if (a.where != nullptr)
        return visit_value_places(*a.where, [&](dim_t place) { return action(a.at(place), place); });
    if (!a.has_values()) {
        if (a.mask == 0) action(a.value, 0);
        return;
    }
    const auto count = static_cast<dim_t>(a.count);
    for (dim_t place = 0; place < count && action(a.at(place), place);) ++place;
}

/// Sets the number of values to what a tensor of these extents needs. The array may have more if they are packed: they
/// fill the last byte.
///
/// Example: five values of u4 lie in three bytes, whose last four bits are no value
template <class Value>
constexpr void forget_unused_values(values_of_attribute<Value>& a, const dims& extents) {
    const dim_t needed = a.where != nullptr ? dynamic : count_values(a, extents);
    if (needed != dynamic) a.count = static_cast<std::size_t>(needed);
}
constexpr void forget_unused_values(reorder_attributes& attributes, const dims& extents) {
    for_each_values(attributes, [&extents](auto& a) { forget_unused_values(a, extents); });
}

/// Returns true if each value of an attribute that some position has is neutral: 1 for scales, 0 for zero points.
///
/// Pre:     as visit_used_values
/// Cost:    O(1) steps if the first value is not neutral, else O(number of values)
template <class Value>
constexpr bool are_neutral(const values_of_attribute<Value>& a) {
    constexpr Value neutral = std::is_same_v<Value, float> ? 1 : 0;
    bool all = true;
    visit_used_values(a, [&](Value value, dim_t) { return all = value == neutral; });
    return all;
}

/// Returns true if attributes change nothing: all values that some position has are neutral, and beta is 0. Unlike
/// is_trivial, this reads arrays, whose values may be others at the next call.
///
/// Pre:     as visit_used_values
constexpr bool change_nothing(const reorder_attributes& attributes) {
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    return beta == 0 && are_neutral<float>(src_scale) && are_neutral<float>(dst_scale) &&
           are_neutral<std::int32_t>(src_zero_point) && are_neutral<std::int32_t>(dst_zero_point);
}
/// Returns the same for attributes that may have unused values, and a tensor of these extents.
constexpr bool change_nothing(reorder_attributes attributes, const dims& extents) {
    forget_unused_values(attributes, extents);
    return change_nothing(attributes);
}

}  // namespace plait::detail
