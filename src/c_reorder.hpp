#pragma once
// The reorder that a handle points to: both descriptors, the attributes, and the plan, or what is left to be bound.

#include "c_descriptor.hpp"
#include "data_span.hpp"
#include "held_attributes.hpp"
#include "kept_binding.hpp"

#include <plait/descriptor/check_bound.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/zero_pad.hpp>

#include <numeric>  // std::gcd

/// The object that plait_reorder_create makes. Only plait_reorder_stop_trials and plait_reorder_set_choice change it
/// afterwards, so that threads may share it, except for the contents of `kept`, which counts its users.
struct plait_planned_reorder {
    plait::c::planned_parts parts;                 // without a plan if extents or strides are dynamic
    std::unique_ptr<plait::c::kept_binding> kept;  // null otherwise
};

namespace plait::c {

/// Returns the lowest place of a tensor; of elements smaller than a byte, the last place up to there that begins a
/// byte.
inline dim_t first_place(const descriptor& d) {
    const dim_t place = d.layout.span_begin();
    if (!detail::is_packed(d.type)) return place;
    return place - place % (8 / std::gcd(8, size_in_bits(d.type)));
}

/// Returns the bytes from offset 0 to a tensor's first_place.
inline std::size_t bytes_in_front(const descriptor& d) {
    return static_cast<std::size_t>(detail::bytes_of(d.type, first_place(d), 0).begin);
}

/// Plans for the descriptors of `out`, or refuses; `out` is then unusable.
///
/// Pre:     measured is measure_reorder(out.src, out.dst), and ok; out.plan is default-constructed
inline outcome plan_parts(planned_parts& out, const detail::measured_reorder& measured) {
    const reorder_attributes& given = out.held.attributes;
    if (const outcome step = answer(check_attributes(given, out.dst.dims())); !step) return step;
    // Offsets count from the lowest place of each tensor, so that two parts of one buffer have different pointers.
    descriptor from = out.src, to = out.dst;
    detail::reorder_ends ends = measured.ends;
    const auto begin_at_0 = [](descriptor& d, dim_t& end) {
        const dim_t place = first_place(d);
        d.layout.offset0 -= place;
        if (end != 0) end -= place;  // without elements, it is 0
    };
    begin_at_0(from, ends.src);
    begin_at_0(to, ends.dst);
    engine::compiled_once::plan(out.plan, from, to, given, ends);
    out.src_data = measure_data(out.src, alignment_of(out.src));
    out.dst_data = measure_data(out.dst, alignment_of(out.dst));
    out.src_front = bytes_in_front(out.src);
    out.dst_front = bytes_in_front(out.dst);
    out.is_planned = true;
    return {};
}

/// Reads the arguments and plans, or refuses; `out` is then unusable.
///
/// Pre:     out is default-constructed
inline outcome plan_reorder(planned_parts& out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = read_descriptor(out.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(out.dst, dst, "dst"); !step) return step;
    // Measured before the attributes are read, because their counts depend on the extents.
    const detail::measured_reorder measured = detail::measure_reorder(out.src, out.dst);
    if (const outcome step = answer(measured.why); !step) return step;
    if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    return plan_parts(out, measured);
}

/// Plans, or leaves planning to plait_reorder_execute_bound if an extent or a stride is dynamic.
///
/// Pre:     out is default-constructed
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

/// Refuses a handle whose extents come with each call: it has no plan whose trials could have decided.
inline outcome check_planned(const plait_planned_reorder& r) {
    if (r.kept == nullptr) return {};
    const verdict src = detail::check_known(r.parts.src.layout);
    return answer(src.ok() ? detail::check_known(r.parts.dst.layout) : src, src.ok() ? "dst" : "src");
}

/// Returns the address of a tensor's first_place, given the pointer to offset 0.
inline const std::byte* beginning_of(const void* data, const descriptor& d) {
    return static_cast<const std::byte*>(data) + bytes_in_front(d);
}
inline std::byte* beginning_of(void* data, const descriptor& d) {
    return static_cast<std::byte*>(data) + bytes_in_front(d);
}

/// Both buffers, with their sizes in bytes.
struct both_data {
    const void* src;
    std::size_t src_size;
    void* dst;
    std::size_t dst_size;
};

/// Checks both buffers, each against its descriptor, and sets the bytes that the tensors span.
inline outcome check_both_data(data_span& from, data_span& to, const descriptor& src, const descriptor& dst,
                               const both_data& data) {
    if (const outcome step =
            check_data(from, src, data.src, data.src_size, detail::buffer_role::source, alignment_of(src));
        !step)
        return step;
    return check_data(to, dst, data.dst, data.dst_size, detail::buffer_role::destination, alignment_of(dst));
}

/// Moves the data, or refuses before any byte is written.
inline outcome run_reorder(const planned_parts& r, const both_data& data) {
    data_span from, to;
    // Without a plan, an extent or a stride is dynamic, which is refused.
    if (!r.is_planned) return check_both_data(from, to, r.src, r.dst, data);
    if (const outcome step = check_data(from, r.src_data, data.src, data.src_size, detail::buffer_role::source); !step)
        return step;
    if (const outcome step = check_data(to, r.dst_data, data.dst, data.dst_size, detail::buffer_role::destination);
        !step)
        return step;
    if (to.empty()) return {};
    // In place every element is already where it belongs; only the padding has to be written.
    const bool in_place =
        data.src == data.dst && r.src == r.dst && r.dst.extra.empty() && detail::is_trivial(r.held.attributes);
    if (in_place) return answer(try_zero_pad(r.dst, data.dst).error());
    if (const outcome step = check_apart(from, to); !step) return step;
    // If all of dst is padding, nothing is read, and src may be any pointer.
    const void* const in = from.empty() ? nullptr : static_cast<const std::byte*>(data.src) + r.src_front;
    return answer(r.plan.attempt(in, static_cast<std::byte*>(data.dst) + r.dst_front).error());
}

/// Plans for the descriptors of `out`, which must be those of `open` with numbers in place of dynamic values.
///
/// Pre:     out has descriptors; its other members are default-constructed
inline outcome bind_reorder(planned_parts& out, const planned_parts& open,
                            const plait_reorder_attributes_t* attributes) {
    if (const outcome step = answer(detail::check_bound(open.src, out.src), "src"); !step) return step;
    if (const outcome step = answer(detail::check_bound(open.dst, out.dst), "dst"); !step) return step;
    const detail::measured_reorder measured = detail::measure_reorder(out.src, out.dst);
    if (const outcome step = answer(measured.why); !step) return step;
    out.plan = open.plan;  // has no plan, but may have ended all trials
    // The arrays of the handle live as long as the handle.
    if (attributes == nullptr) out.held.attributes = open.held.attributes;
    else if (const outcome step = read_attributes(out.held, attributes, out.dst.dims()); !step) return step;
    return plan_parts(out, measured);
}

/// Runs the kept plan if it is for these descriptors and attributes. Otherwise plans, runs, and keeps the new plan.
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
