#pragma once

namespace plait {

/// The knowledge about the padding of a tensor: nothing, or that all its bits are zero.
enum class padding_state { unknown, zero };

}  // namespace plait
