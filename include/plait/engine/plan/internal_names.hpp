#pragma once
// In plans and kernels the names of plait::detail, which are not for users, need no qualification.

namespace plait::detail {}

namespace plait::engine {
using namespace detail;
}  // namespace plait::engine
