#pragma once
// Kernels with attributes: for one value each for the tensor, tiles that scale what passes through them; for values by
// index, and beta, cache blocks whose plan is a constant (static_conversions.hpp).
//
// The first stay apart from cache blocks, which convert in a buffer what is converted in registers here. With a scale,
// s8 -> f32 from acdeb to abcde, 1x4x28x28x20, takes half of the time, and a -> a of 128 elements a tenth (rows of
// ./dev bench reorder). docs/design/quantised.md has more of them.

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/plan/coalesce.hpp>
#include <plait/engine/quantize/static_conversions.hpp>

#include <optional>

namespace plait::engine {

/// The types of elements that are scaled by one value each.
template <element T, element U>
using scaled_types_of = simd::scaled_types<T, U>;

/// The plan of a kernel that scales.
constexpr std::optional<reorder_plan> make_scaled_plan(const layout& src, const layout& dst, const element_sizes& sizes,
                                                       isa instructions) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    return make_plan(coalesce(*refined), sizes, instructions, [](const reorder_plan&) { return true; });
}

/// It as a type.
template <layout Src, layout Dst, class Types, isa Isa>
struct scaled_plan {
    using types = Types;
    static constexpr reorder_plan value = *make_scaled_plan(Src, Dst, Types::sizes, Isa);
};

/// Whether a pair of layouts has kernels with attributes.
template <layout Src, layout Dst>
concept has_attributed_kernel = (check_reorder(Src, Dst).ok() && Dst.volume() != 0 &&
                                 make_scaled_plan(Src, Dst, element_sizes(4), isa::portable).has_value());

/// Whether every attribute is one value for the tensor, and the destination is not read.
constexpr bool is_by_tensor(const reorder_attributes& a) { return is_expected(a, {0, false}); }
/// Whether there are kernels with attributes for an instruction set. A third one would cost each build a third more,
/// for CPUs of before 2013: they go element by element.
constexpr bool has_attributed_kernels(isa instructions) { return instructions != isa::sse41; }

/// Moves a tensor with attributes, with one instruction set.
///
/// Pre:     has_attributed_kernel<Src, Dst>, check_attributes(attributes, Dst.dims).ok(), !is_trivial(attributes),
///          has_attributed_kernels(Isa), cpu_has(Isa)
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa>
inline void move_attributed_tensor_with(const T* in, U* out, const reorder_attributes& attributes) noexcept {
    const auto src = reinterpret_cast<const std::byte*>(in);
    const auto dst = reinterpret_cast<std::byte*>(out);
    using code = simd::code_of<Isa>;
    constexpr expected_values usual = usual_values(Dst.ndims()), any = any_values(Dst.ndims());
    if (is_by_tensor(attributes)) {
        using plan = scaled_plan<Src, Dst, scaled_types_of<T, U>, Isa>;
        if constexpr (may_stream(plan::value))
            if (is_aligned(out, cache_line_bytes))
                return code::template run_scaled_plan<plan, true>(src, dst, attributes);
        code::template run_scaled_plan<plan, false>(src, dst, attributes);
    } else if (is_expected(attributes, usual)) {
        move_expected_values<Src, Dst, T, U, Isa, usual>(in, out, attributes);
    } else {
        move_expected_values<Src, Dst, T, U, Isa, any>(in, out, attributes);
    }
}

/// The same with the widest instruction set that the CPU has; `Least` is the one that the compile flags settle.
template <layout Src, layout Dst, element T, element U, isa Least>
inline void move_attributed_tensor(const T* in, U* out, const reorder_attributes& attributes) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        // Registers as arrays only where there is nothing else.
        constexpr bool is_last_resort = Isa == isa::portable && is_of_this_architecture(isa::sse41);
        if constexpr (has_attributed_kernels(Isa) && !is_last_resort)
            move_attributed_tensor_with<Src, Dst, T, U, Isa>(in, out, attributes);
        else reference_reorder(Src, in, Dst, out, attributes);
    });
}

}  // namespace plait::engine
