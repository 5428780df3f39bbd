#pragma once
// Reorders of constant layouts that convert rows, through cache blocks whose plan is a constant: with values by index,
// with beta, and of elements that tiles do not convert.

#include <plait/contract/reference.hpp>
#include <plait/engine/quantize/attributed_kernel.hpp>
#include <plait/engine/quantize/converting_reorder.hpp>
#include <plait/engine/simd/avx2_rows.hpp>
#include <plait/engine/simd/avx512_rows.hpp>
#include <plait/engine/simd/neon_rows.hpp>

// As in static_kernel.hpp: x86 and aarch64 have other rows.
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <plait/engine/simd/portable_rows.hpp>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// Reorders with values by index, or beta, between constant layouts. They use the cache blocks of run-time reorders
// (converting_reorder.hpp), but the plan is made at compile time. Masks are known only at the call, so the plan is made
// for a set of axes (expected_values), and only the steps in the arrays of values are set at the call.
//
// Example: f32 nchw -> s8 nChw16c of 1x64x56x56 with a scale for each channel. One plan serves values along n and c.
//          Cache blocks have 16 channels x 448 pixels. They are converted in rows of 448 in the source, and then moved
//          as bytes, 64 x 16 at a time.

/// The attributes that a constant plan supports.
struct expected_values {
    int axes;   ///< axes along which values may differ, as a mask
    bool beta;  ///< whether beta may be other than 0
};

/// Returns the axes along which most attributes have values: all of up to three axes, else the first two, such as
/// groups and channels. The other axes can be merged, which gives the plan longer runs.
constexpr expected_values usual_values(int ndims) { return {ndims <= 3 ? (1 << ndims) - 1 : 3, false}; }
/// Returns the expected values that support any attributes.
constexpr expected_values any_values(int ndims) { return {(1 << ndims) - 1, true}; }

/// Returns true if a plan for `by` supports the attributes.
constexpr bool is_expected(const reorder_attributes& attributes, expected_values by) {
    return (axes_with_values(attributes) & ~by.axes) == 0 && (attributes.beta == 0 || by.beta) &&
           !has_values_by_layout(attributes);
}

/// Returns the cache blocks of a pair of layouts and element types for the expected values, without the kernel of the
/// block copy. There are no blocks (`shape.nodes` is empty) if there is no refinement, or one with too many nodes.
template <isa Isa>
constexpr cache_block_plan plan_expected_values(const layout& src, const layout& dst, data_type from, data_type to,
                                                expected_values values) {
    converting_plan plan;
    reorder_attributes attributes;
    attributes.src_scale.mask =
        values.axes;  // one mask for all attributes: a plan depends on the axes of values, not on the attribute
    attributes.beta = values.beta ? 1 : 0;
    plan.conversion = make_conversion(from, to, attributes, 1);
    cache_block_plan blocks;
    if (!plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span()), false) ||
        !plan_block_copy(plan.conversion, blocks, constant_block_copies{Isa}))
        return {};
    choose_memory_access(plan.conversion, blocks);
    return blocks;
}

/// The cache blocks of plan_expected_values as a type, with the code of the block copy.
template <layout Src, layout Dst, element T, element U, isa Isa, expected_values Values>
class constant_cache_blocks {
    static constexpr cache_block_plan planned =
        plan_expected_values<Isa>(Src, Dst, data_type_of<T>, data_type_of<U>, Values);
    static constexpr bool has_block_copy = !planned.shape.nodes.empty() && planned.shape.side != cache_block_side::both;
    struct block_copy {
        using types = simd::moved_elements<static_cast<int>(
            planned.shape.side == cache_block_side::source ? sizeof(U) : sizeof(T))>;
        static constexpr reorder_plan value = planned.block_copy.plan;
    };

    static constexpr cache_block_plan with_code() {
        using code = simd::code_of<Isa>;
        cache_block_plan out = planned;
        if constexpr (has_block_copy) {
            out.block_copy.constant = code::template run_with_bounds<block_copy, false>;
            if constexpr (planned.block_copy.streams)
                out.block_copy.constant_stream = code::template run_with_bounds<block_copy, true>;
        }
        return out;
    }

public:
    static constexpr bool exist = !planned.shape.nodes.empty();
    static constexpr cache_block_plan value = with_code();
};

/// The type that rows of T are computed with, in the source or in the destination of a pair of types: row_type_of.
template <element T, element Other, bool InSource>
using row_element =
    element_type_of<row_type_of(data_type_of<T>, InSource, std::is_same_v<T, double> || std::is_same_v<Other, double>)>;
/// Returns the conversion of a pair of types for a tensor of these extents, with the functions of an instruction set.
template <element T, element U, isa Isa>
value_conversion static_conversion(reorder_attributes attributes, const dims& extents) {
    forget_unused_values(attributes, extents);
    value_conversion conversion = make_conversion(data_type_of<T>, data_type_of<U>, attributes, 1);
    conversion.rows =
        simd::row_code_of<Isa>::template rows_with_types<row_element<T, U, true>, row_element<U, T, false>, T, U>;
    return conversion;
}

/// Runs a constant plan. It is compiled once, without target flags, and calls code of an instruction set through
/// pointers.
///
/// Pre:     the plan supports the attributes, for a tensor of these extents; `rows` are of the two types
template <class Number>
[[gnu::noinline]] void run_constant_blocks(const cache_block_plan& planned, const value_conversion& conversion,
                                           const dims& extents, const void* in, void* out) noexcept {
    converting_plan plan;
    plan.conversion = conversion;
    cache_block_plan blocks = planned;
    set_value_steps(blocks.shape, conversion.attributes, extents);
    blocks.whole = find_row(blocks.shape, false);
    blocks.part = find_row(blocks.shape, true);
    const plan_of_run of_run(plan);
    converting_run<Number>(*of_run, blocks, in, out)();
}

/// Moves a tensor with values by index, or beta, using one instruction set.
///
/// Pre:     check_reorder(Src, Dst, attributes).ok(), cpu_has(Isa)
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
template <layout Src, layout Dst, element T, element U, isa Isa, expected_values Values>
void move_expected_values(const memory_of<T>* in, memory_of<U>* out, const reorder_attributes& attributes) noexcept {
    using blocks = constant_cache_blocks<Src, Dst, T, U, Isa, Values>;
    if constexpr (blocks::exist) {
        run_constant_blocks<arithmetic_type<T, U>>(blocks::value, static_conversion<T, U, Isa>(attributes, Dst.dims),
                                                   Dst.dims, in, out);
    } else {
        reference_move<T, U>(Src, in, Dst, out, attributes);
    }
}

/// Moves a tensor with values by group or by layout, whose digits are known only at the call: the plan is made there.
/// Rows are converted as fast as in a constant plan. Where layouts differ, elements of a block are moved one by one.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), cpu_has(Isa)
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    planning takes some two microseconds
template <element T, element U, isa Isa>
[[gnu::noinline]] void move_values_by_layout(const layout& src, const layout& dst, const memory_of<T>* in,
                                             memory_of<U>* out, const reorder_attributes& attributes) noexcept {
    converting_plan plan;
    plan.conversion = static_conversion<T, U, Isa>(attributes, dst.dims);
    cache_block_plan blocks;
    if (!plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span())) ||
        !plan_block_copy(plan.conversion, blocks, element_block_copies()))
        return reference_move<T, U>(src, in, dst, out, attributes);
    choose_memory_access(plan.conversion, blocks);
    const plan_of_run of_run(plan);
    converting_run<arithmetic_type<T, U>>(*of_run, blocks, in, out)();
}

/// The moves of attributed_kernel.hpp that convert rows.
template <element T, element U, isa Isa>
struct include_plait_reorder_converted_rows_hpp {
    /// Moves a tensor with one value for each attribute, or without attributes.
    ///
    /// Pre:     as move_expected_values; is_by_tensor(attributes)
    /// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
    template <layout Src, layout Dst>
    static void move_by_tensor(const memory_of<T>* in, memory_of<U>* out,
                               const reorder_attributes& attributes) noexcept {
        move_expected_values<Src, Dst, T, U, Isa, expected_values{0, false}>(in, out, attributes);
    }
    /// Moves a tensor with any attributes.
    ///
    /// Pre:     check_reorder(Src, Dst, attributes).ok(), cpu_has(Isa)
    /// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
    template <layout Src, layout Dst>
    static void move_by_index(const memory_of<T>* in, memory_of<U>* out,
                              const reorder_attributes& attributes) noexcept {
        constexpr expected_values usual = usual_values(Dst.ndims()), any = any_values(Dst.ndims());
        if (is_expected(attributes, usual)) move_expected_values<Src, Dst, T, U, Isa, usual>(in, out, attributes);
        else if (is_expected(attributes, any)) move_expected_values<Src, Dst, T, U, Isa, any>(in, out, attributes);
        else move_values_by_layout<T, U, Isa>(Src, Dst, in, out, attributes);
    }
};

}  // namespace plait::engine
