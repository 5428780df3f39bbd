#pragma once
// A layout is a mixed-radix number system: the index along an axis is written in the digits of that axis, outermost
// first, and the offset is the sum of digit value times stride.

#include <plait/core/axis.hpp>

namespace plait {

/// One digit of the index along an axis.
struct digit {
    int axis = 0;
    dim_t extent = 0;  ///< its radix: how many values it takes; `dynamic` where known only at run time
    dim_t stride = 0;  ///< elements between neighbouring values; `dynamic`, or outside(axis), where not known
    constexpr bool operator==(const digit&) const = default;
};

namespace detail {
// A stride that is not a number yet, but a fact: the outermost digit of this axis lies directly outside that of
// another. It is what is left of "dense, in this order" when an extent is dynamic, and what bind() turns into a number.
// Kept as one of twelve values next to `dynamic`, where no stride can be.
/// The stride that says: directly outside the outermost digit of this axis.
constexpr dim_t outside(int axis) { return dynamic + 1 + axis; }
/// Whether a stride is a number.
constexpr bool is_known(dim_t stride) { return stride > dynamic + max_ndims; }
/// Whether a stride says that its digit is directly outside that of another axis.
constexpr bool is_outside(dim_t stride) { return stride > dynamic && !is_known(stride); }
/// The axis that outside(axis) says.
///
/// Pre:     is_outside(stride)
constexpr int axis_inside(dim_t stride) { return static_cast<int>(stride - dynamic - 1); }
}  // namespace detail
}  // namespace plait
