#pragma once
// The reorder that a handle points to: both descriptors, the attributes, and the plan; or what is left to be bound.

#include "c_descriptor.hpp"
#include "data_span.hpp"
#include "held_attributes.hpp"
#include "kept_binding.hpp"

#include <plait/descriptor/check_bound.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/zero_pad.hpp>

/// What plait_reorder_create makes. Only read once it is made, so that threads may share it; but for what `kept` keeps,
/// which has its own count of users.
struct plait_planned_reorder {
    plait::c::planned_parts parts;                 // without a plan if extents or strides are dynamic
    std::unique_ptr<plait::c::kept_binding> kept;  // only then
};

namespace plait::c {

/// Plans for the descriptors that `out` has, or refuses; what is refused leaves `out` of no use.
///
/// Pre:     measured is measure_reorder(out.src, out.dst), and ok; its plan is as it is made
inline outcome plan_parts(planned_parts& out, const detail::measured_reorder& measured) {
    const reorder_attributes& given = out.held.attributes;
    if (const outcome step = answer(check_attributes(given, out.dst.dims())); !step) return step;
    // From the lowest place of each tensor, so that two parts of one buffer are two pointers.
    descriptor from = out.src, to = out.dst;
    for (layout* l : {&from.layout, &to.layout}) l->offset0 -= l->span_begin();
    engine::compiled_once::plan(out.plan, from, to, given, measured.spans);
    return {};
}

/// Plans, or refuses; what is refused leaves `out` of no use.
///
/// Pre:     out is as it is made
inline outcome plan_reorder(planned_parts& out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = read_descriptor(out.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(out.dst, dst, "dst"); !step) return step;
    // Before the attributes, which are counted by the extents.
    const detail::measured_reorder measured = detail::measure_reorder(out.src, out.dst);
    if (const outcome step = answer(measured.why); !step) return step;
    if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    return plan_parts(out, measured);
}

/// Plans, or leaves that to plait_reorder_execute_bound if an extent or a stride is dynamic.
///
/// Pre:     out is as it is made
inline outcome make_reorder(plait_planned_reorder& out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                            const plait_reorder_attributes_t* attributes) {
    planned_parts& parts = out.parts;
    if (const outcome step = read_descriptor(parts.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(parts.dst, dst, "dst"); !step) return step;
    const reason why = check_reorder(parts.src, parts.dst).reason;
    if (why != reason::dim_is_dynamic && why != reason::stride_is_dynamic)
        return plan_reorder(parts, src, dst, attributes);
    if (const outcome step = answer(detail::check_dynamic_reorder(parts.src, parts.dst)); !step) return step;
    const dims extents = detail::merge_extents(parts.src, parts.dst);
    if (const outcome step = read_attributes(parts.held, attributes, extents); !step) return step;
    out.kept.reset(new (std::nothrow) kept_binding);
    if (out.kept == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for the plan of a reorder");
    return {};
}

/// The lowest place of a tensor behind the pointer to where offset 0 lies.
inline const std::byte* beginning_of(const void* data, const descriptor& d) {
    return static_cast<const std::byte*>(data) + d.layout.span_begin() * size_in_bytes(d.type);
}
inline std::byte* beginning_of(void* data, const descriptor& d) {
    return static_cast<std::byte*>(data) + d.layout.span_begin() * size_in_bytes(d.type);
}

/// Both buffers, with their sizes in bytes.
struct both_data {
    const void* src;
    std::size_t src_size;
    void* dst;
    std::size_t dst_size;
};

/// Moves the data, or refuses before a byte of it is touched.
inline outcome run_reorder(const planned_parts& r, const both_data& data) {
    data_span from, to;
    if (const outcome step =
            check_data(from, r.src, data.src, data.src_size, detail::buffer_role::source, alignment_of(r.src));
        !step)
        return step;
    if (const outcome step =
            check_data(to, r.dst, data.dst, data.dst_size, detail::buffer_role::destination, alignment_of(r.dst));
        !step)
        return step;
    if (to.empty()) return {};
    // Each element to where it is already: only the padding is left to be written.
    const bool in_place =
        data.src == data.dst && r.src == r.dst && r.dst.extra.empty() && detail::is_trivial(r.held.attributes);
    if (in_place) return answer(try_zero_pad(r.dst, data.dst).error());
    if (const outcome step = check_apart(from, to); !step) return step;
    // Where all of dst is padding, src may be anything: nothing is read.
    const void* const in = from.empty() ? nullptr : beginning_of(data.src, r.src);
    return answer(r.plan.attempt(in, beginning_of(data.dst, r.dst)).error());
}

/// Plans for the descriptors that `out` has, which have to be those of `open` with numbers filled in.
///
/// Pre:     out has descriptors, the rest is as it is made
inline outcome bind_reorder(planned_parts& out, const planned_parts& open,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = answer(detail::check_bound(open.src, out.src), "src"); !step) return step;
    if (const outcome step = answer(detail::check_bound(open.dst, out.dst), "dst"); !step) return step;
    const detail::measured_reorder measured = detail::measure_reorder(out.src, out.dst);
    if (const outcome step = answer(measured.why); !step) return step;
    // Arrays of the handle live as long as it does.
    if (attributes == nullptr) out.held.attributes = open.held.attributes;
    else if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    return plan_parts(out, measured);
}

/// Runs the plan that is kept if it is for these descriptors and attributes; else plans, runs, and keeps that.
inline outcome run_bound(const plait_planned_reorder& r, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                         const both_data& data, const plait_reorder_attributes_t* attributes) {
    planned_parts made;
    if (const outcome step = read_descriptor(made.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(made.dst, dst, "dst"); !step) return step;
    if (r.kept == nullptr) return answer({reason::bound_values_do_not_match, -1, made.dst.ndims(), 0});
    if (const kept_binding::shared_use use(*r.kept); use && r.kept->is_for(made.src, made.dst, attributes))
        return run_reorder(r.kept->parts(), data);
    if (const outcome step = bind_reorder(made, r.parts, attributes); !step) return step;
    const outcome done = run_reorder(made, data);
    if (done.status == PLAIT_SUCCESS) r.kept->try_keep(std::move(made), attributes == nullptr);
    return done;
}

}  // namespace plait::c
