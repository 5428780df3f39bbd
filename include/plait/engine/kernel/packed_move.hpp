#pragma once
// Moves of elements smaller than a byte: bytes by tiles, and bit by bit what tiles leave at the end of axes. Plans at
// run time and at compile time begin with the same refinement in bytes. A plan at compile time has a constant kernel if
// bytes are moved as they are; if bytes exchange halves, it has the one kernel that its registers need of those whose
// network is a table.
//
// Example: u4 ab -> ba of 512 x 512 with AVX-512: the kernel of 16 registers of 64 bytes

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/element_move.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A move by tiles, and of what they leave.
struct packed_move {
    planned_tiles tiles;
    element_move rest;

    void operator()(const void* in, void* out, const order_trials& trials) const noexcept {
        tiles(in, out, trials);
        rest.run_chunk(in, out, 0, 1);
    }
    void begin(void*) const noexcept {}
    void run_chunk(const void* in, void* out, int chunk, int chunks, const order_trials& trials) const noexcept {
        tiles.run_chunk(in, out, chunk, chunks, trials);
        rest.run_chunk(in, out, chunk, chunks);
    }
    void finish(void*) const noexcept {}
    int number_of_orders() const noexcept { return tiles.number_of_orders(); }
    dim_t bytes_moved() const noexcept { return tiles.bytes_moved(); }
};

/// Plans the tiles of a refinement in bytes at run time; false if there is no kernel.
inline bool plan_byte_tiles(planned_tiles& out, const refinement& r, const run_time_kernels& kernels) {
    plan_tiles(out.plan, out.kernel, out.offsets, r, element_sizes(1), kernels);
    if (out.kernel == nullptr) return false;
    keep_walks(out.walks, out.edges, out.plan, *out.kernel, out.offsets);
    out.choose_orders();
    return true;
}

/// The tiles and the rests of a pair of constant layouts.
struct static_packed_tiles {
    bool exist = false;
    reorder_plan plan;
    byte_rests rests;
};

/// Plans a move of elements of `bits` bits at compile time. There are no tiles if the layouts have no refinement in
/// bytes.
constexpr static_packed_tiles plan_static_packed(const layout& src, const layout& dst, int bits, isa instructions) {
    static_packed_tiles out;
    refinement r;
    if (!refine_in_bytes(r, out.rests, src, dst, end_of_elements(src), bits)) return {};
    const element_sizes sizes(1);
    if (r.half_bytes >= 0) {
        kept_networks networks(log2_of(sizes.work), instructions);
        out.exist = has_table_kernels(instructions) && plan_vectors(out.plan, r, sizes, networks);
        if (out.exist) make_run_time_form(out.plan);
    } else if (const auto plan = make_plan(r, sizes, instructions)) {
        out.exist = true;
        out.plan = *plan;
    }
    return out.exist ? out : static_packed_tiles{};
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
    if constexpr (plan::tiles.exist) {
        choose_static_stores<plan>(
            out, true, [&]<bool Stream>(std::bool_constant<Stream>) { run_packed_tiles<plan, Isa, Stream>(in, out); });
    }
    if constexpr (!plan::tiles.exist || !plan::tiles.rests.axes.empty())
        element_move{Src, Dst, bits, plan::tiles.rests}(in, out);
}

/// Moves elements of a packed type with the widest instruction set of the CPU.
template <layout Src, layout Dst, data_type Type, isa Least = least_isa()>
inline void move_packed_tensor(const std::byte* in, std::byte* out) noexcept {
    with_widest_isa<Least>([&]<isa Isa>() {
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            element_move{Src, Dst, size_in_bits(Type), {}}(in, out);
        else move_packed_with<Src, Dst, Type, Isa>(in, out);
    });
}

}  // namespace plait::engine
