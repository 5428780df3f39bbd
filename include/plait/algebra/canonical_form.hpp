#pragma once
// The canonical form of a layout: the simplest layout with the same dims and the same offset for every logical
// position. Two layouts describe the same memory if their canonical forms are equal.

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Computes the canonical form of one axis.
class canonical_axis {
public:
    /// Pre:     check_layout(l).ok(), and l has elements. If the axis is fixed, its outermost digit does not change
    constexpr canonical_axis(const layout& l, int axis, bool fixed)
        : extent_(l.dims[axis]), padded_(l.padded_dims[axis]), fixed_(fixed) {
        for (int k = l.digits.size() - 1; k >= 0; --k)
            if (l.digits[k].axis == axis) add(l.digits[k], k == axis);
        if (extent_ == dynamic) return;
        fold(l.padded_offsets[axis]);
        if (fixed_) return;
        drop();
        leave_out_front();
    }

    constexpr dim_t padded() const { return padded_; }
    constexpr dim_t padded_offset() const { return kept_; }
    constexpr dim_t moved() const { return moved_; }
    constexpr const digit& outermost() const { return digits_.back(); }
    constexpr int inner_digits() const { return digits_.size() - 1; }
    /// Appends the inner digits, from outer to inner.
    constexpr void append_inner(inline_list<digit, max_digits>& out) const {
        for (int i = digits_.size() - 2; i >= 0; --i) out.push_back(digits_[i]);
    }

private:
    /// Adds a digit, merging it with the digit inside it if it continues that one.
    constexpr void add(const digit& d, bool is_outermost) {
        if (!digits_.empty() && is_known(d.stride) && !(is_outermost && fixed_)) {
            digit& inner = digits_[digits_.size() - 1];
            const checked_integer next = checked_integer{inner.stride} * inner.extent,
                                  all = checked_integer{inner.extent} * d.extent;
            if (next.ok() && next.value == d.stride && all.ok()) {
                inner.extent = all.value;
                return;
            }
        }
        digits_.push_back(d);
    }

    /// Moves the beginning by each digit of the padded offset that never carries into the next digit when it is added.
    constexpr void fold(dim_t offset) {
        dim_t place = 1;
        for (int i = 0; i < digits_.size(); ++i) {
            const digit& d = digits_[i];
            const bool is_outermost = i + 1 == digits_.size();
            const dim_t value = is_outermost ? offset : offset % d.extent;
            // The indices are those below extent_ + kept_; this digit takes `reached` values over them.
            const dim_t reached = divide_up(extent_ + kept_, place);
            const bool carries = !is_outermost && value + (reached < d.extent ? reached : d.extent) > d.extent;
            if (value != 0 && (carries || !is_known(d.stride))) kept_ += value * place;
            else if (value != 0) moved_ += value * d.stride;
            if (is_outermost) break;
            place *= d.extent;
            offset /= d.extent;
        }
    }

    /// Removes the digits that are 0 for every index; the outermost of the others counts the rest.
    constexpr void drop() {
        const dim_t indices = extent_ + kept_;
        dim_t place = 1;
        int outermost = 0;
        for (; outermost + 1 < digits_.size(); ++outermost) {
            // Divided, because the product may not fit.
            if (divide_up(indices, place) <= digits_[outermost].extent) break;
            place *= digits_[outermost].extent;
        }
        while (digits_.size() > outermost + 1) digits_.erase(digits_.size() - 1);
        digit& d = digits_[outermost];
        d.extent = divide_up(indices, place);
        padded_ = d.extent * place;
        if (indices == 1) d.stride = 0;
    }

    /// Makes a backwards axis a part of one block, because there may be no memory in front for padding. If a stride is
    /// not known, no digit may be put outside of it: the axis is whole blocks already, and keeps them.
    constexpr void leave_out_front() {
        bool backwards = false, known = true;
        for (const digit& d : digits_) {
            known = known && is_known(d.stride);
            backwards = backwards || d.stride < 0;
        }
        if (!known || !backwards || kept_ != 0 || padded_ == extent_) return;
        padded_ = extent_;
        digits_.push_back({0, 1, 0});
    }

    dim_t extent_, padded_;
    bool fixed_;
    dim_t kept_ = 0;                             // the part of the padded offset that stays
    dim_t moved_ = 0;                            // the distance that the rest of it moves the beginning by
    inline_list<digit, max_digits + 1> digits_;  // from inner to outer
};

/// Returns the axes whose outermost digit must stay: those of dynamic extent, and those that a link refers to.
constexpr unsigned fixed_axes(const layout& l) {
    unsigned fixed = 0, counting = 0;
    for (int a = 0; a < l.ndims(); ++a) {
        if (l.dims[a] == dynamic) fixed |= 1u << a;
        // If the outermost digit is always 0, its stride does not matter.
        if (l.dims[a] == dynamic || l.block_size(a) < l.dims[a] + l.padded_offsets[a]) counting |= 1u << a;
    }
    for (int round = 0; round < l.ndims(); ++round)
        for (int a = 0; a < l.ndims(); ++a)
            if ((counting >> a & 1u) != 0 && is_outside(l.digits[a].stride)) {
                fixed |= 1u << axis_inside(l.digits[a].stride);
                counting |= 1u << axis_inside(l.digits[a].stride);
            }
    return fixed;
}

/// Returns the canonical form of l, or why there is none.
constexpr expected<layout> make_canonical_form(layout l) {
    if (l.kind == format_kind::opaque) return {l, {}};
    if (const verdict why = check_layout(l); !why.ok()) return why;
    if (l.kind != format_kind::blocked) return {l, {}};
    layout out;
    out.kind = l.kind;
    out.dims = l.dims;
    out.padded_dims = l.dims;
    for (int a = 0; a < l.ndims(); ++a) out.padded_offsets.push_back(0);
    for (dim_t extent : l.dims)
        if (extent == 0) {
            for (int a = 0; a < l.ndims(); ++a) out.digits.push_back({a, l.dims[a], 0});
            return {out, {}};
        }
    if (const verdict why = settle_links(l); !why.ok()) return why;
    const unsigned fixed = fixed_axes(l);
    checked_integer begin{l.offset0};
    inline_list<digit, max_digits> inner;
    for (int a = 0; a < l.ndims(); ++a) {
        const canonical_axis axis(l, a, (fixed >> a & 1u) != 0);
        out.padded_dims[a] = axis.padded();
        out.padded_offsets[a] = axis.padded_offset();
        out.digits.push_back(axis.outermost());
        out.digits[a].axis = a;
        begin += axis.moved();
        if (const int digits = l.ndims() + inner.size() + axis.inner_digits(); digits > max_digits)
            return verdict{reason::too_many_digits, -1, digits, max_digits};
        axis.append_inner(inner);
    }
    for (const digit& d : inner) out.digits.push_back(d);
    sort_inner_digits(out);
    out.offset0 = begin.value;
    if (!begin.ok()) return verdict{reason::size_overflows, -1, l.offset0, 1};
    return {out, check_reach(out)};
}

/// The rule of canonical_form.
struct canonical_form_rule {
    static constexpr expected<layout> attempt(const layout& l) { return make_canonical_form(l); }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// The simplest layout with the same dims and the same offset for every logical position.
///
/// - Digits that no index reaches are removed; digits of one axis that continue each other are merged.
/// - Padding is the least that whole blocks need. A backwards axis is a part of one block instead.
/// - Axes with one element have stride 0; all axes have if there are no elements.
/// - Padded offsets move offset0 if adding them never carries from one digit to the next; otherwise they stay.
/// - The outermost digit of a dynamic extent stays, and so does one that a link refers to.
/// - Undefined, any and opaque layouts are their own canonical form.
///
/// Refused: what check_layout(l) refuses; size_overflows if padding to whole blocks does not fit in 63 bits;
///          too_many_digits if an axis runs backwards
/// Pre:     check_canonical_form(l).ok()
/// Post:    canonical_form(l).offset(p) == l.offset(p) for every position p; canonical_form of it is itself
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 9
/// Example: test/algebra/canonical_form.cpp
inline constexpr operation<detail::canonical_form_rule> canonical_form;
/// Checks that canonical_form is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::canonical_form_rule> check_canonical_form;
/// Returns the result of canonical_form, or the verdict that refuses it.
inline constexpr operation_attempt<detail::canonical_form_rule> try_canonical_form;

}  // namespace plait
