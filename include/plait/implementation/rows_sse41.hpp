#pragma once
// The functions of SSE4.1 that convert rows. Compiled once in a program.

#include <plait/engine/simd/sse41.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::engine::compiled_once::rows<plait::isa::sse41>;
