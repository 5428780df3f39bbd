#pragma once
// Staging buffers. In transposes of 1024 by 1024, or of 1023 by 1021, the rows of the destination that a tile writes
// are multiples of the cache's period apart, so they compete for the same few lines. A strip of tiles is then written
// to a small staging buffer, and from there to the destination row by row.
//
// Example: f32 ab -> ba of 1024 x 1024, in tiles of 16 x 16: the 16 rows that a tile writes are 4096 bytes apart. A
// strip of 16 tiles fills a staging buffer of 16 rows of 256 elements, which are 272 elements apart there: 17408 bytes.
// Each row goes to the destination as one run of 1024 bytes.

#include <plait/engine/plan/plan.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/scratch_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

inline constexpr dim_t staging_bytes = 16384;      // a third or half of L1
inline constexpr dim_t cache_period_bytes = 4096;  // addresses this far apart share a set of L1
inline constexpr int most_lines_of_a_set = 8;      // a set has 8 to 12 lines
inline constexpr int max_staging_rows = 64;
inline constexpr int max_rows_of_short_runs = 128;  // of tiles that write short runs
inline constexpr dim_t most_staging_bytes = staging_bytes + max_staging_rows * cache_line_bytes;

/// The rows of the destination that tiles write.
struct destination_rows {
    scratch_list<dim_t, max_rows_of_short_runs> offset;  ///< elements
    bool too_many = false;

    /// Repeats the rows `count` times, `step` apart.
    constexpr void repeat(dim_t count, dim_t step, int most = max_staging_rows) {
        const int rows = offset.size();
        if (rows * count > most) {
            too_many = true;
            return;
        }
        for (dim_t k = 1; k < count; ++k)
            for (int row = 0; row < rows; ++row) offset.push_back(offset[row] + k * step);
    }
    /// True if more lines of the rows share a set of L1 than it has ways, so that they do not stay there.
    constexpr bool crowd(int element_bytes) const {
        constexpr dim_t sets = cache_period_bytes / cache_line_bytes;
        int lines[sets]{};
        for (const dim_t row : offset) {
            const dim_t address =
                ((row * element_bytes) % cache_period_bytes + cache_period_bytes) % cache_period_bytes;
            ++lines[address / cache_line_bytes];
            if (address % cache_line_bytes != 0) ++lines[(address / cache_line_bytes + 1) % sets];
        }
        for (const int lines_of_set : lines)
            if (lines_of_set > most_lines_of_a_set) return true;
        return false;
    }
};

/// Returns the rows of one tile, in the order of its bits.
///
/// Pre:     run == plan.run_of_tile(side::destination)
constexpr destination_rows rows_of_tile(const reorder_plan& plan, dim_t run) {
    destination_rows rows;
    rows.offset.push_back(0);
    for (const tile_bit& bit : plan.bits)
        if (bit.dst >= run) rows.repeat(2, bit.dst);
    return rows;
}

/// Returns the number of rows of one tile.
///
/// Pre:     as rows_of_tile
constexpr dim_t rows_in_tile(const reorder_plan& plan, dim_t run) {
    dim_t rows = 1;
    for (const tile_bit& bit : plan.bits)
        if (bit.dst >= run) rows *= 2;
    return rows;
}

inline constexpr dim_t least_bytes_ahead = dim_t{1} << 19;  // measured: tensors of 200 KB gain nothing, s8 loses
inline constexpr dim_t least_bytes_apart = 512;             // the CPU itself prefetches the lines of closer rows

/// Returns how far ahead a kernel prefetches the lines of its destination, in elements; 0 if it does not. If a tile
/// writes rows that are apart, it prefetches the continuation of these rows if one of the two innermost loops goes
/// there, otherwise the next tile.
///
/// Stores are done in order, so a store that waits for its line delays all others, while loads overtake each other.
/// There is no prefetch if each store writes a whole line: measured, it gains nothing.
///
/// Example: f16, ab -> ba 767x513: 16 rows of 32, and the loop around two tiles goes on in the same rows: 32
constexpr dim_t destination_ahead(const reorder_plan& plan) {
    if (plan.bytes_moved() < least_bytes_ahead) return 0;
    const dim_t run = plan.run_of_tile(side::destination),
                segment = (dim_t{1} << plan.pattern.segment_bits(side::destination)) * plan.sizes.dst;
    if (segment % cache_line_bytes == 0 && plan.line_alignment() * plan.sizes.dst % cache_line_bytes == 0) return 0;
    bool has_rows = false;
    for (const tile_bit& bit : plan.bits) {
        if (bit.dst >= run && bit.dst * plan.sizes.dst < least_bytes_apart) return 0;
        has_rows = has_rows || bit.dst >= run;
    }
    const int last = plan.loops.size() - 1;
    if (!has_rows || plan.pattern.interleave != 0 || last < 0) return 0;
    for (int k = last; k >= 0 && k >= last - 1; --k)
        if (plan.loops[k].dst > 0 && plan.loops[k].dst <= run) return plan.loops[k].dst;
    return plan.loops[plan.loops[last].extent >= 4 || last == 0 ? last : last - 1].dst;
}

// Runs. If the innermost loops write one run of the destination, but no tile writes whole cache lines of it, they fill
// a staging buffer that is as the run, and begins as far behind a cache line. Whole lines go from there past the
// caches.
//
// Example: f32 ab -> ba of 12 x 655360: 16 places are 768 bytes, which tiles write in stores of 48 bytes or less. 20
// times that fill 15360 bytes, which are 240 cache lines.

/// Returns the number of elements that the tile and the loops from number `from` on write without a gap, from their
/// first place on, each of them in some tile; 0 if they leave gaps, or if that differs between steps of other loops.
constexpr dim_t run_of_loops(const reorder_plan& plan, int from) {
    struct axis_steps {
        int axis, bound;
        dim_t extent, index_step, dst, overlap;
    };
    inline_list<axis_steps, max_tile_bits + max_loops + 2> parts;
    for (int b = 0; b < plan.bits.size(); ++b) {
        const tile_bit& bit = plan.bits[b];
        parts.push_back({bit.axis, plan.pattern.bounds[b], 2, bit.index_step, bit.dst, 0});
    }
    for (int k = from; k < plan.loops.size(); ++k) {
        const plan_loop& loop = plan.loops[k];
        if (loop.is_uneven) return 0;
        parts.push_back({loop.axis, loop.bound, loop.extent, loop.index_step, loop.dst, loop.overlap});
    }
    if (plan.pattern.interleave != 0) return 0;
    for (int k = 0; k < from; ++k)
        for (const axis_steps& part : parts)
            if (part.bound >= 0 && part.bound == plan.loops[k].bound) return 0;
    struct places {
        dim_t count, step;
    };
    inline_list<places, max_tile_bits + max_loops + 2> axes;
    while (!parts.empty()) {
        // The indices of one axis, in its smallest steps.
        const axis_steps least = [&] {
            axis_steps out = parts[0];
            for (const axis_steps& part : parts)
                if (part.axis == out.axis && part.index_step < out.index_step) out = part;
            return out;
        }();
        const dim_t unit = least.index_step;
        if (unit <= 0 || least.dst == 0 || (least.bound >= 0 && unit != 1)) return 0;
        dim_t count = 1;
        bool is_done = false;
        while (!is_done) {
            is_done = true;
            for (int k = 0; k < parts.size(); ++k) {
                const axis_steps part = parts[k];
                if (part.axis != least.axis || part.index_step > count * unit) continue;
                const dim_t steps = part.index_step / unit;
                if (part.index_step % unit != 0 || part.dst % least.dst != 0 || part.dst / least.dst != steps) return 0;
                count += ((part.extent - 1) * part.index_step - part.overlap) / unit;
                parts.erase(k);
                is_done = false;
                break;
            }
        }
        for (const axis_steps& part : parts)
            if (part.axis == least.axis) return 0;
        if (least.bound >= 0) count = smaller_of(count, plan.bounds[least.bound].stored);
        if (count != 1) axes.push_back({count, least.dst});
    }
    dim_t run = 1;
    for (bool longer = true; longer;) {
        longer = false;
        for (int k = 0; !longer && k < axes.size(); ++k)
            if (axes[k].step == run && axes[k].count > 0) {
                run *= axes[k].count;
                axes.erase(k);
                longer = true;
            }
    }
    return axes.empty() ? run : 0;
}

/// A staging buffer and the plan that fills it: the inner loops, with the buffer as their destination.
struct staging_buffer {
    reorder_plan filling;
    inline_list<dim_t, max_rows_of_short_runs> rows;  ///< where the rows begin in the destination, in elements
    dim_t row_elements = 0, pitch = 0;  ///< length of a row, and distance between rows in the buffer, in elements

    /// Pre:     plan.staged_from >= 0
    constexpr explicit staging_buffer(const reorder_plan& plan) : filling(plan) {
        filling.src_offset = filling.dst_offset = 0;
        filling.staged_from = -1;
        filling.staged_run = 0;
        filling.destination_prefetch = 0;  // the buffer stays in the cache
        filling.loops = {};
        for (int k = plan.staged_from; k < plan.loops.size(); ++k) filling.loops.push_back(plan.loops[k]);
        if (plan.staged_run > 0) {
            row_elements = pitch = plan.staged_run;
            rows.push_back(0);
        } else gather_rows(plan);
    }
    constexpr dim_t bytes() const { return rows.size() * pitch * filling.sizes.dst; }

private:
    /// Moves the rows together that tiles and loops write.
    constexpr void gather_rows(const reorder_plan& plan) {
        const dim_t run = plan.run_of_tile(side::destination);
        destination_rows all_rows = rows_of_tile(plan, run);
        row_elements = run;
        for (const plan_loop& loop : filling.loops)
            if (loop.dst == row_elements) row_elements *= loop.extent;
        // One extra cache line, so that the rows of the staging buffer do not share sets.
        pitch = row_elements + cache_line_bytes / plan.sizes.dst;
        dim_t row = pitch;
        for (tile_bit& bit : filling.bits)
            if (bit.dst >= run) {
                bit.dst = row;
                row *= 2;
            }
        for (plan_loop& loop : filling.loops)
            if (loop.dst >= row_elements) {
                all_rows.repeat(loop.extent, loop.dst, max_rows_of_short_runs);
                loop.dst = row;
                row *= loop.extent;
            }
        for (const dim_t offset : all_rows.offset) rows.push_back(offset);
    }
};

inline constexpr dim_t most_source_bytes = max_rows_of_short_runs * dim_t{2} * cache_line_bytes;

/// A copy of the source of a strip: its rows, one after the other. Rows that compete for cache lines are read once from
/// where they are, and as often as tiles need them from the copy.
struct staged_source {
    inline_list<dim_t, 2 * max_rows_of_short_runs> rows;  ///< where the rows begin in the source, in bytes
    dim_t row_bytes = 0;

    constexpr staged_source() = default;
    /// Makes a plan that fills a staging buffer read the copy. Does nothing, and has no rows, if there are too many.
    ///
    /// Pre:     the plan has no bounds
    constexpr explicit staged_source(reorder_plan& filling) {
        const dim_t run = filling.run_of_tile(side::source), bytes = filling.sizes.src;
        dim_t row = run;
        dim_t count = 1;
        for (const plan_loop& loop : filling.loops)
            if (loop.src == run) row *= loop.extent;
            else count *= loop.extent;
        dim_t last = 0;  // the furthest place in a row that a tile reads
        for (const tile_bit& bit : filling.bits) {
            if (bit.src < 0) return;
            if (bit.src >= run) count *= 2;
            else last += bit.src;
        }
        if (last >= run) return;  // rows overlap
        row_bytes = row * bytes;
        if (count > 2 * max_rows_of_short_runs || row_bytes > cache_line_bytes || row_bytes % 16 != 0) return;
        rows.push_back(0);
        const auto repeat = [&](dim_t extent, dim_t& step) {
            const int before = rows.size();
            for (dim_t k = 1; k < extent; ++k)
                for (int i = 0; i < before; ++i) rows.push_back(rows[i] + k * step * bytes);
            step = before * row;
        };
        for (tile_bit& bit : filling.bits)
            if (bit.src >= run) repeat(2, bit.src);
        for (int k = filling.loops.size() - 1; k >= 0; --k)
            if (filling.loops[k].src != run) repeat(filling.loops[k].extent, filling.loops[k].src);
    }
};

}  // namespace plait::engine
