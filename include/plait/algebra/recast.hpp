#pragma once

#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the digit whose neighbours lie side by side: of stride 1, with several values if there is such a digit;
/// -1 if there is none.
constexpr int dense_digit(const layout& l) {
    int found = -1;
    for (int k = 0; k < l.digits.size(); ++k)
        if (l.digits[k].stride == 1 && (found < 0 || l.digits[k].extent > 1 || l.digits[found].extent == 1)) found = k;
    return found;
}
/// Returns true if a digit counts single indices: no digit of its axis is inside of it.
constexpr bool counts_indices(const layout& l, int digit) {
    for (int k = digit < l.ndims() ? l.ndims() : digit + 1; k < l.digits.size(); ++k)
        if (l.digits[k].axis == l.digits[digit].axis && l.digits[k].extent > 1) return false;
    return true;
}
/// Returns the refusal of a layout without neighbours side by side: the axis that comes nearest, and its stride.
constexpr verdict no_dense_digit(const layout& l) {
    int nearest = 0;
    for (int k = 1; k < l.digits.size(); ++k)
        if (step_size(l.digits[k].stride) <= step_size(l.digits[nearest].stride)) nearest = k;
    return {reason::group_is_not_contiguous, l.digits[nearest].axis, l.digits[nearest].stride, 1};
}

/// Returns l for elements of which `factor` make one of its elements.
constexpr expected<layout> with_smaller_elements(layout l, dim_t factor) {
    const int dense = dense_digit(l);
    if (dense < 0) return no_dense_digit(l);
    const int axis = l.digits[dense].axis;
    const auto multiply = [&](int a, dim_t& number) {
        const dim_t before = number;
        return multiply_overflows(number, factor, number) ? verdict{reason::size_overflows, a, before, factor}
                                                          : verdict();
    };
    const bool goes_on = counts_indices(l, dense);
    for (int k = 0; k < l.digits.size(); ++k) {
        digit& d = l.digits[k];
        if (const verdict why = multiply(d.axis, goes_on && k == dense ? d.extent : d.stride); !why.ok()) return why;
    }
    for (dim_t* number : {&l.offset0, &l.dims[axis], &l.padded_dims[axis], &l.padded_offsets[axis]})
        if (const verdict why = multiply(axis, *number); !why.ok()) return why;
    if (!goes_on && l.digits.full()) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
    if (!goes_on) l.digits.push_back({axis, factor, 1});
    return {l, check_layout(l)};
}

/// Joins a dense digit with digits of its axis that continue it in memory, until its extent is a multiple of `factor`
/// or none continues it. Returns the digit that is left.
///
/// Pre:     counts_indices(l, dense), and its stride is 1
constexpr int joined_digit(layout& l, int dense, dim_t factor) {
    while (dense >= l.ndims() && l.digits[dense].extent % factor != 0) {
        int outer = dense - 1;
        while (outer >= l.ndims() && l.digits[outer].axis != l.digits[dense].axis) --outer;
        if (outer < l.ndims()) outer = l.digits[dense].axis;
        digit& d = l.digits[outer];
        dim_t extent = 0;
        if (d.stride != l.digits[dense].extent || multiply_overflows(d.extent, d.stride, extent)) break;
        d.extent = extent;
        d.stride = 1;
        l.digits.erase(dense);
        dense = outer;
    }
    return dense;
}

/// Returns l for elements that are made of `factor` of its elements.
constexpr expected<layout> with_larger_elements(layout l, dim_t factor) {
    int dense = dense_digit(l);
    if (dense < 0 || !counts_indices(l, dense)) return no_dense_digit(l);
    dense = joined_digit(l, dense, factor);
    const int axis = l.digits[dense].axis;
    for (dim_t* number :
         {&l.dims[axis], &l.padded_dims[axis], &l.padded_offsets[axis], &l.digits[dense].extent, &l.offset0}) {
        if (*number % factor != 0) return verdict{reason::extents_do_not_divide, axis, *number, factor};
        *number /= factor;
    }
    for (int k = 0; k < l.digits.size(); ++k) {
        digit& d = l.digits[k];
        if (k == dense) continue;
        // Nothing steps by the stride of a digit with one value.
        if (d.stride % factor != 0 && d.extent > 1)
            return verdict{reason::extents_do_not_divide, d.axis, d.stride, factor};
        d.stride /= factor;
    }
    if (dense >= l.ndims() && l.digits[dense].extent == 1) l.digits.erase(dense);
    return {l, check_layout(l)};
}

constexpr expected<layout> recast_of(const layout& l, data_type from, data_type to) {
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    for (const data_type type : {from, to})
        if (size_in_bits(type) == 0) return verdict{reason::data_type_is_unknown, -1, static_cast<dim_t>(type)};
    const dim_t before = size_in_bits(from), after = size_in_bits(to);
    if (before == after) return {l, {}};
    if (before % after == 0) return with_smaller_elements(l, before / after);
    if (after % before == 0) return with_larger_elements(l, after / before);
    return verdict{reason::extents_do_not_divide, -1, before, after};
}
}  // namespace detail

/// Returns the layout of the same memory as elements of another size: the axis whose neighbours lie side by side has
/// more of them, or fewer. Nothing is converted.
///
/// Refused: undefined, any, opaque and dynamic layouts; data_type_is_unknown; extents_do_not_divide (the axis, and an
///          extent, a stride or an offset with the factor; the sizes in bits, if neither divides the other);
///          group_is_not_contiguous (the axis that comes nearest, its stride) if no neighbours lie side by side;
///          size_overflows, too_many_digits
/// Pre:     check_recast(l, from, to).ok()
/// Post:    the bits of result.offset(p) are among those of l.offset(q), or the other way round: to smaller elements,
///          result.offset(p) == l.offset(q) * factor + p[axis] % factor, where q is p with p[axis] / factor
/// Cost:    O(digits) steps
/// Source:  CuTe, recast_layout
/// Example: recast(layout({2, 8}, "ab"), data_type::f32, data_type::u8) == layout({2, 32}, "ab")
[[nodiscard]] constexpr layout recast(const layout& l, data_type from, data_type to) {
    return detail::recast_of(l, from, to).value();
}
/// Checks that recast is allowed; the verdict has the reason if it is not.
[[nodiscard]] constexpr verdict check_recast(const layout& l, data_type from, data_type to) {
    return detail::recast_of(l, from, to).error();
}
/// Returns the result of recast, or the verdict that refuses it.
[[nodiscard]] constexpr expected<layout> try_recast(const layout& l, data_type from, data_type to) {
    return detail::recast_of(l, from, to);
}

}  // namespace plait
