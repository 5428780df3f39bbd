#pragma once

#include <plait/algebra/linear_digits.hpp>

namespace plait {

/// What the outer layout of a composition is made of, and how much of each digit is used up so far.
struct composition {
    digit_list outer;            ///< the linear digits, outermost first
    dim_t inside[max_digits]{};  ///< for each the product of the extents inside it
    dim_t used[max_digits]{};    ///< the largest value that the indices so far add up to in it
    dim_t elements = 1;          ///< the product of all

    constexpr explicit composition(const digit_list& digits) : outer(digits) {
        for (int k = outer.size() - 1; k >= 0; --k) {
            inside[k] = elements;
            elements *= outer[k].extent;
        }
    }
    /// The digit that a step of `stride` indices steps in.
    constexpr int place_of(dim_t stride) const {
        int k = outer.size() - 1;
        while (k > 0 && stride / inside[k] >= outer[k].extent) --k;
        return k;
    }
    /// Adds to what is used of a digit; refused: digits_carry.
    constexpr verdict use(int k, dim_t value, int axis) {
        used[k] += value;
        if (used[k] < outer[k].extent) return {};
        return {reason::digits_carry, axis, used[k], outer[k].extent};
    }
    /// Adds a constant index, digit by digit; its offset.
    constexpr dim_t shift(dim_t index) {
        dim_t offset = 0;
        for (int k = outer.size() - 1; k >= 0; --k) {
            used[k] += index % outer[k].extent;
            offset += index % outer[k].extent * outer[k].stride;
            index /= outer[k].extent;
        }
        return offset;
    }
    /// The digits, innermost first, of the offsets that the values of the index digit d lead to.
    ///
    /// Refused: extents_do_not_divide (the axis of d; the two numbers; the nearest instead of the first), digits_carry
    constexpr digits_taken image(const digit& d) {
        digits_taken out;
        if (d.stride == 0 || outer.empty()) {
            out.digits.push_back({d.axis, d.extent, 0});
            return out;
        }
        int k = place_of(d.stride);
        if (d.stride % inside[k] != 0)
            return {
                {},
                {reason::extents_do_not_divide, d.axis, d.stride, inside[k], nearest_multiple(inside[k], d.stride)}};
        dim_t step = d.stride / inside[k], rest = d.extent;
        while (true) {
            const dim_t extent = outer[k].extent;
            // As many values as fit in this digit. Those that do not go on in the next, which they have to meet
            // exactly.
            const bool all = k == 0 || rest <= divide_up(extent, step);
            if (!all && extent % step != 0)
                return {{}, {reason::extents_do_not_divide, d.axis, step, extent, nearest_divisor(extent, step)}};
            const dim_t values = all ? rest : extent / step;
            if (rest % values != 0)
                return {{}, {reason::extents_do_not_divide, d.axis, rest, values, nearest_multiple(values, rest)}};
            if (const verdict why = use(k, (values - 1) * step, d.axis); !why.ok()) return {{}, why};
            if (out.digits.full()) return {{}, {reason::too_many_digits, -1, max_digits + 1, max_digits}};
            out.digits.push_back({d.axis, values, step * outer[k].stride});
            rest /= values;
            if (rest == 1) return out;
            --k;
            step = 1;
        }
    }

private:
    static constexpr dim_t nearest_divisor(dim_t n, dim_t x) {
        const dim_t below = divisor_at_most(n, x), above = divisor_at_least(n, x);
        return above - x < x - below ? above : below;
    }
};

/// a after b, or why not.
constexpr layout_attempt make_composition(const layout& a, const layout& b) {
    const digits_taken outer = linear_digits(a);
    if (!outer.why.ok()) return {{}, outer.why};
    if (const verdict why = check_static(b); !why.ok()) return {{}, why};
    if (const verdict why = check_layout(b); !why.ok()) return {{}, why};
    composition indices(outer.digits);
    const dim_t last = b.offset0 + largest_offset(b);
    const bool empty = b.padded_volume() == 0;
    if (!empty && last >= indices.elements) return {{}, {reason::index_is_outside_domain, -1, last, indices.elements}};

    layout out = b;
    out.offset0 = a.offset0 + (empty ? 0 : indices.shift(b.offset0));
    out.digits = {};
    for (int axis = 0; axis < b.ndims(); ++axis) out.digits.push_back({axis, b.digits[axis].extent, 0});
    // Each axis from its outermost digit inwards.
    for (int k = 0; k < b.digits.size(); ++k) {
        const digit& d = b.digits[k];
        if (d.extent < 2) {
            // One value: its stride says nothing, but where it is a step of a, it stays one.
            const int place = indices.outer.empty() || d.stride < 0 ? -1 : indices.place_of(d.stride);
            if (place >= 0 && d.stride % indices.inside[place] == 0 && d.stride < indices.elements)
                out.digits[k].stride = d.stride / indices.inside[place] * indices.outer[place].stride;
            continue;
        }
        if (empty) {
            if (k >= b.ndims()) out.digits.push_back({d.axis, d.extent, 0});
            continue;
        }
        const digits_taken image = indices.image(d);
        if (!image.why.ok()) return {{}, image.why};
        for (int i = image.digits.size() - 1; i >= 0; --i) {
            if (k < b.ndims() && i == image.digits.size() - 1) {
                out.digits[k] = image.digits[i];
                continue;
            }
            if (out.digits.full()) return {{}, {reason::too_many_digits, -1, max_digits + 1, max_digits}};
            out.digits.push_back(image.digits[i]);
        }
    }
    sort_inner_digits(out);
    return {out, check_layout(out)};
}

/// Whether the offsets of b can be the row-major numbers of a's elements.
///
/// Refused: dim_is_dynamic, stride_is_dynamic; axis_is_padded (of a); index_is_outside_domain;
/// extents_do_not_divide: a step or an extent of b does not meet the digits of a, with the
/// nearest that would; digits_carry: two digits of b share a digit of a, and their sum leaves it; too_many_digits
constexpr verdict check_compose(const layout& a, const layout& b) { return make_composition(a, b).why; }

/// a after b: b leads from a position to the number of an element of a, and a to its offset.
///
/// Pre:     check_compose(a, b).ok(); the offsets of b are row-major numbers of a (the last axis the fastest)
/// Post:    offset(result, p) == linear_offset(a, offset(b, p)); result.dims == b.dims
/// Cost:    O(digits of a times digits of b) steps
/// Source:  the composition of CuTe, proved or refused; there mode 0 is the fastest
/// Example: examples/08_layouts_as_functions.cpp
[[nodiscard]] constexpr layout compose(const layout& a, const layout& b) {
    const layout_attempt attempt = make_composition(a, b);
    require(attempt.why);
    return attempt.made;
}

/// compose(a, b), or empty where check_compose refuses it.
[[nodiscard]] constexpr std::optional<layout> try_compose(const layout& a, const layout& b) {
    return if_allowed(make_composition(a, b));
}

}  // namespace plait
