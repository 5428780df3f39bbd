#pragma once
// The kernels of NEON that move tiles of vectors. Compiled once in a program.

#include <plait/engine/simd/neon.hpp>
#include <plait/implementation/tiles.hpp>

template struct plait::for_all_units::kernels::once::tiles<static_cast<int>(plait::isa::neon)>;
