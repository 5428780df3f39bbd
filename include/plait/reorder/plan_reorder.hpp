#pragma once
// Plans reorders known only at run time. The code is the same for all instruction sets, whose kernels are data of it.
// Compiled once in a program, by plait/implementation/plans.hpp.

#include <plait/engine/kernel/plan_move.hpp>
#include <plait/engine/quantize/converting_reorder.hpp>
#include <plait/reorder/planned_reorder.hpp>

#include <memory>  // std::construct_at

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The functions of one kind of plan. Only the planning functions name them, so that no other unit contains their code.
template <class Move>
struct compiled_once::functions_of {
    static constexpr bool are_tiles = std::is_same_v<Move, planned_tiles>;
    static constexpr bool has_trials = are_tiles || std::is_same_v<Move, packed_move>;
    static const Move& of(const planned_reorder& p) noexcept { return *reinterpret_cast<const Move*>(p.plan_); }
    static void run(const planned_reorder& p, const void* in, void* out) noexcept {
        if constexpr (has_trials) of(p)(in, out, p.trials_);
        else of(p)(in, out);
    }
    static dim_t bytes_moved(const planned_reorder& p) noexcept { return of(p).bytes_moved(); }
    static void begin(const planned_reorder& p, void* out) noexcept { of(p).begin(out); }
    static void run_chunk(const planned_reorder& p, const void* in, void* out, int chunk, int chunks) noexcept {
        if constexpr (has_trials) of(p).run_chunk(in, out, chunk, chunks, p.trials_);
        else of(p).run_chunk(in, out, chunk, chunks);
    }
    static void finish(const planned_reorder& p, void* out) noexcept { of(p).finish(out); }
    static constexpr planned_reorder::move_functions all = {are_tiles, run, bytes_moved, begin, run_chunk, finish};
};

template <class Move>
Move& compiled_once::move_by(planned_reorder& out) {
    static_assert(sizeof(Move) <= planned_reorder::plan_bytes &&
                  alignof(Move) <= alignof(planned_reorder::plan_alignment));
    static_assert(std::is_trivially_copyable_v<Move> && std::is_trivially_destructible_v<Move>);
    out.move_ = &functions_of<Move>::all;
    return *std::construct_at(reinterpret_cast<Move*>(out.plan_));
}

/// Writes a plan with the kernels of one instruction set into `out`.
void compiled_once::plan_with(const run_time_kernels& kernels, planned_reorder& out, const descriptor& src,
                              const descriptor& dst, const reorder_attributes& attributes, const reorder_spans& spans) {
    out.is_planned_ = true;
    out.trials_ = {};
    if (spans.dst == 0) return;
    out.src_bytes_ = src.buffer_size_of(spans.src);
    out.dst_bytes_ = dst.buffer_size_of(spans.dst);
    const bool moves_only = is_trivial(attributes) && dst.extra.empty();
    out.may_be_in_place_ = moves_only && src == dst;
    move_factors factors;
    if ((moves_only || find_factors(factors, src, dst, attributes)) &&
        plan_move(move_by<planned_tiles>(out), src, dst, spans.src, kernels, factors))
        return;
    const bool keeps_type = moves_only && src.type == dst.type;
    if (keeps_type && detail::is_packed(src.type) &&
        plan_packed_move(move_by<packed_move>(out), src, dst, spans.src, kernels))
        return;
    if (keeps_type) move_by<element_move>(out) = {src.layout, dst.layout, src.type};
    else
        plan_values(move_by<converting_reorder>(out), src, dst, attributes, spans.src,
                    {*kernels.rows_in_f32, *kernels.rows_in_f64}, tile_block_copies{kernels});
}

void compiled_once::plan(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                         const reorder_attributes& attributes, const reorder_spans& spans) {
    run_time_kernels kernels;
    with_isa<least_isa()>(instructions, [&]<isa Isa>() { kernels = compiled_kernels<Isa>(); });
    plan_with(kernels, out, src, dst, attributes, spans);
}
/// Returns the widest instruction set of the CPU.
inline isa widest_planned_isa() {
    isa widest = least_isa();
    with_widest_isa<least_isa()>([&]<isa Isa>() { widest = Isa; });
    return widest;
}
void compiled_once::plan(planned_reorder& out, const descriptor& src, const descriptor& dst,
                         const reorder_attributes& attributes, const reorder_spans& spans) {
    plan(widest_planned_isa(), out, src, dst, attributes, spans);
}

const planned_tiles* compiled_once::tiles_of(const planned_reorder& planned) noexcept {
    const bool are_tiles = planned.move_ != nullptr && planned.move_->are_tiles;
    return are_tiles ? &functions_of<planned_tiles>::of(planned) : nullptr;
}

expected<planned_reorder> compiled_once::make(const descriptor& src, const descriptor& dst,
                                              const reorder_attributes& attributes) {
    return make(widest_planned_isa(), src, dst, attributes);
}
expected<planned_reorder> compiled_once::make(isa instructions, const descriptor& src, const descriptor& dst,
                                              const reorder_attributes& attributes) {
    const measured_reorder measured = measure_reorder(src, dst, attributes);
    expected<planned_reorder> out;
    out.error() = measured.why;
    if (out) {
        plan(instructions, *out, src, dst, attributes, measured.spans);
    } else if (out.error().reason == reason::dim_is_dynamic || out.error().reason == reason::stride_is_dynamic) {
        out.error() = check_dynamic_reorder(src, dst, attributes);
        if (!out) return out;
        out->is_dynamic_ = true;
        std::construct_at(&out->dynamic_.parts, planned_reorder::dynamic_parts{src, dst, {}, {}, attributes, {}});
    }
    return out;
}

}  // namespace plait::engine
