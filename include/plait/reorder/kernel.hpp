#pragma once
// From a plan to the code that runs it: which instruction set, and which stores.

#include <plait/reorder/make_plan.hpp>
#include <plait/reorder/run_open_plan.hpp>
#include <plait/reorder/simd/avx2.hpp>
#include <plait/reorder/simd/avx512.hpp>
#include <plait/reorder/simd/neon.hpp>
#include <plait/reorder/simd/portable.hpp>
#include <plait/reorder/simd/sse41.hpp>
#include <plait/reorder/split_plan.hpp>

namespace plait {

/// How elements of two types pass: as they are where the type stays, else in the narrower of both, which is the least
/// to shuffle.
template <element T, element U>
using path_of = std::conditional_t<
    std::is_same_v<T, U>, simd::moved_elements<static_cast<int>(sizeof(T))>,
    std::conditional_t<(sizeof(U) <= sizeof(T)), simd::element_path<T, U, U>, simd::element_path<T, T, U>>>;

/// Whether an instruction set has code of its own for each pair of layouts, all numbers constants. The others share the
/// code of all plans with the same pattern.
constexpr bool has_static_kernels(isa which) { return which >= isa::avx2 || which == isa::neon; }

/// The plan of a pair of layouts, for a path of elements and an instruction set, as a type.
template <layout Src, layout Dst, class Path, isa Isa>
struct static_plan {
    using path = Path;
    static constexpr reorder_plan value = has_static_kernels(Isa) ? *make_plan(Src, Dst, Path::sizes, Isa)
                                                                  : open_form(*make_plan(Src, Dst, Path::sizes, Isa));
};
template <layout Src, layout Dst, class Path>
struct static_scalar_plan {
    using path = Path;
    static constexpr reorder_plan value = open_form(*make_scalar_plan(Src, Dst, Path::sizes));
};

/// Whether the whole tiles of the plan may be stored past the cache: each writes whole cache lines, if the destination
/// begins at one.
constexpr bool may_stream(const reorder_plan& plan) {
    return plan.bytes_moved() >= streaming_bytes && plan.writes_whole_lines();
}

inline bool is_aligned(const void* pointer, std::uintptr_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

/// Runs a plan with one instruction set. With a plan_part, only that.
template <isa Isa, class Plan, bool Stream, class... Part>
inline void run_plan(const std::byte* src, std::byte* dst, Part... part) noexcept {
    [[maybe_unused]] constexpr tile_pattern pattern = open_pattern(Plan::value.pattern);
    using path = typename Plan::path;
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return simd::avx512::run_static<Plan, Stream>(src, dst, part...);
    if constexpr (Isa == isa::avx2) return simd::avx2::run_static<Plan, Stream>(src, dst, part...);
    if constexpr (Isa == isa::sse41)
        return run_open_plan(plan_of_part(Plan::value, part...), simd::sse41::plain_kernel_for<path, pattern, Stream>,
                             Stream, src, dst);
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return simd::neon::run_static<Plan, Stream>(src, dst, part...);
#endif
    if constexpr (Isa == isa::portable)
        return run_open_plan(plan_of_part(Plan::value, part...),
                             simd::portable::plain_kernel_for<path, pattern, Stream>, Stream, src, dst);
}

/// Moves elements along a path from one layout to another, with one instruction set; with a chunk_number, only the
/// elements of that chunk.
///
/// Pre:     check_reorder(Src, Dst).ok(), make_scalar_plan(Src, Dst, Path::sizes) is not empty, cpu_has(Isa)
template <layout Src, layout Dst, class Path, isa Isa, class... Chunk>
inline void move_tensor_with(const void* in, void* out, Chunk... chunk) noexcept {
    using plan = static_plan<Src, Dst, Path, Isa>;
    const auto src = static_cast<const std::byte*>(in);
    const auto dst = static_cast<std::byte*>(out);
    if constexpr (may_stream(plan::value))
        if (is_aligned(out, cache_line_bytes))
            return run_plan<Isa, plan, true>(src, dst, part_of(plan::value, chunk)...);
    run_plan<Isa, plan, false>(src, dst, part_of(plan::value, chunk)...);
}

/// The same with the widest instruction set that the CPU has; `Least` is the one that the compile flags settle.
template <layout Src, layout Dst, class Path, isa Least, class... Chunk>
inline void move_tensor(const void* in, void* out, Chunk... chunk) noexcept {
    // What the compile flags settle needs no question; on x86 the compiler asks the CPU once, at start-up.
#if defined(__x86_64__)
    if (Least == isa::avx512 || cpu_has(isa::avx512))
        return move_tensor_with<Src, Dst, Path, isa::avx512>(in, out, chunk...);
    if constexpr (Least < isa::avx512)
        if (Least == isa::avx2 || cpu_has(isa::avx2))
            return move_tensor_with<Src, Dst, Path, isa::avx2>(in, out, chunk...);
    if constexpr (Least < isa::avx2)
        if (Least == isa::sse41 || cpu_has(isa::sse41))
            return move_tensor_with<Src, Dst, Path, isa::sse41>(in, out, chunk...);
    // No CPU that still runs comes here: one element at a time costs the least code.
    if constexpr (Least == isa::portable)
        run_plan<isa::portable, static_scalar_plan<Src, Dst, Path>, false>(
            static_cast<const std::byte*>(in), static_cast<std::byte*>(out),
            part_of(static_scalar_plan<Src, Dst, Path>::value, chunk)...);
#elif defined(__aarch64__)
    move_tensor_with<Src, Dst, Path, isa::neon>(in, out, chunk...);
#else
    move_tensor_with<Src, Dst, Path, isa::portable>(in, out, chunk...);
#endif
}

}  // namespace plait
