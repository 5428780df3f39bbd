#pragma once
// From a plan to the code that runs it: chooses the instruction set and the kind of stores.

#include <plait/engine/kernel/order_trials.hpp>
#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/split_plan.hpp>
#include <plait/engine/plan/zeroed_padding.hpp>
#include <plait/engine/simd/avx2.hpp>
#include <plait/engine/simd/avx512.hpp>
#include <plait/engine/simd/element_kernel.hpp>
#include <plait/engine/simd/neon.hpp>
#include <plait/engine/simd/sse41.hpp>

// x86 CPUs without SSE4.1 move single elements, and aarch64 always has NEON.
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <plait/engine/simd/portable.hpp>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The types in which elements pass from one type to another: unchanged if the types are equal, otherwise the narrower
/// of the two, which is the least to shuffle.
template <element T, element U>
using element_types_of = std::conditional_t<
    std::is_same_v<T, U>, simd::moved_elements<static_cast<int>(sizeof(T))>,
    std::conditional_t<(sizeof(U) <= sizeof(T)), simd::element_types<T, U, U>, simd::element_types<T, T, U>>>;

/// The plan of a pair of layouts, for element types and an instruction set, as a type.
template <layout Src, layout Dst, class Types, isa Isa>
struct static_plan {
    using types = Types;
    static constexpr reorder_plan value = *make_plan(Src, Dst, Types::sizes, Isa);
};

/// Returns the plan of elements without the padding of their destination, or nothing if there is no refinement.
constexpr std::optional<reorder_plan> make_plan_without_padding(const layout& src, const layout& dst,
                                                                const element_sizes& sizes, isa instructions) {
    std::optional<refinement> r = refine(src, dst);
    if (!r) return std::nullopt;
    leave_out_padding(*r, sizes.dst);
    continue_source(*r, sizes.dst);
    return make_plan(coalesce(*r), sizes, instructions);
}

/// The plan of a pair of layouts whose destination is zeroed first, as a type: `zeroed` has no bytes if it is not.
template <layout Src, layout Dst, class Types, isa Isa>
struct zeroed_static_plan {
    using types = Types;
    static constexpr zeroed_runs zeroed = [] {
        if constexpr (is_mostly_padding(Src, Dst, least_padding_of_elements))
            if (zeroes_before_elements(static_plan<Src, Dst, Types, Isa>::value, *refine(Src, Dst), Src, Dst,
                                       Types::sizes.dst))
                return runs_of(Dst, Types::sizes.dst);
        return zeroed_runs{};
    }();
    static constexpr reorder_plan value = *make_plan_without_padding(Src, Dst, Types::sizes, Isa);
};

// Whether a static kernel stores past the caches. Which is faster depends on the last cache, which holds 12 MB or 480,
// and on the reorder, so the first calls of each kernel try both.

/// The trials of a static kernel that may store past the caches: order 0 does so, order 1 does not.
template <class Plan>
inline constinit trial_state static_trials;
/// True if static kernels try nothing: they go on with what was faster so far.
inline constinit bool static_trials_are_stopped = false;

/// Calls run(std::bool_constant<Stream>), where Stream is true if whole cache lines are to be stored past the caches. A
/// call is a trial if it moves the whole tensor, or the first of its parts; other parts do what the first one tries.
///
/// Post:    if trials are stopped, the call does what was faster so far; if there were none, it stores past the caches
template <class Plan, class Run>
inline void choose_static_stores(const void* out, bool is_first, const Run& run) noexcept {
    if constexpr (may_stream(Plan::value)) {
        if (bytes_behind_line(out) == 0) {
            const auto run_order = [&run](int order) {
                if (order == 0) run(std::true_type());
                else run(std::false_type());
            };
            const trial_state& trials = static_trials<Plan>;
            if (__atomic_load_n(&static_trials_are_stopped, __ATOMIC_RELAXED)) return run_order(trials.fastest());
            return trials.try_next(2, is_first, 1, run_order);
        }
    }
    run(std::false_type());
}

// From a plan to its code.

/// Runs a plan with one instruction set. If a plan_part is given, runs only that part.
template <isa Isa, class Plan, bool Stream, class... Part>
inline void run_plan(const std::byte* src, std::byte* dst, Part... part) noexcept {
    simd::code_of<Isa>::template run<Plan, Stream, Part...>(src, dst, part...);
}

/// Moves elements one at a time. All pairs of layouts share the code.
template <layout Src, layout Dst, class Types, class... Chunk>
inline void move_elements(const std::byte* src, std::byte* dst, Chunk... chunk) noexcept {
    static constexpr reorder_plan plan = run_time_form(*make_scalar_plan(Src, Dst, Types::sizes));
    run_kernel(plan_of_part(plan, part_of(plan, chunk)...), simd::element_kernel_for<Types>, false, src, dst);
}

/// Moves elements along a path from one layout to another with one instruction set. If a chunk_number is given, moves
/// only the elements of that chunk.
///
/// Pre:     check_reorder(Src, Dst).ok(), make_scalar_plan(Src, Dst, Types::sizes) is not empty, cpu_has(Isa)
template <layout Src, layout Dst, class Types, isa Isa, class... Chunk>
inline void move_tensor_with(const void* in, void* out, Chunk... chunk) noexcept {
    using plan = static_plan<Src, Dst, Types, Isa>;
    using zeroed_plan = zeroed_static_plan<Src, Dst, Types, Isa>;
    const auto src = static_cast<const std::byte*>(in);
    const auto dst = static_cast<std::byte*>(out);
    if constexpr (sizeof...(Chunk) == 0 && zeroed_plan::zeroed.first.bytes != 0) {
        zeroed_plan::zeroed.write(out);
        return run_plan<Isa, zeroed_plan, false>(src, dst);
    }
    choose_static_stores<plan>(out, ((chunk.chunk == 0) && ...), [&]<bool Stream>(std::bool_constant<Stream>) {
        run_plan<Isa, plan, Stream>(src, dst, part_of(plan::value, chunk)...);
    });
}

/// Moves elements with the widest instruction set of the CPU. `Least` is the one that the compile flags guarantee.
template <layout Src, layout Dst, class Types, isa Least = least_isa(), class... Chunk>
inline void move_tensor(const void* in, void* out, Chunk... chunk) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        // No CPU still in use has only the x86 baseline, so moving one element at a time is enough: it is the least
        // code.
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            move_elements<Src, Dst, Types>(static_cast<const std::byte*>(in), static_cast<std::byte*>(out), chunk...);
        else move_tensor_with<Src, Dst, Types, Isa>(in, out, chunk...);
    });
}

}  // namespace plait::engine
