#pragma once
// Plans reorders known only at run time. The code is the same for all instruction sets, whose kernels are data of it.
// Compiled once in a program, by plait/implementation/plans.hpp.

#include <plait/engine/kernel/packed_move.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/quantize/converting_reorder.hpp>
#include <plait/reorder/planned_reorder.hpp>

#include <memory>  // std::construct_at

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

struct choice_words;

/// The functions that reorders_once calls. It is called once, so that other units do not contain its code.
struct reorder_planner {
    /// The functions of one kind of plan.
    template <class Move>
    struct functions_of {
        static constexpr bool are_tiles = std::is_same_v<Move, planned_tiles>;
        static constexpr bool has_trials = !std::is_same_v<Move, element_move>;
        static const planned_reorder& reorder(const void* p) noexcept {
            return *static_cast<const planned_reorder*>(p);
        }
        static const Move& of(const void* p) noexcept { return *reinterpret_cast<const Move*>(reorder(p).plan_); }
        static int orders(const void* p, std::uint64_t& hash) noexcept;
        static void run(const void* p, const void* in, void* out) noexcept {
            const for_all_units::of_another_unit caller;
            if constexpr (has_trials) of(p)(in, out, reorder(p).trials_);
            else of(p)(in, out);
        }
        static void run_with(const void* p, const void* in, void* out, const void* values) noexcept {
            const for_all_units::of_another_unit caller;
            if constexpr (std::is_same_v<Move, converting_reorder>)
                of(p).run_with(in, out, *static_cast<const reorder_attributes*>(values), reorder(p).trials_);
            else run(p, in, out);  // no other plan has arrays of values
        }
        static std::int64_t bytes_moved(const void* p) noexcept {
            const for_all_units::of_another_unit caller;
            return of(p).bytes_moved();
        }
        static void begin(const void* p, void* out) noexcept {
            const for_all_units::of_another_unit caller;
            of(p).begin(out);
        }
        static void run_chunk(const void* p, const void* in, void* out, int chunk, int chunks) noexcept {
            const for_all_units::of_another_unit caller;
            if constexpr (has_trials) of(p).run_chunk(in, out, chunk, chunks, reorder(p).trials_);
            else of(p).run_chunk(in, out, chunk, chunks);
        }
        static void finish(const void* p, void* out) noexcept {
            const for_all_units::of_another_unit caller;
            of(p).finish(out);
        }
        static constexpr planned_reorder::move_functions all = {are_tiles,   orders, run,       run_with,
                                                                bytes_moved, begin,  run_chunk, finish};
    };

    template <class Move>
    static Move& move_by(planned_reorder& out) {
        static_assert(sizeof(Move) <= planned_reorder::plan_bytes &&
                      alignof(Move) <= alignof(planned_reorder::plan_alignment));
        static_assert(std::is_trivially_copyable_v<Move> && std::is_trivially_destructible_v<Move>);
        out.move_ = &functions_of<Move>::all;
        return *std::construct_at(reinterpret_cast<Move*>(out.plan_));
    }

    static const planned_tiles* tiles_of(const planned_reorder& planned) noexcept {
        const bool are_tiles = planned.move_ != nullptr && planned.move_->are_tiles;
        return are_tiles ? &functions_of<planned_tiles>::of(&planned) : nullptr;
    }
    static const cache_block_plan* cache_blocks_of(const planned_reorder& planned) noexcept {
        if (planned.move_ != &functions_of<converting_reorder>::all) return nullptr;
        const converting_reorder& values = functions_of<converting_reorder>::of(&planned);
        return values.has_cache_blocks ? &values.blocks : nullptr;
    }

    static inline void plan_with(const run_time_kernels& kernels, planned_reorder& out, const descriptor& src,
                                 const descriptor& dst, const reorder_attributes& attributes, const reorder_ends& ends);
    static inline void plan_packed(const run_time_kernels& kernels, planned_reorder& out, const layout& src,
                                   const layout& dst, int bits, dim_t src_end);
    static inline void plan(int instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                            const reorder_attributes& attributes, const reorder_ends& ends);
    static inline verdict make(int instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                               const reorder_attributes& attributes);
    static inline verdict bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                               const reorder_attributes* attributes);
    static inline verdict bind(planned_reorder& out, const dims& extents);
    static inline choice_words words_of(const planned_reorder& planned);
    static inline void choice(inline_text<96>& out, const planned_reorder& planned) noexcept;
    static inline verdict set_choice(planned_reorder& planned, std::string_view text) noexcept;
};

/// Writes a plan with the kernels of one instruction set into `out`.
inline void reorder_planner::plan_with(const run_time_kernels& kernels, planned_reorder& out, const descriptor& src,
                                       const descriptor& dst, const reorder_attributes& attributes,
                                       const reorder_ends& ends) {
    out.is_planned_ = true;
    out.trials_.begin_anew();
    out.src_type_ = src.type;
    out.dst_type_ = dst.type;
    out.instructions_ = kernels.instructions;
    if (ends.dst == 0) return;
    out.src_bytes_ = src.buffer_size_of(ends.src);
    out.dst_bytes_ = dst.buffer_size_of(ends.dst);
    const bool moves_only = is_trivial(attributes) && dst.extra.empty();
    out.may_be_in_place_ = moves_only && src == dst;
    if (moves_only && src.type == dst.type && detail::is_packed(src.type))
        return plan_packed(kernels, out, src.layout, dst.layout, size_in_bits(src.type), ends.src);
    move_factors factors;
    if ((moves_only ? src.type == dst.type : find_factors(factors, src, dst, attributes)) &&
        plan_move(move_by<planned_tiles>(out), src, dst, ends.src, kernels, factors))
        return;
    if (!moves_only || src.type != dst.type)
        return plan_values(move_by<converting_reorder>(out), src, dst, attributes, ends.src,
                           {*kernels.rows_in_f32,
                            *kernels.rows_in_f64,
                            {byte_lookup_of(kernels.instructions, 1), byte_lookup_of(kernels.instructions, 2)}},
                           tile_block_copies{kernels});
    move_by<element_move>(out) = {src.layout, dst.layout, size_in_bits(src.type), {}};
}

/// Plans a move of elements smaller than a byte: tiles, tiles and what they leave, or no tiles.
inline void reorder_planner::plan_packed(const run_time_kernels& kernels, planned_reorder& out, const layout& src,
                                         const layout& dst, int bits, dim_t src_end) {
    refinement r;
    byte_rests rests;
    if (refine_in_bytes(r, rests, src, dst, src_end, bits)) {
        if (rests.axes.empty()) {
            if (plan_byte_tiles(move_by<planned_tiles>(out), r, kernels)) return;
        } else if (packed_move& move = move_by<packed_move>(out); plan_byte_tiles(move.tiles, r, kernels)) {
            move.rest = {src, dst, bits, rests};
            return;
        }
    }
    move_by<element_move>(out) = {src, dst, bits, {}};
}

/// Returns the widest instruction set of the CPU.
inline isa widest_planned_isa() {
    isa widest = least_isa();
    with_widest_isa([&]<isa Isa>() { widest = Isa; });
    return widest;
}
inline void reorder_planner::plan(int instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                                  const reorder_attributes& attributes, const reorder_ends& ends) {
    run_time_kernels kernels;
    with_isa<least_isa()>(instructions < 0 ? widest_planned_isa() : isa(instructions),
                          [&]<isa Isa>() { kernels = compiled_kernels<Isa>(); });
    plan_with(kernels, out, src, dst, attributes, ends);
}

inline verdict reorder_planner::make(int instructions, planned_reorder& out, const descriptor& src,
                                     const descriptor& dst, const reorder_attributes& attributes) {
    const measured_reorder measured = measure_reorder(src, dst, attributes);
    verdict why = measured.why;
    if (why.ok()) {
        plan(instructions, out, src, dst, attributes, measured.ends);
    } else if (why.reason == reason::dim_is_dynamic || why.reason == reason::stride_is_dynamic) {
        why = check_dynamic_reorder(src, dst, attributes);
        if (!why.ok()) return why;
        out.is_dynamic_ = true;
        std::construct_at(&out.dynamic_.parts, planned_reorder::dynamic_parts{src, dst, {}, {}, attributes, {}});
    }
    return why;
}

}  // namespace plait::engine

namespace plait::for_all_units::reorders {

using once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

void once::plan(types, int instructions, void* out, const void* src, const void* dst, const void* attributes,
                const void* ends) {
    const of_another_unit caller;
    engine::reorder_planner::plan(instructions, *static_cast<planned_reorder*>(out),
                                  *static_cast<const descriptor*>(src), *static_cast<const descriptor*>(dst),
                                  *static_cast<const reorder_attributes*>(attributes),
                                  *static_cast<const detail::reorder_ends*>(ends));
}
void once::make(types, int instructions, void* out, void* why, const void* src, const void* dst,
                const void* attributes) {
    const of_another_unit caller;
    *static_cast<verdict*>(why) = engine::reorder_planner::make(
        instructions, *static_cast<planned_reorder*>(out), *static_cast<const descriptor*>(src),
        *static_cast<const descriptor*>(dst), *static_cast<const reorder_attributes*>(attributes));
}
const void* once::tiles_of(types, const void* planned) noexcept {
    const of_another_unit caller;
    return engine::reorder_planner::tiles_of(*static_cast<const planned_reorder*>(planned));
}
const void* once::cache_blocks_of(types, const void* planned) noexcept {
    const of_another_unit caller;
    return engine::reorder_planner::cache_blocks_of(*static_cast<const planned_reorder*>(planned));
}

}  // namespace plait::for_all_units::reorders
