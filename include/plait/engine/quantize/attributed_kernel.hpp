#pragma once
// Kernels with attributes, for static layouts. If each attribute is one value for the tensor, tiles scale elements
// while they move them. Values by index, and beta, use cache blocks with a constant plan (static_conversions.hpp).
//
// The two are separate because cache blocks convert elements in a buffer, and tiles convert them in registers. With a
// scale, s8 -> f32 from acdeb to abcde, 1x4x28x28x20, takes half of the time in tiles, and a -> a of 128 elements a
// tenth (rows of ./dev bench reorder). docs/design/quantised.md lists more.

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/plan/coalesce.hpp>
#include <plait/engine/quantize/static_conversions.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The pair of element types `T` and `U` of tiles that scale with one value per tensor.
template <element T, element U>
using scaled_types_of = simd::scaled_types<T, U>;

/// Returns the plan of a kernel that scales, or nothing if the layouts have no common refinement.
constexpr std::optional<reorder_plan> make_scaled_plan(const layout& src, const layout& dst, const element_sizes& sizes,
                                                       isa instructions) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    return make_plan(coalesce(*refined), sizes, instructions, [](const reorder_plan&) { return true; });
}

/// The plan of `make_scaled_plan` as a type, so that it can be a template argument.
template <layout Src, layout Dst, class Types, isa Isa>
struct scaled_plan {
    using types = Types;
    static constexpr reorder_plan value = *make_scaled_plan(Src, Dst, Types::sizes, Isa);
};

/// True if the pair of layouts has kernels with attributes.
template <layout Src, layout Dst>
concept has_attributed_kernel = (check_reorder(Src, Dst).ok() && Dst.volume() != 0 &&
                                 make_scaled_plan(Src, Dst, element_sizes(4), isa::portable).has_value());

/// Returns true if every attribute is one value for the tensor and the destination is not read (beta is 0).
constexpr bool is_by_tensor(const reorder_attributes& a) { return !has_arrays_of_values(a) && a.beta == 0; }
/// Returns true if there are kernels with attributes for an instruction set. SSE4.1 has none, because a third
/// instruction set would add a third to each build for CPUs from before 2013. These CPUs convert element by element.
constexpr bool has_attributed_kernels(isa instructions) { return instructions != isa::sse41; }

/// True if rows are not computed with one of the types directly; tiles do not convert such elements.
template <element T, element U>
inline constexpr bool has_small_type = is_small_type(data_type_of<T>) || is_small_type(data_type_of<U>);

/// Moves a tensor with attributes, using the instruction set `Isa`.
///
/// Pre:     has_attributed_kernel<Src, Dst>, check_attributes(attributes, Dst.dims).ok(), !is_trivial(attributes) or
///          has_small_type<T, U>, has_attributed_kernels(Isa), cpu_has(Isa)
/// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa>
inline void move_attributed_tensor_with(const memory_of<T>* in, memory_of<U>* out,
                                        const reorder_attributes& attributes) noexcept {
    const auto src = reinterpret_cast<const std::byte*>(in);
    const auto dst = reinterpret_cast<std::byte*>(out);
    using code = simd::code_of<Isa>;
    constexpr expected_values usual = usual_values(Dst.ndims()), any = any_values(Dst.ndims());
    if constexpr (has_small_type<T, U>) {
        constexpr expected_values none{0, false};
        if (is_by_tensor(attributes)) return move_expected_values<Src, Dst, T, U, Isa, none>(in, out, attributes);
    } else if (is_by_tensor(attributes)) {
        using plan = scaled_plan<Src, Dst, scaled_types_of<T, U>, Isa>;
        if constexpr (may_stream(plan::value))
            if (is_aligned(out, cache_line_bytes))
                return code::template run_scaled_plan<plan, true>(src, dst, attributes);
        return code::template run_scaled_plan<plan, false>(src, dst, attributes);
    }
    if (is_expected(attributes, usual)) move_expected_values<Src, Dst, T, U, Isa, usual>(in, out, attributes);
    else if (is_expected(attributes, any)) move_expected_values<Src, Dst, T, U, Isa, any>(in, out, attributes);
    else move_values_by_layout<T, U, Isa>(Src, Dst, in, out, attributes);
}

/// Moves a tensor with attributes, using the widest instruction set that the CPU has. `Least` is the instruction set
/// that the compiler flags guarantee.
template <layout Src, layout Dst, element T, element U, isa Least>
inline void move_attributed_tensor(const memory_of<T>* in, memory_of<U>* out,
                                   const reorder_attributes& attributes) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        // Use the portable kernels (registers as arrays) only on architectures without any other kernels.
        constexpr bool is_last_resort = Isa == isa::portable && is_of_this_architecture(isa::sse41);
        if constexpr (has_attributed_kernels(Isa) && !is_last_resort)
            move_attributed_tensor_with<Src, Dst, T, U, Isa>(in, out, attributes);
        else reference_move<T, U>(Src, in, Dst, out, attributes);
    });
}

}  // namespace plait::engine
