#pragma once
// Plans and runs repacks. A program compiles this header once: implementation.hpp includes it.

#include <plait/engine/plan/plan.hpp>
#include <plait/packed/check_bytes.hpp>
#include <plait/packed/plan_repack.hpp>
#include <plait/packed/repack_plan.hpp>

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

/// Makes the plan of a repack, which has one owner, or returns why there is none.
inline verdict plan_repack(const repack_plan*& out, const record& from, const record& to,
                           const repack_options& options) {
    if (const verdict why = check_same_indices(from, to); !why.ok()) return why;
    if (const verdict why = check_dropped(from, to, options.dropped); !why.ok()) return why;
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
        return out = plan.release(), verdict();
    }
    plan->stages = !to.tag.nodes.empty() && plan->cut.axis >= 0 && !plan->whole.is_one_reorder() &&
                   (from.size_in_bits + to.size_in_bits) / 8 >= engine::streaming_bytes;
    out = plan.release();
    return {};
}

/// Returns the bytes of a chunk.
inline repack_chunk chunk_of(const repack_plan& plan, dim_t number) {
    return {number * plan.source_bytes, plan.is_last(number) ? plan.last_source_bytes : plan.source_bytes,
            number * plan.chunk_bytes, plan.bytes(number)};
}

/// Runs some chunks of a repack.
inline void run_chunks(const repack_plan& plan, const std::byte* const* from, std::byte* const* to, dim_t first,
                       dim_t last) {
    if (plan.zeroed > 0) return void(std::memset(to[0], 0, static_cast<std::size_t>(plan.zeroed)));
    std::vector<std::byte> staged(plan.stages ? static_cast<std::size_t>(plan.chunk_bytes) : 0);
    std::byte* const buffer = staged.data();
    for (dim_t chunk = first; chunk < last; ++chunk) {
        plan.steps(chunk).run({from, plan.stages ? &buffer : to, chunk, plan.stages ? 0 : chunk});
        if (!plan.stages) continue;
        const repack_chunk next = chunk + 1 < last ? chunk_of(plan, chunk + 1) : repack_chunk();
        store_past_caches(to[0] + chunk * plan.chunk_bytes, buffer, plan.bytes(chunk), from[0] + next.src_begin,
                          next.src_bytes);
    }
    if (plan.stages) finish_stores_past_caches();
}

}  // namespace plait::detail

namespace plait::for_all_units::records {

using once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

static const detail::repack_plan& plan_at(const void* plan) { return *static_cast<const detail::repack_plan*>(plan); }

/// Returns the options of a call, in containers of this unit.
static repack_options options_at(const void* options) {
    const auto& plain = *static_cast<const detail::plain_repack_options*>(options);
    repack_options out;
    for (std::size_t i = 0; i < plain.parameter_count; ++i)
        out.parameters.emplace_back(std::string_view(plain.parameters[i].name.begin, plain.parameters[i].name.size),
                                    plain.parameters[i].value);
    for (std::size_t i = 0; i < plain.dropped_count; ++i)
        out.dropped.emplace_back(plain.dropped[i].begin, plain.dropped[i].size);
    out.chunk_bytes = plain.chunk_bytes;
    out.ignore_padding = plain.ignore_padding;
    return out;
}

const void* once::plan(types, void* why, const void* from, const void* to, const void* options) {
    const of_another_unit caller;
    const detail::repack_plan* out = nullptr;
    *static_cast<verdict*>(why) = detail::plan_repack(out, *static_cast<const record*>(from),
                                                      *static_cast<const record*>(to), options_at(options));
    return out;
}
void once::check_bytes(types, void* why, const void* of, const void* bytes, const void* options) {
    const of_another_unit caller;
    const repack_options read = options_at(options);
    *static_cast<verdict*>(why) =
        detail::byte_check(*static_cast<const record*>(of), static_cast<const std::byte*>(bytes), read).check();
}
long once::chunks(types, const void* plan) {
    const of_another_unit caller;
    return plan_at(plan).cut.count;
}
void once::chunk(types, const void* plan, long number, void* out) {
    const of_another_unit caller;
    *static_cast<repack_chunk*>(out) = detail::chunk_of(plan_at(plan), number);
}
long once::movers(types, const void* plan) {
    const of_another_unit caller;
    return static_cast<long>(plan_at(plan).whole.movers.size());
}
void once::mover(types, const void* plan, long number, void* out) {
    const of_another_unit caller;
    *static_cast<detail::used_mover*>(out) = plan_at(plan).whole.movers[static_cast<std::size_t>(number)];
}
void once::run_chunk(types, const void* plan, long number, const void* from, void* to) {
    const of_another_unit caller;
    const detail::repack_plan& whole = plan_at(plan);
    const auto* source = static_cast<const std::byte*>(from);
    auto* destination = static_cast<std::byte*>(to);
    if (whole.zeroed > 0) std::memset(to, 0, static_cast<std::size_t>(whole.zeroed));
    else whole.steps(number).run({&source, &destination, 0, 0});
}
void once::run(types, const void* plan, const void* from, const void* to, long first, long last) {
    const of_another_unit caller;
    detail::run_chunks(plan_at(plan), static_cast<const std::byte* const*>(from), static_cast<std::byte* const*>(to),
                       first, last);
}
void once::add_owner(types, const void* plan) {
    const of_another_unit caller;
    ++std::atomic_ref<int>(plan_at(plan).owners);
}
void once::remove_owner(types, const void* plan) {
    const of_another_unit caller;
    if (--std::atomic_ref<int>(plan_at(plan).owners) == 0) delete &plan_at(plan);
}

}  // namespace plait::for_all_units::records
