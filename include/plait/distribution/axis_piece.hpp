#pragma once
// Indices of an axis that go from one rank to another, as data.

#include <plait/core/axis.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A loop over a piece: the number of steps, and how far a step moves in the memory of each rank.
struct axis_piece_digit {
    dim_t extent = 0, from = 0, to = 0;
    constexpr bool operator==(const axis_piece_digit&) const = default;
};

/// Indices of an axis with equal ranks on each side. Its digits, innermost first, are in a list that pieces share.
struct axis_piece {
    dim_t from_rank = 0, to_rank = 0;    ///< what the axis adds to the rank
    dim_t from_place = 0, to_place = 0;  ///< what the first index adds to the place
    dim_t elements = 1;                  ///< the product of the extents of its digits
    int first_digit = 0, digits = 0;     ///< a range of the list
};

}  // namespace plait::detail
