#pragma once
// Compares where two records have their values, whatever loops their tags spell.

#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns true if two pieces of a kind have the same digits that `what` picks, in any order.
template <class List, class What>
constexpr bool same_picked(const List& a, const List& b, const What& what) {
    const auto all_in = [&](const List& from, const List& other) {
        for (const auto& d : from) {
            bool found = !what(d);
            for (const auto& e : other) found = found || d == e;
            if (!found) return false;
        }
        return true;
    };
    return all_in(a, b) && all_in(b, a);
}

/// Returns true if two pieces store the same indices of an axis, at places that differ alike.
constexpr bool same_along(const record_piece& p, const record_piece& q, int axis, dim_t length) {
    return places_of(p, axis, length) == places_of(q, axis, length) &&
           same_picked(p.digits, q.digits, [&](const piece_digit& d) { return d.axis == axis && d.turned_by >= 0; }) &&
           same_picked(p.where, q.where, [&](const piece_condition& c) { return c.axis == axis && c.extent != 0; });
}

/// Returns true if a piece stores no value, because its ranges are empty.
constexpr bool is_empty(const record& r, const record_piece& piece) {
    for (int axis = 0; axis < r.ndims(); ++axis) {
        const piece_condition range = piece.range(axis, r.dims);
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
        const piece_condition range = p.range(axis, a.dims);
        if (!(range == q.range(axis, b.dims))) return false;
        if (!same_along(p, q, axis, range.last - range.first)) return false;
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
