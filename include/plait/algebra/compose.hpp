#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/listed_digits.hpp>
#include <plait/algebra/nearest_number.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The digits of the outer layout of a composition, and how much of each digit is used so far.
struct composition {
    digit_list outer;            ///< the linear digits, outermost first
    dim_t inside[max_digits]{};  ///< for each digit, the product of the extents inside it
    dim_t used[max_digits]{};    ///< for each digit, the largest value that the indices so far sum to

    constexpr explicit composition(const digit_list& digits) : outer(digits) {
        dim_t elements = 1;
        for (int k = outer.size() - 1; k >= 0; --k) {
            inside[k] = elements;
            elements *= outer[k].extent;
        }
    }
    /// Returns the value of digit k of an index; the outermost digit is the remaining index.
    constexpr dim_t value_of(int k, dim_t index) const {
        return k == 0 ? index / inside[k] : index / inside[k] % outer[k].extent;
    }
    /// Returns the offset of an index; exact for an index of an element.
    ///
    /// Pre:     0 <= index
    constexpr checked_integer offset_of(dim_t index) const {
        checked_integer offset;
        for (int k = 0; k < outer.size(); ++k) offset.add_product(value_of(k, index), outer[k].stride);
        return offset;
    }
    /// Adds `times` steps to the used part of each digit. Fails with digits_carry if the sum carries to another.
    constexpr verdict use(dim_t step, dim_t times, int axis) {
        for (int k = outer.size() - 1; k >= 0; --k) {
            checked_integer sum{used[k]};
            sum.add_product(value_of(k, step), times);
            if (!sum.ok() || sum.value >= outer[k].extent)
                return {reason::digits_carry, axis, sum.ok() ? sum.value : step, outer[k].extent};
            used[k] = sum.value;
        }
        return {};
    }
    /// Returns the digits, innermost first, of the offsets that the values of the index digit d are mapped to.
    ///
    /// Refused: extents_do_not_divide (the axis of d; the two numbers; a guess in place of the first), digits_carry
    constexpr digits_taken image(const digit& d) {
        digits_taken out;
        if (d.stride == 0 || outer.empty()) {
            out.digits.push_back({d.axis, d.extent, 0});
            return out;
        }
        const composition before = *this;
        dim_t step = d.stride, rest = d.extent;
        while (true) {
            // `values` is the number of steps until a digit is full. The other steps continue after it, so `rest` must
            // be a multiple of `values`.
            dim_t values = rest;
            for (int k = 1; k < outer.size(); ++k)
                if (const dim_t value = value_of(k, step); value > 0)
                    if (const dim_t fit = divide_up(outer[k].extent, value); fit < values) values = fit;
            const verdict why = rest % values != 0 ? verdict{reason::extents_do_not_divide, d.axis, rest, values}
                                                   : use(step, values - 1, d.axis);
            if (!why.ok()) return {{}, before.why_not(d, why)};
            if (out.digits.full()) return {{}, {reason::too_many_digits, -1, max_digits + 1, max_digits}};
            out.digits.push_back({d.axis, values, offset_of(step).value});
            rest /= values;
            if (rest == 1) return out;
            step *= values;
        }
    }

private:
    /// Returns why the index digit d is not made of digits of the outer layout, in numbers that the caller can change:
    /// its step does not meet them, or its extent does not.
    constexpr verdict why_not(const digit& d, const verdict& otherwise) const {
        int k = outer.size() - 1;
        while (k > 0 && d.stride / inside[k] >= outer[k].extent) --k;
        const dim_t whole = inside[k], extent = outer[k].extent, step = d.stride / whole;
        const auto refused = [&d](dim_t first, dim_t second, dim_t nearest) {
            return verdict{reason::extents_do_not_divide, d.axis, first, second, nearest};
        };
        if (d.stride % whole != 0) return refused(d.stride, whole, nearest_multiple(whole, d.stride));
        if (k > 0 && d.extent > divide_up(extent, step)) {
            if (extent % step != 0) return refused(d.stride, extent * whole, nearest_divisor(extent, step) * whole);
            // Whole digits, then multiples of the digits outside.
            for (dim_t values = extent / step; d.extent >= values; values *= outer[k].extent) {
                if (d.extent % values != 0) return refused(d.extent, values, nearest_multiple(values, d.extent));
                if (--k < 1) break;
            }
        }
        return otherwise;
    }
    static constexpr dim_t nearest_divisor(dim_t n, dim_t x) {
        const dim_t below = divisor_at_most(n, x), above = divisor_at_least(n, x);
        return above - x < x - below ? above : below;
    }
};

/// Returns the layout of a's offsets at the indices given by the digits of b, or why there is none.
///
/// Pre:     check_layout(b).ok(); every offset of b is the number of an element of a
constexpr expected<layout> image_of(const layout& a, composition indices, const layout& b) {
    layout out = b;
    out.digits = {};
    // Backwards digits are reversed, so that indices count up from the first, and reversed again at the end.
    const dim_t first = b.offset0 + reach_from_offset0(b).begin;
    if (first < 0) return reaches_in_front(b, b.offset0 - first);
    checked_integer begin = indices.offset_of(first) + a.offset0;
    if (const verdict why = indices.use(first, 1, -1); !why.ok()) return why;
    for (int axis = 0; axis < b.ndims(); ++axis) out.digits.push_back({axis, b.digits[axis].extent, 0});
    // Each axis from its outermost digit inwards.
    for (int k = 0; k < b.digits.size(); ++k) {
        const digit& d = b.digits[k];
        if (d.extent < 2) {
            // The stride of a digit of one value has no effect, but is mapped too, so that a step of a remains one,
            // unless it is a number that stands for an unknown stride.
            const checked_integer step = indices.offset_of(d.stride < 0 ? 0 : d.stride);
            if (step.ok() && is_known(step.value)) out.digits[k].stride = step.value;
            continue;
        }
        digits_taken image = indices.image({d.axis, d.extent, step_size(d.stride)});
        if (!image.why.ok()) return image.why;
        if (d.stride < 0)
            for (digit& turned : image.digits) {
                begin.add_product(turned.extent - 1, turned.stride);
                turned.stride = -turned.stride;
            }
        for (int i = image.digits.size() - 1; i >= 0; --i) {
            if (k < b.ndims() && i == image.digits.size() - 1) {
                out.digits[k] = image.digits[i];
                continue;
            }
            if (out.digits.full()) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
            out.digits.push_back(image.digits[i]);
        }
    }
    sort_inner_digits(out);
    out.offset0 = begin.value;
    return {out, check_reach(out)};
}

/// Returns the layout of a's offsets at the few indices that b names, compared one by one, or `why`.
///
/// Pre:     as image_of
constexpr expected<layout> listed_image(const layout& a, const composition& indices, const layout& b,
                                        const verdict& why) {
    if (b.volume() > listed_indices || !(b.padded_dims == b.dims) || b.offset0 + reach_from_offset0(b).begin < 0)
        return why;
    const auto offset_at = [&](const position& at) { return indices.offset_of(evaluate_digits(b, at) + b.offset0); };
    const checked_integer first = offset_at(begin_along(b, 0, 0));
    if (!first.ok()) return why;
    layout out = b;
    out.digits = {};
    digit_list inner;
    for (int axis = 0; axis < b.ndims(); ++axis) {
        digit outermost{axis, b.dims[axis], 0};
        if (b.dims[axis] > 1) {
            const listed_digits found = list_digits(
                axis, b.dims[axis], [&](dim_t j) { return offset_at(begin_along(b, axis, j)).value - first.value; });
            if (found.digits.empty() || b.dims[axis] % found.inside != 0) return why;
            outermost = found.digits[0];
            for (int k = 1; k < found.digits.size(); ++k) {
                if (inner.full()) return why;
                inner.push_back(found.digits[k]);
            }
        }
        out.digits.push_back(outermost);
    }
    if (out.digits.size() + inner.size() > max_digits) return why;
    for (const digit& d : inner) out.digits.push_back(d);
    sort_inner_digits(out);
    const checked_integer begin = first + a.offset0;
    out.offset0 = begin.value;
    if (!begin.ok() || !check_layout(out).ok()) return why;
    // The axes have to add up.
    for (dim_t n = 0; n < b.volume(); ++n) {
        const position at = unravel(b.dims, n);
        if (evaluate_digits(out, at) != offset_at(at).value - first.value) return why;
    }
    return {out, {}};
}

/// How a composition is found: only if the digits of b align with those of a; or, if they do not, also by listing the
/// offsets of up to 1024 elements, which may be those of a layout.
enum class composed_by { digits, listed_offsets };

/// Returns a after b, or why that fails.
///
/// Pre:     outer is linear_digits(a); check_static_layout(b).ok()
constexpr expected<layout> composition_of(const layout& a, const digit_list& outer, const layout& b, composed_by how) {
    if (b.padded_volume() == 0) {
        layout out = b;
        out.offset0 = a.offset0;
        for (digit& d : out.digits) d.stride = 0;
        return {out, {}};
    }
    const dim_t last = b.offset0 + largest_offset(b), elements = a.volume();
    if (last >= elements) return verdict{reason::index_is_outside_domain, -1, last, elements};
    const expected<layout> attempt = image_of(a, composition(outer), b);
    // Merged digits may align with those of a, even if each of them alone does not.
    if (attempt.has_value()) return attempt;
    const expected<layout> out = image_of(a, composition(outer), with_fewest_digits(b));
    const reason why = out.error().reason;
    if (how == composed_by::digits || (why != reason::extents_do_not_divide && why != reason::digits_carry)) return out;
    return listed_image(a, composition(outer), b, out.error());
}

/// The rule of compose.
struct compose_rule {
    static constexpr expected<layout> attempt(const layout& a, const layout& b) {
        const digits_taken outer = linear_digits(a);
        if (!outer.why.ok()) return outer.why;
        if (const verdict why = check_static_layout(b); !why.ok()) return why;
        expected<layout> out = composition_of(a, outer.digits, b, composed_by::listed_offsets);
        if (out.error().reason == reason::extents_do_not_divide)
            out.error().third = nearest_number(b, out.error(), [&](const layout& other) {
                return composition_of(a, outer.digits, other, composed_by::digits).has_value();
            });
        return out;
    }
};
}  // namespace detail

/// The layout a after b: b maps a position to the number of an element of a, and a maps that to its offset.
///
/// Refused: as check_static and check_layout, for both; axis_is_padded (of a); index_is_outside_domain (including
///          padding of b); too_many_digits. With the axis of b: extents_do_not_divide, if a step or an extent, the
///          first number, does not align with the digits of a; the third is the nearest that does (in its place in b; 0
///          if none is near). digits_carry, if the indices of two digits share a digit of a, and their sum leaves it
///          (axis -1: offset0 does). Neither, if the offsets of at most 1024 elements of b, without padding, are
///          those of a layout
/// Pre:     check_compose(a, b).ok(); the offsets of b are row-major numbers of a (the last axis is the fastest)
/// Post:    offset(result, p) == linear_offset(a, offset(b, p)); result.dims == b.dims
/// Cost:    O(digits of a times digits of b) steps; if that finds no digits, as many for each of up to 1024 elements
/// Source:  the composition of CuTe, where mode 0 is the fastest; here proved or refused
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::compose_rule> compose;
/// Checks that compose is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::compose_rule> check_compose;
/// Returns the result of compose, or the verdict that refuses it.
inline constexpr operation_attempt<detail::compose_rule> try_compose;

/// Returns the permutation that applies q, then p: compose(p, q)[i] == p[q[i]]. Fails with rank_differs or
/// not_a_permutation.
constexpr permutation apply_to(const permutation& p, operation<detail::compose_rule>, const permutation& q) {
    return detail::composed_permutation(p, q);
}

}  // namespace plait
