#pragma once
// The functions of NEON that convert rows. Compiled once in a program.

#include <plait/engine/simd/neon_rows.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::for_all_units::kernels::once::rows<static_cast<int>(plait::isa::neon)>;
