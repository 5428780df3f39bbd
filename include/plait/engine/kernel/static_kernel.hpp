#pragma once
// From a plan to the code that runs it: chooses the instruction set and the kind of stores.

#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/split_plan.hpp>
#include <plait/engine/simd/avx2.hpp>
#include <plait/engine/simd/avx512.hpp>
#include <plait/engine/simd/neon.hpp>
#include <plait/engine/simd/portable.hpp>
#include <plait/engine/simd/sse41.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The types in which elements pass from one type to another: unchanged if the types are equal, otherwise the narrower
/// of the two, which is the least to shuffle.
template <element T, element U>
using element_types_of = std::conditional_t<
    std::is_same_v<T, U>, simd::moved_elements<static_cast<int>(sizeof(T))>,
    std::conditional_t<(sizeof(U) <= sizeof(T)), simd::element_types<T, U, U>, simd::element_types<T, T, U>>>;

/// True if an instruction set has code of its own for each pair of layouts, with all numbers constant. The other
/// instruction sets share code between plans of the same pattern.
constexpr bool has_static_kernels(isa instructions) { return instructions >= isa::avx2 || instructions == isa::neon; }

/// The plan of a pair of layouts, for element types and an instruction set, as a type.
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

/// Runs a plan with one instruction set. If a plan_part is given, runs only that part.
template <isa Isa, class Plan, bool Stream, class... Part>
inline void run_plan(const std::byte* src, std::byte* dst, Part... part) noexcept {
    using code = simd::code_of<Isa>;
    if constexpr (has_static_kernels(Isa)) {
        code::template run<Plan, Stream, Part...>(src, dst, part...);
    } else {
        constexpr tile_pattern pattern = run_time_pattern(Plan::value.pattern);
        run_kernel(plan_of_part(Plan::value, part...),
                   *code::template plain_kernel<typename Plan::types, pattern, Stream>, Stream, src, dst);
    }
}

/// Moves elements along a path from one layout to another with one instruction set. If a chunk_number is given, moves
/// only the elements of that chunk.
///
/// Pre:     check_reorder(Src, Dst).ok(), make_scalar_plan(Src, Dst, Types::sizes) is not empty, cpu_has(Isa)
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

/// Moves elements with the widest instruction set of the CPU. `Least` is the one that the compile flags guarantee.
template <layout Src, layout Dst, class Types, isa Least = least_isa(), class... Chunk>
inline void move_tensor(const void* in, void* out, Chunk... chunk) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        // No CPU still in use has only the x86 baseline, so moving one element at a time is enough: it is the least
        // code.
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            run_plan<Isa, static_scalar_plan<Src, Dst, Types>, false>(
                static_cast<const std::byte*>(in), static_cast<std::byte*>(out),
                part_of(static_scalar_plan<Src, Dst, Types>::value, chunk)...);
        else move_tensor_with<Src, Dst, Types, Isa>(in, out, chunk...);
    });
}

}  // namespace plait::engine
