#pragma once
// The kernels that run plans known only at run time, for each instruction set. They depend only on the size and the
// number of a tile's registers; everything else about a tile is data.

#include <plait/engine/kernel/static_kernel.hpp>

namespace plait::engine {

/// Returns the kernel of elements that are moved one by one.
template <int Bytes>
const run_time_kernel* element_kernel() {
    return &simd::portable::plain_kernel_for<simd::moved_elements<Bytes>, tile_pattern{}, false>;
}

/// True if an instruction set has vector kernels. CPUs with only the baseline of their architecture move single
/// elements.
constexpr bool has_table_kernels(isa instructions) {
    return instructions != isa::portable ||
           (!is_of_this_architecture(isa::sse41) && !is_of_this_architecture(isa::neon) &&
            std::endian::native == std::endian::little);
}

/// Returns the kernel of a tile whose elements are only moved. All code compiled for run-time layouts is reached by it.
///
/// Pre:     bytes is 1, 2, 4 or 8; the pattern is one that tile_queue makes
template <isa Isa>
const run_time_kernel* find_kernel(const tile_pattern& pattern, int bytes) {
    if constexpr (has_table_kernels(Isa)) {
        const simd::table_kernels& kernels = *simd::code_of<Isa>::template data<vector_bytes(Isa)>;
        if (pattern.interleave != 0) return kernels.find_interleave(pattern, bytes);
        if (pattern.has_vectors()) return kernels.of[pattern.lane_bits + log2_of(bytes)][pattern.register_bits];
    }
    switch (bytes) {
        case 1: return element_kernel<1>();
        case 2: return element_kernel<2>();
        case 4: return element_kernel<4>();
        default: return element_kernel<8>();
    }
}

}  // namespace plait::engine
