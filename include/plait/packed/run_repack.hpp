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
    dim_t zeroed = 0;       // bytes of a record without values, all of which are zero; 0: there are values
    bool stages = false;    // chunks are assembled in a buffer, and stored past the caches
    bool are_apart = true;  // no two chunks write to one byte
    const engine::byte_kernels* code = nullptr;  // stores them

    bool is_last(dim_t chunk) const { return chunk + 1 == cut.count; }
    const chunk_steps& steps(dim_t chunk) const { return last_differs && is_last(chunk) ? last : whole; }
    dim_t bytes(dim_t chunk) const { return is_last(chunk) ? last_bytes : chunk_bytes; }
};

/// Plans the chunks of a repack.
class chunk_planner {
public:
    chunk_planner(repack_plan& plan, const record& from, const record& to, const repack_options& options)
        : plan_(plan), from_(from), to_(to), options_(options) {}

    /// Plans chunks of about options.chunk_bytes, or larger ones if all is a single reorder, which has an order of its
    /// own for large tensors.
    verdict plan() {
        const chunk_finder finder(from_, to_);
        const chunk_cut cut = finder.find(options_.chunk_bytes);
        if (cut.axis >= 0 && to_.pieces.size() == 1) {
            cut_into(finder.find(larger_of(options_.chunk_bytes, dim_t{1} << 26)));
            bool is_single = false;
            if (const verdict why = plan_one(plan_.whole, plan_.cut.indices, plan_.chunk_bytes, &is_single); !why.ok())
                return why;
            if (is_single) return plan_last();
            plan_ = {};
        }
        cut_into(cut);
        if (const verdict why = plan_one(plan_.whole, cut.indices, plan_.chunk_bytes); !why.ok()) return why;
        return plan_last();
    }

private:
    /// Returns how many indices the last chunk has, which may be shorter.
    dim_t rest() const {
        const chunk_cut& cut = plan_.cut;
        return cut.axis < 0 ? cut.indices : to_.dims[cut.axis] - (cut.count - 1) * cut.indices;
    }
    void cut_into(const chunk_cut& cut) {
        plan_.cut = cut;
        plan_.code = &movers_.bytes();
        // The source's chunks follow one another if its outermost loop is over the same axis.
        if (cut.axis < 0 || outermost_axis(from_) == cut.axis) {
            plan_.source_bytes = divide_up(bits_of_first(from_, cut.axis, cut.indices), 8);
            plan_.last_source_bytes = divide_up(bits_of_first(from_, cut.axis, rest()), 8);
        }
    }
    /// Plans a chunk. With `is_single`, sets whether it is a single reorder, and else plans as little as possible.
    verdict plan_one(chunk_steps& steps, dim_t indices, dim_t& bytes, bool* is_single = nullptr) const {
        const record_chunk some(from_, plan_.cut.axis, indices), others(to_, plan_.cut.axis, indices);
        bytes = others.size_in_bytes();
        step_planner planner({some, others, options_, plan_.cut, &steps, movers_});
        if (is_single == nullptr) return planner.plan();
        const verdict why = planner.plan_single_reorder();
        *is_single = planner.is_single();
        return why;
    }
    verdict plan_last() {
        plan_.whole.chunk_bytes = plan_.last.chunk_bytes = plan_.last_bytes = plan_.chunk_bytes;
        plan_.last_differs = rest() != plan_.cut.indices;
        return plan_.last_differs ? plan_one(plan_.last, rest(), plan_.last_bytes) : verdict();
    }

    repack_plan& plan_;
    const record& from_;
    const record& to_;
    const repack_options& options_;
    const allowed_movers movers_ = allowed_movers::of_cpu();
};

/// Makes the plan of a repack, which has one owner, or returns why there is none.
inline verdict plan_repack(const repack_plan*& out, const record& from, const record& to,
                           const repack_options& options) {
    if (const verdict why = check_same_indices(from, to); !why.ok()) return why;
    if (const verdict why = check_dropped(from, to, options.dropped); !why.ok()) return why;
    auto plan = std::make_unique<repack_plan>();
    if (const verdict why = chunk_planner(*plan, from, to, options).plan(); !why.ok()) return why;
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
    plan->are_apart = are_chunks_apart(to, plan->cut);
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
        store_past_caches(*plan.code, to[0] + chunk * plan.chunk_bytes, buffer, plan.bytes(chunk),
                          from[0] + next.src_begin, next.src_bytes);
    }
    if (plan.stages) plan.code->finish_streams();
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
void once::check_bytes(types, void* found, const void* of, const void* bytes, const void* options, const void* part) {
    const of_another_unit caller;
    const repack_options read = options_at(options);
    *static_cast<detail::check_result*>(found) =
        detail::byte_check(*static_cast<const record*>(of), static_cast<const std::byte*>(bytes), read,
                           *static_cast<const detail::check_part*>(part))
            .check();
}
long long once::chunks(types, const void* plan) {
    const of_another_unit caller;
    return plan_at(plan).cut.count;
}
long long once::chunks_at_once(types, const void* plan) {
    const of_another_unit caller;
    return plan_at(plan).are_apart ? plan_at(plan).cut.count : 1;
}
void once::chunk(types, const void* plan, long long number, void* out) {
    const of_another_unit caller;
    *static_cast<repack_chunk*>(out) = detail::chunk_of(plan_at(plan), number);
}
long long once::movers(types, const void* plan) {
    const of_another_unit caller;
    return static_cast<long long>(plan_at(plan).whole.movers.size());
}
void once::mover(types, const void* plan, long long number, void* out) {
    const of_another_unit caller;
    *static_cast<detail::used_mover*>(out) = plan_at(plan).whole.movers[static_cast<std::size_t>(number)];
}
void once::run_chunk(types, const void* plan, long long number, const void* from, void* to) {
    const of_another_unit caller;
    const detail::repack_plan& whole = plan_at(plan);
    const auto* source = static_cast<const std::byte*>(from);
    auto* destination = static_cast<std::byte*>(to);
    if (whole.zeroed > 0) std::memset(to, 0, static_cast<std::size_t>(whole.zeroed));
    else whole.steps(number).run({&source, &destination, 0, 0});
}
void once::run(types, const void* plan, const void* from, const void* to, long long first, long long last) {
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
