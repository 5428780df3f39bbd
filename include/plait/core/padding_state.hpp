#pragma once

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The knowledge about the padding of a tensor: nothing, or that all its bits are zero.
enum class padding_state { unknown, zero };

}  // namespace plait
