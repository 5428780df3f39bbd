#pragma once
// The canonical form of a layout: the simplest layout with the same dims and the same offset for every logical
// position. Two layouts describe the same memory if their canonical forms are equal.

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The canonical form of one axis: its fewest digits, which are unique, because they are the jumps of its places.
///
/// A jump knows nothing of an extent that is not known, nor of a link. The outermost digit of such an axis stays, and
/// the digits inside are those of the places of one block.
class canonical_axis {
public:
    /// Pre:     check_layout(l).ok(), and l has elements. If the axis is fixed, its outermost digit does not change
    constexpr canonical_axis(const layout& l, int axis, bool fixed)
        : extent_(l.dims[axis]), padded_(l.padded_dims[axis]), outermost_{axis, 1, 0} {
        const dim_t front = l.padded_offsets[axis];
        if (fixed) {
            inner_.push_back(l.digits[axis]);
            for (const digit& d : fewest_digits(l, axis, l.block_size(axis))) inner_.push_back(d);
        } else {
            inner_ = fewest_digits(l, axis, front + extent_);
        }
        if (front != 0) {
            fold(front);
            if (!fixed) inner_ = fewest_digits(l, axis, extent_ + kept_);
        }
        if (!fixed) padded_ = volume_of(inner_);
        if (!fixed && leaves_out_front()) {
            padded_ = extent_;
        } else if (!inner_.empty()) {
            outermost_ = inner_[0];
            inner_.erase(0);
        }
    }

    constexpr dim_t padded() const { return padded_; }
    constexpr dim_t padded_offset() const { return kept_; }
    constexpr dim_t moved() const { return moved_; }
    constexpr const digit& outermost() const { return outermost_; }
    constexpr const digit_list& inner() const { return inner_; }

private:
    /// Moves the beginning by each digit of the padded offset that never carries into the next digit when it is added.
    constexpr void fold(dim_t offset) {
        dim_t place = 1;
        for (int k = inner_.size() - 1; k >= 0; --k) {
            const digit& d = inner_[k];
            const dim_t value = k == 0 ? offset : offset % d.extent;
            // The indices are those below extent_ + kept_; this digit takes `reached` values over them.
            const dim_t reached = divide_up(extent_ + kept_, place);
            const bool carries = k > 0 && value + (reached < d.extent ? reached : d.extent) > d.extent;
            if (value != 0 && (carries || !is_known(d.stride))) kept_ += value * place;
            else if (value != 0) moved_ += value * d.stride;
            if (k == 0) break;
            place *= d.extent;
            offset /= d.extent;
        }
    }
    /// Returns true for an axis that runs backwards and is not whole blocks: it is a part of one block, because there
    /// may be no memory in front for padding. If a stride is not known, no digit may be put outside of it: the axis is
    /// whole blocks already, and keeps them.
    constexpr bool leaves_out_front() const {
        bool backwards = false, known = true;
        for (const digit& d : inner_) {
            known = known && is_known(d.stride);
            backwards = backwards || d.stride < 0;
        }
        return known && backwards && kept_ == 0 && padded_ != extent_;
    }

    dim_t extent_, padded_;
    dim_t kept_ = 0;    // the part of the padded offset that stays
    dim_t moved_ = 0;   // the distance that the rest of it moves the beginning by
    digit outermost_;   // of one value if all digits are inner ones
    digit_list inner_;  // outermost first
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
    digit_list inner;
    for (int a = 0; a < l.ndims(); ++a) {
        const canonical_axis axis(l, a, (fixed >> a & 1u) != 0);
        out.padded_dims[a] = axis.padded();
        out.padded_offsets[a] = axis.padded_offset();
        out.digits.push_back(axis.outermost());
        begin += axis.moved();
        if (const int digits = l.ndims() + inner.size() + axis.inner().size(); digits > max_digits)
            return verdict{reason::too_many_digits, -1, digits, max_digits};
        for (const digit& d : axis.inner()) inner.push_back(d);
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
