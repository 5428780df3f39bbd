#pragma once
// Binds a planned reorder of dynamic extents: checks the descriptors, plans, and keeps the plan for the next bind.
// Compiled once in a program, by plait/implementation/plans.hpp.

#include <plait/descriptor/check_bound.hpp>
#include <plait/reorder/plan_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Returns the attributes with each per-tensor value replaced by what its pointer points to now.
constexpr reorder_attributes read_values_for_tensor(reorder_attributes attributes) {
    for_each_values(attributes, [](auto& a) {
        if (a.is_one_value()) a = std::remove_reference_t<decltype(a)>(value_for_tensor(a));
    });
    return attributes;
}

inline verdict reorder_planner::bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                                     const reorder_attributes* attributes) {
    if (!out.is_dynamic_)
        return out.is_planned_ ? verdict{reason::bound_values_do_not_match, -1, dst.ndims(), 0}
                               : out.refuse_unplanned();
    planned_reorder::dynamic_parts& parts = out.dynamic_.parts;
    const reorder_attributes now = read_values_for_tensor(attributes != nullptr ? *attributes : parts.attributes);
    if (out.is_planned_ && src == parts.bound_src && dst == parts.bound_dst && now == parts.bound) return {};
    if (const verdict why = check_bound(parts.src, src); !why.ok()) return why;
    if (const verdict why = check_bound(parts.dst, dst); !why.ok()) return why;
    const measured_reorder measured = measure_reorder(src, dst, now);
    if (!measured.why.ok()) return measured.why;
    parts.bound_src = src;
    parts.bound_dst = dst;
    parts.bound = now;
    ++parts.times_planned;
    out.move_ = nullptr;
    out.src_bytes_ = out.dst_bytes_ = 0;
    out.may_be_in_place_ = false;
    plan(-1, out, parts.bound_src, parts.bound_dst, parts.bound, measured.ends);
    return {};
}

inline verdict reorder_planner::bind(planned_reorder& out, const dims& extents) {
    if (!out.is_dynamic_)
        return out.is_planned_ ? verdict{reason::bound_values_do_not_match, -1, extents.size(), 0}
                               : out.refuse_unplanned();
    descriptor src = out.dynamic_.parts.src, dst = out.dynamic_.parts.dst;
    for (descriptor* d : {&src, &dst}) {
        if (extents.size() != d->ndims())
            return detail::ranks_differ(detail::counted::extents, extents.size(), detail::counted::tensor, d->ndims());
        for (int a = 0; a < extents.size(); ++a)
            if (d->dims()[a] != dynamic && d->dims()[a] != extents[a])
                return {reason::dims_differ, a, extents[a], d->dims()[a]};
        const expected<layout> made = fill_dynamic(d->layout, extents, {});
        if (!made) return made.error();
        d->layout = *made;
    }
    return bind(out, src, dst, nullptr);
}

}  // namespace plait::engine

namespace plait::for_all_units::reorders {

void once::bind(types, void* out, void* why, const void* src, const void* dst, const void* attributes) {
    const of_another_unit caller;
    *static_cast<verdict*>(why) = engine::reorder_planner::bind(
        *static_cast<planned_reorder*>(out), *static_cast<const descriptor*>(src), *static_cast<const descriptor*>(dst),
        static_cast<const reorder_attributes*>(attributes));
}
void once::bind(types, void* out, void* why, const void* extents) {
    const of_another_unit caller;
    *static_cast<verdict*>(why) =
        engine::reorder_planner::bind(*static_cast<planned_reorder*>(out), *static_cast<const dims*>(extents));
}

}  // namespace plait::for_all_units::reorders
