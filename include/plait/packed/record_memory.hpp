#pragma once
// Compares where two records have their values, whatever loops their tags spell.

#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A digit of the index along one axis, and how far it moves the place. Values that share a place have stride 0.
struct place_digit {
    enum { moved, turned, fixed } kind = moved;
    dim_t step = 1;
    dim_t extent = 0;  // 0: up to the end of the axis
    dim_t stride = 0;
    int turned_by = -1;
    constexpr bool operator==(const place_digit&) const = default;
};

/// The place of a piece's values as a function of the index along one axis, in the fewest digits. Functions are equal
/// exactly if their digits are.
class axis_places {
public:
    constexpr axis_places(const record_piece& piece, int axis, dim_t length) {
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis)
                add({d.turned_by < 0 ? place_digit::moved : place_digit::turned, d.step, d.extent, d.stride,
                     d.turned_by});
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent != 0) add({place_digit::fixed, c.step, c.extent, c.first, -1});
        fill_gaps(length);
        join_neighbours(length);
    }
    constexpr bool operator==(const axis_places&) const = default;

private:
    using list = inline_list<place_digit, 2 * (max_piece_digits + max_piece_conditions) + 1>;

    /// Adds a digit in the order of steps.
    constexpr void add(const place_digit& digit) {
        digits_.push_back(digit);
        for (int i = digits_.size() - 1; i > 0 && digits_[i].step < digits_[i - 1].step; --i) {
            const place_digit before = digits_[i - 1];
            digits_[i - 1] = digits_[i];
            digits_[i] = before;
        }
    }
    /// Adds digits of stride 0 where values share a place.
    constexpr void fill_gaps(dim_t length) {
        const list given = digits_;
        digits_ = list();
        dim_t reached = 1;
        for (const place_digit& d : given) {
            if (d.step > reached) digits_.push_back({place_digit::moved, reached, d.step / reached, 0, -1});
            digits_.push_back(d);
            reached = d.step * larger_of(d.extent, 1);
        }
        if (reached < length) digits_.push_back({place_digit::moved, reached, divide_up(length, reached), 0, -1});
    }
    /// Removes digits that are always 0, and joins two if the outer one continues the inner one.
    constexpr void join_neighbours(dim_t length) {
        const list given = digits_;
        digits_ = list();
        for (const place_digit& d : given) {
            if (d.kind == place_digit::moved && (d.step >= length || d.extent == 1)) continue;
            if (!digits_.empty()) {
                place_digit& inner = digits_[digits_.size() - 1];
                const bool both_move = d.kind == place_digit::moved && inner.kind == place_digit::moved;
                if (both_move && d.stride == inner.stride * inner.extent) {
                    inner.extent *= d.extent;
                    continue;
                }
            }
            digits_.push_back(d);
        }
        if (digits_.empty()) return;
        place_digit& last = digits_[digits_.size() - 1];
        if (last.kind == place_digit::moved) last.extent = 0;
    }

    list digits_;
};

/// Returns the indices along an axis that a piece has: the first one, and the one after the last.
constexpr piece_condition range_of(const record& r, const record_piece& piece, int axis) {
    for (const piece_condition& c : piece.where)
        if (c.axis == axis && c.extent == 0) return c;
    return {axis, 1, 0, 0, r.dims[axis]};
}

/// Returns true if a piece stores no value, because its ranges are empty.
constexpr bool is_empty(const record& r, const record_piece& piece) {
    for (int axis = 0; axis < r.ndims(); ++axis) {
        const piece_condition range = range_of(r, piece, axis);
        if (range.first >= range.last) return true;
    }
    return false;
}

/// Returns true if two pieces store the same bits of the same values in the same way at the same places.
constexpr bool same_places(const record& a, const record_piece& p, const record& b, const record_piece& q) {
    const record_field &f = a.field_of(p), &g = b.field_of(q);
    const bool stored_alike = f.name == g.name && f.type == g.type && f.low == g.low && f.width == g.width &&
                              f.flipped == g.flipped && f.subtracted == g.subtracted && f.factor == g.factor;
    if (!stored_alike || p.at != q.at) return false;
    for (int axis = 0; axis < a.ndims(); ++axis) {
        const piece_condition range = range_of(a, p, axis);
        if (!(range == range_of(b, q, axis))) return false;
        const dim_t length = range.last - range.first;
        if (!(axis_places(p, axis, length) == axis_places(q, axis, length))) return false;
    }
    return true;
}
}  // namespace detail

/// Returns true if two records have the same values at the same places in the same size. Their texts, the padding and
/// what is computed may differ.
///
/// Pre:     none. The result is also false if only one record cuts a field into ranges, or if digits that are turned
///          and longer than their axis lie elsewhere
/// Post:    a == b implies same_memory(a, b), which implies a.bit_offset(f, i...) == b.bit_offset(f, i...) for all i
/// Cost:    O(pieces squared + digits squared) steps
/// Source:  docs/packed.md
/// Example: same_memory(record("n: q:u8 n", {6}), record("n: q:u8 N 2n", {6}))
[[nodiscard]] constexpr bool same_memory(const record& a, const record& b) {
    if (!(a.dims == b.dims) || a.size != b.size) return false;
    int stored = 0, found = 0;
    for (const record_piece& p : a.pieces) {
        if (detail::is_empty(a, p)) continue;
        ++stored;
        for (const record_piece& q : b.pieces) found += detail::same_places(a, p, b, q);
    }
    int others = 0;
    for (const record_piece& q : b.pieces) others += !detail::is_empty(b, q);
    return stored == found && stored == others;
}

}  // namespace plait
