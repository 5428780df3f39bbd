#pragma once
// The numbers everything is counted in, and the limits of a layout.

#include <plait/version.hpp>

#include <cstdint>

namespace plait {

/// Extents, strides and offsets, in elements.
using dim_t = std::int64_t;

/// An extent or a stride that is known only at run time.
inline constexpr dim_t dynamic = INT64_MIN;

/// A layout has at most this many axes, and at most this many inner blocks (RFC, sections 1 and 3).
inline constexpr int max_ndims = 12;
/// At most this many inner blocks.
inline constexpr int max_inner_blocks = 12;

}  // namespace plait
