#pragma once

namespace plait {

/// What is known of the places that a layout pads a tensor with: nothing, or that all their bits are zero.
enum class padding_state { unknown, zero };

}  // namespace plait
