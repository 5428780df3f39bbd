#pragma once
// How far a piece of a record reaches: the strides of its digits, the largest first, and the bits between which it
// lies. Decides for most pieces that they share no bit.

#include <plait/packed/record_values.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The strides of a piece, and the bits from `low` to `high - 1` between which all of its values lie.
struct piece_reach {
    dim_t strides[max_piece_digits]{}, most[max_piece_digits]{};  // of digits with several values; sizes of strides
    int count = 0;
    dim_t low = 0, high = 0, width = 0;
    bool is_known = false;  ///< false if nothing is known: a sum may overflow, a digit runs backwards, ...
    bool has_turned = false;

    constexpr piece_reach() = default;
    constexpr piece_reach(const record& r, const record_piece& piece) {
        const piece_values values(r, piece);
        if (!values.is_well_formed() || values.is_empty()) return;
        constexpr dim_t far = dim_t{1} << 60;
        checked_integer end{piece.at < far && piece.at > -far ? piece.at + values.width() : far};
        for (int k = 0; k < values.size(); ++k) {
            const dim_t stride = values.stride(k), number = values.most(k);
            has_turned = has_turned || piece.digits.values[k].turned_by >= 0;
            if (number == 0) continue;
            if (stride <= 0) return;
            end.add_product(stride, number);
            int at = count++;
            for (; at > 0 && strides[at - 1] < stride; --at) {
                strides[at] = strides[at - 1];
                most[at] = most[at - 1];
            }
            strides[at] = stride;
            most[at] = number;
        }
        is_known = end.ok() && end.value < far;
        low = piece.at;
        high = end.value;
        width = values.width();
    }

    /// Returns true if no two values of the piece share a bit because each digit steps past those inside it.
    constexpr bool nests() const {
        if (!is_known || has_turned) return false;
        dim_t inside = width;
        for (int i = count - 1; i >= 0; --i) {
            if (strides[i] < inside) return false;
            inside += strides[i] * most[i];
        }
        return true;
    }

    /// Returns true if two pieces share no bit because, inside the loops that both have, one lies after the other.
    constexpr bool lies_apart(const piece_reach& other) const {
        if (!is_known || !other.is_known) return false;
        dim_t end = high, end_of_other = other.high;
        for (int i = 0;; ++i) {
            if (end <= other.low || end_of_other <= low) return true;
            if (i == count || i == other.count || strides[i] != other.strides[i]) return false;
            end -= strides[i] * most[i];
            end_of_other -= strides[i] * other.most[i];
            // Otherwise one loop later the other piece may be met.
            if (larger_of(end, end_of_other) - (low < other.low ? low : other.low) > strides[i]) return false;
        }
    }
};

}  // namespace plait::detail
