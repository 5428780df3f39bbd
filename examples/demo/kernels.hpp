#pragma once
// The tensors that the demo moves: f32 activations, to blocks of 16 channels and back.

#include <plait/core/layout.hpp>

namespace demo {

using kernel = void (*)(const float*, float*) noexcept;

struct tensor {
    const char* size;  ///< as text
    plait::layout plain, blocked;
    kernel to_blocks, to_plain;  ///< plait's kernels for this pair, compiled in kernels.cpp
    int calls;                   ///< the number of calls that are timed together
};

/// One image, which fits in a cache, and 32 larger ones, which do not.
extern const tensor in_cache, in_memory;

}  // namespace demo
