#pragma once
// Queries of a layout: offsets, spans, density, equality.

#include <plait/core/expected.hpp>
#include <plait/core/layout_value.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that the lists of l are consistent, so that reading its digits is in bounds. Fails with layout_is_malformed.
/// Cheap enough for every operation; check_layout checks much more.
constexpr verdict check_structure(const layout& l) {
    const int n = l.dims.count;
    if (n < 1 || n > max_ndims) return {reason::layout_is_malformed, -1, n, max_ndims};
    if (l.padded_dims.count != n || l.padded_offsets.count != n)
        return {reason::layout_is_malformed, -1, l.padded_dims.count, n};
    if (l.digits.count < n || l.digits.count > max_digits) return {reason::layout_is_malformed, -1, l.digits.count, n};
    // Every operation runs this check, and compilers run it for every layout: it uses plain reads, without calls.
    const digit* digits = l.digits.values;
    for (int k = 0; k < n; ++k) {
        const digit& d = digits[k];
        if (d.axis != k) return {reason::layout_is_malformed, d.axis, d.axis, k};
        if (d.extent < 0 && d.extent != dynamic) return {reason::layout_is_malformed, k, d.extent, 0};
        if (is_outside(d.stride) && axis_inside(d.stride) >= n)
            return {reason::layout_is_malformed, k, axis_inside(d.stride), n};
    }
    dim_t inner = 1;
    for (int k = n; k < l.digits.count; ++k) {
        const digit& d = digits[k];
        if (d.axis < 0 || d.axis >= n) return {reason::layout_is_malformed, d.axis, d.axis, k};
        // A block of one element has no name.
        if (d.extent < 2) return {reason::layout_is_malformed, d.axis, d.extent, 2};
        if (multiply_overflows(inner, d.extent, inner))
            return {reason::size_overflows, digits[n].axis, digits[n].extent, 0};
    }
    return {};
}

/// Checks that the elements of l have known places. Fails with layout_is_undefined, layout_is_any, layout_is_opaque.
constexpr verdict check_blocked(const layout& l) {
    switch (l.kind) {
        case format_kind::blocked: return check_structure(l);
        case format_kind::any: return {reason::layout_is_any};
        case format_kind::opaque: return {reason::layout_is_opaque};
        case format_kind::undef: break;
    }
    return {reason::layout_is_undefined};
}

/// Returns the offset, from offset0, of an index into the padded tensor, by evaluating the digits.
///
/// If check_layout refuses the layout, the number may be meaningless, here and below, but no behaviour is undefined.
///
/// Pre:     at has ndims() entries, none of them negative
constexpr dim_t evaluate_digits(const layout& l, position at) {
    dim_t offset = 0;
    for (int k = l.digits.size() - 1; k >= 0; --k) {
        const digit& d = l.digits[k];
        dim_t& index = at[d.axis];
        // The outermost digit of an axis is the remaining index.
        offset = wrapping_add(offset, wrapping_multiply(k < l.ndims() ? index : index % d.extent, d.stride));
        if (k >= l.ndims()) index /= d.extent;
    }
    return offset;
}

/// Returns the largest offset of a padded element, from offset0, or 0 if there are no elements. If Sign is -1, returns
/// how far the lowest offset is below offset0.
///
/// Pre:     nothing in l is dynamic
template <int Sign = 1>
constexpr dim_t largest_offset(const layout& l) {
    const int n = l.dims.size(), count = l.digits.size();
    dim_t sum = 0;
    for (int a = 0; a < n; ++a) {
        if (l.padded_dims.values[a] == 0) {
            // An empty axis does not make invalid offsets along another axis valid.
            if constexpr (Sign < 0) continue;
            return 0;
        }
        // The index with the largest offset shares its leading digits with the last index. At the next digit it is
        // smaller (by one, or 0 if the stride is negative). Every digit inside that one has its largest value, or is 0.
        dim_t best = 0;
        dim_t full = 0;
        dim_t rest = l.padded_dims.values[a] - 1;  // the last index without the digits inside
        for (int k = count - 1; k >= n && rest > 0; --k) {
            const digit& d = l.digits.values[k];
            if (d.axis != a) continue;
            const dim_t value = rest % d.extent, stride = wrapping_multiply(d.stride, Sign);
            // `best` so far is the largest offset of the digits inside, for indices up to the last one.
            const dim_t at_most = wrapping_add(wrapping_multiply(value, stride), best);
            const dim_t fewer = stride < 0 ? 0 : value - 1;
            const dim_t below = value == 0 ? at_most : wrapping_add(wrapping_multiply(fewer, stride), full);
            best = at_most > below ? at_most : below;
            rest /= d.extent;
            // If rest is 0, digits further out are 0 for every index, so `full` is unused, and it might overflow.
            if (rest > 0 && stride > 0) full = wrapping_add(full, wrapping_multiply(d.extent - 1, stride));
        }
        const dim_t stride = wrapping_multiply(l.digits.values[a].stride, Sign);
        const dim_t at_most = wrapping_add(wrapping_multiply(rest, stride), best);
        const dim_t fewer = stride < 0 ? 0 : rest - 1;
        const dim_t below = rest == 0 ? at_most : wrapping_add(wrapping_multiply(fewer, stride), full);
        sum = wrapping_add(sum, at_most > below ? at_most : below);
    }
    return sum;
}

/// Returns true if an axis or a block of l has a negative stride.
constexpr bool runs_backwards(const layout& l) {
    for (int k = 0, count = l.digits.size(); k < count; ++k)
        if (l.digits.values[k].stride < 0 && is_known(l.digits.values[k].stride)) return true;
    return false;
}

/// Returns how far the lowest offset of a padded element is below offset0. Ignores empty axes if there are no elements.
///
/// Pre:     nothing in l is dynamic
constexpr dim_t reach_in_front(const layout& l) { return runs_backwards(l) ? largest_offset<-1>(l) : 0; }

/// Checks, for a blocked layout, the conditions of check_static.
///
/// Pre:     check_structure(l).ok()
constexpr verdict check_known(const layout& l) {
    const int n = l.dims.count;
    for (int a = 0; a < n; ++a)
        if (l.digits.values[a].extent == dynamic) return {reason::dim_is_dynamic, a, 0, 0};
    for (int k = 0; k < l.digits.count; ++k)
        if (!is_known(l.digits.values[k].stride)) return {reason::stride_is_dynamic, l.digits.values[k].axis, 0, 0};
    for (int a = 0; a < n; ++a)
        if (l.padded_dims.values[a] < 0) return {reason::padded_dim_does_not_fit, a, l.padded_dims[a], l.dims[a]};
    return {};
}

/// Checks that all of l is known. Fails if it is undefined, any or opaque; with dim_is_dynamic, stride_is_dynamic.
constexpr verdict check_static(const layout& l) {
    const verdict why = check_blocked(l);
    return why.ok() ? check_known(l) : why;
}
}  // namespace detail

/// Checks that `at` is an index into extents. Fails with rank_differs, position_is_out_of_range.
constexpr verdict check_position(const layout& l, const dims& extents, const position& at) {
    if (const verdict why = detail::check_static(l); !why.ok()) return why;
    if (at.size() != extents.size())
        return detail::ranks_differ(detail::counted::index, at.size(), detail::counted::layout, extents.size());
    for (int a = 0; a < at.size(); ++a)
        if (at[a] < 0 || at[a] >= extents[a]) return {reason::position_is_out_of_range, a, at[a], extents[a]};
    return {};
}

namespace detail {
/// Returns the offset of an index that is within the dims.
constexpr dim_t offset_inside(const layout& l, const position& at) {
    position padded = at;
    for (int a = 0; a < at.size(); ++a) padded[a] = wrapping_add(padded[a], l.padded_offsets[a]);
    return wrapping_add(l.offset0, evaluate_digits(l, padded));
}
}  // namespace detail

constexpr dim_t layout::offset(const position& at) const {
    require(check_position(*this, dims, at));
    return detail::offset_inside(*this, at);
}

constexpr dim_t layout::padded_offset(const position& at) const {
    require(check_position(*this, padded_dims, at));
    return detail::wrapping_add(offset0, detail::evaluate_digits(*this, at));
}

constexpr std::size_t layout::element_span() const {
    require(detail::check_static(*this));
    if (!detail::has_elements(padded_dims)) return 0;
    return static_cast<std::size_t>(
               detail::wrapping_add(detail::largest_offset(*this), detail::reach_in_front(*this))) +
           1;
}

constexpr dim_t layout::span_begin() const {
    require(detail::check_static(*this));
    return detail::wrapping_add(offset0, -detail::reach_in_front(*this));
}

namespace detail {
/// Returns how many values each digit takes over the padded indices: its extent, or less in a view of part of one
/// block.
///
/// Pre:     check_static(l).ok()
/// Post:    if the number is 1, the digit is always 0, so its stride does not matter
constexpr inline_list<dim_t, max_digits> reached_extents(const layout& l) {
    inline_list<dim_t, max_digits> out;
    for (const digit& d : l.digits) out.push_back(d.extent);
    plait::dims rest = l.padded_dims;  // what the digits outside have to count
    for (int k = l.digits.size() - 1; k >= 0; --k) {
        dim_t& left = rest[l.digits[k].axis];
        if (k < l.ndims() || left < out[k]) out[k] = left;
        if (k >= l.ndims()) left = divide_up(left, l.digits[k].extent);
    }
    return out;
}

/// Adds the largest offset of a digit with the given number of values to a sum.
constexpr void add_reach(checked_integer& sum, dim_t values, dim_t stride) { sum.add_product(values - 1, stride); }

/// Returns true if each digit steps past everything inside it, so that an offset determines every digit. If the
/// strides nest, only a digit of stride 0 can make it false.
///
/// Pre:     check_static(l).ok()
/// Post:    if true, no two padded elements share an offset, and all offsets fit in 63 bits
/// Cost:    O(digits squared) steps
constexpr bool steps_over_the_inside(const layout& l) {
    const inline_list<dim_t, max_digits> values = reached_extents(l);
    for (int k = 0; k < l.digits.size(); ++k) {
        if (values[k] < 2) continue;
        const dim_t step = step_size(l.digits[k].stride);
        checked_integer reach;
        for (int j = 0; j < l.digits.size(); ++j) {
            const dim_t other = step_size(l.digits[j].stride);
            if (values[j] > 1 && (other < step || (other == step && j < k))) add_reach(reach, values[j], other);
        }
        if (step < 1 || !reach.ok() || step <= reach.value) return false;
        add_reach(reach, values[k], step);
        if (!reach.ok()) return false;
    }
    return true;
}

/// Returns true if the stride of an axis matters: false if the axis has one element and no padding.
constexpr bool stride_counts(const layout& l, int axis) { return l.dims[axis] != 1 || l.padded_dims[axis] != 1; }
}  // namespace detail

constexpr bool layout::is_dense() const {
    if (!detail::check_static(*this).ok()) return false;
    if (!detail::has_elements(padded_dims)) return true;
    // No gaps: there are as many elements as places, and no two elements share one.
    return detail::steps_over_the_inside(*this) && element_span() == static_cast<std::size_t>(padded_volume());
}

constexpr bool layout::operator==(const layout& other) const {
    if (kind != other.kind || offset0 != other.offset0 || digits.size() != other.digits.size()) return false;
    for (int k = 0; k < digits.size(); ++k) {
        const digit &mine = digits[k], &theirs = other.digits[k];
        if (mine.axis != theirs.axis || mine.extent != theirs.extent) return false;
        const bool counts = k >= ndims() || detail::stride_counts(*this, k);
        if (counts && mine.stride != theirs.stride) return false;
    }
    return dims == other.dims && padded_dims == other.padded_dims && padded_offsets == other.padded_offsets;
}

}  // namespace plait
