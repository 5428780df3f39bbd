#pragma once
// The functions of AVX-512 that convert rows. Compiled once in a program.

#include <plait/engine/simd/avx512_rows.hpp>
#include <plait/implementation/rows.hpp>

template struct plait::for_all_units::kernels::once::rows<static_cast<int>(plait::isa::avx512)>;
