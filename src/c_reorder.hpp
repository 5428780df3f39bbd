#pragma once
// The reorder behind a handle: both descriptors, the attributes, and the plan.

#include "c_descriptor.hpp"
#include "data_span.hpp"
#include "held_attributes.hpp"

#include <plait/runtime/padding.hpp>
#include <plait/runtime/planned_reorder.hpp>

#include <optional>

/// What plait_reorder_create makes. Only read once it is made, so that threads may share it.
struct plait_planned_reorder {
    plait::descriptor src, dst;
    plait::c::held_attributes held;
    std::optional<plait::planned_reorder> plan;
};

namespace plait::c {

/// Plans, or refuses; what is refused leaves `out` of no use.
inline outcome plan_reorder(plait_planned_reorder& out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = read_descriptor(out.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(out.dst, dst, "dst"); !step) return step;
    // Before the attributes, which are counted by the extents.
    if (const outcome step = answer(check_reorder(out.src, out.dst)); !step) return step;
    if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    const reorder_attributes& given = out.held.attributes;
    if (const outcome step = answer(check_reorder(out.src, out.dst, given)); !step) return step;
    out.plan = make_reorder(out.src, out.dst, given);
    if (!out.plan) return refuse(PLAIT_UNIMPLEMENTED, "no_plan: there is no reorder for this pair of descriptors");
    return {};
}

/// Moves the data, or refuses before a byte of it is touched.
inline outcome run_reorder(const plait_planned_reorder& r, const void* src, std::size_t src_size, void* dst,
                           std::size_t dst_size) {
    data_span from, to;
    if (const outcome step = check_data(from, r.src, src, src_size, "src", alignment_of(r.src)); !step) return step;
    if (const outcome step = check_data(to, r.dst, dst, dst_size, "dst", alignment_of(r.dst)); !step) return step;
    if (to.empty()) return {};
    // Each element to where it is already: only the padding is left to be written.
    const bool in_place = src == dst && r.src == r.dst && r.dst.extra.empty() && is_trivial(r.held.attributes);
    if (!in_place)
        if (const outcome step = check_apart(from, to); !step) return step;
    return answer_status(in_place ? zero_pad(r.dst, dst) : (*r.plan)(src, dst));
}

}  // namespace plait::c
