#pragma once
// The public way to move a tensor between layouts known only at run time.

#include <plait/reorder/bind_reorder.hpp>

namespace plait {

/// Plans in place, with one instruction set. All code of its run-time kernels belongs to this function, which only
/// plan_reorder calls.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; cpu_has(Isa); out is as it is made
template <isa Isa>
void plan_reorder_with(planned_reorder& out, const descriptor& src, const descriptor& dst,
                       const reorder_attributes& attributes, const reorder_spans& spans) {
    out.is_planned_ = true;
    if (spans.dst == 0) return;
    out.src_bytes_ = src.buffer_size_of(spans.src);
    out.dst_bytes_ = dst.buffer_size_of(spans.dst);
    const bool moves_only = is_trivial(attributes) && dst.extra.empty();
    out.may_be_in_place_ = moves_only && src == dst;
    engine::move_factors factors;
    if ((moves_only || engine::find_factors(factors, src, dst, attributes)) &&
        engine::plan_move<Isa>(out.move_by<engine::planned_tiles>(), src, dst, spans.src, factors))
        return;
    if (moves_only && src.type == dst.type)
        out.move_by<engine::element_move>() = {src.layout, dst.layout, size_in_bytes(src.type)};
    else engine::plan_values_with<Isa>(out.move_by<engine::values_reorder>(), src, dst, attributes, spans.src);
}

/// Plans with the instruction set that is named. Only here all of them are: a unit that includes compiled.hpp has none
/// of their code. `Least` is the one that the compile flags settle, and in place of those below it.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made;
///          is_of_this_architecture(instructions); who runs the plan has cpu_has(instructions)
template <isa Least>
void plan_reorder(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                  const reorder_attributes& attributes, const reorder_spans& spans) {
    with_isa<Least>(instructions, [&]<isa Isa>() { plan_reorder_with<Isa>(out, src, dst, attributes, spans); });
}

/// Plans with the widest instruction set that the CPU has.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made
template <isa Least>
void plan_reorder(planned_reorder& out, const descriptor& src, const descriptor& dst,
                  const reorder_attributes& attributes, const reorder_spans& spans) {
    isa widest = Least;
    with_widest_isa<Least>([&]<isa Isa>() { widest = Isa; });
    plan_reorder<Least>(widest, out, src, dst, attributes, spans);
}

/// Plans a reorder once, to be run often. If an extent or a stride is dynamic, it is planned when it is bound.
///
/// Refused, as the result's error: what check_reorder(src, dst, attributes) refuses; if an extent or a stride is
/// dynamic, what check_dynamic_reorder(src, dst, attributes) does
///
/// Pre:     none of the descriptors; values by index live as long as the plan is called
/// Post:    (*result)(in, out) writes what reference_reorder(src, in, dst, out, attributes) does. If an extent or a
///          stride is dynamic, result->is_dynamic(): calls are refused until result->bind(...).ok()
/// Cost:    half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
template <isa Least = least_isa()>
expected<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                       const reorder_attributes& attributes = {}) {
    const measured_reorder measured = measure_reorder(src, dst, attributes);
    expected<planned_reorder> out{{}, measured.why};
    if (out) {
        plan_reorder<Least>(out.made, src, dst, attributes, measured.spans);
    } else if (out.why.reason == reason::dim_is_dynamic || out.why.reason == reason::stride_is_dynamic) {
        out.why = check_dynamic_reorder(src, dst, attributes);
        if (out) plan_when_bound(out.made, src, dst, attributes, plan_reorder<Least>);
    }
    return out;
}

/// Plans a reorder and runs it.
///
/// Refused: as check_reorder(src, dst, attributes) and the plan's call; nothing is written then
/// Pre:     `in` holds src.buffer_size_in_bytes() bytes from where offset 0 lies, `out` dst's; they do not overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    plans at each call, half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
template <isa Least = least_isa()>
verdict reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                const reorder_attributes& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder<Least>(src, dst, attributes);
    return planned ? planned.made(in, out) : planned.error();
}

}  // namespace plait
