#pragma once
// Three ways to give the tensors of the network formats; what each costs, plait says.

#include "alternatives.hpp"

namespace example {

using choice = plait::basic_choice<plait::heap_storage>;

enum class strategy {
    chosen,  ///< plait chooses, such that primitives and reorders cost least
    greedy,  ///< oneDNN's propagation: each convolution has what it likes, the others follow their first source
    plain    ///< all is nchw
};

/// The formats of all tensors by a strategy, and the reorders that follow. Tensors have the network's numbers, then
/// come the weights of the convolutions in order. Image and result are nchw.
choice choose(const network& net, const std::vector<std::vector<alternative>>& alternatives, const machine& here,
              strategy how);

}  // namespace example
