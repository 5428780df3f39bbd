#pragma once
// Defines the kernels of an instruction set whose networks are tables. The headers tiles_*.hpp instantiate it, each for
// one set.

#include <plait/engine/kernel/compiled_once.hpp>
#include <plait/engine/simd/scalar.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

template <isa Isa>
const simd::table_kernels& compiled_once::tiles<Isa>::all() noexcept {
    return *simd::code_of<Isa>::template data<vector_bytes(Isa)>;
}

/// Sets without kernels: those of other architectures, those below the set that the compile flags guarantee, and those
/// that move only single elements.
template <isa Isa>
    requires(!has_compiled_kernels(Isa) || !has_table_kernels(Isa))
struct compiled_once::tiles<Isa> {};

}  // namespace plait::engine
