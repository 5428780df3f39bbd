#pragma once
// The two sides of a reorder.

namespace plait::engine {

/// Where elements are moved from, and where to.
enum class side { source, destination };

}  // namespace plait::engine
