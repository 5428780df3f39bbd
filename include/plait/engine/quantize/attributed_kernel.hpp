#pragma once
// Kernels with attributes, for static layouts. If each attribute is one value for the tensor, tiles scale elements
// while they move them. Values by index, beta, and elements that tiles do not convert use cache blocks with a constant
// plan, which only programs that include reorder/converted_rows.hpp compile.
//
// The two are separate because cache blocks convert elements in a buffer, and tiles convert them in registers. With a
// scale, s8 -> f32 from acdeb to abcde, 1x4x28x28x20, takes half of the time in tiles, and a -> a of 128 elements a
// tenth (rows of ./dev bench reorder). docs/design/quantised.md lists more.

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/plan/refinement.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Converts rows of T to rows of U, through cache blocks. Only declared here: it is a tenth of what plait.hpp would
/// cost to compile. Its name is what a compiler prints if a program needs it, and does not include the header that
/// defines it.
template <element T, element U, isa Isa>
struct include_plait_reorder_converted_rows_hpp;

/// The pair of element types `T` and `U` of tiles that scale with one value per tensor.
template <element T, element U>
using scaled_types_of = simd::scaled_types<T, U>;

/// Returns the plan of a kernel that scales, or nothing if the layouts have no common refinement.
constexpr std::optional<reorder_plan> make_scaled_plan(const layout& src, const layout& dst, const element_sizes& sizes,
                                                       isa instructions) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    return make_plan(coalesce(*refined), sizes, instructions);
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

/// True if elements are converted in rows, through a cache block: if tiles do not convert them, or if layouts have no
/// tile of several elements and elements are narrow, because narrow floating-point numbers take long one by one.
///
/// Example: f16 -> f32 BcdeA32b4a -> abcde of 1x320x14x14x10, one element in four: 0.8 ms, and 6.5 one by one
///          (Xeon, Emerald Rapids)
template <class Plan, element T, element U>
inline constexpr bool converts_rows = [] {
    if constexpr (has_small_type<T, U>) return true;
    else if constexpr (sizeof(T) >= 4 && sizeof(U) >= 4) return false;
    else return !Plan::value.pattern.has_vectors();
}();

/// Moves a tensor with one value for each attribute, using the instruction set `Isa`.
///
/// Pre:     has_attributed_kernel<Src, Dst>, check_attributes(attributes, Dst.dims).ok(), !is_trivial(attributes) or
///          has_small_type<T, U>, has_attributed_kernels(Isa), cpu_has(Isa)
/// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa>
inline void move_scaled_tensor_with(const memory_of<T>* in, memory_of<U>* out,
                                    const element_attributes& attributes) noexcept {
    const auto src = reinterpret_cast<const std::byte*>(in);
    const auto dst = reinterpret_cast<std::byte*>(out);
    using code = simd::code_of<Isa>;
    using plan = scaled_plan<Src, Dst, scaled_types_of<T, U>, Isa>;
    choose_static_stores<plan>(out, true, [&]<bool Stream>(std::bool_constant<Stream>) {
        code::template run_scaled_plan<plan, Stream>(src, dst, attributes);
    });
}

/// Moves a tensor with attributes, using the instruction set `Isa`.
///
/// Pre:     has_attributed_kernel<Src, Dst>, check_attributes(attributes, Dst.dims).ok(), !is_trivial(attributes) or
///          has_small_type<T, U>, has_attributed_kernels(Isa), cpu_has(Isa)
/// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa>
inline void move_attributed_tensor_with(const memory_of<T>* in, memory_of<U>* out,
                                        const reorder_attributes& attributes) noexcept {
    using rows = include_plait_reorder_converted_rows_hpp<T, U, Isa>;
    if (!is_by_tensor(attributes)) return rows::template move_by_index<Src, Dst>(in, out, attributes);
    if constexpr (converts_rows<scaled_plan<Src, Dst, scaled_types_of<T, U>, Isa>, T, U>)
        rows::template move_by_tensor<Src, Dst>(in, out, attributes);
    else move_scaled_tensor_with<Src, Dst, T, U, Isa>(in, out, of_each_element(attributes));
}

/// Moves a tensor with one value for each attribute, using the widest instruction set that the CPU has.
template <layout Src, layout Dst, element T, element U, isa Least = least_isa()>
inline void move_scaled_tensor(const memory_of<T>* in, memory_of<U>* out,
                               const tensor_attributes& attributes) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        constexpr bool is_last_resort = Isa == isa::portable && is_of_this_architecture(isa::sse41);
        if constexpr (!has_attributed_kernels(Isa) || is_last_resort)
            reference_move<T, U>(Src, in, Dst, out, of_each_element(attributes));
        else if constexpr (converts_rows<scaled_plan<Src, Dst, scaled_types_of<T, U>, Isa>, T, U>)
            include_plait_reorder_converted_rows_hpp<T, U, Isa>::template move_by_tensor<Src, Dst>(in, out, attributes);
        else move_scaled_tensor_with<Src, Dst, T, U, Isa>(in, out, of_each_element(attributes));
    });
}

/// Moves a tensor with attributes, using the widest instruction set that the CPU has. `Least` is the instruction set
/// that the compiler flags guarantee.
template <layout Src, layout Dst, element T, element U, isa Least = least_isa()>
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

/// Moves and converts a tensor without attributes, using the widest instruction set that the CPU has.
template <layout Src, layout Dst, element T, element U, isa Least = least_isa()>
inline void move_converted_tensor(const memory_of<T>* in, memory_of<U>* out) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            move_elements<Src, Dst, element_types_of<T, U>>(reinterpret_cast<const std::byte*>(in),
                                                            reinterpret_cast<std::byte*>(out));
        else if constexpr (has_attributed_kernels(Isa) &&
                           converts_rows<static_plan<Src, Dst, element_types_of<T, U>, Isa>, T, U>)
            include_plait_reorder_converted_rows_hpp<T, U, Isa>::template move_by_tensor<Src, Dst>(in, out, {});
        else move_tensor_with<Src, Dst, element_types_of<T, U>, Isa>(in, out);
    });
}

}  // namespace plait::engine
