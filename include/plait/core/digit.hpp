#pragma once
// A layout is a mixed-radix number system: the index along an axis is written in the digits of that axis, outermost
// first. The offset is the sum of digit value times stride.

#include <plait/core/axis.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// One digit of the index along an axis.
struct digit {
    int axis = 0;
    dim_t extent = 0;  ///< the radix: how many values it takes; `dynamic` if known only at run time
    dim_t stride = 0;  ///< elements between neighbouring values; `dynamic`, or outside(axis), if not known
    constexpr bool operator==(const digit&) const = default;
};

namespace detail {
// A stride that is not a number yet, but a link: the outermost digit of this axis lies directly outside that of another
// axis. Links remain of "dense, in this order" if an extent is dynamic; bind() replaces them with numbers. They are
// encoded as twelve values next to `dynamic`, which no stride can have.
/// Returns the stride that stands for "directly outside the outermost digit of this axis".
constexpr dim_t outside(int axis) { return dynamic + 1 + axis; }
/// Returns true if a stride is a number.
constexpr bool is_known(dim_t stride) { return stride > dynamic + max_ndims; }
/// Returns true if a stride stands for "directly outside the outermost digit of another axis".
constexpr bool is_outside(dim_t stride) { return stride > dynamic && !is_known(stride); }
/// Returns the axis that a stride made by outside(axis) refers to.
///
/// Pre:     is_outside(stride)
constexpr int axis_inside(dim_t stride) { return static_cast<int>(stride - dynamic - 1); }
}  // namespace detail
}  // namespace plait
