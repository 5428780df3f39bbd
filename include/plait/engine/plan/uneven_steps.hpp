#pragma once
// Loops whose steps are not all alike, because the blocks of the two sides do not divide each other.

#include <plait/core/axis.hpp>
#include <plait/support/inline_list.hpp>

namespace plait::engine {

/// What every period-th step along a node adds on both sides besides: there a block ends that does not divide the
/// blocks of the other side, or is not divided by them. Blocks of 32 and of 48 are steps of 16, of which every second
/// and every third are uneven.
struct uneven_step {
    int axis = 0;
    dim_t period = 0;
    dim_t src = 0, dst = 0;
    constexpr bool operator==(const uneven_step&) const = default;
};

using uneven_step_list = inline_list<uneven_step, 8>;

}  // namespace plait::engine
