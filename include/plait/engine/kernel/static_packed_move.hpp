#pragma once
// Moves of elements smaller than a byte between constant layouts. The plan is made at compile time: if bytes are moved
// as they are, its kernel is a constant one; if bytes exchange halves, it is the one kernel that its registers need of
// those whose network is a table.
//
// Example: u4 ab -> ba of 512 x 512 with AVX-512: the kernel of 16 registers of 64 bytes

#include <plait/engine/kernel/packed_move.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The tiles and the rests of a pair of layouts.
struct static_packed_tiles {
    bool exist = false;
    reorder_plan plan;
    packed_rests rests;
};

/// Plans a move of elements of `bits` bits: tiles alone, or tiles and rests. There are no tiles if the layouts have no
/// refinement in bytes.
constexpr static_packed_tiles plan_static_packed(const layout& src, const layout& dst, int bits, isa instructions) {
    for (const bool with_rests : {false, true}) {
        static_packed_tiles out;
        refinement r;
        if (!refine(r, src, dst, static_cast<dim_t>(src.element_span()))) break;
        if (with_rests) out.rests.leave_out_of(r, bits);
        if (out.rests.leave_no_tiles() || !count_in_bytes(r, bits)) continue;
        const element_sizes sizes(1);
        if (r.half_bytes >= 0) {
            out.exist = has_table_kernels(instructions) && plan_vectors(out.plan, r, sizes, instructions);
            if (out.exist) make_run_time_form(out.plan);
        } else if (const auto plan = make_plan(r, sizes, instructions, [](const reorder_plan&) { return true; })) {
            out.exist = true;
            out.plan = has_static_kernels(instructions) ? *plan : run_time_form(*plan);
        }
        if (out.exist) return out;
    }
    return {};
}

/// The plan of plan_static_packed as a type.
template <layout Src, layout Dst, int Bits, isa Isa>
struct static_packed_plan {
    using types = simd::moved_elements<1>;
    static constexpr static_packed_tiles tiles = plan_static_packed(Src, Dst, Bits, Isa);
    static constexpr const reorder_plan& value = tiles.plan;
};

/// The kernel of a plan whose bytes exchange halves, with the offsets of its tiles.
template <class Plan, isa Isa>
struct static_half_bytes {
    static constexpr tile_pattern pattern = Plan::value.pattern;
    static constexpr const run_time_kernel* kernel =
        simd::code_of<Isa>::template table_kernel<1 << pattern.lane_bits, pattern.register_bits>;
    static constexpr run_time_offsets offsets = kernel->offsets_for(Plan::value);
};

/// Runs the tiles of a plan with one instruction set.
template <class Plan, isa Isa, bool Stream>
inline void run_packed_tiles(const std::byte* in, std::byte* out) noexcept {
    if constexpr (Plan::value.pattern.half_bytes < 0) {
        run_plan<Isa, Plan, Stream>(in, out);
    } else {
        using tiles = static_half_bytes<Plan, Isa>;
        run_kernel(Plan::value, *tiles::kernel, tiles::offsets, Stream, in, out);
    }
}

/// Moves elements of a packed type with one instruction set.
///
/// Pre:     check_reorder(Src, Dst).ok(), cpu_has(Isa); in and out point to offset 0, and do not overlap
/// Post:    as reference_reorder for elements of this size
template <layout Src, layout Dst, data_type Type, isa Isa>
inline void move_packed_with(const std::byte* in, std::byte* out) noexcept {
    constexpr int bits = size_in_bits(Type);
    using plan = static_packed_plan<Src, Dst, bits, Isa>;
    if constexpr (!plan::tiles.exist) {
        element_move{Src, Dst, Type}(in, out);
    } else {
        if constexpr (may_stream(plan::value)) {
            if (is_aligned(out, cache_line_bytes)) run_packed_tiles<plan, Isa, true>(in, out);
            else run_packed_tiles<plan, Isa, false>(in, out);
        } else {
            run_packed_tiles<plan, Isa, false>(in, out);
        }
        if constexpr (!plan::tiles.rests.axes.empty()) plan::tiles.rests.move(Src, Dst, bits, in, out);
    }
}

/// Moves elements of a packed type with the widest instruction set of the CPU.
template <layout Src, layout Dst, data_type Type, isa Least>
inline void move_packed_tensor(const std::byte* in, std::byte* out) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            element_move{Src, Dst, Type}(in, out);
        else move_packed_with<Src, Dst, Type, Isa>(in, out);
    });
}

}  // namespace plait::engine
