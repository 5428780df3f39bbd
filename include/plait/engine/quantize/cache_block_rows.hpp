#pragma once
// The rows of a cache block: the loops around them, the parts of rows that the ends of axes leave, and the zeroing of
// padding.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/quantize/kept_conversion.hpp>

#include <utility>  // std::swap

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// Zeroing of the padding of cache blocks in the destination.

/// The number of valid elements of each row, and the number of stored elements.
struct part_of_rows {
    dim_t valid, stored;
};
/// Zeros the stored elements of each row that follow the valid ones. `to` is in `memory`, where places of packed
/// elements are counted as if each had a byte.
inline void zero_padding(const value_conversion& conversion, std::byte* memory, std::byte* to, const row_block& block,
                         const part_of_rows& part, const block_zeros& zero) {
    const dim_t bytes = conversion.dst_bytes;
    for (dim_t again = 0; again < block.repeats; ++again, to += block.to_repeat) {
        if (!conversion.writes_packed()) {
            zero(to + part.valid * bytes, block.rows, block.to_step, (part.stored - part.valid) * bytes);
            continue;
        }
        if (zero.recorder != nullptr) return zero.recorder->leave_out();
        for (dim_t r = 0; r < block.rows; ++r)
            for (dim_t i = part.valid; i < part.stored; ++i)
                zero_element(conversion.dst_memory, memory, to + r * block.to_step - memory + i);
    }
}

/// Zeros a box of memory.
inline void zero_box(const place_box& box, dim_t bytes, std::byte* to, const block_zeros& zero) {
    visit_runs(with_fewest_loops(box), to, bytes, [&](std::byte* at, dim_t count, dim_t step, std::size_t length) {
        zero(at, count, step, static_cast<dim_t>(length));
        return true;
    });
}

/// Returns the number of steps of a node that are stored, given the number of stored indices of each axis.
///
/// Example: 8 blocks of 16 channels, 77 channels stored in whole blocks (80): 5
inline dim_t stored_steps(const cache_block_node& n, const dim_t* stored) {
    const dim_t remaining = stored[n.axis];
    return remaining <= 0 ? 0 : smaller_of(divide_up(remaining, n.index_step), n.block_steps);
}

/// Zeros the elements that are stored beyond the valid indices of one axis: for all indices of the other axes, the
/// steps of one of its own nodes in a box, at each step of its other nodes. `strides` has the stride of each node in
/// elements.
inline void zero_beyond_axis(const cache_block_shape& shape, int axis, dim_t valid, const dim_t* stored,
                             const dim_t* strides, dim_t bytes, std::byte* to, const block_zeros& zero) {
    place_box box;
    int along = -1;  // the node of the axis whose steps are nearest in memory
    for (int k = 0; k < shape.inner; ++k) {
        if (shape.nodes[k].axis != axis) box.loops.push_back({stored_steps(shape.nodes[k], stored), strides[k]});
        else if (along < 0 || step_size(strides[k]) < step_size(strides[along])) along = k;
    }
    const dim_t steps = along < 0 ? 1 : shape.nodes[along].block_steps, stride = along < 0 ? 1 : strides[along],
                index_step = along < 0 ? 1 : shape.nodes[along].index_step;
    box.loops.push_back({steps, stride});
    dim_t& beyond = box.loops[box.loops.size() - 1].count;
    dim_t index[max_block_nodes]{}, first = 0, place = 0;
    // Returns how many of the steps of node `along` from index `first` are before an end.
    const auto before = [&](dim_t end) {
        return end <= first ? 0 : smaller_of(divide_up(end - first, index_step), steps);
    };
    for (int k = 0; k < shape.inner;) {
        const dim_t kept = before(valid);
        beyond = before(stored[axis]) - kept;
        box.begin = place + kept * stride;
        if (beyond > 0) zero_box(box, bytes, to, zero);
        for (k = 0; k < shape.inner; ++k) {
            const cache_block_node& n = shape.nodes[k];
            if (n.axis != axis || k == along) continue;
            first += n.index_step;
            place += strides[k];
            if (++index[k] < n.block_steps) break;
            first -= n.block_steps * n.index_step;
            place -= n.block_steps * strides[k];
            index[k] = 0;
        }
    }
}

/// Zeros the stored elements of a cache block beyond its valid elements, after the cache block was converted whole.
/// `to` is in the destination or in the buffer.
///
/// Pre:     in the destination, the stored part of each axis ends at a step of its outermost node, or beyond the cache
///          block
/// Example: a cache block of 16 channels, 3 of them valid: zeros channels 3 to 15, for all other indices of the cache
///          block
inline void zero_beyond(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored, dim_t bytes,
                        std::byte* to, bool in_buffer, const block_zeros& zero) {
    const cache_block_shape& shape = blocks.shape;
    dim_t strides[max_block_nodes], dense = 1;
    for (int k = 0; k < shape.inner; ++k) {
        strides[k] = in_buffer ? dense : shape.nodes[k].dst;
        dense *= shape.nodes[k].block_steps;
    }
    for (int a = 0; a < shape.bounds.size(); ++a)
        if (valid[a] < blocks.reach[a] && valid[a] < stored[a])
            zero_beyond_axis(shape, a, valid[a], stored, strides, bytes, to, zero);
}

/// Zeros all stored elements of a cache block, where `stored` is the number of stored indices left along each axis.
/// Returns false, and zeros nothing, if an axis ends in the cache block and several nodes count it.
inline bool zero_cache_block(const cache_block_plan& blocks, const dim_t* stored, dim_t bytes, std::byte* to,
                             const block_zeros& zero) {
    place_box box;
    for (int k = 0; k < blocks.shape.inner; ++k) {
        const cache_block_node& n = blocks.shape.nodes[k];
        dim_t count = n.block_steps;
        if (blocks.bounded[n.axis] && stored[n.axis] < blocks.reach[n.axis]) {
            // The axis ends in this cache block. This is supported only if the node is the only one of its axis in
            // here.
            if ((n.block_steps - 1) * n.index_step + 1 != blocks.reach[n.axis]) return false;
            count = divide_up(stored[n.axis], n.index_step);
        }
        box.loops.push_back({count, n.dst});
    }
    zero_box(box, bytes, to, zero);
    return true;
}

/// Returns true if the stored part of a cache block ends, along an axis, with its rows. This is so if it is whole steps
/// of the axis' outermost node, and that node counts rows; or if that is the last node of each row, and all rows take
/// as many steps of it.
///
/// Example: 80 channels of 8 blocks of 16 channels are stored. Rows of one block: true, for 5 rows. Rows of all 8
///          blocks: true, for each has 5. Rows of two blocks: false, because the third has one
inline bool ends_with_rows(const cache_block_shape& shape, const cache_block_row& row, int axis, dim_t stored) {
    int outermost = -1;
    for (int k = 0; k < shape.inner; ++k)
        if (shape.nodes[k].axis == axis &&
            (outermost < 0 || shape.nodes[k].index_step > shape.nodes[outermost].index_step))
            outermost = k;
    if (outermost < 0 || stored <= 0 || stored % shape.nodes[outermost].index_step != 0) return false;
    const dim_t steps = stored / shape.nodes[outermost].index_step;
    return outermost >= row.nodes || (outermost == row.nodes - 1 && (steps < row.last || steps % row.last == 0));
}

/// Returns how many elements of each row are stored.
///
/// Pre:     each axis whose stored part ends in the cache block ends with its rows
/// Example: rows of 8 blocks of 16 channels and 10 places, of which 80 channels are stored: 800 of 1280
inline dim_t length_of_rows(const cache_block_shape& shape, const cache_block_row& row, const dim_t* stored) {
    if (row.nodes == 0) return row.length;
    const dim_t steps = stored_steps(shape.nodes[row.nodes - 1], stored);
    return steps < row.last ? row.length / row.last * steps : row.length;
}

/// Returns true if a cache block that passes an end may be converted as if it did not. At least
/// `least_share_of_elements` must be valid. All elements that are read must be inside the source, and all that are
/// written must be stored, perhaps in fewer rows or in shorter ones. Without a buffer, clipped rows must also be much
/// shorter than whole rows. `src` is the offset at which the cache block begins in the source.
inline bool may_convert_whole(const cache_block_plan& blocks, const value_conversion& conversion, const dim_t* valid,
                              const dim_t* stored, dim_t src) {
    const cache_block_shape& shape = blocks.shape;
    const bool from_source = shape.side != cache_block_side::destination,
               to_destination = shape.side != cache_block_side::source;
    if (shape.side == cache_block_side::both && blocks.part.length * 4 > blocks.whole.length) return false;
    double wanted = 1;
    for (int a = 0; a < shape.bounds.size(); ++a) {
        const bool is_cut = to_destination && stored[a] < blocks.reach[a];
        if (is_cut && !ends_with_rows(shape, blocks.whole, a, stored[a])) return false;
        const dim_t converted = is_cut ? stored[a] : blocks.reach[a];
        // Clamp to 0, because the product of two negative numbers would count as wanted elements.
        const dim_t here = larger_of(valid[a], 0);
        if (here < converted) wanted *= static_cast<double>(here) / static_cast<double>(converted);
    }
    if (wanted < least_share_of_elements(blocks.part) && (from_source || !conversion.keeps_zero())) return false;
    dim_t last = src;
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        if (n.src < 0) return false;
        last += ((to_destination ? stored_steps(n, stored) : n.block_steps) - 1) * n.src;
    }
    return !from_source || last < shape.src_end;
}

/// Returns true if the padding of a cache block may be zeroed by zero_beyond.
inline bool may_zero_beyond(const cache_block_plan& blocks, const dim_t* stored) {
    for (int a = 0; a < blocks.shape.bounds.size(); ++a)
        if (stored[a] < blocks.reach[a] && !ends_with_rows(blocks.shape, blocks.whole, a, stored[a])) return false;
    return true;
}

/// Returns true if a cache block stores places without an element.
///
/// Example: of 100 channels in cache blocks of 64, the last one has 36, and no padding if 100 are stored
inline bool has_padding(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored) {
    for (int a = 0; a < blocks.shape.bounds.size(); ++a)
        if (valid[a] < smaller_of(stored[a], blocks.reach[a])) return true;
    return false;
}

/// When the padding of a cache block is zeroed: with the rows before it, or all of it before or after all rows.
enum class padding_zeroed { with_rows, before_rows, after_rows };

/// Decides when the padding of a cache block in the destination is zeroed, and zeros it if that is before the rows: if
/// much is padding, the whole cache block is zeroed, in longer runs. With beta, elements keep their old contents until
/// they are converted, so padding is zeroed after them.
inline padding_zeroed zero_padding_of(const cache_block_plan& blocks, const value_conversion& conversion,
                                      const dim_t* valid, const dim_t* stored, bool is_all_padding, std::byte* to,
                                      const block_zeros& zero) {
    const bool keeps_old = conversion.attributes.beta != 0 && !is_all_padding;
    if (conversion.writes_packed()) return padding_zeroed::with_rows;
    if (!has_padding(blocks, valid, stored)) return padding_zeroed::before_rows;
    if (keeps_old) return may_zero_beyond(blocks, stored) ? padding_zeroed::after_rows : padding_zeroed::with_rows;
    return zero_cache_block(blocks, stored, conversion.dst_bytes, to, zero) ? padding_zeroed::before_rows
                                                                            : padding_zeroed::with_rows;
}

/// A loop around the rows of a cache block.
struct row_loop {
    int axis;
    dim_t extent, index_step, from, to, index;  ///< `from` and `to` in bytes
    const dim_t* value_steps;                   ///< what a step of its node adds to the place in each array
    dim_t steps;                                ///< steps of the node in one step of the loop

    bool has_values() const {
        for (int k = 0; k < attribute_arrays; ++k)
            if (value_steps[k] != 0) return true;
        return false;
    }
};

/// Returns the loop along a node that advances by `steps` of its steps. `from` and `to` are the bytes of one step of
/// the loop.
inline row_loop loop_of(const cache_block_node& n, dim_t steps, dim_t from, dim_t to) {
    return {n.axis, n.block_steps / steps, n.index_step * steps, from, to, 0, n.value_steps, steps};
}

/// Writes the loops around the rows of a cache block to `loops`, and returns their number, or -1 if nothing of the
/// cache block is left. The first loop counts the steps of the row's last node that the row does not take. `remaining`
/// has the number of indices left of each axis; it is null if the cache block passes no end.
inline int find_row_loops(const cache_block_plan& blocks, const value_conversion& conversion,
                          const cache_block_row& row, const dim_t* remaining, row_loop* loops) {
    const cache_block_side side = blocks.shape.side;
    const bool from_source = side != cache_block_side::destination, to_destination = side != cache_block_side::source;
    dim_t place = row.length;  // in the buffer
    int count = 0;
    for (int k = row.nodes > 0 ? row.nodes - 1 : 0; k < blocks.shape.inner; ++k) {
        const cache_block_node& n = blocks.shape.nodes[k];
        const dim_t steps = k < row.nodes ? row.last : 1;
        if (steps == n.block_steps) continue;
        row_loop& loop = loops[count++];
        loop = loop_of(n, steps, (from_source ? n.src * steps : place) * conversion.src_bytes,
                       (to_destination ? n.dst * steps : place) * conversion.dst_bytes);
        place *= loop.extent;
        // Limit the loop to the steps before the end of its axis.
        if (remaining == nullptr || !blocks.bounded[n.axis]) continue;
        const dim_t steps_remaining = divide_up(remaining[n.axis], loop.index_step);
        if (steps_remaining <= 0) return -1;
        if (steps_remaining < loop.extent) loop.extent = steps_remaining;
    }
    return count;
}

/// Returns true if all rows that the loops visit are valid from their first element to their last.
inline bool are_complete(const cache_block_plan& blocks, const dim_t* valid, const row_loop* loops, int count,
                         const cache_block_row& row) {
    if (row.end_axis >= 0 && blocks.bounded[row.end_axis]) return false;
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        dim_t last = 0;
        for (int k = 0; k < count; ++k) last += loops[k].axis == a ? (loops[k].extent - 1) * loops[k].index_step : 0;
        if (blocks.bounded[a] && last >= valid[a]) return false;
    }
    return true;
}

/// Returns the row of a cache block that passes ends. If the row of cache blocks that pass all ends is short, the row
/// that ends only on the axes of this one is found, because most cache blocks pass the end of one axis only.
///
/// Example: rows of 4 x 8 x 32 elements that end on the last axis, around them 3 of 4 indices of another axis: a cache
///          block that passes only the end of that one has rows of 1024
inline cache_block_row find_clipped_row(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored) {
    constexpr dim_t short_row = 64;
    if (blocks.part.length >= short_row || blocks.part.length * 4 > blocks.whole.length) return blocks.part;
    int ends = 0;
    for (int a = 0; a < blocks.shape.bounds.size(); ++a)
        ends |= blocks.bounded[a] && (valid[a] < blocks.reach[a] || stored[a] < blocks.reach[a]) ? 1 << a : 0;
    return find_row_to_ends(blocks.shape, ends);
}

/// Returns how many rows are converted together. If rows have values of their own, the room for values limits the
/// number.
inline dim_t rows_at_once(const cache_block_plan& blocks, const cache_block_row& row, const row_loop& loop) {
    dim_t rows = loop.extent;
    for (int k = 0; k < attribute_arrays; ++k) {
        if (loop.value_steps[k] == 0) continue;
        dim_t most = blocks.shape.rows_have_one_value ? most_values_of_a_row / 2 : most_rows;
        for (int i = 0; i < row.nodes; ++i)
            if (blocks.shape.nodes[i].value_steps[k] != 0) most = most_values_of_a_row / row.length;
        if (most < 1) most = 1;
        if (rows > most) rows = most;
    }
    return rows;
}

/// The beginning of some rows of a cache block: in memory, along the axes, and in the arrays of values.
struct row_cursor {
    const std::byte* from;
    std::byte* to;
    bool has_index = false, has_values = false;  ///< whether `index`, or `value_indices`, is used
    dim_t index[max_block_nodes];                ///< along each axis, within the cache block
    dim_t value_indices[value_arrays]{};

    row_cursor(const std::byte* first_from, std::byte* first_to) : from(first_from), to(first_to) {}
    void begin_index(int axes) {
        has_index = true;
        for (int a = 0; a < axes; ++a) index[a] = 0;
    }
    /// Advances by `rows` rows of the first loop. If a loop ends, continues at its first row, one step further in the
    /// next loop.
    ///
    /// Post:    returns false after the last row of the last loop
    bool advance(row_loop* loops, int count, dim_t rows) {
        for (int k = 0; k < count; ++k, rows = 1) {
            row_loop& loop = loops[k];
            loop.index += rows;
            const bool more = loop.index < loop.extent;
            const dim_t steps = more ? rows : rows - loop.extent;
            from += steps * loop.from;
            to += steps * loop.to;
            if (has_index) index[loop.axis] += steps * loop.index_step;
            for (int i = 0; has_values && i < value_arrays; ++i)
                value_indices[i] += steps * loop.steps * loop.value_steps[i];
            if (more) return true;
            loop.index = 0;
        }
        return false;
    }
};

/// Returns the longest loop, except loop `first`, that can be merged with the rows, or -1 if there is none. Such a loop
/// does not change values. If rows may end, it does not change where they end either.
inline int find_repeats(const cache_block_plan& blocks, const row_loop* loops, int count, int first, bool may_end) {
    int found = -1;
    for (int k = 0; k < count; ++k) {
        if (k == first || loops[k].has_values() || (may_end && blocks.bounded[loops[k].axis])) continue;
        if (found < 0 || loops[k].extent > loops[found].extent) found = k;
    }
    return found;
}

/// Merges another loop with the rows, as repeats of them.
inline void take_repeats(row_block& block, const cache_block_plan& blocks, row_loop* loops, int& count, bool may_end) {
    const int taken = find_repeats(blocks, loops, count, 0, may_end);
    if (taken < 0) return;
    block.repeats = loops[taken].extent;
    block.from_repeat = loops[taken].from;
    block.to_repeat = loops[taken].to;
    --count;
    for (int i = taken; i < count; ++i) loops[i] = loops[i + 1];
}

/// Rates a loop as the loop over rows.
struct rows_choice {
    dim_t rows, together;  ///< rows that are converted together, without and with repeats
    bool has_values;

    /// Returns true if this loop is the better choice. First, enough rows are needed to fill the registers. Then more
    /// rows per call are better. Then loops with values are better, because preparing the values of several rows
    /// together is done less often.
    bool is_better_than(const rows_choice& other) const {
        const dim_t here = smaller_of(rows, enough_rows), there = smaller_of(other.rows, enough_rows);
        if (here != there) return here > there;
        if (together != other.together) return together > other.together;
        if (has_values != other.has_values) return has_values;
        return rows > other.rows;
    }
};

/// Makes the loop that converts the most rows together the first one, counting the rows of another loop that repeats
/// them. Returns the number of rows that are converted together, without repeats. If `streamed_bytes` is not 0, rows
/// are stored past the cache in elements of that many bytes; then a loop whose rows are adjacent in the destination is
/// preferred.
///
/// Example: 16 rows with a value for each element, inside a loop of 16 with other values. The rows of that loop,
///          repeated 16 times, are one call with 256 values, instead of 16 calls with 16 values each
inline dim_t put_rows_first(const cache_block_plan& blocks, const cache_block_row& row, row_loop* loops, int count,
                            dim_t streamed_bytes, bool may_end) {
    int best = 0;
    rows_choice most{};
    for (int k = 0; k < count; ++k) {
        const int repeats = find_repeats(blocks, loops, count, k, may_end);
        const dim_t rows = rows_at_once(blocks, row, loops[k]);
        const rows_choice here{rows, rows * (repeats < 0 ? 1 : loops[repeats].extent), loops[k].has_values()};
        const bool follows = streamed_bytes != 0 && loops[k].to == row.length * streamed_bytes &&
                             (!blocks.shape.rows_have_one_value || rows >= 2 * enough_rows);
        if (!follows && !here.is_better_than(most)) continue;
        best = k;
        most = here;
        if (follows) break;
    }
    if (best != 0) std::swap(loops[0], loops[best]);
    return count > 0 ? most.rows : 1;
}

/// Clips a row to the ends of the cache block (`part`), and reduces `taken` to the number of rows that the ends clip in
/// the same way.
inline void clip_rows(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored, part_of_rows& part,
                      dim_t& taken, const cache_block_row& row, const row_loop* loop, const dim_t* at) {
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        if (!blocks.bounded[a]) continue;
        const bool loops_along = loop != nullptr && loop->axis == a;
        const auto take = [&](dim_t& count, dim_t remaining) {
            const dim_t here = row.elements_before_end(a, remaining);
            if (here < count) count = here;
            if (!loops_along || remaining <= 0) return;
            // Count the rows that begin before the end. If a row extends along this axis, count only the rows that are
            // not clipped.
            const dim_t spare = remaining - 1 - row.reach_along(a);
            const dim_t same = spare < 0 ? 1 : spare / loop->index_step + 1;
            if (same < taken) taken = same;
        };
        take(part.valid, valid[a] - at[a]);
        take(part.stored, stored[a] - at[a]);
    }
    if (part.valid > part.stored) part.valid = part.stored;
}

}  // namespace plait::engine
