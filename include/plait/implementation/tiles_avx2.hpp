#pragma once
// The kernels of AVX2 that move tiles of vectors. Compiled once in a program.

#include <plait/engine/simd/avx2.hpp>
#include <plait/implementation/tiles.hpp>

template struct plait::engine::compiled_once::tiles<plait::isa::avx2>;
