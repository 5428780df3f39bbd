#pragma once
// Defines the functions of an instruction set that convert rows. The headers rows_*.hpp instantiate it, each for one
// set.

#include <plait/engine/kernel/compiled_once.hpp>
#include <plait/engine/simd/scalar.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

template <isa Isa>
const row_conversions& compiled_once::rows<Isa>::in_f32() noexcept {
    return *simd::code_of<Isa>::template rows<float>;
}
template <isa Isa>
const row_conversions& compiled_once::rows<Isa>::in_f64() noexcept {
    return *simd::code_of<Isa>::template rows<double>;
}

/// Sets without kernels: those of other architectures, and those below the set that the compile flags guarantee.
template <isa Isa>
    requires(!has_compiled_kernels(Isa))
struct compiled_once::rows<Isa> {};

}  // namespace plait::engine
