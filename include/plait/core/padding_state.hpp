#pragma once

namespace plait {

/// What is known about the padding of a tensor: nothing, or that all its bits are zero.
enum class padding_state { unknown, zero };

}  // namespace plait
