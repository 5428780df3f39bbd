#pragma once
// The integer type for extents, strides and offsets, and the limits of a layout.

#include <plait/version.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The integer type of extents, strides and offsets, in elements.
using dim_t = std::int64_t;

/// Marks an extent or a stride that is known only at run time.
inline constexpr dim_t dynamic = INT64_MIN;

/// The maximum rank of a layout (RFC, sections 1 and 3).
inline constexpr int max_ndims = 12;
/// The maximum number of inner blocks of a layout (RFC, sections 1 and 3).
inline constexpr int max_inner_blocks = 12;

}  // namespace plait
