#pragma once
// The digits of a piece of a record as values: which indices have them, how many of them are reached.

#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A digit of one axis of a piece: one with places, or one that is fixed by a condition.
struct axis_digit {
    dim_t step = 1, extent = 1;
    int place = -1;   ///< its number among the digits of the piece; -1: fixed
    dim_t value = 0;  ///< of a fixed digit
};

/// The digits of one axis of a piece that have more than one value, from the least step to the largest.
struct axis_digits {
    inline_list<axis_digit, max_piece_digits + max_piece_conditions> list;
    bool chains = true;  ///< each digit steps by a multiple of what the digits inside it count

    constexpr axis_digits(const record_piece& piece, int axis) {
        for (int k = 0; k < piece.digits.size(); ++k) {
            const piece_digit& d = piece.digits.values[k];
            if (d.axis == axis && d.extent != 1) insert({d.step, d.extent, k, 0});
        }
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent > 1) insert({c.step, c.extent, -1, c.first});
        dim_t counted = 1;
        for (const axis_digit& d : list) {
            chains = chains && d.step % counted == 0 && !multiply_overflows(d.step, larger_of(d.extent, 1), counted);
            if (!chains) return;
        }
    }

    /// Returns how many different values the digits with places have for the indices 0 to length - 1, as far as fixed
    /// digits have their value.
    ///
    /// Pre:     chains
    constexpr dim_t places_of(dim_t length) const { return places_of(list.size() - 1, length); }

private:
    constexpr void insert(const axis_digit& d) {
        int at = list.size();
        list.push_back(d);
        for (; at > 0 && list.values[at - 1].step > d.step; --at) list.values[at] = list.values[at - 1];
        list.values[at] = d;
    }
    constexpr dim_t places_of(int k, dim_t length) const {
        if (length <= 0) return 0;
        if (k < 0) return 1;
        const axis_digit& d = list.values[k];
        if (length > d.step * d.extent) length = d.step * d.extent;
        if (d.place < 0) {
            const dim_t inside = length - d.value * d.step;
            return places_of(k - 1, inside < d.step ? inside : d.step);
        }
        const dim_t whole = length / d.step;
        return (whole > 0 ? whole * places_of(k - 1, d.step) : 0) + places_of(k - 1, length % d.step);
    }
};

/// A piece of a record, with the numbers of its field, and indices from the values of digits.
class piece_values {
public:
    constexpr piece_values(const record& r, const record_piece& piece) : r_(r), piece_(piece) {
        is_well_formed_ = check();
        for (int k = 0; is_well_formed_ && k < size(); ++k) {
            const piece_digit& d = piece.digits.values[k];
            const dim_t reached = divide_up(piece.extents[d.axis], d.step);
            most_[k] = (reached < d.extent ? reached : d.extent) - 1;
        }
    }

    /// Returns false if an axis, an extent or a step is none, which can be so in a piece that was changed by hand.
    constexpr bool is_well_formed() const { return is_well_formed_; }
    /// Returns true if no index has a place.
    constexpr bool is_empty() const {
        for (const dim_t extent : piece_.extents)
            if (extent <= 0) return true;
        return false;
    }

    constexpr const record_piece& piece() const { return piece_; }
    constexpr const field_name& name() const { return r_.tag.fields[piece_.field].name; }
    constexpr dim_t width() const { return r_.tag.fields[piece_.field].width; }
    constexpr dim_t at() const { return piece_.at; }
    constexpr int size() const { return piece_.digits.size(); }
    constexpr dim_t stride(int digit) const { return piece_.digits.values[digit].stride; }
    /// Returns the largest value of a digit that an index reaches.
    constexpr dim_t most(int digit) const { return most_[digit]; }

    /// Returns an index whose digits have these values; of a digit that is turned, the value is the slot.
    constexpr position index_of(const dim_t* values) const {
        position out = piece_.origin;
        for (const piece_condition& c : piece_.where)
            if (c.extent > 0) out[c.axis] += c.first * c.step;
        for (int k = 0; k < size(); ++k)
            if (const piece_digit& d = piece_.digits.values[k]; d.turned_by < 0) out[d.axis] += values[k] * d.step;
        for (int k = 0; k < size(); ++k)
            if (const piece_digit& d = piece_.digits.values[k]; d.turned_by >= 0 && d.extent > 0)
                out[d.axis] += (values[k] + out[d.turned_by] - piece_.origin[d.turned_by]) % d.extent * d.step;
        return out;
    }
    /// Returns true if the piece has a place for an index: one of a value, or one of padding.
    constexpr bool has_place(const position& index) const {
        for (int a = 0; a < index.size(); ++a)
            if (index[a] < piece_.origin[a] || index[a] - piece_.origin[a] >= piece_.extents[a]) return false;
        for (const piece_condition& c : piece_.where)
            if (c.extent > 0 && !c.holds(index)) return false;
        return true;
    }
    /// Returns true if two indices have the same values of all digits with a stride, so that they have one value.
    constexpr bool has_same_digits(const position& first, const position& second) const {
        for (const piece_digit& d : piece_.digits) {
            const dim_t origin = piece_.origin[d.axis];
            if (d.stride != 0 &&
                (first[d.axis] - origin) / d.step % d.extent != (second[d.axis] - origin) / d.step % d.extent)
                return false;
        }
        return true;
    }
    /// Returns the least difference of two indices of an axis that changes no digit with a place, and is no multiple
    /// of `extent`; 0 if there is none, -1 if that could not be decided.
    constexpr dim_t shared_move(int axis, dim_t extent) const {
        const axis_digits digits(piece_, axis);
        if (!digits.chains) return -1;
        dim_t counted = 1;
        for (const axis_digit& d : digits.list) {
            if (d.step > counted && counted < piece_.extents[axis] && counted % extent != 0) return counted;
            // If the digit is itself turned, its value is not known from its slot.
            if (d.place >= 0 && piece_.digits[d.place].turned_by >= 0 && d.step % extent != 0) return -1;
            counted = d.step * d.extent;
        }
        return counted < piece_.extents[axis] && counted % extent != 0 ? counted : 0;
    }

private:
    constexpr bool check() const {
        const int n = r_.ndims();
        if (piece_.field < 0 || piece_.field >= r_.tag.fields.size()) return false;
        if (piece_.origin.size() != n || piece_.extents.size() != n) return false;
        constexpr dim_t far = dim_t{1} << 59;
        for (int a = 0; a < n; ++a)
            if (piece_.extents[a] > far || piece_.origin[a] > far || piece_.origin[a] < -far) return false;
        for (const piece_digit& d : piece_.digits)
            if (d.axis < 0 || d.axis >= n || d.turned_by >= n || d.extent < 0 || d.step < 1 || d.stride > far ||
                d.stride < -far)
                return false;
        for (const piece_condition& c : piece_.where)
            if (c.axis < 0 || c.axis >= n || c.step < 1 || c.extent < 0 || c.first < 0 || c.first > far / c.step)
                return false;
        return true;
    }

    const record& r_;
    const record_piece& piece_;
    bool is_well_formed_ = false;
    dim_t most_[max_piece_digits]{};
};

}  // namespace plait::detail
