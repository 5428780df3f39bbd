#pragma once
// The reorder behind a handle: both descriptors, the attributes, and the plan.

#include "c_descriptor.hpp"
#include "data_span.hpp"
#include "held_attributes.hpp"

#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/zero_pad.hpp>

/// What plait_reorder_create makes. Only read once it is made, so that threads may share it.
struct plait_planned_reorder {
    plait::descriptor src, dst;
    plait::c::held_attributes held;
    plait::planned_reorder plan;
};

namespace plait::c {

/// Plans, or refuses; what is refused leaves `out` of no use.
///
/// Pre:     out is as it is made
inline outcome plan_reorder(plait_planned_reorder& out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = read_descriptor(out.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(out.dst, dst, "dst"); !step) return step;
    // Before the attributes, which are counted by the extents.
    const measured_reorder measured = measure_reorder(out.src, out.dst);
    if (const outcome step = answer(measured.why); !step) return step;
    if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    const reorder_attributes& given = out.held.attributes;
    if (const outcome step = answer(check_attributes(given, out.dst.dims())); !step) return step;
    // From where each tensor begins, so that two parts of one buffer are two pointers.
    descriptor from = out.src, to = out.dst;
    from.layout.offset0 = to.layout.offset0 = 0;
    plait::plan_reorder<least_isa()>(out.plan, from, to, given, measured.spans);
    return {};
}

/// Where a tensor begins behind the pointer to where offset 0 lies.
inline const std::byte* beginning_of(const void* data, const descriptor& d) {
    return static_cast<const std::byte*>(data) + d.layout.offset0 * size_in_bytes(d.type);
}
inline std::byte* beginning_of(void* data, const descriptor& d) {
    return static_cast<std::byte*>(data) + d.layout.offset0 * size_in_bytes(d.type);
}

/// Moves the data, or refuses before a byte of it is touched.
inline outcome run_reorder(const plait_planned_reorder& r, const void* src, std::size_t src_size, void* dst,
                           std::size_t dst_size) {
    data_span from, to;
    if (const outcome step = check_data(from, r.src, src, src_size, buffer_role::source, alignment_of(r.src)); !step)
        return step;
    if (const outcome step = check_data(to, r.dst, dst, dst_size, buffer_role::destination, alignment_of(r.dst)); !step)
        return step;
    if (to.empty()) return {};
    // Each element to where it is already: only the padding is left to be written.
    const bool in_place = src == dst && r.src == r.dst && r.dst.extra.empty() && is_trivial(r.held.attributes);
    if (in_place) return answer(zero_pad(r.dst, dst));
    if (const outcome step = check_apart(from, to); !step) return step;
    // Where all of dst is padding, src may be anything: nothing is read.
    return answer(r.plan(from.empty() ? nullptr : beginning_of(src, r.src), beginning_of(dst, r.dst)));
}

}  // namespace plait::c
