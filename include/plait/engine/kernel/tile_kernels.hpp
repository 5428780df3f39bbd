#pragma once
// The kernels that run plans known only at run time, for each instruction set. They depend only on the size and the
// number of a tile's registers; everything else about a tile is data.

#include <plait/engine/kernel/compiled_once.hpp>
#include <plait/engine/kernel/static_kernel.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Returns the kernel of elements that are moved one by one.
template <int Bytes>
const run_time_kernel* element_kernel() {
    return &simd::portable::plain_kernel_for<simd::moved_elements<Bytes>, tile_pattern{}, false>;
}

/// The kernels of one instruction set for plans that are made at run time. Planning is the same code for all sets.
struct run_time_kernels {
    isa instructions = isa::portable;
    const simd::table_kernels* tiles = nullptr;  ///< null if the set moves only single elements
    const row_conversions *rows_in_f32 = nullptr, *rows_in_f64 = nullptr;
};

/// Returns the kernels of an instruction set, which a program compiles once.
template <isa Isa>
    requires(has_compiled_kernels(Isa))
run_time_kernels compiled_kernels()
noexcept {
    run_time_kernels out{Isa, nullptr, &compiled_once::rows<Isa>::in_f32(), &compiled_once::rows<Isa>::in_f64()};
    if constexpr (has_table_kernels(Isa)) out.tiles = &compiled_once::tiles<Isa>::all();
    return out;
}

/// Returns the kernel of a tile whose elements are only moved.
///
/// Pre:     bytes is 1, 2, 4 or 8; the pattern is one that tile_queue makes for the instruction set of the kernels
inline const run_time_kernel* find_kernel(const run_time_kernels& kernels, const tile_pattern& pattern, int bytes) {
    if (kernels.tiles != nullptr) {
        if (pattern.interleave != 0) return kernels.tiles->find_interleave(pattern, bytes);
        if (pattern.has_vectors()) return kernels.tiles->of[pattern.lane_bits + log2_of(bytes)][pattern.register_bits];
    }
    switch (bytes) {
        case 1: return element_kernel<1>();
        case 2: return element_kernel<2>();
        case 4: return element_kernel<4>();
        default: return element_kernel<8>();
    }
}

}  // namespace plait::engine
