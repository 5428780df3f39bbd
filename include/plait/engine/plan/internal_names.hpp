#pragma once
// Makes the names of plait::detail, which are not for users, visible unqualified in plans and kernels.

namespace plait::detail {}

namespace plait::engine {
using namespace detail;
}  // namespace plait::engine
