#pragma once
// Plans and runs repacks. A program compiles this header once: implementation.hpp includes it.

#include <plait/packed/plan_repack.hpp>

namespace plait::detail {

/// The steps of the chunks of a repack.
struct repack_plan {
    chunk_cut cut;
    dim_t chunk_bytes = 0;  // of a destination that is a record
    chunk_steps whole, last;
    bool last_differs = false;
};

/// Checks that each field of the source has a place in the destination, or is dropped by name.
inline verdict check_dropped(const record& from, const record& to, const repack_options& options) {
    for (const record_field& field : from.tag.fields) {
        bool kept = false;
        for (const record_field& other : to.tag.fields) kept = kept || other.name == field.name;
        for (const std::string_view name : options.dropped) kept = kept || field_name_of(name) == field.name;
        if (!kept) return {reason::field_is_dropped, -1, short_name(field.name)};
    }
    return {};
}

inline verdict compiled_repack::plan(std::shared_ptr<const repack_plan>& out, const record& from, const record& to,
                                     const repack_options& options) {
    if (from.dims != to.dims) {
        if (from.ndims() != to.ndims()) return {reason::rank_differs, -1, from.ndims(), to.ndims()};
        for (int a = 0; a < to.ndims(); ++a)
            if (from.dims[a] != to.dims[a]) return {reason::dims_differ, a, from.dims[a], to.dims[a]};
    }
    if (const verdict why = check_dropped(from, to, options); !why.ok()) return why;
    auto plan = std::make_shared<repack_plan>();
    plan->cut = chunk_finder(from, to).find(options.chunk_bytes);
    const chunk_cut& cut = plan->cut;
    if (cut.axis < 0) {
        if (const verdict why = step_planner(from, to, options, cut).plan(plan->whole); !why.ok()) return why;
    } else {
        const dim_t rest = to.dims[cut.axis] - (cut.count - 1) * cut.indices;
        plan->last_differs = rest != cut.indices;
        const record from_chunk = first_indices(from, cut.axis, cut.indices),
                     to_chunk = chunk_of(to, cut.axis, cut.indices);
        plan->chunk_bytes = to_chunk.size_in_bits / 8;
        if (const verdict why = step_planner(from_chunk, to_chunk, options, cut).plan(plan->whole); !why.ok())
            return why;
        if (plan->last_differs) {
            const record from_last = first_indices(from, cut.axis, rest), to_last = chunk_of(to, cut.axis, rest);
            if (const verdict why = step_planner(from_last, to_last, options, cut).plan(plan->last); !why.ok())
                return why;
        }
    }
    out = std::move(plan);
    return {};
}

inline dim_t compiled_repack::chunks(const repack_plan& plan) { return plan.cut.count; }

inline void compiled_repack::run(const repack_plan& plan, const std::byte* const* from, std::byte* const* to,
                                 dim_t first, dim_t last) {
    for (dim_t chunk = first; chunk < last; ++chunk) {
        const bool is_last = plan.last_differs && chunk + 1 == plan.cut.count;
        (is_last ? plan.last : plan.whole).run({from}, {to}, chunk, plan.chunk_bytes);
    }
}

}  // namespace plait::detail
