#pragma once
// The functions of NEON that convert rows. Compiled once in a program.

#include <plait/engine/simd/neon.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::engine::compiled_once::rows<plait::isa::neon>;
