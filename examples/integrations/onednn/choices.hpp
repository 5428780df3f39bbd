#pragma once
// Three ways to choose the formats of the network's tensors; plait computes the cost of each.

#include "alternatives.hpp"

namespace example {

using choice = plait::basic_choice<plait::heap_storage>;

enum class strategy {
    chosen,  ///< plait chooses, so that primitives and reorders have the lowest total cost
    greedy,  ///< oneDNN's propagation: each convolution takes what libdnnl prefers, the others follow their first
             ///< source
    plain    ///< nchw everywhere
};

/// Returns the formats of all tensors by a strategy, and the reorders that follow from them. Tensors have the network's
/// numbers, followed by the weights of the convolutions in order. Image and result are nchw.
choice choose(const network& net, const std::vector<std::vector<alternative>>& alternatives, const machine& here,
              strategy how);

}  // namespace example
