#pragma once
// Plans and runs repacks. A program compiles this header once: implementation.hpp includes it.

#include <plait/engine/plan/tile_pattern.hpp>
#include <plait/packed/plan_repack.hpp>

#include <atomic>
#include <cstring>
#include <memory>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The steps of the chunks of a repack.
struct repack_plan {
    mutable int owners = 1;  // see shared_plan; changed atomically
    chunk_cut cut;
    dim_t chunk_bytes = 0;                          // of a destination that is a record
    dim_t last_bytes = 0;                           // of the last chunk
    dim_t source_bytes = 0, last_source_bytes = 0;  // of a source whose chunks follow one another; else 0
    chunk_steps whole, last;
    bool last_differs = false;
    dim_t zeroed = 0;     // bytes of a record without values, all of which are zero; 0: there are values
    bool stages = false;  // chunks are assembled in a buffer, and stored past the caches

    bool is_last(dim_t chunk) const { return chunk + 1 == cut.count; }
    const chunk_steps& steps(dim_t chunk) const { return last_differs && is_last(chunk) ? last : whole; }
    dim_t bytes(dim_t chunk) const { return is_last(chunk) ? last_bytes : chunk_bytes; }
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

/// Plans the chunks of a repack, and the last one, which may be shorter.
inline verdict plan_chunks(repack_plan& plan, const record& from, const record& to, const repack_options& options,
                           const chunk_cut& cut) {
    plan.cut = cut;
    const dim_t rest = cut.axis < 0 ? cut.indices : to.dims[cut.axis] - (cut.count - 1) * cut.indices;
    const auto plan_one = [&](chunk_steps& steps, dim_t indices, dim_t& bytes) {
        const record_chunk some(from, cut.axis, indices), others(to, cut.axis, indices);
        bytes = others.size_in_bytes();
        return step_planner({some, others, options, plan.cut, &steps}).plan();
    };
    // The source's chunks follow one another if its outermost loop is over the same axis.
    if (cut.axis < 0 || outermost_axis(from) == cut.axis) {
        plan.source_bytes = divide_up(bits_of_first(from, cut.axis, cut.indices), 8);
        plan.last_source_bytes = divide_up(bits_of_first(from, cut.axis, rest), 8);
    }
    if (const verdict why = plan_one(plan.whole, cut.indices, plan.chunk_bytes); !why.ok()) return why;
    plan.whole.chunk_bytes = plan.last.chunk_bytes = plan.last_bytes = plan.chunk_bytes;
    plan.last_differs = rest != cut.indices;
    return plan.last_differs ? plan_one(plan.last, rest, plan.last_bytes) : verdict();
}

/// Plans chunks of about options.chunk_bytes, or larger ones if all is a single reorder, which has an order of its own
/// for large tensors.
inline verdict plan_chunks(repack_plan& plan, const record& from, const record& to, const repack_options& options) {
    const chunk_finder finder(from, to);
    const chunk_cut cut = finder.find(options.chunk_bytes);
    if (cut.axis >= 0 && to.pieces.size() == 1) {
        const dim_t large = larger_of(options.chunk_bytes, dim_t{1} << 26);
        const verdict why = plan_chunks(plan, from, to, options, finder.find(large));
        if (!why.ok() || plan.whole.is_one_reorder()) return why;
        plan = {};
    }
    return plan_chunks(plan, from, to, options, cut);
}

verdict compiled_repack::plan(shared_plan& out, const record& from, const record& to, const repack_options& options) {
    if (from.dims != to.dims) {
        if (from.ndims() != to.ndims()) return {reason::rank_differs, -1, from.ndims(), to.ndims()};
        for (int a = 0; a < to.ndims(); ++a)
            if (from.dims[a] != to.dims[a]) return {reason::dims_differ, a, from.dims[a], to.dims[a]};
    }
    if (const verdict why = check_dropped(from, to, options); !why.ok()) return why;
    auto plan = std::make_unique<repack_plan>();
    if (const verdict why = plan_chunks(*plan, from, to, options); !why.ok()) return why;
    bool is_empty = false;
    for (const dim_t extent : to.dims) is_empty = is_empty || extent == 0;
    if (is_empty) {
        // A field whose values share the empty axis has places for the other axes, and no value.
        *plan = {};
        plan->source_bytes = plan->last_source_bytes = divide_up(from.size_in_bits, 8);
        plan->chunk_bytes = plan->last_bytes = divide_up(to.size_in_bits, 8);
        if (!to.tag.nodes.empty()) plan->zeroed = plan->chunk_bytes;
        return out = shared_plan(plan.release()), verdict();
    }
    plan->stages = !to.tag.nodes.empty() && plan->cut.axis >= 0 && !plan->whole.is_one_reorder() &&
                   (from.size_in_bits + to.size_in_bits) / 8 >= engine::streaming_bytes;
    out = shared_plan(plan.release());
    return {};
}

void compiled_repack::add_owner(const repack_plan& plan) { ++std::atomic_ref<int>(plan.owners); }
void compiled_repack::remove_owner(const repack_plan& plan) {
    if (--std::atomic_ref<int>(plan.owners) == 0) delete &plan;
}

dim_t compiled_repack::chunks(const repack_plan& plan) { return plan.cut.count; }

repack_chunk compiled_repack::chunk(const repack_plan& plan, dim_t number) {
    return {number * plan.source_bytes, plan.is_last(number) ? plan.last_source_bytes : plan.source_bytes,
            number * plan.chunk_bytes, plan.bytes(number)};
}

void compiled_repack::run_chunk(const repack_plan& plan, dim_t number, const std::byte* from, std::byte* to) {
    if (plan.zeroed > 0) return void(std::memset(to, 0, static_cast<std::size_t>(plan.zeroed)));
    plan.steps(number).run({&from, &to, 0, 0});
}

void compiled_repack::run(const repack_plan& plan, const std::byte* const* from, std::byte* const* to, dim_t first,
                          dim_t last) {
    if (plan.zeroed > 0) return void(std::memset(to[0], 0, static_cast<std::size_t>(plan.zeroed)));
    std::vector<std::byte> staged(plan.stages ? static_cast<std::size_t>(plan.chunk_bytes) : 0);
    std::byte* const buffer = staged.data();
    for (dim_t chunk = first; chunk < last; ++chunk) {
        plan.steps(chunk).run({from, plan.stages ? &buffer : to, chunk, plan.stages ? 0 : chunk});
        if (!plan.stages) continue;
        const repack_chunk next = chunk + 1 < last ? compiled_repack::chunk(plan, chunk + 1) : repack_chunk();
        store_past_caches(to[0] + chunk * plan.chunk_bytes, buffer, plan.bytes(chunk), from[0] + next.src_begin,
                          next.src_bytes);
    }
    if (plan.stages) finish_stores_past_caches();
}

}  // namespace plait::detail
