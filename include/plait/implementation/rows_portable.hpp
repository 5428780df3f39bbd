#pragma once
// The functions of portable code that convert rows. Compiled once in a program.

#include <plait/engine/simd/portable.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::engine::compiled_once::rows<plait::isa::portable>;
