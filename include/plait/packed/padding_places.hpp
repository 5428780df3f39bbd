#pragma once
// The places of a piece of a record that no index has: its padding. Shared values are visited once, so the work follows
// the bytes of the record, not the indices.

#include <plait/packed/record_piece.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Walks the places of a piece, the outermost digit first.
class padding_walk {
public:
    /// `ends` has the end of the indices of each axis; the places behind it are padding.
    constexpr padding_walk(const record_piece& piece, const plait::dims& ends) : piece_(piece), ends_(ends) {
        for (int a = 0; a < ends.size(); ++a) reach_[0].push_back(0);
        for (int k = 0; k < piece.digits.size(); ++k) {
            const piece_digit& d = piece.digits[k];
            reach_[k + 1] = reach_[k];
            reach_[k + 1][d.axis] += larger_of(d.extent - 1, 0) * d.step;
        }
    }

    /// Calls what(index) for the first of the indices that share each place of padding.
    template <class What>
    void for_each(const What& what) const {
        position index = piece_.origin;
        for (const piece_condition& c : piece_.where)
            if (c.extent != 0) index[c.axis] += c.first * c.step;
        for (const piece_digit& d : piece_.digits)
            if (d.extent == 0) return;
        visit(piece_.digits.size(), index, what);
    }

private:
    template <class What>
    void visit(int digits, position& index, const What& what) const {
        bool are_all_inside = true;
        for (int a = 0; a < index.size(); ++a) {
            if (index[a] - piece_.origin[a] >= piece_.extents[a]) return;
            are_all_inside = are_all_inside && index[a] + reach_[digits][a] < ends_[a];
        }
        if (are_all_inside) return;
        if (digits == 0) return what(index);
        const piece_digit& d = piece_.digits[digits - 1];
        const dim_t before = index[d.axis];
        for (dim_t v = 0; v < d.extent; ++v, index[d.axis] += d.step) visit(digits - 1, index, what);
        index[d.axis] = before;
    }

    const record_piece& piece_;
    const plait::dims& ends_;
    position reach_[max_piece_digits + 1];  // how far the innermost digits lead along each axis
};

}  // namespace plait::detail
