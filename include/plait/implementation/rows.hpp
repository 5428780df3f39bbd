#pragma once
// Defines the functions of an instruction set that convert rows, those for bytes, and those that pick bytes. The
// headers rows_*.hpp instantiate it, each for one set.

#include <plait/engine/kernel/compiled_kernels.hpp>
#include <plait/engine/simd/scalar.hpp>

namespace plait::for_all_units::kernels {

using once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

template <int Isa>
const void* once::rows<Isa>::in_f32(engine::kernel_types) noexcept {
    const engine::row_conversions* const all = engine::simd::row_code_of<isa(Isa)>::template rows<float>;
    return all;
}
template <int Isa>
const void* once::rows<Isa>::in_f64(engine::kernel_types) noexcept {
    const engine::row_conversions* const all = engine::simd::row_code_of<isa(Isa)>::template rows<double>;
    return all;
}
template <int Isa>
const void* once::rows<Isa>::of_bytes(engine::kernel_types) noexcept {
    const engine::byte_kernels* const all = engine::simd::row_code_of<isa(Isa)>::template bytes<std::byte>;
    return all;
}
template <int Isa>
const void* once::rows<Isa>::windows(engine::kernel_types) noexcept {
    const engine::byte_window_code* const all = engine::simd::row_code_of<isa(Isa)>::template windows<>;
    return all;
}

/// Sets without kernels: those of other architectures, and those below the set that the compile flags guarantee.
template <int Isa>
    requires(!engine::has_compiled_kernels(isa(Isa)))
struct once::rows<Isa> {};

}  // namespace plait::for_all_units::kernels
