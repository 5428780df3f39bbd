#pragma once
// The pieces of a record: where the bits of the values of each field lie.

#include <plait/core/places.hpp>
#include <plait/packed/record_tag.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Inserts a number into a sorted list that has each number once. Returns false if the list is full.
template <int Capacity>
constexpr bool insert_sorted(inline_list<dim_t, Capacity>& list, dim_t number) {
    int at = 0;
    while (at < list.size() && list[at] < number) ++at;
    if (at < list.size() && list[at] == number) return true;
    if (list.full()) return false;
    list.push_back(0);
    for (int i = list.size() - 1; i > at; --i) list[i] = list[i - 1];
    list[at] = number;
    return true;
}

inline constexpr int max_piece_digits = 12, max_piece_conditions = 3;
}  // namespace detail

/// One digit of an index, and how far it moves the place: value v = (index - origin) / step % extent lies v * stride
/// bits further; a digit that is turned lies (v - i) mod extent strides further, where i is the index of that axis.
struct piece_digit {
    int axis = 0;
    int turned_by = -1;  ///< the axis by whose index the digit is turned, or -1
    dim_t extent = 0, step = 0;
    dim_t stride = 0;  ///< in bits; negative if the digit runs backwards
    constexpr bool operator==(const piece_digit&) const = default;
};

/// A condition under which a piece is stored: first <= index / step % extent < last; extent 0: without the remainder.
struct piece_condition {
    int axis = 0;
    dim_t step = 1, extent = 0, first = 0, last = 0;

    constexpr bool holds(const position& index) const {
        const dim_t value = index[axis] / step;
        const dim_t digit = extent == 0 ? value : value % extent;
        return first <= digit && digit < last;
    }
    constexpr bool operator==(const piece_condition&) const = default;
};

/// Some bits of the values of a field, for some indices, and where they lie.
///
/// Post:    the bits low .. low + width - 1 of the value at an index lie at bit place(index) of the record and after it
struct record_piece {
    int field = 0;  ///< the number of the field in the tag
    dim_t at = 0;   ///< in bits, where index `origin` lies if no digit runs backwards
    position origin;
    plait::dims extents;  ///< how many indices of each axis have a place, from the origin on: padding included
    /// From the innermost in memory to the outermost. A digit that all values share has no entry.
    inline_list<piece_digit, detail::max_piece_digits> digits;
    inline_list<piece_condition, detail::max_piece_conditions> where;

    /// Of a plain tensor: a bit for each axis whose digits are those of a longer one, and may go on behind its end.
    unsigned open_axes = 0;

    /// Returns the end of the indices of an axis for which values are stored here; padding follows.
    constexpr dim_t end(int axis, const plait::dims& dims) const {
        for (const piece_condition& c : where)
            if (c.axis == axis && c.extent == 0) return c.last;
        return dims[axis];
    }
    /// Returns true if the values of an index are stored in this piece.
    constexpr bool holds(const position& index) const {
        for (const piece_condition& condition : where)
            if (!condition.holds(index)) return false;
        return true;
    }
    /// Returns the bit from the beginning of the record where the piece's lowest bit lies.
    ///
    /// Pre:     origin[a] <= index[a] < origin[a] + extents[a] for each axis a
    constexpr dim_t place(const position& index) const {
        dim_t bit = at;
        for (const piece_digit& d : digits) {
            dim_t value = (index[d.axis] - origin[d.axis]) / d.step % d.extent;
            if (d.turned_by >= 0) {
                value = (value - (index[d.turned_by] - origin[d.turned_by])) % d.extent;
                value += value < 0 ? d.extent : 0;
            }
            bit += value * d.stride;
        }
        return bit;
    }
    constexpr bool operator==(const record_piece&) const = default;
};

namespace detail {
/// Returns where the first `indices` indices of an axis lie in a piece, in bits, counted from its origin. Digits that
/// are turned are left out: they are no sum of jumps.
constexpr axis_places places_of(const record_piece& piece, int axis, dim_t indices) {
    axis_places out;
    for (const piece_digit& d : piece.digits)
        if (d.axis == axis && d.turned_by < 0 && d.extent > 0) out.add_digit(d.step, d.extent, d.stride, indices);
    return out;
}
}  // namespace detail

}  // namespace plait
