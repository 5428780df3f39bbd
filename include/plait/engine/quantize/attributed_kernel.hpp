#pragma once
// Kernels with attributes: two for each pair of layouts and types, one for values of the tensor, and one for all else.
//
// They stay apart from the cache blocks of run-time reorders (values_reorder.hpp), which convert in a buffer what is
// converted in registers here: s8 -> f32 acdeb -> abcde 1x4x28x28x20 with a scale takes half of the time, and
// a -> a of 128 elements a tenth (rows of ./dev bench reorder). docs/design/quantised.md has more of them.

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/plan/coalesce.hpp>

#include <optional>

namespace plait::engine {

/// The path of elements that are scaled by one value each.
template <element T, element U>
using scaled_types_of = simd::scaled_types<T, U>;
/// The path of elements whose attributes have values by position: the numbers of the arithmetic.
template <element T, element U>
using valued_types_of = simd::element_types<T, arithmetic_type<T, U>, U>;

/// The axes along which attributes may have values in a kernel, as a mask: all of up to three, else the first two, as
/// of groups and channels. The others are free to become one, which gives a plan longer runs.
constexpr int axes_with_values(int ndims) { return ndims <= 3 ? (1 << ndims) - 1 : 3; }

/// The plan of a kernel with attributes. Where values are by position, or beta is not 0, no tile interleaves, and none
/// overlaps another, as that would add what the destination held twice.
constexpr std::optional<reorder_plan> make_attributed_plan(const layout& src, const layout& dst,
                                                           const element_sizes& sizes, isa instructions,
                                                           bool by_position) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    const auto accept = [&](const reorder_plan& plan) { return plan.pattern.interleave == 0 || !by_position; };
    const int kept = by_position ? axes_with_values(src.ndims()) : 0;
    return make_plan(coalesce(*refined, kept), sizes, instructions, accept, !by_position);
}

/// It as a type.
template <layout Src, layout Dst, class Types, isa Isa, bool ByPosition>
struct attributed_plan {
    using types = Types;
    static constexpr reorder_plan value = *make_attributed_plan(Src, Dst, Types::sizes, Isa, ByPosition);
};

/// Whether a pair of layouts has kernels with attributes.
template <layout Src, layout Dst>
concept has_attributed_kernel = (check_reorder(Src, Dst).ok() && Dst.volume() != 0 &&
                                 make_attributed_plan(Src, Dst, 4, isa::portable, false).has_value() &&
                                 make_attributed_plan(Src, Dst, 4, isa::portable, true).has_value());

/// Whether every attribute is one value for the tensor, and the destination is not read.
constexpr bool is_by_tensor(const reorder_attributes& a) {
    return (a.src_scale.mask | a.dst_scale.mask | a.src_zero_point.mask | a.dst_zero_point.mask) == 0 && a.beta == 0;
}
/// Whether attributes have values only along axes that kernels know.
constexpr bool kernel_has_axes(const reorder_attributes& a, int ndims) {
    const int axes = a.src_scale.mask | a.dst_scale.mask | a.src_zero_point.mask | a.dst_zero_point.mask;
    return (axes & ~axes_with_values(ndims)) == 0;
}

/// Whether there are kernels with attributes for an instruction set. A third one would cost each build a third more,
/// for CPUs of before 2013: they go element by element.
constexpr bool has_attributed_kernels(isa instructions) { return instructions != isa::sse41; }

/// Runs a kernel with attributes with one instruction set.
template <isa Isa, class Plan, bool Stream>
inline void run_scaled_plan(const std::byte* src, std::byte* dst, const reorder_attributes& attributes) noexcept {
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return simd::avx512::run_scaled<Plan, Stream>(src, dst, attributes);
    if constexpr (Isa == isa::avx2) return simd::avx2::run_scaled<Plan, Stream>(src, dst, attributes);
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return simd::neon::run_scaled<Plan, Stream>(src, dst, attributes);
#endif
    if constexpr (Isa == isa::portable) return simd::portable::run_scaled<Plan, Stream>(src, dst, attributes);
}
template <isa Isa, class Plan>
inline void run_valued_plan(const std::byte* src, std::byte* dst, const reorder_attributes& attributes,
                            const dims& extents) noexcept {
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return simd::avx512::run_valued<Plan>(src, dst, attributes, extents);
    if constexpr (Isa == isa::avx2) return simd::avx2::run_valued<Plan>(src, dst, attributes, extents);
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return simd::neon::run_valued<Plan>(src, dst, attributes, extents);
#endif
    if constexpr (Isa == isa::portable) return simd::portable::run_valued<Plan>(src, dst, attributes, extents);
}

/// Moves a tensor with attributes, with one instruction set.
///
/// Pre:     has_attributed_kernel<Src, Dst>, check_attributes(attributes, Dst.dims).ok(), !is_trivial(attributes),
///          has_attributed_kernels(Isa), cpu_has(Isa)
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa>
inline void move_attributed_tensor_with(const T* in, U* out, const reorder_attributes& attributes) noexcept {
    const auto src = reinterpret_cast<const std::byte*>(in);
    const auto dst = reinterpret_cast<std::byte*>(out);
    if (is_by_tensor(attributes)) {
        using plan = attributed_plan<Src, Dst, scaled_types_of<T, U>, Isa, false>;
        if constexpr (may_stream(plan::value))
            if (is_aligned(out, cache_line_bytes)) return run_scaled_plan<Isa, plan, true>(src, dst, attributes);
        run_scaled_plan<Isa, plan, false>(src, dst, attributes);
    } else if (kernel_has_axes(attributes, Dst.ndims())) {
        using plan = attributed_plan<Src, Dst, valued_types_of<T, U>, Isa, true>;
        run_valued_plan<Isa, plan>(src, dst, attributes, Dst.dims);
    } else {
        reference_reorder(Src, in, Dst, out, attributes);
    }
}

/// The same with the widest instruction set that the CPU has; `Least` is the one that the compile flags settle.
template <layout Src, layout Dst, element T, element U, isa Least>
inline void move_attributed_tensor(const T* in, U* out, const reorder_attributes& attributes) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        // Of x86 only what has AVX2; elsewhere registers as arrays, if there is nothing else.
        if constexpr (Isa >= isa::avx2 || !is_of_this_architecture(isa::sse41))
            move_attributed_tensor_with<Src, Dst, T, U, Isa>(in, out, attributes);
        else reference_reorder(Src, in, Dst, out, attributes);
    });
}

}  // namespace plait::engine
