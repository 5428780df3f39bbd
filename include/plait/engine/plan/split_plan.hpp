#pragma once
// Splits a plan into chunks that may run at the same time. Each chunk is a part of one loop and all of the others.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56: a loop of 2 steps around one of 196. Each of two chunks has one
// step of the outer loop. Three chunks have 66, 65 and 65 steps of the inner loop. Each step writes 1024 bytes that
// begin at a cache line, so no line is in two chunks.

#include <plait/engine/plan/plan.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <initializer_list>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The number of a chunk, and the number of all chunks.
struct chunk_number {
    int chunk = 0, chunks = 1;
};

/// The steps [begin, end) of one loop, inside all steps of the others.
struct plan_part {
    int loop = 0;
    dim_t begin = 0, end = 0;
    constexpr bool is_empty() const { return begin >= end; }
    constexpr bool operator==(const plan_part&) const = default;
};

/// A loop to split, and the number of its steps that stay together.
struct plan_split {
    int loop = 0;
    dim_t unit = 1;
    dim_t units = 0;
    constexpr bool operator==(const plan_split&) const = default;
};

/// Returns the units of `unit` steps of a loop. If its last tile overlaps the one before, the two stay together,
/// because two threads would write the same bytes. Loops with uneven steps are split only where the periods of all end
/// together.
constexpr plan_split units_of(const reorder_plan& plan, int number, dim_t unit) {
    const plan_loop& loop = plan.loops[number];
    for (const uneven_step& uneven : plan.uneven_steps) {
        if (!loop.is_uneven || uneven.axis != loop.axis || uneven.period >= loop.extent) continue;
        const dim_t factor = uneven.period / greatest_common_divisor(unit, uneven.period);
        unit = unit < loop.extent / factor ? unit * factor : loop.extent;
    }
    const dim_t steps = loop.extent - (loop.overlap != 0 ? 1 : 0);
    return {number, unit, divide_up(steps, unit)};
}

/// Returns the part of a split that chunk number `chunk` of `chunks` moves. The first chunks may have one unit more
/// than the last ones. If there are more chunks than units, the last chunks are empty.
///
/// Pre:     0 <= chunk < chunks; split is of the plan
/// Post:    the parts of all chunks are the loop's steps, each once, in order
constexpr plan_part part_of(const reorder_plan& plan, const plan_split& split, int chunk, int chunks) {
    if (split.units < chunks) chunks = static_cast<int>(split.units);
    if (chunk >= chunks) return {split.loop, 0, 0};
    const dim_t each = split.units / chunks, more = split.units % chunks;
    const auto begin = [&](int c) { return (each * c + (c < more ? c : more)) * split.unit; };
    return {split.loop, begin(chunk), chunk + 1 == chunks ? plan.loops[split.loop].extent : begin(chunk + 1)};
}

/// Returns how many cache lines of the destination span a border between two steps of a loop. It is 0 if everything
/// around the border begins at cache lines, as the destination then does.
constexpr dim_t lines_at_border(const reorder_plan& plan, const plan_split& split) {
    constexpr dim_t many = dim_t{1} << 40;
    const dim_t step = plan.loops[split.loop].dst;
    dim_t lines = 1, steps = plan.dst_offset | (step * split.unit);
    const auto surround = [&](dim_t extent, dim_t dst) {
        if (dst <= step) return;
        lines = lines > many / (extent > 0 ? extent : 1) ? many : lines * extent;
        steps |= dst;
    };
    for (const plan_loop& loop : plan.loops) surround(loop.extent, loop.dst);
    for (const tile_bit& bit : plan.bits) surround(2, bit.dst);
    surround(plan.pattern.interleave, plan.interleaved.dst);
    return steps * plan.sizes.dst % cache_line_bytes == 0 ? 0 : lines;
}

/// The cost of a cache line that two threads write, as an equivalent number of bytes moved.
inline constexpr dim_t shared_line_cost = 8 * cache_line_bytes;

/// Returns the cost of a split: the bytes of the largest chunk, and the cache lines that two chunks write.
constexpr dim_t cost_of_split(const reorder_plan& plan, const plan_split& split, int chunks) {
    constexpr dim_t most = dim_t{1} << 62;
    const dim_t extent = plan.loops[split.loop].extent, bytes = plan.bytes_moved();
    dim_t largest = 0;
    for (const int chunk : {0, (split.units < chunks ? static_cast<int>(split.units) : chunks) - 1}) {
        if (chunk < 0) return most;
        const plan_part part = part_of(plan, split, chunk, chunks);
        if (part.end - part.begin > largest) largest = part.end - part.begin;
    }
    const dim_t work = bytes > extent ? bytes / extent * largest : largest;
    const dim_t borders = (split.units < chunks ? split.units : chunks) - 1;
    const dim_t lines = borders > 0 ? lines_at_border(plan, split) : 0;
    if (lines > most / 2 / shared_line_cost / (borders + 1)) return most;
    return (work < most / 2 ? work : most / 2) + lines * borders * shared_line_cost;
}

/// True if the last step of an outer loop moves back along the same axis. It then moves again what other steps of this
/// loop have moved.
constexpr bool is_moved_twice(const reorder_plan& plan, int loop) {
    for (int outer = 0; outer < loop; ++outer)
        if (plan.loops[outer].overlap != 0 && plan.loops[outer].axis == plan.loops[loop].axis) return true;
    return false;
}

/// Chooses the loop to split and its units: the largest chunk should be small, and few cache lines of the destination
/// should be in two chunks. Among equals the outermost loop wins. The result depends only on the plan and the number of
/// chunks.
///
/// Pre:     chunks > 0
/// Post:    part_of(plan, result, chunk, chunks) for all chunks: every element of the plan in exactly one, and no
///          byte of the destination in two
constexpr plan_split split_plan(const reorder_plan& plan, int chunks) {
    // A staging buffer is filled by one thread.
    const int loops = plan.staged_from >= 0 ? plan.staged_from : plan.loops.size();
    if (loops == 0) return units_of(plan, 0, plan.loops[0].extent);
    plan_split best;
    dim_t least = 0;
    for (int number = 0; number < loops; ++number) {
        if (is_moved_twice(plan, number)) continue;  // never true for the outermost loop
        const plan_loop& loop = plan.loops[number];
        const dim_t step_bytes = loop.dst * plan.sizes.dst;
        const dim_t to_line =
            cache_line_bytes / greatest_common_divisor(cache_line_bytes, step_bytes < 0 ? -step_bytes : step_bytes);
        for (const dim_t unit : {dim_t{1}, to_line}) {
            const plan_split split = units_of(plan, number, unit);
            const dim_t cost = cost_of_split(plan, split, chunks);
            if (number != 0 || unit != 1) {
                if (cost >= least) continue;
            }
            best = split;
            least = cost;
        }
    }
    return best;
}

/// Returns the part of a chunk at run time. All kernels share this function: inlined, it would be a third of a kernel.
[[gnu::noinline]] constexpr plan_part part_of(const reorder_plan& plan, const chunk_number& number) {
    return part_of(plan, split_plan(plan, number.chunks), number.chunk, number.chunks);
}

/// Returns the plan itself, if there are no parts.
constexpr const reorder_plan& plan_of_part(const reorder_plan& plan) { return plan; }

/// Returns the part as a plan of its own, for kernels that read their plan. It keeps the number of elements of the
/// whole plan, so that all parts use the same kind of stores.
///
/// Pre:     part is one of part_of
constexpr reorder_plan plan_of_part(const reorder_plan& plan, const plan_part& part) {
    reorder_plan out = plan;
    plan_loop& loop = out.loops[part.loop];
    out.src_offset += part.begin * loop.src;
    out.dst_offset += part.begin * loop.dst;
    if (loop.is_uneven) {
        const uneven_offsets more = uneven_within(plan.uneven_steps, loop.axis, part.begin);
        out.src_offset += more.src;
        out.dst_offset += more.dst;
    }
    if (loop.bound >= 0) {
        out.bounds[loop.bound].valid -= part.begin * loop.index_step;
        out.bounds[loop.bound].stored -= part.begin * loop.index_step;
    }
    if (part.end != loop.extent) loop.overlap = loop.overlap_src = loop.overlap_dst = 0;
    loop.extent = part.end - part.begin;
    return out;
}

}  // namespace plait::engine
