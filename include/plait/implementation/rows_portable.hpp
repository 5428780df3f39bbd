#pragma once
// The functions of portable code that convert rows. Compiled once in a program.

#include <plait/engine/simd/portable_rows.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::for_all_units::kernels::once::rows<static_cast<int>(plait::isa::portable)>;
