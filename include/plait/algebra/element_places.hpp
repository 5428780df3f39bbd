#pragma once
// The places of a tensor's elements without padding: their range, whether they are distinct, whether they leave gaps,
// and whether the steps along an axis are even. The standard requires these functions of a layout mapping.

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/is_injective.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A range of offsets from first to last, both included; {0, -1} if empty.
struct offset_range {
    dim_t first = 0, last = -1;
    constexpr bool operator==(const offset_range&) const = default;
};

namespace detail {
/// The indices of the elements of one axis, counted in the padded tensor, and the digits that they are written in.
struct axis_indices {
    digit_list digits;  ///< outermost first, without digits of one value
    dim_t begin = 0, end = 0;
};

/// The elements of an axis. Outer digits with the same value for all of them are removed, and counted in `shared`.
///
/// Pre:     check_static_layout(l).ok(), and the axis has elements
/// Example: of the last of 17 channels in blocks of 16, (1, 0): shared is the stride of one block, no digit is left
struct axis_elements : axis_indices {
    dim_t shared = 0;

    constexpr axis_elements(const layout& l, int axis)
        : axis_indices{fewest_digits(l, axis, l.padded_offsets[axis] + l.dims[axis]), l.padded_offsets[axis],
                       l.padded_offsets[axis] + l.dims[axis]} {
        while (!digits.empty()) {
            const dim_t place = inside(0), value = begin / place;
            if (value != (end - 1) / place) break;
            shared = wrapping_add(shared, wrapping_multiply(value, digits[0].stride));
            begin -= value * place;
            end -= value * place;
            digits.erase(0);
        }
    }
    /// Returns how many indices the digits inside digit k count.
    constexpr dim_t inside(int k) const {
        dim_t indices = 1;
        for (int j = k + 1; j < digits.size(); ++j) indices *= digits[j].extent;
        return indices;
    }
    /// Returns how many values digit k takes.
    constexpr dim_t values(int k) const {
        return k > 0 ? digits[k].extent : (end - 1) / inside(0) - begin / inside(0) + 1;
    }
    /// Returns the sum of the largest values of the digits inside digit k times their strides.
    constexpr dim_t full_inside(int k) const {
        dim_t sum = 0;
        for (int j = k + 1; j < digits.size(); ++j) sum += (digits[j].extent - 1) * digits[j].stride;
        return sum;
    }

    /// Returns the lowest, or the highest, offset.
    constexpr dim_t lowest() const { return wrapping_add(shared, -furthest(-1, 0, begin, end - 1)); }
    constexpr dim_t highest() const { return wrapping_add(shared, furthest(1, 0, begin, end - 1)); }

    /// Returns the largest distance that digits k and inside reach with an index from first to last: upwards, or
    /// downwards if sign is -1. Digit k has its value of the first index, of the last one, or the best value in
    /// between, for which the digits inside are unrestricted.
    constexpr dim_t furthest(int sign, int k, dim_t first, dim_t last) const {
        if (k == digits.size()) return 0;
        if (first == 0 && last == inside(k) * digits[k].extent - 1) {
            dim_t all = 0;
            for (int j = k; j < digits.size(); ++j)
                if (sign * digits[j].stride > 0) all += (digits[j].extent - 1) * sign * digits[j].stride;
            return all;
        }
        const dim_t inner = inside(k), low = first / inner, high = last / inner, step = sign * digits[k].stride;
        const auto with = [&](dim_t value, dim_t from, dim_t to) {
            return wrapping_add(wrapping_multiply(value, step), furthest(sign, k + 1, from, to));
        };
        if (low == high) return with(low, first % inner, last % inner);
        dim_t most = with(low, first % inner, inner - 1);
        if (const dim_t other = with(high, 0, last % inner); other > most) most = other;
        if (high - low < 2) return most;
        const dim_t between = with(step > 0 ? high - 1 : low + 1, 0, inner - 1);
        return between > most ? between : most;
    }

    /// Returns how many distinct places the indices have, if digits of nonzero stride tell them apart. Returns -1 if
    /// that is unknown: the axis begins in the middle of a digit, and repeats.
    constexpr dim_t places() const {
        bool repeats = false;
        for (const digit& d : digits) repeats = repeats || d.stride == 0;
        if (!repeats) return end - begin;
        if (begin != 0) return -1;
        dim_t count = 1, rest = end - 1;  // the last index, and the indices below it
        for (int k = 0; k < digits.size(); ++k) {
            const dim_t value = rest / inside(k);
            dim_t inner = 1;
            for (int j = k + 1; j < digits.size(); ++j) inner *= digits[j].stride == 0 ? 1 : digits[j].extent;
            // If a digit of stride 0 takes a second value, everything inside it has been counted.
            if (digits[k].stride == 0 && value > 0) return count - 1 + inner;
            count += value * inner;
            rest %= inside(k);
        }
        return count;
    }
};
}  // namespace detail

/// Returns the range of the offsets of the elements. Both ends are offsets of elements; padding does not count.
///
/// Pre:     check_static_layout(l).ok()
/// Post:    the first is the least offset(p), the last the largest; {0, -1} if there are no elements
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 4, whose element_span includes padding
/// Example: of nChw16c {1, 17, 1, 1} {0, 16}, while element_span() is 32
[[nodiscard]] constexpr offset_range element_offsets(const layout& l) {
    if (!detail::has_elements(l.dims)) return {};
    offset_range out{l.offset0, l.offset0};
    for (int a = 0; a < l.ndims(); ++a) {
        const detail::axis_elements axis(l, a);
        out.first += axis.lowest();
        out.last += axis.highest();
    }
    return out;
}

namespace detail {
/// How to treat digits of stride 0, whose elements share a place.
enum class shared_places { count, are_left_out };

/// Returns true if each digit that elements reach steps past everything inside it.
constexpr bool elements_nest(const layout& l, shared_places shared) {
    inline_list<digit, max_digits> reached;
    for (int a = 0; a < l.ndims(); ++a) {
        const axis_elements axis(l, a);
        for (int k = 0; k < axis.digits.size(); ++k)
            if (shared == shared_places::count || axis.digits[k].stride != 0)
                reached.push_back({a, axis.values(k), axis.digits[k].stride});
    }
    for (int k = 0; k < reached.size(); ++k) {
        checked_integer inside;
        const dim_t step = step_size(reached[k].stride);
        for (int j = 0; j < reached.size(); ++j) {
            const dim_t other = step_size(reached[j].stride);
            if (other < step || (other == step && j < k)) add_reach(inside, reached[j].extent, other);
        }
        if (!inside.ok() || step <= inside.value) return false;
    }
    return true;
}
}  // namespace detail

/// Returns true if no two elements share a place.
///
/// Pre:     check_static_layout(l).ok()
/// Post:    if true, offset(p) == offset(q) only if p == q. If false, two elements share a place, except possibly in
///          layouts with padding in front that ends inside a block, or with strides that do not nest
/// Cost:    as is_injective
/// Source:  std::mdspan, is_unique
/// Example: true of layout({2, 3}, "ab"); false if a stride is 0
[[nodiscard]] constexpr bool has_unique_elements(const layout& l) {
    return !detail::has_elements(l.dims) || detail::elements_nest(l, detail::shared_places::count) || is_injective(l);
}

/// Returns true if every offset from 0 to the largest belongs to an element.
///
/// Pre:     check_static_layout(l).ok()
/// Post:    if false, an offset below the last has no element, with the exceptions of has_unique_elements
/// Cost:    as has_unique_elements
/// Source:  std::mdspan, is_exhaustive
/// Example: true of nChw16c {1, 17, 1, 1}, whose padding follows its elements; false of {1, 17, 1, 2}
[[nodiscard]] constexpr bool fills_its_offsets(const layout& l) {
    if (!detail::has_elements(l.dims)) return true;
    const offset_range range = element_offsets(l);
    if (range.first != 0) return false;
    if (!detail::elements_nest(l, detail::shared_places::are_left_out))
        return has_unique_elements(l) && l.volume() - 1 == range.last;
    dim_t places = 1;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t of_axis = detail::axis_elements(l, a).places();
        if (of_axis < 0) return false;
        places *= of_axis;
    }
    return places - 1 == range.last;
}

namespace detail {
/// The distance in memory of one step along an axis; `why` has two steps that differ, if any do.
struct axis_step {
    verdict why;
    dim_t step = 1;
};

/// Returns the step from one index of an axis to the next, or 1 if there are fewer than two indices.
///
/// Pre:     check_static_layout(l).ok(), and the axis has elements
constexpr axis_step step_of_axis(const layout& l, int axis) {
    const axis_elements indices(l, axis);
    axis_step out;
    bool found = false;
    for (int k = indices.digits.size() - 1; k >= 0; --k) {
        // Digit k increases by one when all digits inside it are full. That is at the multiples of the number of
        // indices they count, except those at which a digit outside increases.
        const auto multiples = [&](dim_t n) { return (indices.end - 1) / n - indices.begin / n; };
        const dim_t outside = k == 0 ? 0 : multiples(indices.inside(k - 1));
        if (multiples(indices.inside(k)) <= outside) continue;
        const dim_t step = indices.digits[k].stride - indices.full_inside(k);
        if (found && step != out.step) return {{reason::axis_has_no_stride, axis, out.step, step}};
        out.step = step;
        found = true;
    }
    // Negative steps, which the digits of one block may have, are refused: the standard's strides are not negative.
    if (out.step < 0) return {{reason::axis_has_no_stride, axis, 0, out.step}};
    return out;
}
}  // namespace detail

/// Checks that the steps along each axis are even. Fails with axis_has_no_stride (the axis, and two of its steps), and
/// as check_static_layout does.
constexpr verdict check_element_strides(const layout& l) {
    if (const verdict why = detail::check_static_layout(l); !why.ok() || !detail::has_elements(l.dims)) return why;
    for (int a = 0; a < l.ndims(); ++a)
        if (const verdict why = detail::step_of_axis(l, a).why; !why.ok()) return why;
    return {};
}

/// Returns the distance in memory of one step along each axis. The steps of a blocked axis are even if its blocks
/// follow each other in memory, or if all elements are in one of them.
///
/// Pre:     check_element_strides(l).ok()
/// Post:    offset(p with p[a] + 1) == offset(p) + element_strides(l)[a]; without elements, the strides of a dense
///          row-major tensor, an empty axis counted as one element
/// Cost:    O(ndims * digits) steps
/// Source:  std::mdspan, stride
/// Example: of nChw16c {2, 16, 5, 6} {480, 1, 96, 16}, whose channels are in one block
[[nodiscard]] constexpr strides element_strides(const layout& l) {
    require(check_element_strides(l));
    strides out;
    for (int a = 0; a < l.ndims(); ++a)
        out.push_back(detail::has_elements(l.dims) ? detail::step_of_axis(l, a).step : 1);
    if (!detail::has_elements(l.dims))
        for (int a = l.ndims() - 2; a >= 0; --a)
            out[a] = detail::wrapping_multiply(out[a + 1], l.dims[a + 1] > 0 ? l.dims[a + 1] : 1);
    return out;
}

}  // namespace plait
