#pragma once
// The kernels that run plans known only at run time: a table for each instruction set, generated from the list of known
// reorders.

#include <plait/runtime/known_reorders.hpp>

namespace plait {

/// What tells kernels apart: the path of an element, and the pattern. Where elements are only moved their size is the
/// path, else both types.
using kernel_key = std::uint64_t;
constexpr kernel_key key_of_path(data_type src, data_type dst) {
    return src == dst ? static_cast<kernel_key>(size_in_bytes(src)) << 40
                      : (static_cast<kernel_key>(src) << 4 | static_cast<kernel_key>(dst)) << 44;
}

/// The pattern that an instruction set moves the layouts of a known reorder with.
template <class Known, isa Isa>
inline constexpr tile_pattern pattern_of_known =
    open_pattern(make_plan(Known::src, Known::dst, Known::path::sizes, Isa)->pattern);

/// The kernel of a path and a pattern, for one instruction set.
template <isa Isa, class Path, tile_pattern Pattern>
constexpr const open_kernel* open_kernel_with() {
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return &simd::avx512::open_kernel_for<Path, Pattern>;
    if constexpr (Isa == isa::avx2) return &simd::avx2::open_kernel_for<Path, Pattern>;
    if constexpr (Isa == isa::sse41) return &simd::sse41::open_kernel_for<Path, Pattern>;
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return &simd::neon::open_kernel_for<Path, Pattern>;
#endif
    if constexpr (Isa == isa::portable) return &simd::portable::open_kernel_for<Path, Pattern>;
}

/// Kernels, and what they are found by.
template <int Count>
struct kernel_table {
    kernel_key keys[static_cast<std::size_t>(Count)];
    const open_kernel* kernels[static_cast<std::size_t>(Count)];

    const open_kernel* find(kernel_key key) const {
        for (int k = 0; k < Count; ++k)
            if (keys[k] == key) return kernels[k];
        return nullptr;
    }
};

/// The table of an instruction set, of a list of known reorders; elements that are moved one by one come last. Several
/// known reorders may have one kernel.
template <isa Isa, class List>
struct kernels_for;
template <isa Isa, class... Known>
struct kernels_for<Isa, boost::hana::tuple<Known...>> {
    static constexpr kernel_table<static_cast<int>(sizeof...(Known)) + 4> value{
        {(key_of_path(Known::src_type, Known::dst_type) | key_of(pattern_of_known<Known, Isa>))...,
         kernel_key{1} << 40 | key_of({}), kernel_key{2} << 40 | key_of({}), kernel_key{4} << 40 | key_of({}),
         kernel_key{8} << 40 | key_of({})},
        {open_kernel_with<Isa, typename Known::path, pattern_of_known<Known, Isa>>()...,
         open_kernel_with<isa::portable, simd::moved_elements<1>, tile_pattern{}>(),
         open_kernel_with<isa::portable, simd::moved_elements<2>, tile_pattern{}>(),
         open_kernel_with<isa::portable, simd::moved_elements<4>, tile_pattern{}>(),
         open_kernel_with<isa::portable, simd::moved_elements<8>, tile_pattern{}>()}};
};

/// The kernels of an instruction set. Where another unit has them, declare it `extern template`: see compiled.hpp.
template <isa Isa>
const auto& tile_kernels() {
    return kernels_for<Isa, known_reorders>::value;
}

}  // namespace plait
