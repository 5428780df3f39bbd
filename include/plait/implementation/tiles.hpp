#pragma once
// Defines the kernels of an instruction set whose networks are tables. The headers tiles_*.hpp instantiate it, each for
// one set.

#include <plait/engine/kernel/compiled_kernels.hpp>
#include <plait/engine/simd/scalar.hpp>

namespace plait::for_all_units::kernels {

using once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

template <int Isa>
const void* once::tiles<Isa>::all(engine::kernel_types) noexcept {
    const engine::simd::table_kernels* const all =
        engine::simd::code_of<isa(Isa)>::template data<detail::vector_bytes(isa(Isa))>;
    return all;
}

/// Sets without kernels: those of other architectures, those below the set that the compile flags guarantee, and those
/// that move only single elements.
template <int Isa>
    requires(!engine::has_compiled_kernels(isa(Isa)) || !engine::has_table_kernels(isa(Isa)))
struct once::tiles<Isa> {};

}  // namespace plait::for_all_units::kernels
