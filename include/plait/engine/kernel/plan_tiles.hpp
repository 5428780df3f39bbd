#pragma once
// Plans reorders between layouts known only at run time, using the tiles for which there are kernels.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/compiled_kernels.hpp>
#include <plait/engine/kernel/order_trials.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/zeroed_padding.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// The kernels that run plans known only at run time, for each instruction set. They depend on the size and the number
// of a tile's registers, and some on its network, if that is frequent; everything else about a tile is data.

/// Returns the kernel of elements of 1, 2, 4 or 8 bytes that are moved one by one.
constexpr const run_time_kernel* element_kernel(int bytes) {
    switch (bytes) {
        case 1: return &simd::element_kernel_for<simd::moved_elements<1>>;
        case 2: return &simd::element_kernel_for<simd::moved_elements<2>>;
        case 4: return &simd::element_kernel_for<simd::moved_elements<4>>;
        default: return &simd::element_kernel_for<simd::moved_elements<8>>;
    }
}

/// The kernels of one instruction set for plans that are made at run time. Planning is the same code for all sets.
struct run_time_kernels {
    isa instructions = isa::portable;
    const simd::table_kernels* tiles = nullptr;  ///< null if the set moves only single elements
    const row_conversions *rows_in_f32 = nullptr, *rows_in_f64 = nullptr;
};

/// Returns the kernels of an instruction set, which a program compiles once.
template <isa Isa>
    requires(has_compiled_kernels(Isa))
run_time_kernels compiled_kernels()
noexcept {
    using rows = compiled_kernels_once::rows<static_cast<int>(Isa)>;
    run_time_kernels out{Isa, nullptr, static_cast<const row_conversions*>(rows::in_f32({})),
                         static_cast<const row_conversions*>(rows::in_f64({}))};
    if constexpr (has_table_kernels(Isa))
        out.tiles =
            static_cast<const simd::table_kernels*>(compiled_kernels_once::tiles<static_cast<int>(Isa)>::all({}));
    return out;
}

/// Returns the kernel of a tile whose elements are only moved.
///
/// Pre:     bytes is 1, 2, 4 or 8; the pattern is one that tile_queue makes for the instruction set of the kernels
inline const run_time_kernel* find_kernel(const run_time_kernels& kernels, const tile_pattern& pattern, int bytes) {
    if (kernels.tiles != nullptr) {
        if (pattern.interleave != 0) return kernels.tiles->find_interleave(pattern, bytes);
        if (pattern.has_vectors()) return kernels.tiles->of[pattern.lane_bits + log2_of(bytes)][pattern.register_bits];
    }
    return element_kernel(bytes);
}

inline constexpr reorder_plan no_plan{};
inline constexpr run_time_offsets no_offsets{};

/// A plan, and the kernel that runs it.
struct planned_tiles {
    reorder_plan plan;
    const run_time_kernel* kernel = nullptr;  ///< null if there is none
    run_time_offsets offsets;                 ///< offsets of the plan's tiles
    std::span<const loop_order> orders;       ///< that calls try in addition to the plan's own
    bool streams = false;                     ///< true: the plan's own order uses them
    zeroed_runs zeroed;
    int strips_around = -1;  ///< the loop around strips that are zeroed one by one; -1: all is zeroed first
    kept_edges edges;
    kept_walks walks;

    /// Makes it as if nothing was planned, except for zeroed runs.
    void plan_anew() {
        plan = no_plan;
        offsets = no_offsets;
    }

    // Not defaulted, because `planned_tiles()` would then zero the object before it is initialised. To copy empty
    // members takes half of the time of setting each of their lists.
    planned_tiles() : plan(no_plan), offsets(no_offsets) {}

    /// Decides which orders calls try, and which stores they use. Kept walks have their order.
    ///
    /// Pre:     the plan is complete, and its walks are kept if they can be
    void choose_orders() noexcept {
        if (walks.count > 0) return;
        streams = may_stream(plan);
        orders = orders_to_try(plan);
    }
    /// Returns the number of orders, with the plan's own.
    int number_of_orders() const noexcept { return 1 + static_cast<int>(orders.size()); }

    /// Moves a tensor. If it is large, in the order that is to be tried, or the fastest one, which is put in order
    /// once.
    void operator()(const void* in, void* out, const order_trials& trials) const noexcept {
        if (strips_around >= 0) return run_strips(static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
        begin(out);
        if (walks.count > 0)
            return walks.run(plan, *kernel, offsets, edges, static_cast<const std::byte*>(in),
                             static_cast<std::byte*>(out));
        if (orders.empty()) return run(plan, in, out, streams, &edges);
        if (const auto* kept = trials.kept<plan_in_order>(); kept != nullptr)
            return run(kept->plan, in, out, kept->past_caches, nullptr);
        try_orders(plan, in, out, trials, true);
        if (trials.is_decided()) trials.keep(plan_of(plan, trials.fastest()));
    }
    /// Does the work that must precede all chunks.
    void begin(void* out) const noexcept { zeroed.write(out); }
    /// Runs chunk number `chunk` of `chunks`, after begin; see part_of. Only the first chunk is timed.
    void run_chunk(const void* in, void* out, int chunk, int chunks, const order_trials& trials) const noexcept {
        const plan_part part = part_of(plan, chunk_number{chunk, chunks});
        if (part.is_empty()) return;
        const reorder_plan of_part = plan_of_part(plan, part);
        if (!orders.empty()) try_orders(of_part, in, out, trials, chunk == 0);
        else run(of_part, in, out, streams, nullptr);
    }
    /// Does the work that must follow all chunks: none.
    void finish(void*) const noexcept {}

    /// Returns the number of bytes read and written, without the gaps.
    dim_t bytes_moved() const noexcept { return plan.bytes_moved(); }

private:
    /// A plan with its loops in one of the orders, and with its stores.
    struct plan_in_order {
        reorder_plan plan;
        bool past_caches;
    };
    plan_in_order plan_of(const reorder_plan& all_or_part, int number) const noexcept {
        if (number == 0) return {all_or_part, streams};
        const loop_order& order = orders[static_cast<std::size_t>(number - 1)];
        const reorder_plan ordered = in_order(all_or_part, order);
        return {ordered, order.past_caches && ordered.bytes_moved() >= least_bytes_past_caches && can_stream(ordered)};
    }
    /// Zeroes the destination in strips, and moves the elements of each strip after it was zeroed; see
    /// order_for_strips.
    void run_strips(const std::byte* in, std::byte* out) const noexcept {
        const plan_loop& around = plan.loops[strips_around];
        const dim_t bytes = plan.sizes.dst, steps = larger_of(strip_bytes / (around.dst * bytes), 1);
        zeroed_ahead zeros(zeroed.first, out);
        reorder_plan strip = plan;
        for (int k = strips_around; k > 0; --k) strip.loops.erase(0);
        dim_t index[max_loops + 2]{};
        for (int k = 0; k >= 0;) {
            for (dim_t first = 0; first < around.extent; first += steps) {
                strip.loops[0].extent = smaller_of(steps, around.extent - first);
                zeros.up_to((strip.dst_offset + destination_reach(strip, 0)) * bytes);
                run(strip, in, out, false, nullptr);
                strip.src_offset += steps * around.src;
                strip.dst_offset += steps * around.dst;
            }
            const dim_t taken = divide_up(around.extent, steps) * steps;
            strip.src_offset -= taken * around.src;
            strip.dst_offset -= taken * around.dst;
            for (k = strips_around - 1; k >= 0; --k) {
                const plan_loop& loop = plan.loops[k];
                strip.src_offset += loop.src;
                strip.dst_offset += loop.dst;
                if (++index[k] < loop.extent) break;
                strip.src_offset -= loop.extent * loop.src;
                strip.dst_offset -= loop.extent * loop.dst;
                index[k] = 0;
            }
        }
        zeros.finish();
    }
    /// Runs a plan in the order that `trials` say, and tells them the time that each tile took.
    void try_orders(const reorder_plan& all_or_part, const void* in, void* out, const order_trials& trials,
                    bool is_timed) const noexcept {
        float tiles = 1;
        for (const plan_loop& loop : all_or_part.loops) tiles *= static_cast<float>(loop.extent);
        trials.try_next(number_of_orders(), is_timed, tiles, [&](int number) {
            const plan_in_order now = plan_of(all_or_part, number);
            run(now.plan, in, out, now.past_caches, nullptr);
        });
    }
    void run(const reorder_plan& all_or_part, const void* in, void* out, bool past_caches,
             const kept_edges* kept) const noexcept {
        found_edges found;
        const bool streams_here = past_caches && (all_or_part.staged_run > 0 || bytes_behind_line(out) == 0);
        run_kernel(all_or_part, *kernel, offsets, streams_here, static_cast<const std::byte*>(in),
                   static_cast<std::byte*>(out), found, kept);
    }
};

/// Plans the tile of the shortest segments that kernels have; false if there is none. The queue offers such segments
/// only if neither side has longer ones. They mostly serve runs of two elements, as of u8 in blocks 2c4b2c on one side.
/// They also serve an axis that ends inside a longer segment and is in two places of it, which masks cannot check.
///
/// Pre:     as plan_tiles
constexpr bool plan_shortest_segments(reorder_plan& plan, const refinement& r, const element_sizes& sizes,
                                      isa instructions) {
    const int lane_bits = log2_of(16 / sizes.work), segment = sizes.work <= 2 ? lane_bits - 2 : lane_bits - 1;
    const auto tile = choose_tile(r, dense_sides(r, sizes, instructions), sizes, instructions,
                                  {lane_bits, segment, segment}, network_kind::table);
    if (tile && plan_around(plan, r, *tile, sizes)) return true;
    plan = {};
    return false;
}

/// Finds the cheapest plan of tiles with vectors whose network is a table; false if there is none.
///
/// Pre:     sizes are those of elements that are only moved, and networks of; plan is default-constructed
constexpr bool plan_vectors(reorder_plan& plan, const refinement& r, const element_sizes& sizes,
                            kept_networks& networks) {
    const isa instructions = networks.instructions();
    const auto cost_of_shuffles = [&](const tile_pattern& pattern) { return networks.find(pattern).cost; };
    return plan_cheapest_tile(plan, r, sizes, instructions, network_kind::table, cost_of_shuffles) ||
           plan_shortest_segments(plan, r, sizes, instructions);
}

/// Finds the cheapest plan, its kernel and its offsets. There is no kernel if the tensors have more bounds than a
/// kernel has room for, or if bytes exchange halves and there are no tiles with vectors.
///
/// Pre:     sizes are those of elements that are only moved; plan and offsets are default-constructed
/// Cost:    some hundred nanoseconds; no allocation
inline void plan_tiles(reorder_plan& plan, const run_time_kernel*& kernel, run_time_offsets& offsets,
                       const refinement& r, const element_sizes& sizes, const run_time_kernels& kernels) {
    kernel = nullptr;
    const isa instructions = kernels.instructions;
    kept_networks networks(log2_of(sizes.work), instructions);
    const bool made = kernels.tiles != nullptr && plan_vectors(plan, r, sizes, networks);
    if (!made && (r.half_bytes >= 0 || !plan_around(plan, r, choose_one_element(r, sizes, instructions), sizes)))
        return;
    widen_tile(plan);
    kernel = find_kernel(kernels, plan.pattern, sizes.work);
    make_run_time_form(plan);
    if (kernel->network_of == instructions) find_offsets(offsets, plan, networks);
    else kernel->set_offsets(offsets, plan);
    if (!plan.pattern.has_vectors() || plan.pattern.interleave != 0) return;
    const run_time_kernel* const known = kernels.tiles->find_known(plan.pattern, sizes.work, offsets.network);
    if (known != nullptr) kernel = known;
}

// Reorders that change no element, or multiply each f32 by the same factors.

/// Finds the factors of a reorder of f32 that only multiplies and preserves zeros; false for other reorders.
///
/// Example: a source scale of 0.5 gives the factors 0.5 and 1; a destination scale of 4 gives 1 and 0.25
constexpr bool find_factors(move_factors& out, const descriptor& src, const descriptor& dst,
                            const reorder_attributes& a) {
    const auto is_normal = [](float f) { return f >= 1.0e-37f && f <= 1.0e37f; };  // false for NaN
    if (src.type != data_type::f32 || dst.type != data_type::f32) return false;
    // All members are listed, as in is_trivial: the others must change nothing, including any added later.
    const auto& [src_scales, dst_scales, src_zero_point, dst_zero_point, beta] = a;
    const auto is_zero = [](const auto& of) { return of.is_one_value() && value_for_tensor(of) == 0; };
    if (!dst.extra.empty() || !src_scales.is_one_value() || !dst_scales.is_one_value() || !is_zero(src_zero_point) ||
        !is_zero(dst_zero_point) || beta != 0)
        return false;
    const float src_scale = value_for_tensor(src_scales), dst_scale = value_for_tensor(dst_scales);
    if (!is_normal(src_scale) || !is_normal(dst_scale)) return false;
    out = {src_scale, 1 / dst_scale};
    return true;
}

/// Plans the tiles of a refinement; false if there is no kernel.
inline bool plan_refined(planned_tiles& out, refinement& r, int bytes, const move_factors& factors,
                         const run_time_kernels& kernels) {
    continue_source(r, bytes);
    coalesce_nodes(r);
    add_source_gap(r, bytes, kernels.instructions);
    plan_tiles(out.plan, out.kernel, out.offsets, r, element_sizes(bytes), kernels);
    if (out.kernel == nullptr) return false;
    // Only tiles whose network is a table multiply.
    const tile_pattern& pattern = out.plan.pattern;
    return !factors.changes || (pattern.has_vectors() && pattern.interleave == 0);
}

/// Plans tiles without the padding of a destination that is zeroed first. Returns how many elements are then stored; 0
/// if there is no kernel, or if the destination is not zeroed in long runs.
inline dim_t plan_zeroed(planned_tiles& out, refinement r, const layout& dst, int bytes, const move_factors& factors,
                         const run_time_kernels& kernels) {
    out.zeroed = runs_of(dst, bytes);
    if (out.zeroed.first.bytes == 0) return 0;
    const dim_t stored = leave_out_padding(r, bytes);
    out.plan_anew();
    if (!plan_refined(out, r, bytes, factors, kernels)) return 0;
    if (out.zeroed.loops.empty()) out.strips_around = order_for_strips(out.plan, out.zeroed.first.bytes);
    return stored;
}

/// Plans tiles that write the padding of a destination together with its elements; false if they have no vectors.
inline bool plan_padding(planned_tiles& out, refinement r, int bytes, const move_factors& factors,
                         const run_time_kernels& kernels) {
    if (plan_refined(out, r, bytes, factors, kernels) && out.plan.pattern.has_vectors()) return true;
    out.plan_anew();
    return false;
}

/// Plans tiles without padding for a destination that is nearly all padding. Also false if the tiles store
/// padding in parts of lines, or if they have no vectors and too many elements are left to move one by one. Measured:
/// an element takes at least as long as a tile takes for 64 bytes of padding.
inline bool plan_mostly_zeroed(planned_tiles& out, const refinement& r, const layout& src, const layout& dst, int bytes,
                               const move_factors& factors, const run_time_kernels& kernels) {
    if (!is_mostly_padding(src, dst, least_padding)) return false;
    const dim_t padded = dst.padded_volume();
    const bool is_large = padded * bytes > most_zeroed_bytes;
    const elements_alone elements(r, bytes);
    if (is_large && !is_faster_in_strips(elements, dst, bytes) && plan_padding(out, r, bytes, factors, kernels))
        return true;
    const dim_t stored = plan_zeroed(out, r, dst, bytes, factors, kernels);
    const bool is_zeroed = stored != 0 && stored <= padded / least_padding &&
                           (out.plan.pattern.has_vectors() ? !stores_padding_in_parts(out.plan, stored, padded)
                                                           : stored * cache_line_bytes <= padded * bytes);
    if (is_zeroed && (!is_large || out.strips_around >= 0 || elements.are_in_few_lines(dst, bytes, 32))) return true;
    out.zeroed = {};
    out.strips_around = -1;
    out.plan_anew();
    return is_large && plan_padding(out, r, bytes, factors, kernels);
}

/// Plans tiles that do the whole reorder; false if elements change in other ways, or if there are no tiles.
///
/// Pre:     the types differ, or have whole bytes
inline bool plan_move(planned_tiles& out, const descriptor& src, const descriptor& dst, dim_t src_end,
                      const run_time_kernels& kernels, const move_factors& factors = {}) {
    if (src.type != dst.type) return false;
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_end)) return false;
    const int bytes = static_cast<int>(size_in_bytes(dst.type));
    if (!plan_mostly_zeroed(out, r, src.layout, dst.layout, bytes, factors, kernels)) {
        if (!plan_refined(out, r, bytes, factors, kernels)) return false;
        if (moves_padding_one_by_one(out.plan, src.layout, dst.layout) && runs_of(dst.layout, bytes).first.bytes != 0) {
            r = {};
            if (!refine(r, src.layout, dst.layout, src_end) ||
                plan_zeroed(out, r, dst.layout, bytes, factors, kernels) == 0)
                return false;
        }
    }
    out.plan.sparse_bytes = span_in_sparse_source(out.plan);
    out.offsets.factors = factors;
    if (out.strips_around >= 0) return true;
    keep_walks(out.walks, out.edges, out.plan, *out.kernel, out.offsets);
    out.choose_orders();
    return true;
}

}  // namespace plait::engine
