#pragma once
// Makes the names of plait::detail, which are not for users, visible unqualified in plans and kernels.

namespace plait::inline PLAIT_UNIT_FLAGS::detail {}

namespace plait::inline PLAIT_UNIT_FLAGS::engine {
using namespace detail;
}  // namespace plait::engine
