#pragma once
// From a plan to the code that runs it: which instruction set, and which stores.

#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/split_plan.hpp>
#include <plait/engine/simd/avx2.hpp>
#include <plait/engine/simd/avx512.hpp>
#include <plait/engine/simd/neon.hpp>
#include <plait/engine/simd/portable.hpp>
#include <plait/engine/simd/sse41.hpp>

namespace plait::engine {

/// How elements of two types pass: as they are where the type stays, else in the narrower of both, which is the least
/// to shuffle.
template <element T, element U>
using element_types_of = std::conditional_t<
    std::is_same_v<T, U>, simd::moved_elements<static_cast<int>(sizeof(T))>,
    std::conditional_t<(sizeof(U) <= sizeof(T)), simd::element_types<T, U, U>, simd::element_types<T, T, U>>>;

/// Whether an instruction set has code of its own for each pair of layouts, all numbers constants. The others share the
/// code of all plans with the same pattern.
constexpr bool has_static_kernels(isa which) { return which >= isa::avx2 || which == isa::neon; }

/// The plan of a pair of layouts, for a element types and an instruction set, as a type.
template <layout Src, layout Dst, class Types, isa Isa>
struct static_plan {
    using types = Types;
    static constexpr reorder_plan value = has_static_kernels(Isa)
                                              ? *make_plan(Src, Dst, Types::sizes, Isa)
                                              : run_time_form(*make_plan(Src, Dst, Types::sizes, Isa));
};
template <layout Src, layout Dst, class Types>
struct static_scalar_plan {
    using types = Types;
    static constexpr reorder_plan value = run_time_form(*make_scalar_plan(Src, Dst, Types::sizes));
};

inline bool is_aligned(const void* pointer, std::uintptr_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

/// Runs a plan with one instruction set. With a plan_part, only that.
template <isa Isa, class Plan, bool Stream, class... Part>
inline void run_plan(const std::byte* src, std::byte* dst, Part... part) noexcept {
    [[maybe_unused]] constexpr tile_pattern pattern = run_time_pattern(Plan::value.pattern);
    using types = typename Plan::types;
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return simd::avx512::run_static<Plan, Stream>(src, dst, part...);
    if constexpr (Isa == isa::avx2) return simd::avx2::run_static<Plan, Stream>(src, dst, part...);
    if constexpr (Isa == isa::sse41)
        return run_kernel(plan_of_part(Plan::value, part...), simd::sse41::plain_kernel_for<types, pattern, Stream>,
                          Stream, src, dst);
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return simd::neon::run_static<Plan, Stream>(src, dst, part...);
#endif
    if constexpr (Isa == isa::portable)
        return run_kernel(plan_of_part(Plan::value, part...), simd::portable::plain_kernel_for<types, pattern, Stream>,
                          Stream, src, dst);
}

/// Moves elements along a path from one layout to another, with one instruction set; with a chunk_number, only the
/// elements of that chunk.
///
/// Pre:     check_reorder(Src, Dst).ok(), make_scalar_plan(Src, Dst, Path::sizes) is not empty, cpu_has(Isa)
template <layout Src, layout Dst, class Types, isa Isa, class... Chunk>
inline void move_tensor_with(const void* in, void* out, Chunk... chunk) noexcept {
    using plan = static_plan<Src, Dst, Types, Isa>;
    const auto src = static_cast<const std::byte*>(in);
    const auto dst = static_cast<std::byte*>(out);
    if constexpr (may_stream(plan::value))
        if (is_aligned(out, cache_line_bytes))
            return run_plan<Isa, plan, true>(src, dst, part_of(plan::value, chunk)...);
    run_plan<Isa, plan, false>(src, dst, part_of(plan::value, chunk)...);
}

/// The same with the widest instruction set that the CPU has; `Least` is the one that the compile flags settle.
template <layout Src, layout Dst, class Types, isa Least, class... Chunk>
inline void move_tensor(const void* in, void* out, Chunk... chunk) noexcept {
    // What the compile flags settle needs no question; on x86 the compiler asks the CPU once, at start-up.
#if defined(__x86_64__)
    if (Least == isa::avx512 || cpu_has(isa::avx512))
        return move_tensor_with<Src, Dst, Types, isa::avx512>(in, out, chunk...);
    if constexpr (Least < isa::avx512)
        if (Least == isa::avx2 || cpu_has(isa::avx2))
            return move_tensor_with<Src, Dst, Types, isa::avx2>(in, out, chunk...);
    if constexpr (Least < isa::avx2)
        if (Least == isa::sse41 || cpu_has(isa::sse41))
            return move_tensor_with<Src, Dst, Types, isa::sse41>(in, out, chunk...);
    // No CPU that still runs comes here: one element at a time costs the least code.
    if constexpr (Least == isa::portable)
        run_plan<isa::portable, static_scalar_plan<Src, Dst, Types>, false>(
            static_cast<const std::byte*>(in), static_cast<std::byte*>(out),
            part_of(static_scalar_plan<Src, Dst, Types>::value, chunk)...);
#elif defined(__aarch64__)
    move_tensor_with<Src, Dst, Types, isa::neon>(in, out, chunk...);
#else
    move_tensor_with<Src, Dst, Types, isa::portable>(in, out, chunk...);
#endif
}

}  // namespace plait::engine
