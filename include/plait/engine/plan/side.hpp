#pragma once
// The two sides of a reorder.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The side of a reorder that elements are read from, or written to.
enum class side { source, destination };

}  // namespace plait::engine
