#pragma once
// What the demo moves: activations, f32, to blocks of 16 channels and back.

#include <plait/core/layout.hpp>

namespace demo {

using kernel = void (*)(const float*, float*) noexcept;

struct tensor {
    const char* size;  ///< for who reads
    plait::layout plain, blocked;
    kernel to_blocks, to_plain;  ///< plait's kernels for this pair, compiled in kernels.cpp
    int calls;                   ///< that are timed together
};

/// One image, which stays in a cache, and 32 larger ones, which do not.
extern const tensor in_cache, in_memory;

}  // namespace demo
